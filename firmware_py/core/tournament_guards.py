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
from firmware_py.core.events import (
    BreakBegan,
    ClockChangeUndone,
    ClockEvent,
    ClockPaused,
    ClockRecovered,
    ClockResumed,
    ClockStarted,
    SegmentChosen,
    SegmentsEdited,
    TimeChanged,
)
from firmware_py.core.refusals import Guard
from firmware_py.core.roles import Role
from firmware_py.core.schedule import Phase, Position, position, segments_at, standing
from firmware_py.core.structure import Break, Severity, check
from firmware_py.core.tournament_state import Tournament, effective_ns

TournamentGuard = Guard[Tournament, Any]
MOST_SECONDS = 24 * 3600


def _place(state: Tournament, command: Command, at_ns: int) -> Position:
    """Return where the clock will be when `command` takes effect."""
    return position(state.schedule, effective_ns(state, command, at_ns))


def _phase_is(*phases: Phase) -> Any:
    return lambda state, command, at_ns: _place(state, command, at_ns).phase in phases


def _stale(state: Tournament, command: ClockCommand, at_ns: int) -> bool:
    return command.seen_revision not in (None, state.schedule.revision)


def _what_changed(state: Tournament, command: ClockCommand, at_ns: int) -> str:
    change = state.last_change
    return "State changed, look again" + (
        f": {change.actor} {_DONE[type(change)]}" if change else ""
    )


def _below(role: Role) -> Any:
    return lambda state, command, at_ns: command.role < role


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


def _open_problems(command: OpenTournament) -> list[str]:
    return [p.words for p in check(command.structure) if p.severity is Severity.ERROR]


def _flipping(state: Tournament, command: Command, at_ns: int) -> bool:
    """Return whether the segment that the author saw is gone when the command takes effect."""
    place = position(state.schedule, at_ns)
    return place.segment != _place(state, command, at_ns).segment


def _no_time_left(state: Tournament, command: ChangeTime, at_ns: int) -> bool:
    return command.delta_s < 0 and _place(state, command, at_ns).remaining_ns == 0


def _last_segment(state: Tournament, command: NextSegment, at_ns: int) -> bool:
    when_ns = effective_ns(state, command, at_ns)
    place = position(state.schedule, when_ns)
    return place.segment + 1 >= len(segments_at(state.schedule, when_ns))


def _no_break(state: Tournament, command: BeginBreak, at_ns: int) -> bool:
    when_ns = effective_ns(state, command, at_ns)
    segments = segments_at(state.schedule, when_ns)
    return not isinstance(segments[position(state.schedule, when_ns).segment], Break)


def _break_counts(state: Tournament, command: BeginBreak, at_ns: int) -> bool:
    return standing(state.schedule, effective_ns(state, command, at_ns), 0).counted


def _no_such_place(state: Tournament, command: RecoverClock, at_ns: int) -> bool:
    segments = state.schedule.segments
    return not 0 <= command.segment < len(segments) or command.elapsed_ns < 0


def _no_such_table(state: Tournament, command: JoinTable, at_ns: int) -> bool:
    return not 1 <= command.table <= _tables(state)


def _tables(state: Tournament) -> int:
    return state.opened.tables if state.opened else 0


def _held_by_another(state: Tournament, command: JoinTable, at_ns: int) -> bool:
    held = state.table(command.table)
    return held is not None and held.unit != command.unit and not command.replaces


_DONE: dict[type[ClockEvent], str] = {
    ClockStarted: "started the clock",
    ClockPaused: "paused the clock",
    ClockResumed: "resumed the clock",
    TimeChanged: "changed the time",
    SegmentChosen: "went to another level",
    SegmentsEdited: "edited the levels",
    BreakBegan: "let the break begin",
    ClockChangeUndone: "took a change back",
    ClockRecovered: "held the clock after a restart",
}

NOT_OPEN: TournamentGuard = Guard(
    "no_event", lambda s, c, t: s.opened is None, "No event is open; give the master an event file"
)
CLOCK: tuple[TournamentGuard, ...] = (
    NOT_OPEN,
    Guard(
        "not_allowed",
        _below(Role.DELEGATE),
        "The clock belongs to the TD; ask the TD or a delegate",
    ),
    Guard("stale", _stale, _what_changed),
)
OWN: tuple[TournamentGuard, ...] = (
    NOT_OPEN,
    Guard("not_allowed", _below(Role.UNIT), "An observer only looks on"),
)
NOT_STARTED: TournamentGuard = Guard(
    "not_started", _phase_is(Phase.WAITING), "The clock has not started yet"
)
RUNNING_CLOCK = (*CLOCK, NOT_STARTED)
FLIPPING: TournamentGuard = Guard(
    "flipping", _flipping, "The level is changing right now, look again"
)

GUARDS: dict[type[Command], tuple[TournamentGuard, ...]] = {
    OpenTournament: (
        Guard("not_allowed", _below(Role.TD), "Only the TD opens an event"),
        Guard("already_open", lambda s, c, t: s.opened is not None, "An event is open already"),
        Guard(
            "bad_structure",
            lambda s, c, t: bool(_open_problems(c)),
            lambda s, c, t: _open_problems(c)[0],
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
        Guard("paused", _phase_is(Phase.PAUSED), "Clock is paused already"),
    ),
    ResumeClock: (
        *RUNNING_CLOCK,
        Guard("running", _phase_is(Phase.RUNNING, Phase.OVERTIME), "Clock is running"),
    ),
    ChangeTime: (
        *RUNNING_CLOCK,
        FLIPPING,
        Guard("no_change", lambda s, c, t: c.delta_s == 0, "Zero seconds change nothing"),
        Guard("no_time_left", _no_time_left, "The time is up; there is none to take away"),
        Guard(
            "too_much",
            lambda s, c, t: abs(c.delta_s) > MOST_SECONDS,
            "More than a day at once; give a smaller time",
        ),
    ),
    NextSegment: (
        *RUNNING_CLOCK,
        FLIPPING,
        Guard("last_segment", _last_segment, "This is the last level; add time instead"),
    ),
    PreviousSegment: (
        *RUNNING_CLOCK,
        FLIPPING,
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
        *OWN,
        NOT_STARTED,
        Guard(
            "not_used",
            lambda s, c, t: s.profile.break_start != "last_table",
            "Breaks begin when the level ends, not with the last table",
        ),
        Guard("no_break", _no_break, "No break is running"),
        Guard("break_counts", _break_counts, "This break has begun to count already"),
    ),
    UndoClockChange: (
        *CLOCK,
        Guard("nothing", lambda s, c, t: not s.past, "There is no clock change to take back"),
        Guard(
            "too_late",
            lambda s, c, t: t > s.past[-1].undo_until_ns,
            "The last clock change is more than five minutes old; set the clock instead",
        ),
    ),
    RecoverClock: (
        *OWN,
        Guard("not_started", lambda s, c, t: not s.schedule.changes, "The clock has not started"),
        Guard("no_such_place", _no_such_place, "The schedule has no such place to go back to"),
    ),
    JoinTable: (
        *OWN,
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
        Guard("not_allowed", _below(Role.DELEGATE), "Only the TD or a delegate answers a call"),
    ),
    RaiseAlert: OWN,
}
