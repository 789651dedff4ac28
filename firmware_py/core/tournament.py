"""Decides for the tournament and evolves it: the one pair for the master's stream.

`decide` asks the refusal table first (tournament_guards.py); `evolve` never refuses, for an event
has happened. Instants are timebase nanoseconds and come in as arguments.
"""

from typing import Any, assert_never

from msgspec.structs import replace

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
from firmware_py.core.schedule import (
    SECOND,
    Change,
    Phase,
    Schedule,
    position,
    segments_at,
    with_change,
)
from firmware_py.core.tournament_guards import GUARDS
from firmware_py.core.tournament_state import (
    EMPTY,
    PAST_KEPT,
    JoinedTable,
    PastChange,
    Tournament,
    effective_ns,
)

OwnChange = (
    ClockStarted
    | ClockPaused
    | ClockResumed
    | TimeChanged
    | SegmentChosen
    | SegmentsEdited
    | BreakBegan
    | ClockRecovered
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
    epoch = held.epoch + 1 if held else 1
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
    if isinstance(event, ClockChangeUndone):
        return _undone(state, event)
    past = PastChange(
        number=state.number, at_ns=event.at_ns, name=type(event).__name__, before=state.schedule
    )
    schedule = with_change(state.schedule, _change(state.schedule, event))
    return replace(state, schedule=schedule, past=(*state.past, past)[-PAST_KEPT:])


def _change(schedule: Schedule, event: OwnChange) -> Change:
    """Return how things stand from the event's instant on."""
    now = _standing(schedule, event)
    match event:
        case ClockStarted():
            return replace(now, phase=Phase.RUNNING, segment=0, elapsed_ns=0, extra_ns=0)
        case ClockPaused():
            return replace(now, phase=Phase.PAUSED)
        case ClockResumed():
            return replace(now, phase=Phase.RUNNING)
        case TimeChanged():
            return _longer(now, event.delta_s * SECOND)
        case SegmentChosen():
            return replace(now, segment=event.segment, elapsed_ns=0, extra_ns=0)
        case SegmentsEdited():
            return replace(now, segments=event.segments)
        case BreakBegan():
            return replace(now, elapsed_ns=0)
        case ClockRecovered():
            return replace(
                now,
                phase=Phase.PAUSED,
                segment=event.segment,
                elapsed_ns=event.elapsed_ns,
                extra_ns=0 if event.segment != now.segment else now.extra_ns,
            )
    assert_never(event)


def _standing(schedule: Schedule, event: ClockEvent) -> Change:
    """Return the position at the event's instant as a change that changes nothing."""
    place = position(schedule, event.effective_ns)
    before = [c for c in schedule.changes if c.at_ns <= event.effective_ns]
    extra_ns = before[-1].extra_ns if before and before[-1].segment == place.segment else 0
    return Change(
        at_ns=event.effective_ns,
        revision=event.revision,
        segments=segments_at(schedule, event.effective_ns),
        phase=Phase.RUNNING if place.phase is Phase.OVERTIME else place.phase,
        segment=place.segment,
        elapsed_ns=place.elapsed_ns,
        extra_ns=extra_ns,
    )


def _longer(now: Change, delta_ns: int) -> Change:
    """Return the segment made longer; one that would have ended already ends right now."""
    planned_ns = now.segments[now.segment].seconds * SECOND
    wanted_ns = planned_ns + now.extra_ns + delta_ns
    return replace(now, extra_ns=max(wanted_ns, now.elapsed_ns) - planned_ns)


def _undone(state: Tournament, event: ClockChangeUndone) -> Tournament:
    """Return the state with the schedule before change `undoes`, its time gone on since."""
    past = next((p for p in state.past if p.number == event.undoes), None)
    if past is None:  # older than what is kept: nothing to go back to
        return state
    schedule = with_change(state.schedule, _standing(past.before, event))
    earlier = tuple(p for p in state.past if p.number < event.undoes)
    return replace(state, schedule=schedule, past=earlier)
