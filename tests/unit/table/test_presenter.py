"""What a screen says in each situation."""

import pytest
from msgspec.structs import replace as with_fields

from display.views import ChipView, MessageView, Tone
from firmware_py.core.commands import (
    BeginRiffle,
    ChangeTime,
    EditSegments,
    EndHand,
    NextSegment,
    PauseClock,
    PostBlinds,
    ResumeClock,
    StartClock,
)
from firmware_py.core.profile import HOUSE, TDA
from firmware_py.core.schedule import SECOND
from firmware_py.core.table import Table
from firmware_py.table.presenter import present
from firmware_py.table.unit_state import ChipShown, Notice, SyncMark, UnitState
from tests.unit.core.felt import Felt
from tests.unit.core.night import LEAD, MINUTE, TD, Night, levels, structure
from tests.unit.table.screens import SIX_AND_BREAK, THREE, marks, shown, told, unit

FLIP = 20 * MINUTE


# ---- without an official clock


def test_f050_a_fresh_unit_shows_no_digits_and_says_no_sync():
    night = Night.started(THREE)
    view = told(unit(night, sync=SyncMark()), 5 * MINUTE)
    assert view.title == "NO SYNC"
    assert "NO SYNC" in marks(view)
    texts = (view.title, *view.lines)
    assert not any(character.isdigit() for text in texts for character in text)


def test_f050_the_mark_goes_with_the_first_good_sample():
    night = Night.started(THREE)
    poor = shown(night, 5 * MINUTE, sync=SyncMark(state="unlocked", sample_ns=5 * MINUTE))
    assert marks(poor) == ["SYNC POOR"]
    good = shown(night, 5 * MINUTE, sync=SyncMark(state="locked", sample_ns=5 * MINUTE))
    assert marks(good) == []


def test_without_a_master_it_waits_and_says_so():
    view = told(UnitState(table=Table(place=4)), 0)
    assert (view.title, view.frame.place) == ("WAITING FOR THE MASTER", "TABLE 4")
    assert {"NO SYNC", "OFFLINE"} <= set(marks(view))
    timed = UnitState(table=Table(place=4), sync=SyncMark(state="locked", sample_ns=0))
    assert told(timed, 0).title == "WAITING FOR THE MASTER"


def test_a_hand_in_play_is_not_forgotten_while_the_time_is_unknown():
    night = Night.started(THREE)
    felt = Felt(night.state)
    felt.hand(FLIP - SECOND)
    view = told(unit(night, felt, sync=SyncMark()), FLIP)
    assert "The hand in play is at 50/100" in view.lines


def test_before_the_event_is_open_and_before_the_start():
    assert told(unit(Night.started(THREE), Felt(UnitState().table.tournament)), 0).title == (
        "WAITING FOR THE TD"
    )
    view = told(unit(Night(THREE)), 0)
    assert view.title == "WAITING FOR THE START"
    assert view.lines == ("LEVEL 1  50/100", f"Rules: house {HOUSE.fingerprint}")


def test_an_armed_start_is_counted_down_to():
    night = Night(THREE)
    night.done(StartClock(**TD, start_ns=90 * MINUTE), 0)
    view = shown(night, 30 * MINUTE)
    assert (view.tone, view.title, view.clock) == (Tone.WAITING, "STARTS IN", "1:00:00")
    assert view.next_line == "NEXT  LEVEL 1  50/100"
    assert shown(night, 90 * MINUTE - 1).clock == "0:01"
    assert shown(night, 90 * MINUTE).title == "LEVEL 1"


# ---- levels


def test_a_level_with_everything_a_dealer_needs():
    view = shown(Night.started(SIX_AND_BREAK), 25 * MINUTE)
    assert (view.tone, view.title, view.clock, view.badge) == (Tone.NORMAL, "LEVEL 2", "15:00", "")
    assert (view.blinds, view.next_line) == ("75/150", "NEXT  LEVEL 3  100/200")
    assert view.lines == ("NEXT BREAK IN 1 H 35 MIN",)
    assert view.progress_permille == 250
    assert (view.frame.event, view.frame.place, view.hands) == ("test", "TABLE 3", ())


def test_f023_the_last_tenths_show_one_second_and_zero_shows_the_new_level():
    night = Night.started(THREE)
    before = shown(night, FLIP - 400_000_000)
    assert (before.title, before.clock) == ("LEVEL 1", "0:01")
    after = shown(night, FLIP)
    assert (after.title, after.clock) == ("LEVEL 2", "20:00")


@pytest.mark.parametrize(
    ("left_ns", "tone", "badge"),
    [
        (60 * SECOND + 1, Tone.NORMAL, ""),
        (60 * SECOND, Tone.URGENT, "LAST MINUTE"),
        (1, Tone.URGENT, "LAST MINUTE"),
    ],
)
def test_the_last_minute_is_marked_by_a_word_too(left_ns, tone, badge):
    view = shown(Night.started(THREE), FLIP - left_ns)
    assert (view.tone, view.badge) == (tone, badge)


def test_a_level_of_a_minute_or_less_is_not_urgent_from_its_start():
    night = Night.started(structure(*levels(20, 20)))
    assert shown(night, 0).badge == ""
    assert shown(night, 15 * SECOND - 1).badge == ""
    assert shown(night, 15 * SECOND).badge == "ENDS SOON"


def test_f029_a_long_level_is_shown_with_its_hour():
    assert shown(Night.started(structure(*levels(5400))), 0).clock == "1:30:00"


def test_f061_a_newcomer_sees_digits_and_bar_where_they_are():
    view = shown(Night.started(THREE), FLIP - 400 * SECOND)
    assert (view.clock, view.progress_permille) == ("6:40", 666)


def test_f046_only_the_official_instant_counts():
    # A view is made of the state and the official instant alone: there is no other clock to trust.
    night = Night.started(THREE, at_ns=9 * 60 * MINUTE)
    assert shown(night, 9 * 60 * MINUTE + 13 * MINUTE + 200_000_000).clock == "7:00"


def test_f002_a_restarted_unit_shows_what_it_would_have_shown():
    night = Night.started(THREE)
    felt = Felt(night.state)
    felt.hand(3 * MINUTE)
    kept = present(unit(night, felt), 7 * MINUTE)
    felt.state = felt.replayed()
    assert present(unit(night, felt), 7 * MINUTE) == kept


# ---- breaks


def test_f013_a_break_names_the_next_level_and_no_old_one():
    view = shown(Night.started(SIX_AND_BREAK), 6 * FLIP)
    assert (view.tone, view.title, view.clock) == (Tone.CALM, "BREAK", "15:00")
    assert view.next_line == "NEXT  LEVEL 7  400/800"
    assert view.lines == ("COLOUR-UP 25", "ADD-ON OPEN")
    assert view.blinds == ""
    assert "6" not in view.title + view.next_line


def test_f011_levels_are_counted_without_the_breaks():
    night = Night.started(SIX_AND_BREAK)
    assert shown(night, 6 * FLIP - 1).title == "LEVEL 6"
    assert shown(night, 6 * FLIP + 15 * MINUTE).title == "LEVEL 7"


def test_the_level_before_a_break_names_the_break_and_what_follows():
    view = shown(Night.started(SIX_AND_BREAK), 6 * FLIP - 10 * MINUTE)
    assert view.next_line == "NEXT  BREAK 15:00"
    assert view.lines == ("THEN  LEVEL 7  400/800",)


def test_a_hand_played_into_the_break_keeps_its_price_on_screen():
    night = Night.started(SIX_AND_BREAK)
    felt = Felt(night.state)
    felt.hand(6 * FLIP - SECOND)
    view = shown(night, 6 * FLIP + MINUTE, felt)
    assert [box.blinds for box in view.hands] == ["300/600", "400/800"]


# ---- pause and overtime


def test_f062_who_joins_in_a_pause_sees_it_frozen():
    night = Night.started(THREE)
    night.done(PauseClock(**TD), FLIP - 252 * SECOND - LEAD)
    first = shown(night, FLIP)
    assert (first.tone, first.badge, first.clock) == (Tone.HALTED, "PAUSED", "4:12")
    assert shown(night, FLIP + 5 * MINUTE) == first


def test_f010_overtime_that_is_paused_keeps_its_figure():
    night = Night.started(structure(*levels(60, 60)))
    night.done(PauseClock(**TD), 3 * MINUTE + 7 * SECOND - LEAD)
    view = shown(night, 90 * MINUTE)
    assert (view.title, view.clock, view.badge) == ("OVERTIME", "+1:07", "PAUSED")
    night.done(ResumeClock(**TD), 90 * MINUTE - LEAD)
    assert shown(night, 91 * MINUTE).clock == "+2:07"


def test_f016_overtime_counts_up_and_the_last_blinds_stay():
    night = Night.started(THREE)
    view = shown(night, 60 * MINUTE + 7_500_000_000)
    assert (view.title, view.clock, view.badge) == ("OVERTIME", "+0:07", "")
    assert (view.blinds, view.next_line, view.progress_permille) == ("100/200", "LAST LEVEL", 1000)
    assert view.tone is Tone.URGENT


# ---- the hand


def test_this_hand_and_next_hand_at_different_prices():
    night = Night.started(THREE)
    felt = Felt(night.state)
    felt.hand(FLIP - SECOND)
    view = shown(night, FLIP + SECOND, felt)
    boxes = [(box.label, box.blinds, box.detail) for box in view.hands]
    assert boxes == [("THIS HAND", "50/100", "hand 1"), ("NEXT HAND", "75/150", "")]
    felt.done(EndHand, FLIP + MINUTE)
    after = shown(night, FLIP + MINUTE, felt)
    assert (after.hands, after.blinds) == ((), "75/150")


def test_blinds_at_the_old_price_are_called_for_before_and_after_the_riffle():
    night = Night.started(THREE)
    felt = Felt(night.state)
    felt.done(PostBlinds, FLIP - SECOND)
    assert "RAISE" not in " ".join(shown(night, FLIP - 1, felt).lines)
    assert shown(night, FLIP, felt).lines[0] == "RAISE THE BLINDS TO 75/150"
    felt.done(BeginRiffle, FLIP + SECOND)
    assert shown(night, FLIP + SECOND, felt).lines[0] == "RAISE THE BLINDS TO 75/150"


def test_f067_the_next_level_is_the_edited_one_and_the_revision_tells():
    night = Night.started(THREE)
    dearer = with_fields(THREE.segments[2], small_blind=125, big_blind=250)
    edited = (*THREE.segments[:2], dearer)
    night.done(EditSegments(**TD, segments=edited), 25 * MINUTE)
    assert shown(night, 26 * MINUTE).next_line == "NEXT  LEVEL 3  125/250"


# ---- chips, marks, notices


def test_a_seat_chip_welcomes_here_and_sends_elsewhere_with_the_clock_in_the_corner():
    night = Night.started(THREE)
    here = present(unit(night, chip=ChipShown(until_ns=6 * MINUTE, table=3, seat=7)), 5 * MINUTE)
    assert isinstance(here, ChipView)
    assert (here.title, here.seat, here.line, here.good) == ("TABLE 3", "SEAT 7", "Welcome", True)
    assert here.clock == "15:00"
    away = present(unit(night, chip=ChipShown(until_ns=6 * MINUTE, table=5, seat=1)), 5 * MINUTE)
    assert isinstance(away, ChipView)
    assert (away.line, away.good) == ("GO TO TABLE 5", False)


def test_a_bad_chip_says_why_and_the_clock_comes_back():
    night = Night.started(THREE)
    state = unit(night, chip=ChipShown(until_ns=6 * MINUTE, problem="ONE CHIP ONLY"))
    view = present(state, 6 * MINUTE - 1)
    assert isinstance(view, ChipView)
    assert (view.title, view.seat, view.good) == ("ONE CHIP ONLY", "", False)
    assert not isinstance(present(state, 6 * MINUTE), ChipView)


def test_a_chip_without_a_clock_has_none_in_the_corner():
    state = UnitState(table=Table(place=3), chip=ChipShown(until_ns=9, table=3, seat=2))
    view = present(state, 5)
    assert isinstance(view, ChipView)
    assert view.clock == ""
    assert isinstance(present(state, 9), MessageView)


def test_f056_holdover_is_marked_with_its_age_and_goes():
    night = Night.started(THREE)
    lost = SyncMark(state="holdover", sample_ns=5 * MINUTE)
    assert marks(shown(night, 5 * MINUTE + 250 * SECOND, sync=lost)) == ["HOLDOVER 4:10"]
    back = SyncMark(state="locked", sample_ns=10 * MINUTE)
    assert marks(shown(night, 10 * MINUTE, sync=back)) == []


def test_f049_a_flip_that_came_late_is_marked_beyond_the_target():
    night = Night.started(THREE)
    assert marks(shown(night, MINUTE, flip_late_ns=250_000_000)) == []
    assert marks(shown(night, MINUTE, flip_late_ns=1_900_000_000)) == ["FLIP WAS 1.9 S LATE"]


def test_all_marks_at_once_the_faults_first():
    night = Night.started(THREE, profile=TDA)
    felt = Felt(night.state)
    felt.state = with_fields(felt.state, unknown=1, floor_called_ns=5)
    sync = SyncMark(state="holdover", sample_ns=0, alarm="two_masters")
    view = shown(night, 5 * MINUTE, felt, sync=sync, linked=False, reader_fault="unplugged")
    assert marks(view) == [
        "TWO MASTERS",
        "READER FAULT: unplugged",
        "HOLDOVER 5:00",
        "OFFLINE",
        "NEWER VERSION",
        "FLOOR CALLED",
        "DEVIATES",
    ]


def test_a_notice_stands_until_its_time_and_the_help_line_always():
    night = Night.started(THREE)
    notice = Notice(words="Paused by the TD", until_ns=5 * MINUTE)
    view = shown(night, 5 * MINUTE - 1, notice=notice, help="b BLINDS")
    assert (view.frame.notice, view.frame.help) == ("Paused by the TD", "b BLINDS")
    assert shown(night, 5 * MINUTE, notice=notice).frame.notice == ""


def test_a_hall_screen_has_no_hands_and_says_where_it_stands():
    night = Night.started(THREE)
    nowhere = with_fields(UnitState().table, tournament=night.state)
    view = present(unit(night, linked=True, table=nowhere), 5 * MINUTE)
    assert (view.frame.place, marks(view)) == ("HALL", [])


def test_a_skip_shows_the_chosen_level_at_the_instant_it_takes_effect():
    night = Night.started(THREE)
    night.done(NextSegment(**TD), 5 * MINUTE)
    assert shown(night, 5 * MINUTE + LEAD - 1).title == "LEVEL 1"
    chosen = shown(night, 5 * MINUTE + LEAD)
    assert (chosen.title, chosen.clock) == ("LEVEL 2", "20:00")


def test_added_time_moves_digits_and_bar_together():
    night = Night.started(THREE)
    night.done(ChangeTime(**TD, delta_s=600), 10 * MINUTE - LEAD)
    view = shown(night, 10 * MINUTE)
    assert (view.clock, view.progress_permille) == ("20:00", 333)
