"""The filter's arithmetic: against closed forms, at both ends of int64, and for both signs."""

import math
import random

import pytest

from sync.clock import SECOND
from sync.kalman import (
    FREQUENCY_WALK,
    OFFSET_WALK,
    Estimate,
    begun,
    corrected,
    innovation,
    predicted,
)


def fed(base_ns: int, sign: int = 1) -> Estimate:
    """Return the estimate after 60 noisy samples, one a second, of a drift of 12 us/s."""
    rng = random.Random(7)
    estimate = begun(0, base_ns, 10_000, 0.0, 50_000.0)
    for second in range(1, 61):
        at_ns = second * SECOND
        offset_ns = base_ns + sign * (12_000 * second + round(rng.gauss(0, 8_000)))
        estimate = predicted(estimate, at_ns)
        estimate = corrected(estimate, innovation(estimate, at_ns, offset_ns), 8_000)
    return estimate


@pytest.mark.parametrize("dt_s", [0.5, 1.0, 10.0])
def test_s028_the_covariance_grows_as_the_closed_form_says(dt_s: float) -> None:
    start = begun(0, 0, 100.0, 0.0, 20.0)
    found = predicted(start, round(dt_s * SECOND))
    walk = FREQUENCY_WALK**2
    offset = 100.0**2 + (20.0 * dt_s) ** 2 + OFFSET_WALK**2 * dt_s + walk * dt_s**3 / 3
    assert found.p_offset == pytest.approx(offset)
    assert found.p_cross == pytest.approx(20.0**2 * dt_s + walk * dt_s**2 / 2)
    assert found.p_rate == pytest.approx(20.0**2 + walk * dt_s)


def test_two_short_predictions_are_one_long_one() -> None:
    start = begun(0, 5, 100.0, 30.0, 20.0)
    once, twice = (
        predicted(start, 8 * SECOND),
        predicted(predicted(start, 3 * SECOND), 8 * SECOND),
    )
    for name in ("delta_ns", "p_offset", "p_cross", "p_rate"):
        assert getattr(once, name) == pytest.approx(getattr(twice, name))


def test_a_measurement_is_weighed_by_its_variance() -> None:
    found = corrected(begun(0, 0, 30.0, 0.0, 0.0), 100.0, 40.0)
    assert found.base_ns + found.delta_ns == pytest.approx(100 * 900 / 2500)
    assert found.p_offset == pytest.approx(900 * 1600 / 2500)


def test_s026_a_timebase_of_2_to_the_62_costs_no_precision() -> None:
    near, far = fed(0), fed(2**62)
    assert far.rate == pytest.approx(near.rate, abs=1e-3)
    assert (far.base_ns - 2**62, far.delta_ns) == pytest.approx((near.base_ns, near.delta_ns))
    assert near.rate == pytest.approx(12_000, abs=400)


def test_s028_both_signs_are_mirrors() -> None:
    up, down = fed(0), fed(0, sign=-1)
    assert down.rate == pytest.approx(-up.rate)
    assert down.p_rate == up.p_rate


def test_an_instant_before_the_estimates_own_changes_nothing() -> None:
    start = begun(SECOND, 0, 100.0, 30.0, 20.0)
    assert predicted(start, 0) == start
    assert math.isfinite(start.sigma_at(0))
