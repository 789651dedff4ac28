"""Start, pause, resume, time, skip: what the TD does to the clock."""

import pytest

from firmware_py.core.commands import (
    ChangeTime,
    JoinTable,
    NextSegment,
    PauseClock,
    PreviousSegment,
    RaiseAlert,
    ResumeClock,
    StartClock,
)
from firmware_py.core.events import AttemptRefused, ClockStarted, Event
from firmware_py.core.profile import Profile
from firmware_py.core.refusals import Refused
from firmware_py.core.roles import Role
from firmware_py.core.schedule import SECOND, Phase, paused_ns, playing_ns
from firmware_py.core.structure import Break
from tests.unit.core.night import LEAD, MINUTE, TD, Night, levels, structure

THREE = structure(*levels(1200, 1200, 1200))


def test_a_change_takes_effect_one_lead_ahead_and_not_before():
    night = Night.started(THREE)
    night.done(PauseClock(**TD), 5 * MINUTE)
    assert night.at(5 * MINUTE + LEAD - 1).phase is Phase.RUNNING
    assert night.at(5 * MINUTE + LEAD).phase is Phase.PAUSED


def test_the_profile_sets_the_lead():
    night = Night.started(THREE, profile=Profile(lead_ms=0))
    night.done(PauseClock(**TD), 5 * MINUTE)
    assert night.at(5 * MINUTE).phase is Phase.PAUSED


def test_f001_commands_that_are_not_the_clock_s_do_not_move_it():
    night = Night.started(THREE)
    flip_ns = night.at(0).next_flip_ns
    for n in range(200):
        at_ns = n * 6 * SECOND
        table = n % 8 + 1
        night.command(JoinTable(actor="u", role=Role.UNIT, table=table, unit=f"u{table}"), at_ns)
        alert = RaiseAlert(actor="master", role=Role.UNIT, code="late", table=table, words="Look")
        night.done(alert, at_ns)
        assert night.at(at_ns).next_flip_ns == flip_ns
    assert flip_ns == 20 * MINUTE


def test_f019_a_key_at_a_table_does_not_restart_the_countdown():
    night = Night.started(THREE)
    at_ns = 20 * MINUTE - 451 * SECOND
    night.done(JoinTable(actor="u", role=Role.UNIT, table=3, unit="u"), at_ns)
    assert night.at(at_ns + 5 * SECOND).remaining_ns == 446 * SECOND


def test_f005_a_pause_at_twenty_seconds_leaves_twenty_seconds():
    night = Night.started(THREE)
    paused = 20 * MINUTE - 20 * SECOND
    night.done(PauseClock(**TD), paused - LEAD)
    night.done(ResumeClock(**TD), paused + 130 * SECOND - LEAD)
    resumed = paused + 130 * SECOND
    assert night.at(resumed).remaining_ns == 20 * SECOND
    assert night.at(resumed).next_flip_ns == resumed + 20 * SECOND


def test_f007_ten_minutes_of_pause_are_not_played():
    night = Night.started(THREE)
    paused = 28 * MINUTE
    night.done(PauseClock(**TD), paused - LEAD)
    night.done(ResumeClock(**TD), paused + 10 * MINUTE - LEAD)
    resumed = paused + 10 * MINUTE
    assert night.at(resumed).remaining_ns == 12 * MINUTE
    assert playing_ns(night.state.schedule, resumed) == 28 * MINUTE
    assert paused_ns(night.state.schedule, resumed) == 10 * MINUTE


def test_f008_a_correction_is_applied_once():
    night = Night.started(THREE)
    night.done(PauseClock(**TD), 10 * MINUTE - LEAD)
    night.done(ChangeTime(**TD, delta_s=-10), 11 * MINUTE)
    night.done(ResumeClock(**TD), 12 * MINUTE)
    night.done(PauseClock(**TD), 12 * MINUTE)
    night.done(ResumeClock(**TD), 13 * MINUTE)
    night.done(PauseClock(**TD), 13 * MINUTE)
    assert night.at(15 * MINUTE).remaining_ns == 590 * SECOND


def test_f010_overtime_that_is_paused_stays_paused_at_its_figure():
    night = Night.started(structure(*levels(60, 60)))
    night.done(PauseClock(**TD), 3 * MINUTE - LEAD)
    for place in (night.at(4 * MINUTE), night.at(90 * MINUTE)):
        assert (place.phase, place.elapsed_ns - place.length_ns) == (Phase.PAUSED, MINUTE)
    night.done(ResumeClock(**TD), 90 * MINUTE - LEAD)
    assert night.at(91 * MINUTE).phase is Phase.OVERTIME
    assert night.at(91 * MINUTE).elapsed_ns - night.at(91 * MINUTE).length_ns == 2 * MINUTE


def test_f020_eleven_pauses_in_three_seconds_from_two_consoles():
    night = Night.started(THREE)
    accepted = []
    for press in range(11):
        at_ns = 5 * MINUTE + press * 300_000_000
        wish = PauseClock(actor=f"console {press % 2}", role=Role.TD)
        outcome = night.command(wish, at_ns)
        accepted.append(isinstance(outcome, list))
    assert accepted == [True] + [False] * 10
    place = night.at(10 * MINUTE)
    assert (place.phase, place.elapsed_ns) == (Phase.PAUSED, 5 * MINUTE + LEAD)


def test_f020_pause_and_resume_in_turn_end_as_the_last_one_said():
    night = Night.started(THREE)
    running = 5 * MINUTE + LEAD
    for press in range(11):
        at_ns = 5 * MINUTE + press * 300_000_000
        night.done((ResumeClock if press % 2 else PauseClock)(**TD), at_ns)
        running += 300_000_000 * (press % 2)
    place = night.at(10 * MINUTE)
    assert place.phase is Phase.PAUSED
    assert place.elapsed_ns == running
    assert night.state.schedule.revision == 12


def test_l068_a_burst_of_pauses_and_resumes_keeps_the_sum_of_the_running_parts():
    night = Night.started(THREE)
    for press in range(20):
        night.done((ResumeClock if press % 2 else PauseClock)(**TD), MINUTE + press * 250_000_000)
    assert night.at(5 * MINUTE).elapsed_ns == 5 * MINUTE - 10 * 250_000_000


def test_f022_a_pause_just_before_the_flip_holds_it_back_and_resume_gives_it_once():
    night = Night.started(THREE)
    paused = 20 * MINUTE - 400_000_000
    night.done(PauseClock(**TD), paused - LEAD)
    assert {night.at(t).segment for t in range(paused, 25 * MINUTE, SECOND)} == {0}
    assert night.at(22 * MINUTE).remaining_ns == 400_000_000
    night.done(ResumeClock(**TD), 25 * MINUTE - LEAD)
    assert night.at(25 * MINUTE).next_flip_ns == 25 * MINUTE + 400_000_000
    assert night.at(25 * MINUTE + 400_000_000).next_flip_ns == 45 * MINUTE + 400_000_000


def test_f044_a_pause_over_midnight_is_thirty_minutes_long():
    to_midnight = 10 * MINUTE
    night = Night.started(THREE, at_ns=-to_midnight - 12 * MINUTE)
    night.done(PauseClock(**TD), -to_midnight - LEAD)
    night.done(ResumeClock(**TD), 20 * MINUTE - LEAD)
    assert night.at(20 * MINUTE).remaining_ns == 8 * MINUTE
    assert paused_ns(night.state.schedule, 60 * MINUTE) == 30 * MINUTE


def test_f032_a_late_first_deal_gets_its_full_first_level():
    night = Night(THREE)
    night.done(StartClock(**TD, start_ns=90 * MINUTE), 0)
    assert night.at(90 * MINUTE).next_flip_ns == 110 * MINUTE


def test_f068_a_skip_while_paused_stays_paused_in_the_new_level():
    night = Night.started(THREE)
    night.done(PauseClock(**TD), 5 * MINUTE)
    night.done(NextSegment(**TD), 6 * MINUTE)
    place = night.at(7 * MINUTE)
    assert (place.phase, place.segment, place.remaining_ns) == (Phase.PAUSED, 1, 20 * MINUTE)


def test_next_is_like_an_expiry_at_that_instant():
    night = Night.started(THREE)
    night.done(NextSegment(**TD), 33 * MINUTE - LEAD)
    assert night.at(33 * MINUTE - 1).next_flip_ns == 33 * MINUTE
    assert night.at(33 * MINUTE).segment == 2
    assert night.at(33 * MINUTE).next_flip_ns == 53 * MINUTE


def test_previous_begins_the_level_before_anew():
    night = Night.started(THREE)
    night.done(PreviousSegment(**TD), 45 * MINUTE - LEAD)
    place = night.at(45 * MINUTE)
    assert (place.segment, place.elapsed_ns, place.next_flip_ns) == (1, 0, 65 * MINUTE)


def test_extra_time_belongs_to_its_level_only():
    night = Night.started(THREE)
    night.done(ChangeTime(**TD, delta_s=120), 5 * MINUTE)
    assert night.at(6 * MINUTE).next_flip_ns == 22 * MINUTE
    assert night.at(22 * MINUTE).next_flip_ns == 42 * MINUTE
    night.done(PreviousSegment(**TD), 25 * MINUTE - LEAD)
    assert night.at(25 * MINUTE).next_flip_ns == 45 * MINUTE


def test_a_skip_leaves_the_extra_time_behind():
    night = Night.started(THREE)
    night.done(ChangeTime(**TD, delta_s=120), 5 * MINUTE)
    night.done(NextSegment(**TD), 10 * MINUTE - LEAD)
    assert night.at(10 * MINUTE).next_flip_ns == 30 * MINUTE


def test_extra_time_survives_pause_and_resume():
    night = Night.started(THREE)
    night.done(ChangeTime(**TD, delta_s=120), 5 * MINUTE)
    night.done(PauseClock(**TD), 10 * MINUTE - LEAD)
    night.done(ResumeClock(**TD), 11 * MINUTE - LEAD)
    assert night.at(11 * MINUTE).next_flip_ns == 23 * MINUTE


def test_l070_a_level_cut_below_its_elapsed_time_flips_once_when_the_cut_takes_effect():
    night = Night.started(THREE)
    night.done(ChangeTime(**TD, delta_s=-900), 10 * MINUTE - LEAD)
    assert night.at(10 * MINUTE - 1).next_flip_ns == 10 * MINUTE
    place = night.at(10 * MINUTE)
    assert (place.segment, place.elapsed_ns, place.next_flip_ns) == (1, 0, 30 * MINUTE)


def test_l070_in_a_pause_the_cut_flips_too_and_stays_paused():
    night = Night.started(THREE)
    night.done(PauseClock(**TD), 10 * MINUTE - LEAD)
    night.done(ChangeTime(**TD, delta_s=-900), 12 * MINUTE - LEAD)
    place = night.at(13 * MINUTE)
    assert (place.phase, place.segment, place.elapsed_ns) == (Phase.PAUSED, 1, 0)
    night.done(ResumeClock(**TD), 14 * MINUTE - LEAD)
    assert night.at(14 * MINUTE).next_flip_ns == 34 * MINUTE


def test_time_added_in_overtime_counts_from_now():
    night = Night.started(structure(*levels(60, 60)))
    night.done(ChangeTime(**TD, delta_s=60), 5 * MINUTE - LEAD)
    place = night.at(5 * MINUTE)
    assert (place.phase, place.remaining_ns) == (Phase.RUNNING, MINUTE)


def test_l073_a_start_that_is_too_near_is_moved_to_the_least_lead():
    night = Night(THREE)
    event = night.done(StartClock(**TD, start_ns=MINUTE + 20_000_000), MINUTE)
    assert isinstance(event, ClockStarted)
    assert event.effective_ns == MINUTE + LEAD


@pytest.mark.parametrize(
    ("before", "wish", "at_min", "code"),
    [
        ([], PauseClock(**TD), 1, "not_started"),
        ([], NextSegment(**TD), 1, "not_started"),
        ([StartClock(**TD)], StartClock(**TD), 1, "started"),
        ([StartClock(**TD, start_ns=9 * MINUTE)], StartClock(**TD), 1, "armed"),
        ([], StartClock(**TD, start_ns=0), 1, "start_in_past"),
        ([StartClock(**TD)], ResumeClock(**TD), 5, "running"),
        ([StartClock(**TD)], ResumeClock(**TD), 90, "running"),
        ([StartClock(**TD), PauseClock(**TD)], PauseClock(**TD), 5, "paused"),
        ([StartClock(**TD)], PreviousSegment(**TD), 5, "first_segment"),
        ([StartClock(**TD)], NextSegment(**TD), 50, "last_segment"),
        ([StartClock(**TD)], ChangeTime(**TD, delta_s=0), 5, "no_change"),
        ([StartClock(**TD)], ChangeTime(**TD, delta_s=90_000), 5, "too_much"),
        ([StartClock(**TD)], ChangeTime(**TD, delta_s=-60), 90, "no_time_left"),
        ([StartClock(**TD)], PauseClock(**TD, seen_revision=0), 5, "stale"),
        ([StartClock(**TD)], PauseClock(actor="d", role=Role.DEALER), 5, "not_allowed"),
    ],
)
def test_what_is_refused_changes_nothing(before, wish, at_min, code):
    night = Night(THREE)
    for n, command in enumerate(before):
        night.done(command, n * SECOND)
    assert night.refused(wish, at_min * MINUTE) == code


def test_the_second_of_two_skips_within_the_lead_is_refused():
    night = Night.started(THREE)
    night.done(NextSegment(**TD), 5 * MINUTE)
    assert night.refused(NextSegment(**TD), 5 * MINUTE + 100_000_000) == "flipping"
    assert night.at(6 * MINUTE).segment == 1


@pytest.mark.parametrize("wish", [NextSegment(**TD), ChangeTime(**TD, delta_s=60)])
def test_what_was_meant_for_a_level_that_just_runs_out_is_refused(wish):
    night = Night.started(THREE)
    assert night.refused(wish, 20 * MINUTE - 200_000_000) == "flipping"
    assert night.command(wish, 20 * MINUTE) != []


def test_two_consoles_at_once_the_second_is_told_what_changed():
    night = Night.started(THREE)
    seen = night.state.schedule.revision
    night.done(PauseClock(actor="console A", role=Role.TD, seen_revision=seen), 5 * MINUTE)
    late = NextSegment(actor="console B", role=Role.TD, seen_revision=seen)
    outcome = night.command(late, 5 * MINUTE + 50_000_000)
    assert isinstance(outcome, Refused)
    assert outcome.words == "State changed, look again: console A paused the clock"


def test_a_dealer_s_attempt_on_the_clock_goes_into_the_record():
    night = Night.started(THREE)
    number = night.state.number
    assert night.refused(PauseClock(actor="table/3", role=Role.DEALER), MINUTE) == "not_allowed"
    attempt: list[Event] = [night.replay_last()]
    assert attempt == [
        AttemptRefused(at_ns=MINUTE, actor="table/3", command="PauseClock", code="not_allowed")
    ]
    assert night.state.number == number + 1


def test_a_delegate_may_run_the_clock():
    night = Night.started(THREE)
    night.done(PauseClock(actor="helper", role=Role.DELEGATE), MINUTE)


def test_previous_goes_back_into_a_break():
    night = Night.started(structure(*levels(60), Break(seconds=60), levels(1, 60)[1]))
    night.done(PreviousSegment(**TD), 150 * SECOND - LEAD)
    place = night.at(150 * SECOND)
    assert (place.segment, place.remaining_ns) == (1, 60 * SECOND)
