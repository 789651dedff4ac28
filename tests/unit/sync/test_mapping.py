"""Shown time: it bends, it slews, it steps only when that far off, and it can be turned round."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sync.clock import MILLISECOND, SECOND
from sync.mapping import Mapping, bent, stepped

rates = st.integers(-500_000, 500_000)
mappings = st.builds(
    Mapping,
    local=st.integers(-(2**61), 2**61),
    official=st.integers(-(2**61), 2**61),
    rate_ppb=rates,
    slew_ppb=st.integers(-5_000_000, 5_000_000),
    slew_ns=st.integers(0, 100 * SECOND),
)
spans = st.integers(-(10**13), 10**13)


@given(mappings, spans, st.integers(0, 10**12))
def test_s010_shown_time_never_goes_back(mapping: Mapping, start: int, step: int) -> None:
    local_ns = mapping.local + start
    assert mapping.official_ns(local_ns + step) >= mapping.official_ns(local_ns)


@given(mappings, spans)
def test_the_local_instant_is_the_first_that_shows_the_official_one(
    mapping: Mapping, ahead: int
) -> None:
    wanted_ns = mapping.official + ahead
    local_ns = mapping.local_ns(wanted_ns)
    assert mapping.official_ns(local_ns) >= wanted_ns
    assert mapping.official_ns(local_ns - 2) < wanted_ns


@given(mappings, rates, st.integers(0, 10**12), st.integers(-(10**12), 10**12))
def test_a_correction_below_the_step_limit_makes_no_jump(
    mapping: Mapping, rate: int, after: int, error_ns: int
) -> None:
    local_ns = mapping.local + after
    shown_ns = mapping.official_ns(local_ns)
    led = bent(mapping, local_ns, shown_ns + error_ns, rate)
    assert (led is None) == (abs(error_ns) >= 250 * MILLISECOND)
    if led is not None:
        assert led.official_ns(local_ns) == shown_ns


@given(st.integers(-249_999_999, 249_999_999))
def test_f055_a_correction_arrives_at_its_rate_and_shown_seconds_never_go_up(error_ns: int) -> None:
    led = bent(Mapping(0, 0), 0, error_ns, 0)
    assert led is not None
    limit_ppb = 5_000_000 if abs(error_ns) >= 20 * MILLISECOND else 500_000
    assert abs(led.slew_ppb) <= limit_ppb + 1
    end_ns = led.slew_ns
    assert led.official_ns(end_ns) == pytest.approx(end_ns + error_ns, abs=100)
    assert led.official_ns(end_ns + SECOND) == led.official_ns(end_ns) + SECOND


@pytest.mark.parametrize("sign", [1, -1])
def test_l029_the_step_limit_is_where_it_is_written(sign: int) -> None:
    limit = 250 * MILLISECOND
    assert bent(Mapping(0, 0), 0, sign * (limit - 1), 0) is not None
    assert bent(Mapping(0, 0), 0, sign * limit, 0) is None
    assert stepped(0, sign * limit, 0).official_ns(0) == sign * limit


def test_s014_three_milliseconds_are_gone_within_ten_seconds_at_500_ppm() -> None:
    led = bent(Mapping(0, 0), 0, 3 * MILLISECOND, 0)
    assert led is not None
    assert led.slew_ppb == 500_000
    assert led.official_ns(10 * SECOND) == 10 * SECOND + 3 * MILLISECOND
