"""Rule 4: which level the hand in play belongs to."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware_py.core.codec import decode
from firmware_py.core.commands import (
    BeginRiffle,
    ChangeTime,
    EndHand,
    FinishDeal,
    Misdeal,
    NextSegment,
    PauseClock,
    PostBlinds,
    PreviousSegment,
    ResumeClock,
    UndoTableAction,
)
from firmware_py.core.events import HandLatched
from firmware_py.core.latch import conflict
from firmware_py.core.profile import HOUSE, TDA
from firmware_py.core.schedule import SECOND, begun_by
from firmware_py.core.structure import Break
from tests.unit.core.felt import Felt
from tests.unit.core.night import LEAD, MINUTE, TD, Night, levels, structure

THREE = structure(*levels(1200, 1200, 1200))
BREAK = structure(*levels(1200), Break(seconds=900), *levels(1200, 1200)[1:])
FLIP = 20 * MINUTE


def latched_level(felt: Felt) -> int | None:
    level = felt.state.hand_level
    return level.number if level else None


@pytest.mark.parametrize("last", [PostBlinds, BeginRiffle])
@pytest.mark.parametrize(("late_ns", "level"), [(-1, 1), (0, 1), (1, 2)])
def test_the_later_of_blinds_and_riffle_decides_to_the_nanosecond(last, late_ns, level):
    felt = Felt(Night.started(THREE).state)
    first = BeginRiffle if last is PostBlinds else PostBlinds
    felt.done(first, FLIP - 30 * SECOND)
    assert latched_level(felt) is None
    events = felt.done(last, FLIP + late_ns)
    assert isinstance(events[-1], HandLatched)
    assert events[-1].at_ns == FLIP + late_ns
    assert latched_level(felt) == level


@pytest.mark.parametrize(
    ("blinds_s", "riffle_s", "correct"),
    [(-2, 2, True), (0, 2, True), (5, 2, False), (-5, -2, False)],
)
def test_blinds_that_went_in_at_the_old_price_are_corrected(blinds_s, riffle_s, correct):
    felt = Felt(Night.started(THREE).state)
    keys = sorted([(blinds_s, PostBlinds), (riffle_s, BeginRiffle)], key=lambda k: k[0])
    for second, key in keys:
        felt.done(key, FLIP + second * SECOND)
    assert felt.state.hand.latched.correct_blinds is correct


def test_with_the_tda_reading_the_riffle_alone_decides():
    felt = Felt(Night.started(THREE, profile=TDA).state)
    felt.done(BeginRiffle, FLIP - SECOND)
    felt.done(PostBlinds, FLIP + SECOND)
    assert latched_level(felt) == 1
    assert not felt.state.hand.latched.correct_blinds


def test_without_a_riffle_the_deal_stands_for_it():
    felt = Felt(Night.started(THREE).state)
    felt.done(PostBlinds, FLIP - 10 * SECOND)
    felt.done(FinishDeal, FLIP + 2 * SECOND)
    assert latched_level(felt) == 2
    assert felt.state.hand.latched.correct_blinds


def test_a_riffle_decides_even_if_the_deal_ends_after_the_expiry():
    felt = Felt(Night.started(THREE).state)
    felt.hand(FLIP - SECOND)
    assert len(felt.done(FinishDeal, FLIP + 20 * SECOND)) == 1
    assert latched_level(felt) == 1


@pytest.mark.parametrize(
    "change",
    [PauseClock, NextSegment, PreviousSegment, lambda **td: ChangeTime(**td, delta_s=-600)],
)
def test_a_hand_in_play_keeps_its_level_through_every_clock_change(change):
    night = Night.started(THREE)
    felt = Felt(night.state)
    felt.hand(25 * MINUTE)
    night.done(change(**TD), 26 * MINUTE)
    felt.follow(night.state)
    assert latched_level(felt) == 2
    felt.done(FinishDeal, 27 * MINUTE)
    felt.done(EndHand, 58 * MINUTE)


def test_a_hand_in_play_ends_in_the_break_and_the_next_waits_for_its_end():
    felt = Felt(Night.started(BREAK).state)
    felt.hand(FLIP - 10 * SECOND)
    felt.done(EndHand, FLIP + MINUTE)
    refused = felt.refused(PostBlinds, FLIP + MINUTE)
    assert (refused.code, refused.words) == ("break", "Break until 0:35:00")
    assert felt.hand(FLIP + 15 * MINUTE + 1).segment == 2


def test_no_hand_begins_in_a_pause_and_the_level_goes_on_after_it():
    night = Night.started(THREE)
    night.done(PauseClock(**TD), 5 * MINUTE - LEAD)
    felt = Felt(night.state)
    assert felt.refused(PostBlinds, 6 * MINUTE).words == "Paused by the TD"
    night.done(ResumeClock(**TD), 30 * MINUTE - LEAD)
    felt.follow(night.state)
    assert felt.hand(44 * MINUTE).segment == 0


def test_a_profile_may_let_tables_begin_hands_in_a_pause():
    night = Night.started(THREE, profile=replace(HOUSE, hands_while_paused=True))
    night.done(PauseClock(**TD), 5 * MINUTE - LEAD)
    assert Felt(night.state).hand(6 * MINUTE).segment == 0


def test_a_misdeal_after_the_expiry_is_the_same_hand_at_the_same_level():
    felt = Felt(Night.started(THREE).state)
    felt.hand(FLIP - 10 * SECOND)
    felt.done(Misdeal, FLIP + 15 * SECOND)
    assert len(felt.done(BeginRiffle, FLIP + 40 * SECOND)) == 1  # no second latch
    assert (latched_level(felt), felt.state.hand.number) == (1, 1)


def test_undo_of_the_start_takes_the_latch_away_but_not_the_record():
    felt = Felt(Night.started(THREE).state)
    felt.hand(FLIP - 2 * SECOND)
    felt.done(UndoTableAction, FLIP - SECOND)
    assert latched_level(felt) is None
    felt.done(BeginRiffle, FLIP + 6 * SECOND)
    assert latched_level(felt) == 2
    names = [type(event).__name__ for event in map(decode, felt.record)]
    assert names.count("HandLatched") == 2
    assert felt.replayed() == felt.state


def test_a_hand_dealt_on_stale_news_stays_and_the_td_is_told():
    night = Night.started(THREE)
    felt = Felt(night.state)  # cut off from here on
    night.done(ChangeTime(**TD, delta_s=120), 19 * MINUTE)
    latched = felt.hand(FLIP + 5 * SECOND)
    alert = conflict(night.state, 3, latched)
    assert alert is not None
    assert (alert.table, alert.code) == (3, "hand_at_other_level")
    assert "hand 1 at level 2, the clock was at level 1" in alert.words
    felt.follow(night.state)
    assert felt.state.hand.latched == latched
    assert conflict(night.state, 3, felt.state.hand.latched) == alert


def test_a_hand_dealt_on_the_right_news_is_no_conflict():
    night = Night.started(THREE)
    assert conflict(night.state, 3, Felt(night.state).hand(FLIP)) is None


@settings(max_examples=60, deadline=None)
@given(
    blinds_ns=st.integers(0, 50 * MINUTE),
    riffle_ns=st.integers(0, 50 * MINUTE),
    profile=st.sampled_from([HOUSE, TDA]),
)
def test_in_any_order_the_hand_gets_the_level_of_the_instant_it_began(
    blinds_ns, riffle_ns, profile
):
    night = Night.started(THREE, profile=profile)
    felt = Felt(night.state)
    for at_ns, key in sorted(
        [(blinds_ns, PostBlinds), (riffle_ns, BeginRiffle)], key=lambda k: k[0]
    ):
        felt.done(key, at_ns)
    began_ns = max(blinds_ns, riffle_ns) if profile is HOUSE else riffle_ns
    assert felt.state.hand.latched.at_ns == began_ns
    assert felt.state.hand.latched.segment == begun_by(night.state.schedule, began_ns).segment
    assert felt.state.hand.latched.segment == min(2, max(0, began_ns - 1) // (20 * MINUTE))


KEYS = [PostBlinds, BeginRiffle, FinishDeal, Misdeal, PauseClock, ResumeClock, NextSegment]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(KEYS), st.integers(1, 15 * MINUTE)), max_size=25))
def test_a_latched_hand_never_changes_its_level(steps):
    night = Night.started(THREE)
    felt, now_ns, kept = Felt(night.state), 0, None
    for kind, wait_ns in steps:
        now_ns += wait_ns
        if kind in (PauseClock, ResumeClock, NextSegment):
            night.command(kind(**TD), now_ns)
            felt.follow(night.state)
        else:
            felt.press(kind, now_ns)
        kept = kept or (felt.state.hand.latched if felt.state.hand else None)
        assert (felt.state.hand.latched if felt.state.hand else None) == kept
    assert felt.replayed() == felt.state
