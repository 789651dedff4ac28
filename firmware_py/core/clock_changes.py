"""Owns what a clock event does to the schedule, and what taking one back means.

Takes a schedule and an event of the master's stream, gives the next schedule. Every change is set
on how things stand at its own instant, so that two changes within the lead add up in their order.
Positions: schedule.py. Whether a change may be: tournament_guards.py.
"""

from typing import assert_never

from msgspec.structs import replace

from firmware_py.core.events import (
    AnyClockEvent,
    BreakBegan,
    ClockChangeUndone,
    ClockPaused,
    ClockRecovered,
    ClockResumed,
    ClockStarted,
    SegmentChosen,
    SegmentsEdited,
    TimeChanged,
)
from firmware_py.core.schedule import (
    SECOND,
    Change,
    Phase,
    Schedule,
    playing_ns,
    reached_ns,
    standing,
    with_change,
)
from firmware_py.core.structure import Break, Segment

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


def changed(schedule: Schedule, event: OwnChange) -> Schedule:
    """Return the schedule with what `event` changed, from its effective instant on."""
    after = with_change(schedule, _change(schedule, event))
    if isinstance(event, SegmentsEdited):
        return _start_kept(schedule, event, after)
    return after


def undone(schedule: Schedule, before: Schedule, event: ClockChangeUndone) -> Schedule:
    """Return the schedule that goes on as `before` would have, its time gone on since (F014)."""
    return with_change(schedule, standing(before, event.effective_ns, event.revision))


def is_automatic(event: AnyClockEvent) -> bool:
    """Return whether the master changed the clock by itself: no step that an undo stops at."""
    return isinstance(event, BreakBegan)


def _change(schedule: Schedule, event: OwnChange) -> Change:
    """Return how things stand from the event's instant on."""
    now = standing(schedule, event.effective_ns, event.revision)
    match event:
        case ClockStarted():
            return _begin(replace(now, phase=Phase.RUNNING), 0)
        case ClockPaused():
            return replace(now, phase=Phase.PAUSED)
        case ClockResumed():
            return replace(now, phase=Phase.RUNNING)
        case TimeChanged():
            return _longer(now, event.delta_s * SECOND)
        case SegmentChosen():
            return _begin(now, event.segment)
        case SegmentsEdited():
            return _edited(now, event.segments)
        case BreakBegan():
            return _break_begun(now)
        case ClockRecovered():
            return _recovered(schedule, now, event)
    assert_never(event)


def _begin(now: Change, segment: int) -> Change:
    return replace(now, segment=segment, elapsed_ns=0, extra_ns=0, counted=False)


def _edited(now: Change, segments: tuple[Segment, ...]) -> Change:
    """Return the same place in another list; in overtime a level that was added begins now."""
    over = now.elapsed_ns >= now.length_ns(now.segment)
    edited = replace(now, segments=segments)
    return _begin(edited, now.segment + 1) if over and now.segment + 1 < len(segments) else edited


def _longer(now: Change, delta_ns: int) -> Change:
    """Return the segment made longer; one that would have ended already ends right now (L070).

    In overtime the time counts from now: a minute more is a minute to play.
    """
    planned_ns = now.segments[now.segment].seconds * SECOND
    ends_ns = max(planned_ns + now.extra_ns, now.elapsed_ns)
    return replace(now, extra_ns=max(ends_ns + delta_ns, now.elapsed_ns) - planned_ns)


def _break_begun(now: Change) -> Change:
    if not isinstance(now.segments[now.segment], Break):
        return now  # in the schedule that an undo goes back to, it may not have come yet
    return replace(now, elapsed_ns=0, counted=True)


def _recovered(schedule: Schedule, now: Change, event: ClockRecovered) -> Change:
    """Return the held position; the new timebase may even begin before the old one's end."""
    if not schedule.changes:
        return now
    newest = schedule.changes[-1]
    same = newest.segment == event.segment
    held_ns = reached_ns(schedule, event.segment, event.elapsed_ns)
    return Change(
        at_ns=event.effective_ns,
        revision=event.revision,
        segments=newest.segments,
        phase=Phase.PAUSED,
        segment=event.segment,
        elapsed_ns=event.elapsed_ns,
        extra_ns=newest.extra_ns if same else 0,
        playing_ns=playing_ns(schedule, newest.at_ns if held_ns is None else held_ns),
        counted=newest.counted and same,
    )


def _start_kept(before: Schedule, event: SegmentsEdited, after: Schedule) -> Schedule:
    """Return the edited schedule with a start that was armed and lies ahead of the edit."""
    ahead = [c for c in before.changes if c.at_ns > event.effective_ns]
    if not ahead or after.changes[-1].phase is not Phase.WAITING:
        return after
    start = replace(ahead[-1], segments=event.segments, revision=event.revision)
    return with_change(after, start)
