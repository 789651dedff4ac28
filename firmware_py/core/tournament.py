"""Decides for the tournament and evolves it: the one pair for the master's stream.

`decide` asks the refusal table first (tournament_guards.py); `evolve` never refuses, for an event
has happened. Instants are timebase nanoseconds and come in as arguments.
"""

from typing import Any, assert_never

from msgspec.structs import replace

from firmware_py.core.clock_changes import OwnChange, changed, is_automatic, undone
from firmware_py.core.commands import (
    AnswerFloor,
    AnyClockCommand,
    BeginBreak,
    ChangeTime,
    ClockCommand,
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
    TournamentCommand,
    UndoClockChange,
)
from firmware_py.core.events import (
    AlertRaised,
    AnyClockEvent,
    AttemptRefused,
    BreakBegan,
    ClockChangeUndone,
    ClockEvent,
    ClockPaused,
    ClockRecovered,
    ClockResumed,
    ClockStarted,
    FloorAnswered,
    SegmentChosen,
    SegmentsEdited,
    TableJoined,
    TimeChanged,
    TournamentEvent,
    TournamentOpened,
    Unknown,
)
from firmware_py.core.refusals import Refused, first_refusal
from firmware_py.core.schedule import SECOND, Schedule, position
from firmware_py.core.tournament_guards import GUARDS
from firmware_py.core.tournament_state import (
    EMPTY,
    PAST_KEPT,
    JoinedTable,
    PastChange,
    Tournament,
    effective_ns,
)

__all__ = ["EMPTY", "Tournament", "decide", "evolve", "refusal"]


def refusal(state: Tournament, command: TournamentCommand, at_ns: int) -> Refused | None:
    """Return why `command` cannot be done now, or None."""
    refused = first_refusal(GUARDS[type(command)], state, command, at_ns)
    if refused is None or refused.code != "not_allowed":
        return refused
    attempt = AttemptRefused(
        at_ns=at_ns, actor=command.actor, command=type(command).__name__, code=refused.code
    )
    return Refused(refused.code, refused.words, (attempt,))


def decide(
    state: Tournament, command: TournamentCommand, at_ns: int
) -> list[TournamentEvent] | Refused:
    """Return the events that carry out `command`, or the refusal."""
    if refused := refusal(state, command, at_ns):
        return refused
    who: dict[str, Any] = {"at_ns": at_ns, "actor": command.actor}
    if isinstance(command, ClockCommand):
        return [_clock_event(state, command, at_ns, who)]
    match command:
        case OpenTournament():
            fields = ("name", "structure", "profile", "tables", "seats", "zone")
            return [TournamentOpened(**who, **{f: getattr(command, f) for f in fields})]
        case JoinTable():
            return _joined(state, command, who)
        case AnswerFloor():
            return [FloorAnswered(**who, table=command.table)]
        case RaiseAlert():
            return [AlertRaised(**who, code=command.code, table=command.table, words=command.words)]
    assert_never(command)


def _clock_event(
    state: Tournament, command: AnyClockCommand, at_ns: int, who: dict[str, Any]
) -> TournamentEvent:
    when_ns = effective_ns(state, command, at_ns)
    when = who | {"effective_ns": when_ns, "revision": state.schedule.revision + 1}
    place = position(state.schedule, when_ns)
    match command:
        case StartClock():
            return ClockStarted(**when)
        case PauseClock():
            return ClockPaused(**when)
        case ResumeClock():
            return ClockResumed(**when)
        case ChangeTime():
            return TimeChanged(**when, delta_s=command.delta_s)
        case NextSegment():
            return SegmentChosen(**when, segment=place.segment + 1)
        case PreviousSegment():
            return SegmentChosen(**when, segment=place.segment - 1)
        case EditSegments():
            return SegmentsEdited(**when, segments=command.segments)
        case BeginBreak():
            return BreakBegan(**when)
        case UndoClockChange():
            return ClockChangeUndone(**when, undoes=state.past[-1].number)
        case RecoverClock():
            return ClockRecovered(**when, segment=command.segment, elapsed_ns=command.elapsed_ns)
    assert_never(command)


def _joined(state: Tournament, command: JoinTable, who: dict[str, Any]) -> list[TournamentEvent]:
    held = state.table(command.table)
    if held is not None and held.unit == command.unit:
        return []
    # Journals outlive the night: seconds keep an epoch apart from those of other evenings.
    epoch = max(held.epoch + 1 if held else 1, who["at_ns"] // SECOND)
    return [TableJoined(**who, table=command.table, unit=command.unit, epoch=epoch)]


def evolve(state: Tournament, event: TournamentEvent) -> Tournament:
    """Return the state after `event`."""
    state = replace(state, number=state.number + 1)
    if isinstance(event, ClockEvent):
        return _clock_changed(state, event)
    match event:
        case TournamentOpened():
            planned = Schedule(planned=event.structure.segments)
            return replace(state, opened=event, schedule=planned)
        case TableJoined():
            return _with_table(
                state, JoinedTable(table=event.table, unit=event.unit, epoch=event.epoch)
            )
        case FloorAnswered():
            held = state.table(event.table)
            return _with_table(state, replace(held, answered_ns=event.at_ns)) if held else state
        case AlertRaised():
            return replace(state, alerts=(*state.alerts, event))
        case AttemptRefused():
            return state
        case Unknown():
            return replace(state, unknown=state.unknown + 1)
    assert_never(event)


def _with_table(state: Tournament, joined: JoinedTable) -> Tournament:
    others = [t for t in state.tables if t.table != joined.table]
    return replace(state, tables=tuple(sorted([*others, joined], key=lambda t: t.table)))


def _clock_changed(state: Tournament, event: AnyClockEvent) -> Tournament:
    state = replace(state, last_change=event)
    if isinstance(event, ClockChangeUndone):
        return _undone(state, event)
    return replace(state, schedule=changed(state.schedule, event), past=_past(state, event))


def _past(state: Tournament, event: OwnChange) -> tuple[PastChange, ...]:
    """Return what can be taken back after `event`."""
    if is_automatic(event):  # it has happened in what an undo goes back to, too (F017)
        return tuple(replace(p, before=changed(p.before, event)) for p in state.past)
    past = PastChange(number=state.number, event=event, before=state.schedule)
    if not isinstance(event, ClockRecovered):
        return (*state.past, past)[-PAST_KEPT:]
    # To take a recovery back is to catch up; that needs a timebase which has gone on.
    goes_on = all(change.at_ns <= event.effective_ns for change in state.schedule.changes)
    return (past,) if goes_on else ()


def _undone(state: Tournament, event: ClockChangeUndone) -> Tournament:
    """Return the state with the schedule before change `undoes`, its time gone on since."""
    past = next((p for p in state.past if p.number == event.undoes), None)
    if past is None:  # older than what is kept: nothing to go back to
        return state
    earlier = tuple(p for p in state.past if p.number < event.undoes)
    schedule = undone(state.schedule, past.before, event)
    return replace(state, schedule=schedule, past=earlier)
