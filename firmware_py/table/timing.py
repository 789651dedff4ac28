"""Owns a unit's official time: the follower's when there is a master, its own in a satellite."""

from typing import Literal, Protocol, cast

from firmware_py.table.mailbox import OfficialTime, OwnTime
from firmware_py.table.unit_state import MASTERS_OWN, SyncMark
from sync.follower import Follower


class Timing(Protocol):
    """How a unit tells the official time and how far it may be trusted."""

    @property
    def time(self) -> OfficialTime | None:
        """The mapping of the moment; None before the first sample."""
        ...

    def mark(self, now_ns: int) -> SyncMark:
        """Return the state at local `now_ns`."""
        ...


class FollowedTiming:
    """The follower's time."""

    def __init__(self, follower: Follower) -> None:
        self._follower = follower

    @property
    def time(self) -> OfficialTime | None:
        """The follower's mapping; immutable, a new one with each sample."""
        return self._follower.mapping

    def mark(self, now_ns: int) -> SyncMark:
        """Return the follower's state, its last sample on official time."""
        mapping = self._follower.mapping
        if mapping is None:
            return SyncMark()
        state = self._follower.state(now_ns)
        return SyncMark(
            state=cast(Literal["unlocked", "locked", "holdover"], state.state),
            sample_ns=mapping.official_ns(now_ns - state.age_ns),
            uncertainty_ns=state.uncertainty_ns,
            alarm=state.alarm,
        )


class OwnTiming:
    """This machine's clock is the official one."""

    def __init__(self, ahead_ns: int = 0) -> None:
        """`ahead_ns`: official minus local."""
        self._time = OwnTime(ahead_ns)

    @property
    def time(self) -> OfficialTime:
        """Local plus a constant."""
        return self._time

    def mark(self, now_ns: int) -> SyncMark:
        """Return that nothing has to be followed."""
        return MASTERS_OWN
