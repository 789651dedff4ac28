"""Owns what the clock shows at any instant: which segment, how far in, running or not, next flip.

A schedule is the history of its changes. Each change says how things stood at one instant of the
timebase; between two changes the clock runs by itself. So the position of a past instant never
moves, a change may lie ahead, and all tables that know the same changes agree to the nanosecond.
All spans and instants are integer nanoseconds. Levels and amounts: structure.py.
"""

import enum
from bisect import bisect_right

import msgspec

from firmware_py.core.structure import Break, Level, Segment

SECOND = 1_000_000_000


class Phase(enum.Enum):
    """What the clock does."""

    WAITING = "waiting"  # not started, or a start is armed
    RUNNING = "running"
    PAUSED = "paused"
    OVERTIME = "overtime"  # the last segment has run out; its blinds stay


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """How things stand at `at_ns`: `elapsed_ns` into `segment`, which lasts `extra_ns` longer."""

    at_ns: int
    revision: int
    segments: tuple[Segment, ...]
    phase: Phase  # WAITING, RUNNING or PAUSED; OVERTIME follows from them
    segment: int = 0  # index from 0
    elapsed_ns: int = 0
    extra_ns: int = 0
    playing_ns: int = 0  # the playing clock at `at_ns`
    counted: bool = False  # this break has begun to count (option break_start=last_table)

    def length_ns(self, index: int) -> int:
        """Return how long segment `index` lasts, as seen from this change."""
        extra = self.extra_ns if index == self.segment else 0
        return max(0, self.segments[index].seconds * SECOND + extra)


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """All changes so far, in order of their instants; `planned` is the list before the start."""

    planned: tuple[Segment, ...] = ()
    changes: tuple[Change, ...] = ()
    revision: int = 0

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The newest list of segments."""
        return self.changes[-1].segments if self.changes else self.planned


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """What the clock shows at one instant."""

    phase: Phase
    segment: int  # index from 0
    elapsed_ns: int
    length_ns: int  # in overtime elapsed - length is the time over
    remaining_ns: int  # 0 in overtime
    next_flip_ns: int | None  # the next change of segment, or of waiting or overtime, as known now
    revision: int


def position(schedule: Schedule, t_ns: int) -> Position:
    """Return the position at `t_ns`; at the flip instant itself the new segment shows."""
    index = _in_force(schedule, t_ns)
    if index < 0:
        return _waiting(schedule, schedule.planned, revision=0, index=index)
    change = schedule.changes[index]
    if change.phase is Phase.WAITING:
        return _waiting(schedule, change.segments, revision=change.revision, index=index)
    segment, elapsed_ns = _walk(change, t_ns)
    length_ns = change.length_ns(segment)
    over = elapsed_ns >= length_ns  # only the last segment is ever found used up
    return Position(
        phase=Phase.OVERTIME if over and change.phase is Phase.RUNNING else change.phase,
        segment=segment,
        elapsed_ns=elapsed_ns,
        length_ns=length_ns,
        remaining_ns=max(0, length_ns - elapsed_ns),
        next_flip_ns=_next_flip(schedule, index, t_ns, segment),
        revision=change.revision,
    )


def begun_by(schedule: Schedule, t_ns: int) -> Position:
    """Return the position that an action at `t_ns` belongs to.

    Rule 4: an action exactly on the stroke counts as before it. The instant of a start or of a
    resume has no clock running before it, so there the new position counts.
    """
    before = position(schedule, t_ns - 1)
    running = before.phase in (Phase.RUNNING, Phase.OVERTIME)
    return before if running else position(schedule, t_ns)


def segments_at(schedule: Schedule, t_ns: int) -> tuple[Segment, ...]:
    """Return the list of segments that counts at `t_ns`."""
    index = _in_force(schedule, t_ns)
    return schedule.changes[index].segments if index >= 0 else schedule.planned


def segment_at(schedule: Schedule, t_ns: int) -> Segment:
    """Return the segment at `t_ns`; ValueError for an empty schedule."""
    segments = segments_at(schedule, t_ns)
    if not segments:
        raise ValueError("a schedule without segments has no position")
    return segments[position(schedule, t_ns).segment]


def level_at(schedule: Schedule, t_ns: int) -> Level | None:
    """Return the level that counts at `t_ns`: in a break the one to come."""
    segments = segments_at(schedule, t_ns)
    rest = segments[position(schedule, t_ns).segment :]
    return next((s for s in rest if isinstance(s, Level)), None)


def next_level(schedule: Schedule, t_ns: int) -> Level | None:
    """Return the level after the present segment, None when there is none."""
    rest = segments_at(schedule, t_ns)[position(schedule, t_ns).segment + 1 :]
    return next((s for s in rest if isinstance(s, Level)), None)


def until_break_ns(schedule: Schedule, t_ns: int) -> int | None:
    """Return the clock time left until the next break begins; None when none is to come."""
    place = position(schedule, t_ns)
    left_ns = place.remaining_ns
    for segment in segments_at(schedule, t_ns)[place.segment + 1 :]:
        if isinstance(segment, Break):
            return left_ns
        left_ns += segment.seconds * SECOND
    return None


def playing_ns(schedule: Schedule, t_ns: int) -> int:
    """Return the playing clock: level time so far, without breaks and pauses (rules 1, 6).

    A change that was taken back has not been played, nor has the time in which no master ran.
    """
    index = _in_force(schedule, t_ns)
    if index < 0:
        return 0
    change = schedule.changes[index]
    return change.playing_ns + _level_ns(change, t_ns)


def paused_ns(schedule: Schedule, t_ns: int) -> int:
    """Return how long the clock has stood still by pauses up to `t_ns`."""
    ends = [change.at_ns for change in schedule.changes[1:]] + [t_ns]
    return sum(
        max(0, min(end_ns, t_ns) - change.at_ns)
        for change, end_ns in zip(schedule.changes, ends, strict=False)
        if change.phase is Phase.PAUSED
    )


def standing(schedule: Schedule, t_ns: int, revision: int) -> Change:
    """Return a change at `t_ns` that changes nothing: the ground for one that does."""
    place = position(schedule, t_ns)
    index = _in_force(schedule, t_ns)
    before = schedule.changes[index] if index >= 0 else None
    same = before is not None and before.segment == place.segment
    return Change(
        at_ns=t_ns,
        revision=revision,
        segments=segments_at(schedule, t_ns),
        phase=Phase.RUNNING if place.phase is Phase.OVERTIME else place.phase,
        segment=place.segment,
        elapsed_ns=place.elapsed_ns,
        extra_ns=before.extra_ns if before and same else 0,
        playing_ns=playing_ns(schedule, t_ns),
        counted=bool(before and same and before.counted),
    )


def reached_ns(schedule: Schedule, segment: int, elapsed_ns: int) -> int | None:
    """Return when the clock, as it runs now, reaches a place; None when it does not."""
    if not schedule.changes or segment < schedule.changes[-1].segment:
        return None
    change = schedule.changes[-1]
    between = range(change.segment, segment)
    way_ns = sum(map(change.length_ns, between)) + elapsed_ns - change.elapsed_ns
    return change.at_ns + way_ns if way_ns >= 0 else None


def with_change(schedule: Schedule, change: Change) -> Schedule:
    """Return the schedule with `change`; whatever stood at or after its instant falls away."""
    kept = tuple(old for old in schedule.changes if old.at_ns < change.at_ns)
    return Schedule(
        planned=schedule.planned,
        changes=(*kept, change),
        revision=max(schedule.revision, change.revision),
    )


def _in_force(schedule: Schedule, t_ns: int) -> int:
    return bisect_right(schedule.changes, t_ns, key=lambda change: change.at_ns) - 1


def _waiting(
    schedule: Schedule, segments: tuple[Segment, ...], *, revision: int, index: int
) -> Position:
    length_ns = segments[0].seconds * SECOND if segments else 0
    following = schedule.changes[index + 1 :]
    starts = (c.at_ns for c in following if c.phase is not Phase.WAITING)
    return Position(
        phase=Phase.WAITING,
        segment=0,
        elapsed_ns=0,
        length_ns=length_ns,
        remaining_ns=length_ns,
        next_flip_ns=next(starts, None),
        revision=revision,
    )


def _walk(change: Change, t_ns: int) -> tuple[int, int]:
    """Return segment and elapsed at `t_ns` when nothing but `change` counts."""
    segment, elapsed_ns = change.segment, change.elapsed_ns
    if change.phase is Phase.RUNNING:
        elapsed_ns += t_ns - change.at_ns
    while segment + 1 < len(change.segments) and elapsed_ns >= change.length_ns(segment):
        elapsed_ns -= change.length_ns(segment)
        segment += 1
    return segment, elapsed_ns


def _next_flip(schedule: Schedule, index: int, t_ns: int, segment: int) -> int | None:
    """Return when the segment seen at `t_ns` gives way, looking over the changes ahead."""
    change = schedule.changes[index]
    after = schedule.changes[index + 1] if index + 1 < len(schedule.changes) else None
    _, elapsed_ns = _walk(change, t_ns)
    flip_ns = None
    if change.phase is Phase.RUNNING and elapsed_ns < change.length_ns(segment):
        flip_ns = t_ns + change.length_ns(segment) - elapsed_ns
    if after is None or (flip_ns is not None and flip_ns < after.at_ns):
        return flip_ns
    there, _ = _walk(after, after.at_ns)
    if there != segment or after.phase is Phase.WAITING:
        return after.at_ns
    return _next_flip(schedule, index + 1, after.at_ns, segment)


def _level_ns(change: Change, t_ns: int) -> int:
    """Return how much of the time from `change` to `t_ns` was level time that ran."""
    if change.phase is not Phase.RUNNING:
        return 0
    upto, elapsed_ns = _walk(change, t_ns)
    whole = ((i, change.length_ns(i)) for i in range(change.segment, upto))
    spans = [*whole, (upto, elapsed_ns)]
    before_ns = change.elapsed_ns if isinstance(change.segments[change.segment], Level) else 0
    return sum(ns for i, ns in spans if isinstance(change.segments[i], Level)) - before_ns
