"""Owns what can be asked of a tournament or a table; whether it may be is refusals.py's business.

A command is a wish with its author. `seen_revision` is the schedule revision that the author was
looking at; a stale one is refused, so that two consoles cannot act on each other's old picture.
"""

import msgspec

from firmware_py.core.profile import Profile
from firmware_py.core.roles import Role
from firmware_py.core.structure import Segment, Structure


class Command(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """What all commands share."""

    actor: str
    role: Role


# ---- to the tournament


class ClockCommand(Command, frozen=True, kw_only=True):
    """A command that changes the schedule."""

    seen_revision: int | None = None


class OpenTournament(Command, frozen=True, kw_only=True):
    """Take over an event file."""

    name: str
    structure: Structure
    profile: Profile
    tables: int
    seats: int = 11
    zone: str = "UTC"


class StartClock(ClockCommand, frozen=True, kw_only=True):
    """Begin the first segment; `start_ns` arms a start in the future (timebase)."""

    start_ns: int | None = None


class PauseClock(ClockCommand, frozen=True, kw_only=True):
    """Stop all tables."""


class ResumeClock(ClockCommand, frozen=True, kw_only=True):
    """Let all tables go on."""


class ChangeTime(ClockCommand, frozen=True, kw_only=True):
    """Make the running segment longer or shorter by `delta_s` seconds."""

    delta_s: int


class NextSegment(ClockCommand, frozen=True, kw_only=True):
    """Go to the next level or break now."""


class PreviousSegment(ClockCommand, frozen=True, kw_only=True):
    """Go back to the beginning of the level or break before this one."""


class EditSegments(ClockCommand, frozen=True, kw_only=True):
    """Replace the list; segments that have begun must stay as they are."""

    segments: tuple[Segment, ...]


class BeginBreak(ClockCommand, frozen=True, kw_only=True):
    """The last table is done: the break counts from now (option break_start=last_table)."""


class UndoClockChange(ClockCommand, frozen=True, kw_only=True):
    """Take back the last clock change."""


class RecoverClock(ClockCommand, frozen=True, kw_only=True):
    """After a reboot: hold the clock where the journal last knew it."""

    segment: int
    elapsed_ns: int


class JoinTable(Command, frozen=True, kw_only=True):
    """A unit asks to speak for a table; `replaces` when the unit before it has fallen silent."""

    table: int
    unit: str
    replaces: bool = False


class AnswerFloor(Command, frozen=True, kw_only=True):
    """The TD is at the table."""

    table: int


class RaiseAlert(Command, frozen=True, kw_only=True):
    """The master noticed a contradiction."""

    code: str
    table: int
    words: str


# ---- to a table


class PostBlinds(Command, frozen=True, kw_only=True):
    """Both blinds are in."""


class BeginRiffle(Command, frozen=True, kw_only=True):
    """The shuffle begins."""


class FinishDeal(Command, frozen=True, kw_only=True):
    """All hands are complete; without a riffle it stands for one (rule 42)."""


class EndHand(Command, frozen=True, kw_only=True):
    """The pot is pushed."""


class Misdeal(Command, frozen=True, kw_only=True):
    """Deal the same hand again."""


class CallFloor(Command, frozen=True, kw_only=True):
    """Ask for the TD."""


class EndFloorCall(Command, frozen=True, kw_only=True):
    """The call is over."""


class UndoTableAction(Command, frozen=True, kw_only=True):
    """Take back the last action at this table."""


AnyClockCommand = (
    StartClock
    | PauseClock
    | ResumeClock
    | ChangeTime
    | NextSegment
    | PreviousSegment
    | EditSegments
    | BeginBreak
    | UndoClockChange
    | RecoverClock
)
TournamentCommand = AnyClockCommand | OpenTournament | JoinTable | AnswerFloor | RaiseAlert
TableCommand = (
    PostBlinds
    | BeginRiffle
    | FinishDeal
    | EndHand
    | Misdeal
    | CallFloor
    | EndFloorCall
    | UndoTableAction
)
