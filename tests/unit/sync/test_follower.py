"""The follower's decisions, one sample at a time."""

import math
from itertools import pairwise

import pytest

from sync.clock import MICROSECOND, MILLISECOND, SECOND
from sync.delays import Exchange
from sync.follower import UNKNOWN_NS, Follower, Ignored, Slew, Step
from sync.ntp.packet import Base

BASE = Base(timebase_id=9, term=3, revision=1)
AHEAD = 40 * 86400 * SECOND


class Unit:
    """A follower and its local second hand; the crystal is right, the master is `ahead_ns` on."""

    def __init__(self, saved_ppb: int | None = None) -> None:
        self.follower = Follower(saved_ppb)
        self.ahead_ns = AHEAD
        self.now_ns = 1_000 * SECOND
        self.base = BASE

    def sample(
        self, up_ns: int = 100_000, down_ns: int = 100_000, after_ns: int = SECOND
    ) -> Step | Slew | Ignored:
        """Let time pass, then feed one exchange with these one-way delays."""
        self.now_ns += after_ns
        arrived = self.now_ns - down_ns + self.ahead_ns
        exchange = Exchange(self.now_ns - down_ns - up_ns, arrived, arrived, self.now_ns)
        return self.follower.sample(exchange, self.base, self.now_ns)

    def settled(self, samples: int = 120) -> "Unit":
        for _ in range(samples):
            self.sample()
        return self

    def error_ns(self) -> int:
        assert self.follower.mapping is not None
        return self.follower.mapping.official_ns(self.now_ns) - self.now_ns - self.ahead_ns

    def state(self) -> str:
        return self.follower.state(self.now_ns).state

    def alarm(self) -> str:
        return self.follower.state(self.now_ns).alarm


def test_one_that_knows_nothing_says_so() -> None:
    state = Follower().state(5)
    assert (state.state, state.uncertainty_ns, state.base) == ("unlocked", UNKNOWN_NS, None)


def test_s050_the_first_sample_is_taken_whole() -> None:
    unit = Unit()
    assert isinstance(unit.sample(up_ns=300_000, down_ns=100_000), Step)
    assert unit.error_ns() == 100_000
    assert abs(unit.error_ns()) < unit.follower.state(unit.now_ns).uncertainty_ns


def test_s032_a_perfect_link_locks_after_four_samples() -> None:
    unit = Unit()
    states = []
    for _ in range(5):
        unit.sample(0, 0, after_ns=100 * MILLISECOND)
        states.append(unit.state())
    assert states == ["unlocked", "unlocked", "unlocked", "locked", "locked"]


@pytest.mark.parametrize("delay_ns", [0, 500])
def test_s029_no_delay_gives_a_finite_uncertainty_with_a_floor(delay_ns: int) -> None:
    unit = Unit()
    for _ in range(50):
        unit.sample(delay_ns, delay_ns)
    state = unit.follower.state(unit.now_ns)
    assert math.isfinite(state.uncertainty_ns)
    assert state.uncertainty_ns > 500
    assert unit.error_ns() == pytest.approx(0, abs=100)


def test_s025_one_spike_with_a_normal_delay_is_gated_and_kicks_no_frequency() -> None:
    unit = Unit().settled()
    before = unit.follower.state(unit.now_ns).rate_ppb
    unit.ahead_ns += 30 * MILLISECOND
    assert unit.sample() == Ignored("gate")
    unit.ahead_ns -= 30 * MILLISECOND
    unit.sample()
    assert abs(unit.follower.state(unit.now_ns).rate_ppb - before) < 50
    assert abs(unit.error_ns()) < 5 * MICROSECOND


def test_a_late_reply_moves_next_to_nothing() -> None:
    unit = Unit().settled()
    unit.sample(down_ns=400 * MILLISECOND)
    assert abs(unit.error_ns()) < 5 * MICROSECOND


def test_a_re_lock_takes_the_least_delayed_of_the_misses() -> None:
    unit = Unit().settled()
    unit.ahead_ns += 100 * MILLISECOND
    delays = [9, 8, 3, 7, 5, 9, 6, 9]
    outcomes = [unit.sample(down_ns=d * MILLISECOND) for d in delays]
    assert outcomes[:7] == [Ignored("gate")] * 7
    assert isinstance(outcomes[7], Slew)
    assert unit.follower.state(unit.now_ns).delay_ns == 3 * MILLISECOND + 100_000


def test_misses_are_asked_after_faster() -> None:
    unit = Unit().settled()
    assert unit.follower.poll_interval_ns() == SECOND
    unit.ahead_ns += 100 * MILLISECOND
    unit.sample()
    assert unit.follower.poll_interval_ns() == 100 * MILLISECOND


def step_by(unit: Unit, ns: int) -> list[Step | Slew | Ignored]:
    unit.ahead_ns += ns
    return [unit.sample(after_ns=100 * MILLISECOND) for _ in range(10)]


def test_s103_a_third_step_within_a_minute_is_refused_with_an_alarm() -> None:
    unit = Unit().settled()
    for _ in range(2):
        assert any(isinstance(outcome, Step) for outcome in step_by(unit, 900 * MILLISECOND))
    third = step_by(unit, 900 * MILLISECOND)
    assert not any(isinstance(outcome, Step) for outcome in third)
    assert unit.alarm() == "step_budget"
    assert unit.follower.state(unit.now_ns).uncertainty_ns > 900 * MILLISECOND


def test_s103_a_unit_that_was_refused_a_step_follows_when_the_minute_is_over() -> None:
    unit = Unit().settled()
    for _ in range(3):
        step_by(unit, 900 * MILLISECOND)
    for _ in range(61):
        unit.sample()
    assert unit.error_ns() == pytest.approx(0, abs=10 * MICROSECOND)
    for _ in range(60):
        unit.sample()
    assert unit.alarm() == ""


def test_l060_an_older_term_is_refused_with_an_alarm_that_ends() -> None:
    unit = Unit().settled()
    unit.base = Base(timebase_id=9, term=2, revision=99)
    assert unit.sample() == Ignored("older_term")
    assert unit.alarm() == "older_term"
    unit.base = BASE
    for _ in range(61):
        unit.sample()
    assert (unit.alarm(), unit.follower.base) == ("", BASE)


def test_l062_two_masters_of_one_term_move_nobody() -> None:
    unit = Unit().settled()
    unit.base = Base(timebase_id=10, term=3, revision=1)
    unit.ahead_ns += 5 * SECOND
    assert unit.sample() == Ignored("two_masters")
    assert unit.alarm() == "two_masters"
    assert unit.error_ns() == -5 * SECOND


def test_s052_a_higher_term_is_followed_whole_and_forgets_the_old_slope() -> None:
    unit = Unit().settled()
    assert unit.follower.learned_ppb() is not None
    unit.base = Base(timebase_id=10, term=4, revision=1)
    unit.ahead_ns -= 7 * SECOND
    assert isinstance(unit.sample(), Step)
    assert unit.error_ns() == pytest.approx(0, abs=100_000)
    assert unit.follower.learned_ppb() is None


def test_a_new_revision_of_the_same_master_is_noted() -> None:
    unit = Unit().settled()
    unit.base = Base(timebase_id=9, term=3, revision=2)
    unit.sample()
    assert unit.follower.base == unit.base


@pytest.mark.parametrize("error_ms", [80, -80])
def test_f055_a_correction_of_80_ms_never_turns_shown_time_back(error_ms: int) -> None:
    unit = Unit().settled()
    unit.ahead_ns += error_ms * MILLISECOND
    shown = []
    for _ in range(300):
        unit.sample(after_ns=100 * MILLISECOND)
        assert unit.follower.mapping is not None
        shown.append(unit.follower.mapping.official_ns(unit.now_ns))
    steps = [later - earlier for earlier, later in pairwise(shown)]
    assert all(99 * MILLISECOND <= step <= 101 * MILLISECOND for step in steps)


def test_s007_nothing_from_before_a_jump_shapes_the_frequency_after_it() -> None:
    unit = Unit().settled(600)
    step_by(unit, 100 * MILLISECOND)
    unit.settled(300)
    learned = unit.follower.learned_ppb()
    assert learned is not None
    assert abs(learned) < 100


def test_f049_the_uncertainty_of_a_unit_in_holdover_grows_with_its_age() -> None:
    unit = Unit().settled()
    soon = unit.follower.state(unit.now_ns + 60 * SECOND)
    late = unit.follower.state(unit.now_ns + 3600 * SECOND)
    assert (soon.state, late.state) == ("holdover", "holdover")
    assert soon.uncertainty_ns < late.uncertainty_ns
    assert late.uncertainty_ns > 3 * MILLISECOND


def test_a_tick_in_holdover_does_not_jump() -> None:
    unit = Unit().settled(300)
    unit.now_ns += 11 * SECOND
    before_ns = unit.error_ns()
    unit.follower.tick(unit.now_ns)
    assert unit.error_ns() == before_ns
