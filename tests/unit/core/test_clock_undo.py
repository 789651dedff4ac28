"""Taking a clock change back: the schedule before it counts again, its time gone on."""

import pytest

from firmware_py.core.commands import (
    BeginBreak,
    ChangeTime,
    EditSegments,
    NextSegment,
    PauseClock,
    RecoverClock,
    ResumeClock,
    StartClock,
    UndoClockChange,
)
from firmware_py.core.events import ClockChangeUndone, ClockStarted
from firmware_py.core.profile import Profile
from firmware_py.core.roles import Role
from firmware_py.core.schedule import SECOND, Phase, playing_ns
from firmware_py.core.structure import Break, Level
from firmware_py.core.tournament import evolve
from tests.unit.core.night import LEAD, MINUTE, TD, Night, filed, levels, structure

THREE = structure(*levels(1200, 1200, 1200))
REST = structure(*levels(1200), Break(seconds=900), levels(1, 1200)[1])
LAST_TABLE = Profile(break_start="last_table")
MASTER = {"actor": "master", "role": Role.UNIT}


def test_f014_a_break_that_was_ended_by_mistake_comes_back_with_its_time_gone_on():
    night = Night.started(filed("main"))
    ended = 129 * MINUTE
    planned_end = night.at(ended - 1).next_flip_ns
    night.done(NextSegment(**TD), ended - LEAD)
    assert night.at(ended).segment == 7
    night.done(UndoClockChange(**TD), ended + 4 * SECOND - LEAD)
    place = night.at(ended + 4 * SECOND)
    assert isinstance(night.state.schedule.segments[place.segment], Break)
    assert place.remaining_ns == 6 * MINUTE - 4 * SECOND
    assert place.next_flip_ns == planned_end


def test_the_playing_clock_forgets_what_was_taken_back():
    night = Night.started(REST)
    night.done(NextSegment(**TD), 25 * MINUTE)
    night.done(UndoClockChange(**TD), 26 * MINUTE)
    assert playing_ns(night.state.schedule, 30 * MINUTE) == 20 * MINUTE


def test_an_undone_pause_lets_the_clock_be_where_it_would_have_been():
    night = Night.started(THREE)
    night.done(PauseClock(**TD), 5 * MINUTE)
    night.done(UndoClockChange(**TD), 6 * MINUTE)
    assert night.at(6 * MINUTE).phase is Phase.PAUSED
    assert night.at(10 * MINUTE).elapsed_ns == 10 * MINUTE
    assert night.at(10 * MINUTE).next_flip_ns == 20 * MINUTE


def test_changes_are_taken_back_one_after_the_other():
    night = Night.started(THREE)
    night.done(ChangeTime(**TD, delta_s=60), 5 * MINUTE)
    night.done(PauseClock(**TD), 6 * MINUTE)
    first = night.done(UndoClockChange(**TD), 7 * MINUTE)
    assert night.at(8 * MINUTE).next_flip_ns == 21 * MINUTE
    second = night.done(UndoClockChange(**TD), 8 * MINUTE)
    assert night.at(9 * MINUTE).next_flip_ns == 20 * MINUTE
    assert isinstance(first, ClockChangeUndone)
    assert isinstance(second, ClockChangeUndone)
    assert (first.undoes, second.undoes) == (4, 3)


def test_an_armed_start_is_taken_back_however_long_ago_it_was_armed():
    night = Night(THREE)
    night.done(StartClock(**TD, start_ns=60 * MINUTE), 0)
    night.done(UndoClockChange(**TD), 59 * MINUTE)
    assert night.at(61 * MINUTE).phase is Phase.WAITING
    night.done(StartClock(**TD), 62 * MINUTE)
    assert night.at(63 * MINUTE).phase is Phase.RUNNING


def test_after_five_minutes_a_change_stays():
    night = Night.started(THREE)
    night.done(PauseClock(**TD), 10 * MINUTE)
    limit = 15 * MINUTE + LEAD
    assert night.refused(UndoClockChange(**TD), limit + 1) == "too_late"
    night.done(UndoClockChange(**TD), limit)


def test_nothing_to_take_back_is_said():
    night = Night(THREE)
    assert night.refused(UndoClockChange(**TD), 0) == "nothing"
    night.done(StartClock(**TD), 0)
    night.done(UndoClockChange(**TD), 1)
    assert night.refused(UndoClockChange(**TD), 2) == "nothing"


def test_an_undo_of_something_unknown_leaves_the_clock_alone():
    night = Night.started(THREE)
    stray = ClockChangeUndone(at_ns=0, actor="td", effective_ns=0, revision=9, undoes=77)
    assert evolve(night.state, stray).schedule == night.state.schedule


def test_an_edit_keeps_a_start_that_is_armed():
    night = Night(THREE)
    night.done(StartClock(**TD, start_ns=60 * MINUTE), 0)
    night.done(EditSegments(**TD, segments=levels(600, 1200)), 5 * MINUTE)
    assert night.at(6 * MINUTE).next_flip_ns == 60 * MINUTE
    assert night.at(6 * MINUTE).remaining_ns == 10 * MINUTE
    assert night.at(60 * MINUTE).next_flip_ns == 70 * MINUTE


def test_before_the_start_the_whole_list_may_be_edited():
    night = Night(THREE)
    night.done(EditSegments(**TD, segments=levels(600, 600)), 0)
    night.done(StartClock(**TD), MINUTE)
    assert night.at(MINUTE + LEAD).remaining_ns == 10 * MINUTE


def test_levels_that_have_begun_cannot_be_edited():
    night = Night.started(THREE)
    edited = levels(1200, 600, 1200)
    night.done(EditSegments(**TD, segments=edited), 5 * MINUTE)
    assert night.refused(EditSegments(**TD, segments=THREE.segments), 25 * MINUTE) == "has_begun"
    assert night.refused(EditSegments(**TD, segments=edited[:1]), 25 * MINUTE) == "has_begun"


def test_an_edit_with_faults_is_refused_with_the_row():
    night = Night.started(THREE)
    wild = (*levels(1200, 1200), Level(number=3, small_blind=400, big_blind=900, seconds=600))
    outcome = night.command(EditSegments(**TD, segments=wild), 5 * MINUTE)
    assert not isinstance(outcome, list)
    assert outcome.code == "bad_structure"
    assert "row 3" in outcome.words


def test_later_levels_may_be_inserted_and_renumbered_while_running():
    night = Night.started(THREE)
    one, two, _ = levels(1200, 1200, 1200)
    rest = Level(number=3, small_blind=150, big_blind=300, seconds=300)
    night.done(EditSegments(**TD, segments=(one, two, Break(seconds=60), rest)), 25 * MINUTE)
    assert night.at(26 * MINUTE).next_flip_ns == 40 * MINUTE
    assert night.at(40 * MINUTE).next_flip_ns == 41 * MINUTE


@pytest.mark.parametrize("pauses", [False, True])
def test_f016_a_level_added_in_overtime_begins_at_once_at_its_full_length(pauses):
    night = Night.started(structure(*levels(60, 60)))
    if pauses:
        night.done(PauseClock(**TD), 4 * MINUTE)
    night.done(EditSegments(**TD, segments=levels(60, 60, 600)), 9 * MINUTE - LEAD)
    place = night.at(9 * MINUTE)
    assert (place.segment, place.remaining_ns) == (2, 10 * MINUTE)
    assert place.phase is (Phase.PAUSED if pauses else Phase.RUNNING)
    night.done(UndoClockChange(**TD), 10 * MINUTE)
    assert night.at(11 * MINUTE).remaining_ns == 0


def test_f071_an_edit_from_an_old_copy_is_refused_and_says_what_changed():
    night = Night.started(THREE)
    seen = night.state.schedule.revision
    night.done(PauseClock(actor="console B", role=Role.TD), 5 * MINUTE)
    edit = EditSegments(**TD, segments=levels(1200, 600), seen_revision=seen)
    outcome = night.command(edit, 5 * MINUTE + 20 * SECOND)
    assert not isinstance(outcome, list)
    assert outcome.code == "stale"
    assert "console B paused the clock" in outcome.words
    assert night.at(10 * MINUTE).phase is Phase.PAUSED


def test_f070_an_edit_in_a_pause_leaves_everything_else_as_it_was():
    night = Night.started(THREE)
    night.done(PauseClock(**TD), 5 * MINUTE)
    before = night.state
    night.done(EditSegments(**TD, segments=levels(1200, 600)), 6 * MINUTE)
    after = night.state
    assert (after.tables, after.alerts, after.opened) == (
        before.tables,
        before.alerts,
        before.opened,
    )
    place = night.at(7 * MINUTE)
    assert (place.phase, place.elapsed_ns) == (Phase.PAUSED, 5 * MINUTE + LEAD)


def test_with_the_option_the_break_counts_from_the_last_table_once():
    night = Night.started(REST, profile=LAST_TABLE)
    done = 24 * MINUTE + 10 * SECOND
    night.done(BeginBreak(**MASTER), done)
    assert night.at(done).next_flip_ns == done + 15 * MINUTE
    assert night.refused(BeginBreak(**MASTER), 26 * MINUTE) == "break_counts"


@pytest.mark.parametrize(
    ("profile", "at_min", "code"),
    [(Profile(), 22, "not_used"), (LAST_TABLE, 5, "no_break"), (LAST_TABLE, 40, "no_break")],
)
def test_a_break_that_cannot_begin_is_refused(profile, at_min, code):
    night = Night.started(REST, profile=profile)
    assert night.refused(BeginBreak(**MASTER), at_min * MINUTE) == code


def two_breaks() -> Night:
    """Return a night of four segments whose first break has begun to count."""
    one, two = levels(600, 600)
    plan = structure(one, Break(seconds=600), two, Break(seconds=600), levels(1, 1, 600)[2])
    night = Night.started(plan, profile=LAST_TABLE)
    night.done(BeginBreak(**MASTER), 12 * MINUTE)
    return night


def test_each_break_begins_to_count_by_itself():
    night = two_breaks()
    night.done(BeginBreak(**MASTER), 33 * MINUTE)
    assert night.at(33 * MINUTE).next_flip_ns == 43 * MINUTE


def test_a_break_that_was_skipped_to_begins_to_count_by_itself():
    night = two_breaks()
    night.done(NextSegment(**TD), 13 * MINUTE)
    night.done(NextSegment(**TD), 14 * MINUTE)
    night.done(BeginBreak(**MASTER), 16 * MINUTE)
    assert night.at(16 * MINUTE).next_flip_ns == 26 * MINUTE


def test_an_undo_exactly_at_the_flip_it_prevents_announces_none():
    night = Night.started(THREE)
    night.done(ChangeTime(**TD, delta_s=-60), 15 * MINUTE)
    night.done(UndoClockChange(**TD), 19 * MINUTE - LEAD)
    assert night.at(19 * MINUTE - 1).next_flip_ns == 20 * MINUTE
    assert night.at(19 * MINUTE).segment == 0


def test_a_start_that_is_taken_back_is_announced_as_a_change():
    night = Night.started(THREE)
    night.done(UndoClockChange(**TD), MINUTE - LEAD)
    assert night.at(MINUTE - 1).next_flip_ns == MINUTE
    assert night.at(MINUTE).phase is Phase.WAITING


def test_the_start_of_a_break_does_not_wipe_out_a_pause_that_lies_ahead():
    night = Night.started(REST, profile=LAST_TABLE)
    night.done(PauseClock(**TD), 22 * MINUTE)
    night.done(BeginBreak(**MASTER), 22 * MINUTE + 100_000_000)
    place = night.at(25 * MINUTE)
    assert (place.phase, place.elapsed_ns) == (Phase.PAUSED, 0)


def test_f017_an_automatic_change_does_not_stand_before_an_undo():
    night = Night.started(REST, profile=LAST_TABLE)
    night.done(ChangeTime(**TD, delta_s=-60), 18 * MINUTE)
    night.done(BeginBreak(**MASTER), 21 * MINUTE)
    night.done(UndoClockChange(**TD), 22 * MINUTE)
    place = night.at(23 * MINUTE)
    assert (place.segment, place.elapsed_ns) == (1, 2 * MINUTE)
    assert night.refused(BeginBreak(**MASTER), 24 * MINUTE) == "break_counts"


def test_an_undo_to_a_level_that_has_not_ended_forgets_the_break():
    night = Night.started(REST, profile=LAST_TABLE)
    night.done(NextSegment(**TD), 10 * MINUTE)
    night.done(BeginBreak(**MASTER), 12 * MINUTE)
    night.done(UndoClockChange(**TD), 13 * MINUTE)
    assert night.at(14 * MINUTE).segment == 0
    assert night.at(14 * MINUTE).elapsed_ns == 14 * MINUTE


def test_a_master_that_rebooted_holds_the_last_recorded_place():
    night = Night.started(THREE)
    night.done(ChangeTime(**TD, delta_s=60), 2 * MINUTE)
    night.done(RecoverClock(**MASTER, segment=0, elapsed_ns=8 * MINUTE), 15 * MINUTE)
    place = night.at(20 * MINUTE)
    assert (place.phase, place.elapsed_ns) == (Phase.PAUSED, 8 * MINUTE)
    assert place.remaining_ns == 13 * MINUTE
    assert playing_ns(night.state.schedule, 20 * MINUTE) == 8 * MINUTE
    night.done(ResumeClock(**TD), 20 * MINUTE)
    assert night.at(21 * MINUTE).phase is Phase.RUNNING


def test_to_take_a_recovery_back_is_to_catch_up():
    night = Night.started(THREE)
    night.done(RecoverClock(**MASTER, segment=0, elapsed_ns=8 * MINUTE), 15 * MINUTE)
    night.done(UndoClockChange(**TD), 16 * MINUTE)
    assert night.at(17 * MINUTE).elapsed_ns == 17 * MINUTE


def test_a_recovery_in_an_earlier_timebase_holds_the_place_too():
    night = Night.started(REST)
    night.done(ChangeTime(**TD, delta_s=60), 2 * MINUTE)
    night.done(RecoverClock(**MASTER, segment=1, elapsed_ns=4 * MINUTE), -(14 * 24) * 60 * MINUTE)
    place = night.at(-(14 * 24) * 60 * MINUTE + MINUTE)
    assert (place.phase, place.segment, place.elapsed_ns) == (Phase.PAUSED, 1, 4 * MINUTE)
    assert place.remaining_ns == 11 * MINUTE
    assert playing_ns(night.state.schedule, 0) == 21 * MINUTE
    assert night.refused(UndoClockChange(**TD), -(14 * 24) * 60 * MINUTE + MINUTE) == "nothing"


@pytest.mark.parametrize(("segment", "elapsed_ns"), [(-1, 0), (3, 0), (0, -1)])
def test_a_place_that_is_not_in_the_schedule_cannot_be_recovered(segment, elapsed_ns):
    night = Night.started(THREE)
    wish = RecoverClock(**MASTER, segment=segment, elapsed_ns=elapsed_ns)
    assert night.refused(wish, MINUTE) == "no_such_place"


def test_what_never_started_is_not_recovered():
    night = Night(THREE)
    wish = RecoverClock(**MASTER, segment=0, elapsed_ns=0)
    assert night.refused(wish, MINUTE) == "not_started"


def test_a_lone_start_is_the_first_change_and_has_revision_one():
    night = Night(THREE)
    event = night.done(StartClock(**TD), 0)
    assert isinstance(event, ClockStarted)
    assert event.revision == night.state.schedule.revision == 1
