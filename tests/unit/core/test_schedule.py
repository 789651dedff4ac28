"""Positions: what the clock shows at any instant."""

from firmware_py.core.commands import EditSegments, NextSegment, PauseClock, ResumeClock, StartClock
from firmware_py.core.schedule import (
    SECOND,
    Phase,
    Schedule,
    begun_by,
    level_at,
    next_level,
    paused_ns,
    playing_ns,
    position,
    segment_at,
    until_break_ns,
)
from firmware_py.core.structure import Break, Level
from tests.unit.core.night import LEAD, MINUTE, TD, Night, filed, levels, structure

WITH_BREAK = structure(*levels(1200, 1200), Break(seconds=900), levels(1, 1, 900)[2])


def test_before_the_start_the_clock_waits_at_the_full_first_level():
    place = Night(structure(*levels(1200, 1200))).at(5 * MINUTE)
    assert (place.phase, place.segment, place.elapsed_ns) == (Phase.WAITING, 0, 0)
    assert place.remaining_ns == place.length_ns == 20 * MINUTE
    assert place.next_flip_ns is None


def test_an_armed_start_is_the_next_flip():
    night = Night(structure(*levels(1200, 1200)))
    night.done(StartClock(**TD, start_ns=30 * MINUTE), 0)
    assert night.at(0).next_flip_ns == 30 * MINUTE
    assert night.at(30 * MINUTE - 1).phase is Phase.WAITING
    assert night.at(30 * MINUTE).phase is Phase.RUNNING


def test_at_the_flip_instant_the_new_segment_shows():
    night = Night.started(structure(*levels(1200, 1200)))
    before, stroke = night.at(20 * MINUTE - 1), night.at(20 * MINUTE)
    assert (before.segment, before.remaining_ns, before.next_flip_ns) == (0, 1, 20 * MINUTE)
    assert (stroke.segment, stroke.elapsed_ns, stroke.next_flip_ns) == (1, 0, 40 * MINUTE)


def test_an_action_on_the_stroke_belongs_to_the_level_before_it():
    night = Night.started(structure(*levels(1200, 1200)))
    assert begun_by(night.state.schedule, 20 * MINUTE).segment == 0
    assert begun_by(night.state.schedule, 20 * MINUTE + 1).segment == 1


def test_an_action_at_the_instant_of_start_or_resume_counts_as_begun():
    night = Night.started(structure(*levels(1200, 1200)))
    assert begun_by(night.state.schedule, 0).phase is Phase.RUNNING
    night.done(PauseClock(**TD), 5 * MINUTE - LEAD)
    night.done(ResumeClock(**TD), 9 * MINUTE - LEAD)
    assert begun_by(night.state.schedule, 5 * MINUTE).phase is Phase.RUNNING
    assert begun_by(night.state.schedule, 9 * MINUTE - 1).phase is Phase.PAUSED
    assert begun_by(night.state.schedule, 9 * MINUTE).phase is Phase.RUNNING


def test_f011_a_break_has_no_number_and_the_level_after_it_goes_on_counting():
    night = Night.started(filed("main"))
    schedule = night.state.schedule
    rest = segment_at(schedule, 121 * MINUTE)
    assert isinstance(rest, Break)
    after = segment_at(schedule, 135 * MINUTE)
    assert isinstance(after, Level)
    assert (after.number, after.small_blind, after.big_blind) == (7, 400, 800)


def test_f013_in_the_break_the_next_level_is_the_one_that_counts():
    schedule = Night.started(filed("main")).state.schedule
    for level in (next_level(schedule, 121 * MINUTE), level_at(schedule, 121 * MINUTE)):
        assert level is not None
        assert (level.number, level.big_blind) == (7, 800)


def test_the_next_break_is_told_in_clock_time_also_while_paused():
    night = Night.started(filed("main"))
    night.done(PauseClock(**TD), 10 * MINUTE - LEAD)
    assert until_break_ns(night.state.schedule, 8 * MINUTE) == 112 * MINUTE
    assert until_break_ns(night.state.schedule, 55 * MINUTE) == 110 * MINUTE


def test_after_the_last_break_none_is_to_come():
    schedule = Night.started(filed("main")).state.schedule
    assert until_break_ns(schedule, 300 * MINUTE) is None


def test_f016_after_the_last_level_overtime_counts_up_at_the_same_blinds():
    night = Night.started(filed("main"))
    place = night.at(417 * MINUTE)
    level = segment_at(night.state.schedule, 417 * MINUTE)
    assert (place.phase, place.remaining_ns) == (Phase.OVERTIME, 0)
    assert place.elapsed_ns - place.length_ns == 7 * MINUTE
    assert place.next_flip_ns is None
    assert isinstance(level, Level)
    assert (level.small_blind, level.big_blind) == (200_000, 400_000)
    assert next_level(night.state.schedule, 417 * MINUTE) is None


def test_the_end_of_the_last_level_is_announced_as_a_flip():
    night = Night.started(structure(*levels(60, 60)))
    assert night.at(61 * SECOND).next_flip_ns == 120 * SECOND
    assert night.at(120 * SECOND).phase is Phase.OVERTIME


def test_f023_remaining_time_is_never_negative_around_zero():
    night = Night.started(structure(*levels(60, 60)))
    around = range(59 * SECOND, 62 * SECOND, SECOND // 10)
    assert all(0 < night.at(t).remaining_ns <= 60 * SECOND for t in around)
    assert night.at(60 * SECOND - 400_000_000).remaining_ns == 400_000_000


def test_f062_a_paused_clock_is_frozen_for_whoever_joins_later():
    night = Night.started(structure(*levels(1200, 1200)))
    night.done(PauseClock(**TD), 15 * MINUTE + 48 * SECOND - LEAD)
    seen = {night.at(t).remaining_ns for t in range(20 * MINUTE, 25 * MINUTE, SECOND)}
    assert seen == {4 * MINUTE + 12 * SECOND}
    assert night.at(20 * MINUTE).phase is Phase.PAUSED


def test_l066_a_change_ahead_is_seen_in_the_next_flip():
    night = Night.started(structure(*levels(1200, 1200)))
    night.done(PauseClock(**TD), 20 * MINUTE - 700_000_000)
    place = night.at(20 * MINUTE - 600_000_000)
    assert place.phase is Phase.RUNNING
    assert place.next_flip_ns is None
    assert night.at(20 * MINUTE).remaining_ns == 300_000_000


def test_l069_a_resume_exactly_at_a_boundary_gives_one_flip():
    night = Night.started(structure(*levels(1200, 1200)))
    night.done(PauseClock(**TD), 20 * MINUTE - LEAD)
    place = night.at(20 * MINUTE)
    assert (place.phase, place.segment, place.elapsed_ns) == (Phase.PAUSED, 1, 0)
    night.done(ResumeClock(**TD), 30 * MINUTE - LEAD)
    assert night.at(30 * MINUTE).segment == 1
    assert night.at(30 * MINUTE).next_flip_ns == 50 * MINUTE


def test_the_playing_clock_leaves_out_breaks_and_pauses():
    night = Night.started(WITH_BREAK)
    night.done(PauseClock(**TD), 10 * MINUTE - LEAD)
    night.done(ResumeClock(**TD), 25 * MINUTE - LEAD)
    played = [playing_ns(night.state.schedule, t * MINUTE) for t in (5, 12, 30, 55, 65, 70, 75)]
    assert [ns // MINUTE for ns in played] == [5, 10, 15, 40, 40, 40, 45]
    assert paused_ns(night.state.schedule, 12 * MINUTE) == 2 * MINUTE
    assert paused_ns(night.state.schedule, 75 * MINUTE) == 15 * MINUTE


def test_the_playing_clock_counts_overtime_and_stands_still_before_the_start():
    night = Night.started(structure(*levels(60, 60)), at_ns=MINUTE)
    assert playing_ns(night.state.schedule, 30 * SECOND) == 0
    assert playing_ns(night.state.schedule, 5 * MINUTE) == 4 * MINUTE


def test_a_skipped_level_was_not_played():
    night = Night.started(structure(*levels(1200, 1200, 1200)))
    night.done(NextSegment(**TD), 5 * MINUTE - LEAD)
    assert playing_ns(night.state.schedule, 7 * MINUTE) == 7 * MINUTE
    assert night.at(7 * MINUTE).segment == 1


def test_s091_positions_hold_at_the_edges_of_int64():
    for start in (-(2**62), 2**62, 0):
        night = Night.started(structure(*levels(1200, 1200)), at_ns=start)
        place = night.at(start + 21 * MINUTE)
        assert (place.segment, place.remaining_ns) == (1, 19 * MINUTE)
        assert place.next_flip_ns == start + 40 * MINUTE
        assert night.replayed() == night.state


def test_an_empty_schedule_has_a_position_but_no_segment():
    assert position(Schedule(), 0).phase is Phase.WAITING
    assert level_at(Schedule(), 0) is None


def test_f067_what_counts_at_an_instant_is_told_with_its_revision():
    night = Night.started(structure(*levels(1200, 1200, 1200)))
    edited = (*levels(1200, 1200), Level(number=3, small_blind=150, big_blind=300, seconds=600))
    night.done(EditSegments(**TD, segments=edited), 5 * MINUTE)
    before, after = night.at(5 * MINUTE), night.at(5 * MINUTE + LEAD)
    assert (before.revision, after.revision) == (1, 2)
    assert before.remaining_ns - after.remaining_ns == LEAD
    level = segment_at(night.state.schedule, 41 * MINUTE)
    assert isinstance(level, Level)
    assert level.big_blind == 300
