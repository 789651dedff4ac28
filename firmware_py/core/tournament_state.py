"""Owns what is known of a tournament: the event, the schedule, who sits at which table's unit.

Frozen; tournament.py makes the next state from an event. `number` counts the events evolved, so
that the next event of the stream has the number `number` + 1.
"""

import msgspec

from firmware_py.core.commands import BeginBreak, Command, RecoverClock, StartClock
from firmware_py.core.events import AlertRaised, TournamentOpened
from firmware_py.core.profile import HOUSE, Profile
from firmware_py.core.schedule import SECOND, Schedule

MILLISECOND = 1_000_000
UNDO_LIMIT_NS = 300 * SECOND  # later, the room has played on too far to jump back
PAST_KEPT = 8


class JoinedTable(msgspec.Struct, frozen=True, kw_only=True):
    """Which unit speaks for a table, in which epoch of its stream."""

    table: int
    unit: str
    epoch: int
    answered_ns: int = -1  # when the TD last answered its call


class PastChange(msgspec.Struct, frozen=True, kw_only=True):
    """A clock change that can be taken back: its number, instant, and the schedule before it."""

    number: int
    at_ns: int
    name: str  # the event's tag, for the words of an undo
    before: Schedule


class Tournament(msgspec.Struct, frozen=True, kw_only=True):
    """The state of one tournament."""

    number: int = 0
    opened: TournamentOpened | None = None
    schedule: Schedule = Schedule()
    tables: tuple[JoinedTable, ...] = ()  # by table number
    past: tuple[PastChange, ...] = ()
    alerts: tuple[AlertRaised, ...] = ()
    unknown: int = 0  # events of a newer version, kept without effect

    @property
    def profile(self) -> Profile:
        """The readings that are active."""
        return self.opened.profile if self.opened else HOUSE

    def table(self, number: int) -> JoinedTable | None:
        """Return who speaks for table `number`, None when nobody does."""
        return next((t for t in self.tables if t.table == number), None)


EMPTY = Tournament()


def effective_ns(state: Tournament, command: Command, at_ns: int) -> int:
    """Return when `command` would take effect: a little ahead, so that all tables act together."""
    if isinstance(command, StartClock) and command.start_ns is not None:
        return command.start_ns
    if isinstance(command, BeginBreak | RecoverClock):  # the master's own: nothing to wait for
        return at_ns
    return at_ns + state.profile.lead_ms * MILLISECOND
