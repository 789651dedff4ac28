"""When a screen changes by itself, and what is heard then."""

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from display.views import ClockView
from firmware_py.core.commands import (
    ChangeTime,
    NextSegment,
    PauseClock,
    PreviousSegment,
    ResumeClock,
    StartClock,
)
from firmware_py.core.schedule import SECOND, position
from firmware_py.core.structure import Break
from firmware_py.table.face import Sound, Sounded
from firmware_py.table.presenter import IDLE_NS, next_change_ns, present, sounds
from firmware_py.table.unit_state import ChipShown, Notice, SyncMark
from tests.unit.core.felt import Felt
from tests.unit.core.night import LEAD, MINUTE, TD, Night, levels, structure
from tests.unit.table.screens import THREE, shown, unit

FLIP = 20 * MINUTE
COMMANDS = (PauseClock, ResumeClock, NextSegment, PreviousSegment)


def random_night(chance: random.Random) -> tuple[Night, int]:
    """Return a night with clock commands at random, and when it is over."""
    lengths = [chance.randint(1, 300) for _ in range(4)]
    plan = structure(
        *levels(*lengths[:2]), Break(seconds=lengths[2]), *levels(1, 1, lengths[3])[2:]
    )
    night, now_ns = Night.started(plan), 0
    for _ in range(chance.randint(0, 8)):
        now_ns += chance.randint(1, 150 * SECOND)
        kind = chance.choice(COMMANDS)
        if chance.random() < 0.3:
            night.command(ChangeTime(**TD, delta_s=chance.randint(-200, 200)), now_ns)
        else:
            night.command(kind(**TD), now_ns)
    return night, now_ns + 600 * SECOND


# ---- the next change


def test_s076_digits_turn_with_the_true_second_of_the_level():
    state = unit(Night.started(THREE, at_ns=123))
    for now_ns in (123, 124, 123 + SECOND - 1, 123 + 7 * SECOND + 5):
        tick = next_change_ns(state, now_ns)
        assert (tick - 123) % SECOND == 0
        assert 0 < tick - now_ns <= SECOND


def test_nothing_turns_in_a_pause_and_the_loop_looks_again_after_a_minute():
    night = Night.started(THREE)
    night.done(PauseClock(**TD), MINUTE)
    assert next_change_ns(unit(night), 2 * MINUTE) == 2 * MINUTE + IDLE_NS


def test_a_change_ahead_a_notice_and_a_chip_are_waited_for():
    night = Night.started(THREE)
    night.done(PauseClock(**TD), 5 * MINUTE)
    assert next_change_ns(unit(night), 5 * MINUTE + 1) == 5 * MINUTE + LEAD
    later = 6 * MINUTE
    notice = Notice(words="x", until_ns=later + 30)
    chip = ChipShown(until_ns=later + 20, table=1, seat=1)
    assert next_change_ns(unit(night, notice=notice, chip=chip), later) == later + 20
    assert next_change_ns(unit(night, notice=notice, chip=chip), later + 20) == later + 30


def test_overtime_turns_with_the_second_at_which_it_began():
    state = unit(Night.started(THREE))
    assert next_change_ns(state, 61 * MINUTE + 300) == 61 * MINUTE + SECOND


def test_the_digits_run_until_a_pause_that_lies_ahead():
    night = Night.started(THREE)
    night.done(PauseClock(**TD), 5 * MINUTE - 100_000_000)
    assert next_change_ns(unit(night), 5 * MINUTE - 1) == 5 * MINUTE
    assert next_change_ns(unit(night), 5 * MINUTE) == 5 * MINUTE - 100_000_000 + LEAD


def test_the_age_of_a_holdover_turns_in_its_own_step():
    night = Night.started(THREE)
    night.done(PauseClock(**TD), MINUTE)
    lost = SyncMark(state="holdover", sample_ns=2 * MINUTE + 300)
    assert next_change_ns(unit(night, sync=lost), 3 * MINUTE) == 3 * MINUTE + 300


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False), st.booleans())
def test_between_two_changes_the_view_stays_as_it_is(chance, holdover):
    night, end_ns = random_night(chance)
    sync = SyncMark(state="holdover", sample_ns=-chance.randint(0, SECOND))
    state = unit(night, **({"sync": sync} if holdover else {}))
    now_ns = chance.randint(0, end_ns)
    due_ns = next_change_ns(state, now_ns)
    view = present(state, now_ns)
    for instant in (chance.randint(now_ns, due_ns - 1), due_ns - 1):
        assert present(state, instant) == view


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False))
def test_f055_shown_seconds_go_down_by_one_while_a_level_runs(chance):
    length = chance.randint(5, 4000)
    state = unit(Night.started(structure(*levels(length, 60))))
    now_ns, texts = chance.randint(0, length * SECOND - 4 * SECOND), []
    for _ in range(4):
        view = present(state, now_ns)
        assert isinstance(view, ClockView)
        texts.append(sum(60**n * int(p) for n, p in enumerate(reversed(view.clock.split(":")))))
        now_ns = next_change_ns(state, now_ns)
        while present(state, now_ns).clock == view.clock:  # only the badge changed
            now_ns = next_change_ns(state, now_ns)
    assert texts == list(range(texts[0], texts[0] - 4, -1))


# ---- sounds


def heard(night: Night, from_ns: int, to_ns: int) -> list[Sounded]:
    return list(sounds(unit(night), from_ns, to_ns))


def test_f025_the_warning_and_the_end_tone_come_at_their_very_instants():
    night = Night.started(THREE)
    assert heard(night, 0, 20 * MINUTE) == [
        Sounded(Sound.LAST_MINUTE, FLIP - MINUTE),
        Sounded(Sound.SEGMENT_END, FLIP),
    ]
    assert heard(night, FLIP - 1, FLIP) == [Sounded(Sound.SEGMENT_END, FLIP)]
    assert heard(night, FLIP, FLIP + MINUTE) == []


def test_the_end_of_the_last_level_is_heard_and_overtime_is_silent():
    night = Night.started(structure(*levels(120, 120)))
    assert heard(night, 3 * MINUTE, 90 * MINUTE) == [Sounded(Sound.SEGMENT_END, 4 * MINUTE)]


def test_the_start_and_a_skip_have_a_sound_of_their_own():
    night = Night(THREE)
    night.done(StartClock(**TD, start_ns=10 * MINUTE), 0)
    night.done(NextSegment(**TD), 12 * MINUTE - LEAD)
    assert heard(night, 0, 20 * MINUTE) == [
        Sounded(Sound.SEGMENT_CHOSEN, 10 * MINUTE),
        Sounded(Sound.SEGMENT_CHOSEN, 12 * MINUTE),
    ]


def test_f022_a_pause_just_before_the_end_sounds_the_end_once_and_only_after_it():
    night = Night.started(THREE)
    night.done(PauseClock(**TD), FLIP - 400_000_000 - LEAD)
    assert heard(night, FLIP - SECOND, 40 * MINUTE) == []
    assert shown(night, FLIP + MINUTE).clock == "0:01"
    night.done(ResumeClock(**TD), 40 * MINUTE - LEAD)
    assert heard(night, FLIP - SECOND, 41 * MINUTE) == [
        Sounded(Sound.SEGMENT_END, 40 * MINUTE + 400_000_000)
    ]


def test_f028_the_warning_after_a_long_pause_sounds_as_any_other():
    night = Night.started(THREE)
    night.done(PauseClock(**TD), 10 * MINUTE - LEAD)
    night.done(ResumeClock(**TD), 55 * MINUTE - LEAD)
    assert heard(night, 0, 64 * MINUTE + 1) == [Sounded(Sound.LAST_MINUTE, 64 * MINUTE)]


def test_a_pause_within_the_last_minute_does_not_warn_twice():
    night = Night.started(THREE)
    night.done(PauseClock(**TD), FLIP - 30 * SECOND - LEAD)
    night.done(ResumeClock(**TD), 40 * MINUTE - LEAD)
    warnings = [s for s in heard(night, 0, 41 * MINUTE) if s.sound is Sound.LAST_MINUTE]
    assert warnings == [Sounded(Sound.LAST_MINUTE, FLIP - MINUTE)]


def test_time_taken_away_into_the_last_minute_warns_at_once():
    night = Night.started(THREE)
    night.done(ChangeTime(**TD, delta_s=-570), 10 * MINUTE - LEAD)
    assert heard(night, 0, 10 * MINUTE) == [Sounded(Sound.LAST_MINUTE, 10 * MINUTE)]


def test_a_unit_without_time_is_silent():
    night = Night.started(THREE)
    assert sounds(unit(night, sync=SyncMark()), 0, 90 * MINUTE) == ()
    assert sounds(unit(night, Felt(Night(THREE).state)), 0, 90 * MINUTE) == ()


@pytest.mark.parametrize("seed", range(5))
def test_f026_in_500_random_schedules_the_end_tone_comes_exactly_at_zero(seed):
    ends = 0
    for number in range(100):
        chance = random.Random(f"{seed}/{number}")
        night, end_ns = random_night(chance)
        for heard_at in heard(night, 0, end_ns):
            if heard_at.sound is not Sound.SEGMENT_END:
                continue
            ends += 1
            before = position(night.state.schedule, heard_at.at_ns - 1)
            assert before.remaining_ns == 1, f"seed {seed}/{number}"
            assert shown(night, heard_at.at_ns - 1).clock == "0:01"
    assert ends > 50


@pytest.mark.parametrize("seed", range(5))
def test_sounds_do_not_depend_on_how_the_span_is_cut(seed):
    chance = random.Random(seed)
    night, end_ns = random_night(chance)
    cuts = sorted({0, end_ns, *(chance.randint(0, end_ns) for _ in range(40))})
    whole = heard(night, 0, end_ns)
    pieces = [s for a, b in pairwise(cuts) for s in heard(night, a, b)]
    assert pieces == whole
