"""What holds of every schedule, whatever the TD does in whatever order."""

import itertools
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_py.core.commands import (
    ChangeTime,
    EditSegments,
    NextSegment,
    PauseClock,
    PreviousSegment,
    ResumeClock,
    TournamentCommand,
    UndoClockChange,
)
from firmware_py.core.refusals import Refused
from firmware_py.core.schedule import SECOND, Phase, playing_ns, position
from firmware_py.core.structure import Break, Level
from firmware_py.core.tournament import decide
from tests.unit.core.night import TD, Night, levels, structure

MS = 1_000_000
LENGTHS = st.lists(st.integers(1, 90), min_size=1, max_size=6)


@dataclass(frozen=True)
class NewTail:
    """An edit that keeps what has begun and replaces what follows by these lengths."""

    lengths: tuple[int, ...]

    def wish(self, night: Night, now_ns: int) -> EditSegments:
        """Return the command for the list as it stands."""
        begun = night.state.schedule.segments[: night.at(now_ns + 400 * MS).segment + 1]
        number = sum(isinstance(segment, Level) for segment in begun)
        tail = levels(*[1] * number, *self.lengths)[number:]
        return EditSegments(**TD, segments=(*begun, *tail))


@dataclass(frozen=True)
class Step:
    """A command `after_ms` after the one before."""

    after_ms: int
    wish: TournamentCommand | NewTail


WISHES = st.one_of(
    st.just(PauseClock(**TD)),
    st.just(ResumeClock(**TD)),
    st.just(NextSegment(**TD)),
    st.just(PreviousSegment(**TD)),
    st.just(UndoClockChange(**TD)),
    st.integers(-100, 100).map(lambda s: ChangeTime(**TD, delta_s=s)),
    LENGTHS.map(lambda lengths: EditSegments(**TD, segments=levels(*lengths))),
)
TAILS = LENGTHS.map(tuple).map(NewTail)
STEPS = st.lists(
    st.builds(Step, after_ms=st.integers(0, 40_000) | st.integers(0, 500), wish=WISHES | TAILS),
    max_size=12,
)


def started(lengths: list[int]) -> Night:
    """Return a night with a break after its second level."""
    parts = list(levels(*lengths))
    if len(parts) > 2:
        parts.insert(2, Break(seconds=30))
    return Night.started(structure(*parts))


def played(night: Night, steps: list[Step]) -> int:
    """Play the steps; return the instant after the last one."""
    now_ns = 0
    for step in steps:
        now_ns += step.after_ms * MS
        night.command(wish_of(step, night, now_ns), now_ns)
    return now_ns


def wish_of(step: Step, night: Night, now_ns: int) -> TournamentCommand:
    """Return what is asked for at this step."""
    return step.wish.wish(night, now_ns) if isinstance(step.wish, NewTail) else step.wish


def flips(night: Night, from_ns: int, to_ns: int) -> list[int]:
    """Return the announced flips, each found from the one before."""
    found: list[int] = []
    at_ns: int | None = from_ns
    while (at_ns := night.at(at_ns).next_flip_ns) is not None and at_ns < to_ns:
        found.append(at_ns)
    return found


@settings(max_examples=150, deadline=None)
@given(LENGTHS, STEPS, st.integers(0, 600_000))
def test_elapsed_and_remaining_are_the_length(lengths, steps, at_ms):
    night = started(lengths)
    played(night, steps)
    place = night.at(at_ms * MS)
    if place.elapsed_ns <= place.length_ns:
        assert place.elapsed_ns + place.remaining_ns == place.length_ns
    else:
        assert place.remaining_ns == 0
        assert place.next_flip_ns is None or place.next_flip_ns in _willed(night)


def _willed(night: Night) -> set[int]:
    """Return the instants at which the TD changed the clock."""
    return {change.at_ns for change in night.state.schedule.changes}


@settings(max_examples=150, deadline=None)
@given(LENGTHS, STEPS, st.lists(st.integers(0, 600_000), max_size=6))
def test_a_past_instant_keeps_its_position_whatever_comes_later(lengths, steps, back_ms):
    night = started(lengths)
    now_ns = 0
    for step in steps:
        now_ns += step.after_ms * MS
        past = [max(0, now_ns - ms * MS) for ms in back_ms]
        before = [position_without_plan(night, t) for t in past]
        night.command(wish_of(step, night, now_ns), now_ns)
        assert [position_without_plan(night, t) for t in past] == before


def position_without_plan(night: Night, t_ns: int) -> tuple[Phase, int, int, int]:
    """Return what was shown at `t_ns`; what was thought to come may change."""
    place = night.at(t_ns)
    return place.phase, place.segment, place.elapsed_ns, place.remaining_ns


@settings(max_examples=500, deadline=None)
@given(LENGTHS, STEPS)
def test_f026_no_flip_comes_while_time_is_left_unless_the_td_wills_it(lengths, steps):
    night = started(lengths)
    end_ns = played(night, steps) + 600 * SECOND
    willed = _willed(night)
    found = flips(night, -SECOND, end_ns)
    assert found == sorted(set(found))
    for flip_ns in found:
        before, after = night.at(flip_ns - 1), night.at(flip_ns)
        assert (before.segment, before.phase) != (after.segment, after.phase)
        assert before.next_flip_ns == flip_ns
        assert before.remaining_ns == 1 or flip_ns in willed


@settings(max_examples=100, deadline=None)
@given(LENGTHS, STEPS)
def test_every_change_of_segment_is_announced(lengths, steps):
    night = started(lengths)
    end_ns = played(night, steps) + 300 * SECOND
    announced = set(flips(night, -SECOND, end_ns))
    instants = sorted({*announced, *(c.at_ns for c in night.state.schedule.changes)})
    for flip_ns in instants:
        if night.at(flip_ns - 1).segment != night.at(flip_ns).segment:
            assert flip_ns in announced
    for from_ns, to_ns in zip(instants, [*instants[1:], end_ns], strict=True):
        assert night.at(from_ns).segment == night.at(to_ns - 1).segment


@settings(max_examples=150, deadline=None)
@given(st.lists(st.integers(401, 9_000), min_size=2, max_size=20))
def test_s067_pauses_conserve_the_playing_time_to_the_nanosecond(gaps_ms):
    night = Night.started(structure(*levels(3600, 3600)))
    now_ns, running_ns, last_ns, runs = 0, 0, 0, True
    for gap_ms in gaps_ms:
        now_ns += gap_ms * MS
        night.done((PauseClock if runs else ResumeClock)(**TD), now_ns)
        effective_ns = now_ns + 400 * MS
        running_ns += (effective_ns - last_ns) * runs
        last_ns, runs = effective_ns, not runs
    assert night.at(last_ns).elapsed_ns == running_ns
    assert playing_ns(night.state.schedule, last_ns) == running_ns
    assert night.at(last_ns).remaining_ns == 3600 * SECOND - running_ns


@settings(max_examples=150, deadline=None)
@given(LENGTHS, STEPS, st.lists(st.integers(0, 600_000), min_size=2, max_size=8))
def test_the_playing_clock_never_runs_faster_than_time(lengths, steps, at_ms):
    night = started(lengths)
    played(night, [s for s in steps if not isinstance(s.wish, UndoClockChange)])
    instants = sorted(ms * MS for ms in at_ms)
    schedule = night.state.schedule
    for early_ns, late_ns in itertools.pairwise(instants):
        gained = playing_ns(schedule, late_ns) - playing_ns(schedule, early_ns)
        assert 0 <= gained <= late_ns - early_ns


@settings(max_examples=150, deadline=None)
@given(LENGTHS, STEPS)
def test_the_playing_clock_is_the_sum_of_running_level_time(lengths, steps):
    night = started(lengths)
    end_ns = played(night, [s for s in steps if not isinstance(s.wish, UndoClockChange)])
    schedule = night.state.schedule
    cuts = sorted({0, end_ns, *flips(night, -SECOND, end_ns), *(c.at_ns for c in schedule.changes)})
    total_ns = 0
    for from_ns, to_ns in itertools.pairwise(cuts):
        place = position(schedule, from_ns)
        runs = place.phase in (Phase.RUNNING, Phase.OVERTIME)
        level = isinstance(_segment(night, from_ns), Level)
        total_ns += (to_ns - from_ns) * (runs and level and 0 <= from_ns < end_ns)
    assert playing_ns(schedule, end_ns) == total_ns


def _segment(night: Night, t_ns: int) -> object:
    changes = [c for c in night.state.schedule.changes if c.at_ns <= t_ns]
    segments = changes[-1].segments if changes else night.state.schedule.planned
    return segments[night.at(t_ns).segment]


@settings(max_examples=150, deadline=None)
@given(LENGTHS, STEPS)
def test_the_record_alone_gives_the_same_state(lengths, steps):
    night = started(lengths)
    played(night, steps)
    assert night.replayed() == night.state


@settings(max_examples=150, deadline=None)
@given(LENGTHS, STEPS, WISHES)
def test_what_is_refused_leaves_no_trace_and_what_is_accepted_is_one_event(lengths, steps, wish):
    night = started(lengths)
    now_ns = played(night, steps)
    before = night.state
    outcome = decide(before, wish, now_ns)
    night.command(wish, now_ns)
    if isinstance(outcome, Refused):
        assert night.state == before
    else:
        assert len(outcome) == 1
        assert night.state.schedule.revision == before.schedule.revision + 1
