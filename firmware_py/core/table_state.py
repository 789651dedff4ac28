"""Owns what is known at one table: the hand, the floor call, what can be undone, the room's clock.

Frozen; table.py makes the next state from an event. `tournament` is the replica of the stream that
the master writes; `number` counts the events of this table's own stream.
"""

import msgspec

from firmware_py.core.latch import Hand, level_of
from firmware_py.core.structure import Level
from firmware_py.core.tournament_state import EMPTY, Tournament

PAST_KEPT = 12


class PastAction(msgspec.Struct, frozen=True, kw_only=True):
    """An action that can be taken back: its number, its name, and how things stood before."""

    number: int
    name: str  # the event's tag
    hand_number: int
    hand: Hand | None
    hands: int


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """The state of one table."""

    place: int  # the table's number in the room
    tournament: Tournament = EMPTY
    number: int = 0
    hand: Hand | None = None
    hands: int = 0  # hands that have ended
    floor_called_ns: int | None = None
    past: tuple[PastAction, ...] = ()
    unknown: int = 0

    @property
    def hand_level(self) -> Level | None:
        """The level of the hand in play, None when no hand is latched."""
        if self.hand is None or self.hand.latched is None:
            return None
        return level_of(self.hand.latched, self.tournament.schedule)

    @property
    def in_play(self) -> bool:
        """Whether a latched hand has not ended."""
        return self.hand is not None and self.hand.latched is not None
