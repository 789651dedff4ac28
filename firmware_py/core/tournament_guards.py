"""Owns why a command to the tournament is refused: guard, code and words in one table.

Takes the state, the command and the instant; a clock change is judged by the position at which it
would take effect, so that two commands within the lead are seen in their order.
"""

from typing import Any

from firmware_py.core.commands import (
    AnswerFloor,
    BeginBreak,
    ChangeTime,
    ClockCommand,
    Command,
    EditSegments,
    JoinTable,
    NextSegment,
    OpenTournament,
    PauseClock,
    PreviousSegment,
    RaiseAlert,
    RecoverClock,
    ResumeClock,
    StartClock,
    UndoClockChange,
)
from firmware_py.core.refusals import Guard
from firmware_py.core.roles import Role
from firmware_py.core.schedule import Phase, Position, position, segments_at
from firmware_py.core.structure import Break, Severity, check
from firmware_py.core.tournament_state import UNDO_LIMIT_NS, Tournament, effective_ns

TournamentGuard = Guard[Tournament, Any]


def _place(state: Tournament, command: Command, at_ns: int) -> Position:
    """Return where the clock will be when `command` takes effect."""
    return position(state.schedule, effective_ns(state, command, at_ns))


def _phase_is(*phases: Phase) -> Any:
    return lambda state, command, at_ns: _place(state, command, at_ns).phase in phases


def _stale(state: Tournament, command: ClockCommand, at_ns: int) -> bool:
    return command.seen_revision not in (None, state.schedule.revision)


def _without_right(state: Tournament, command: Command, at_ns: int) -> bool:
    return command.role < Role.DELEGATE


def _armed(state: Tournament, command: StartClock, at_ns: int) -> bool:
    place = position(state.schedule, at_ns)
    return place.phase is Phase.WAITING and place.next_flip_ns is not None


def _start_passed(state: Tournament, command: StartClock, at_ns: int) -> bool:
    return command.start_ns is not None and command.start_ns < at_ns


def _begun_edited(state: Tournament, command: EditSegments, at_ns: int) -> bool:
    place = _place(state, command, at_ns)
    upto = 0 if place.phase is Phase.WAITING else place.segment + 1
    return command.segments[:upto] != state.schedule.segments[:upto]


def _edit_problems(state: Tournament, command: EditSegments) -> list[str]:
    assert state.opened is not None  # guarded before
    edited = state.opened.structure.with_segments(command.segments)
    return [p.words for p in check(edited) if p.severity is Severity.ERROR]


def _first_edit_problem(state: Tournament, command: EditSegments, at_ns: int) -> str:
    return _edit_problems(state, command)[0]


def _last_segment(state: Tournament, command: NextSegment, at_ns: int) -> bool:
    when_ns = effective_ns(state, command, at_ns)
    place = position(state.schedule, when_ns)
    return place.segment + 1 >= len(segments_at(state.schedule, when_ns))


def _no_break(state: Tournament, command: BeginBreak, at_ns: int) -> bool:
    when_ns = effective_ns(state, command, at_ns)
    segments = segments_at(state.schedule, when_ns)
    return not isinstance(segments[position(state.schedule, when_ns).segment], Break)


def _no_such_table(state: Tournament, command: JoinTable, at_ns: int) -> bool:
    return not 1 <= command.table <= _tables(state)


def _tables(state: Tournament) -> int:
    return state.opened.tables if state.opened else 0


def _held_by_another(state: Tournament, command: JoinTable, at_ns: int) -> bool:
    held = state.table(command.table)
    return held is not None and held.unit != command.unit and not command.replaces


NOT_OPEN: TournamentGuard = Guard(
    "no_event", lambda s, c, t: s.opened is None, "No event is open; give the master an event file"
)
NO_RIGHT: TournamentGuard = Guard(
    "not_allowed", _without_right, "The clock belongs to the TD; ask the TD or a delegate"
)
STALE: TournamentGuard = Guard("stale", _stale, "The clock has changed meanwhile; look again")
NOT_STARTED: TournamentGuard = Guard(
    "not_started", _phase_is(Phase.WAITING), "The clock has not started yet"
)
CLOCK = (NOT_OPEN, NO_RIGHT, STALE)
RUNNING_CLOCK = (*CLOCK, NOT_STARTED)

GUARDS: dict[type[Command], tuple[TournamentGuard, ...]] = {
    OpenTournament: (
        Guard(
            "already_open", lambda s, c, t: s.opened is not None, "An event is open here already"
        ),
    ),
    StartClock: (
        *CLOCK,
        Guard("armed", _armed, "A start is set already; undo it first"),
        Guard(
            "started",
            lambda s, c, t: _place(s, c, t).phase is not Phase.WAITING,
            "The clock has started already",
        ),
        Guard("start_in_past", _start_passed, "That start time has passed; give a later one"),
    ),
    PauseClock: (
        *RUNNING_CLOCK,
        Guard("paused", _phase_is(Phase.PAUSED), "The clock is paused already"),
    ),
    ResumeClock: (
        *RUNNING_CLOCK,
        Guard("running", _phase_is(Phase.RUNNING, Phase.OVERTIME), "The clock is running"),
    ),
    ChangeTime: (
        *RUNNING_CLOCK,
        Guard("no_change", lambda s, c, t: c.delta_s == 0, "Zero seconds change nothing"),
        Guard(
            "too_much",
            lambda s, c, t: abs(c.delta_s) > 24 * 3600,
            "More than a day at once; give a smaller time",
        ),
    ),
    NextSegment: (
        *RUNNING_CLOCK,
        Guard("last_segment", _last_segment, "This is the last level; add time instead"),
    ),
    PreviousSegment: (
        *RUNNING_CLOCK,
        Guard(
            "first_segment",
            lambda s, c, t: _place(s, c, t).segment == 0,
            "This is the first level; there is none before it",
        ),
    ),
    EditSegments: (
        *CLOCK,
        Guard(
            "has_begun", _begun_edited, "Levels that have begun stay as they are; edit later ones"
        ),
        Guard("bad_structure", lambda s, c, t: bool(_edit_problems(s, c)), _first_edit_problem),
    ),
    BeginBreak: (
        NOT_OPEN,
        NOT_STARTED,
        Guard("no_break", _no_break, "No break is running"),
    ),
    UndoClockChange: (
        *CLOCK,
        Guard("nothing", lambda s, c, t: not s.past, "There is no clock change to take back"),
        Guard(
            "too_late",
            lambda s, c, t: t - s.past[-1].at_ns > UNDO_LIMIT_NS,
            "That clock change is more than five minutes old; set the clock instead",
        ),
    ),
    RecoverClock: (NOT_OPEN, NOT_STARTED),
    JoinTable: (
        NOT_OPEN,
        Guard(
            "no_such_table",
            _no_such_table,
            lambda s, c, t: f"There is no table {c.table}; this event has tables 1 to {_tables(s)}",
        ),
        Guard(
            "table_taken",
            _held_by_another,
            lambda s, c, t: f"Table {c.table} is taken by another unit; set another table number",
        ),
    ),
    AnswerFloor: (
        NOT_OPEN,
        Guard("not_allowed", _without_right, "Only the TD or a delegate answers a call"),
    ),
    RaiseAlert: (NOT_OPEN,),
}
