"""Owns what is known of a tournament: the event, the schedule, who sits at which table's unit.

Frozen; tournament.py makes the next state from an event. `number` counts the events evolved, so
that the next event of the stream has the number `number` + 1.
"""

import msgspec

from firmware_py.core.commands import BeginBreak, Command, RecoverClock, StartClock
from firmware_py.core.events import AlertRaised, AnyClockEvent, TournamentOpened
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
    """A clock change that can be taken back: its number, and the schedule before it."""

    number: int
    event: AnyClockEvent
    before: Schedule

    @property
    def undo_until_ns(self) -> int:
        """The last instant at which it can be taken back; a start armed for later waits so long."""
        return max(self.event.at_ns, self.event.effective_ns) + UNDO_LIMIT_NS


class Tournament(msgspec.Struct, frozen=True, kw_only=True):
    """The state of one tournament."""

    number: int = 0
    opened: TournamentOpened | None = None
    schedule: Schedule = Schedule()
    tables: tuple[JoinedTable, ...] = ()  # by table number
    past: tuple[PastChange, ...] = ()
    last_change: AnyClockEvent | None = None
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
    soonest_ns = at_ns + state.profile.lead_ms * MILLISECOND
    match command:
        case StartClock(start_ns=int() as start_ns):
            return max(start_ns, soonest_ns)
        case RecoverClock():
            return at_ns
        case BeginBreak():  # it happened just now; a change that lies ahead comes first
            return max([at_ns, *(change.at_ns for change in state.schedule.changes[-1:])])
        case _:
            return soonest_ns
