"""The small parts of time: clocks, timebase, keys, kernel stamps, delays, slopes, waiting."""

import socket
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sync.clock import MILLISECOND, SECOND, ManualClock, RawMonotonic, SkewedClock
from sync.delays import Delays, Envelope, Exchange
from sync.keys import derive
from sync.longterm import LongTerm
from sync.stamps import ask_for_stamps, believable_age_ns, receive
from sync.timebase import Timebase, decode, encode
from sync.waiter import wait_until

BASE = Timebase(id=2**64 - 1, term=3, official_ns=2**60, raw_ns=77, boot_id="b")
instants = st.integers(-(2**62), 2**62)


@given(instants)
def test_s091_a_timebase_turns_both_ways(official_ns: int) -> None:
    assert BASE.at(BASE.raw(official_ns)) == official_ns


def test_a_timebase_survives_its_bytes() -> None:
    assert decode(encode(BASE)) == BASE


@given(st.binary(max_size=60))
def test_damaged_bytes_are_a_value_error(data: bytes) -> None:
    with pytest.raises(ValueError, match="not a timebase"):
        decode(data)


def test_the_next_reign_goes_on_with_a_higher_term() -> None:
    risen = BASE.resumed(official_ns=2**60 + 5, raw_ns=0, boot_id="c")
    assert (risen.id, risen.term, risen.at(10)) == (BASE.id, 4, 2**60 + 15)


@given(instants, st.integers(-500_000, 500_000), st.integers(0, 2**50))
def test_a_skewed_clock_can_be_undone_to_a_nanosecond(offset: int, rate: int, base: int) -> None:
    clock = SkewedClock(ManualClock(), offset, rate)
    assert abs(clock.base_ns(clock.at(base)) - base) <= 1


def test_a_skewed_clock_gains_what_it_is_told() -> None:
    base = ManualClock(5)
    clock = SkewedClock(base, 1000, 80_000, since_ns=5)
    base.advance(SECOND)
    assert clock.now_ns() == 5 + SECOND + 1000 + 80_000


def test_a_manual_clock_refuses_to_go_back() -> None:
    with pytest.raises(ValueError, match="zero or more"):
        ManualClock().advance(-1)


def test_the_raw_clock_goes_on() -> None:
    clock = RawMonotonic()
    assert clock.now_ns() <= clock.now_ns()


def test_each_label_has_its_own_key() -> None:
    secret = bytes(range(32))
    assert derive(secret, "time", 16) == derive(secret, "time", 16)
    made = {derive(secret, "time"), derive(secret, "frames"), derive(secret[::-1], "time")}
    assert len(made) == 3
    assert len(derive(secret, "time", 16)) == 16


@given(instants, instants, instants, instants)
def test_s091_offset_and_delay_follow_rfc_5905_at_any_stamps(
    t1: int, t2: int, t3: int, t4: int
) -> None:
    exchange = Exchange(t1, t2, t3, t4)
    assert exchange.offset_ns == ((t2 - t1) + (t3 - t4)) // 2
    assert exchange.delay_ns == (t4 - t1) - (t3 - t2)


def test_delays_know_the_least_and_the_lower_quartile() -> None:
    delays = Delays()
    assert (delays.least_ns, delays.spread_ns) == (0, 0)
    for delay_ns in (90, 10, 50, 30, 70, 20, 80, 40):
        delays.add(delay_ns)
    assert (delays.least_ns, delays.spread_ns) == (10, 20)


def test_the_envelope_takes_the_least_delay_of_each_direction_by_itself() -> None:
    envelope = Envelope()
    for n in range(8):
        up, down = (5 if n == 2 else 50), (7 if n == 6 else 70)
        t1 = n * SECOND
        envelope.add(Exchange(t1, t1 + up + 1000, t1 + up + 1000, t1 + up + down))
        found = envelope.offset_ns(t1 + up + down, 0.0, 60 * SECOND)
        assert (found is None) == (n < 7)
    assert found == 1000 - 1  # half of (5 - 7)


def test_the_envelope_carries_old_samples_along_the_drift() -> None:
    envelope = Envelope()
    for n in range(20):
        t1 = n * SECOND
        arrived = t1 + 50 + 10_000 * n  # the master gains 10 us a second
        envelope.add(Exchange(t1, arrived, arrived, t1 + 100))
    assert envelope.offset_ns(20 * SECOND, 10_000.0, 60 * SECOND) == pytest.approx(200_000, abs=2)


def test_the_slope_needs_a_minute_and_sees_through_noise() -> None:
    longterm = LongTerm()
    for tenth in range(6):
        assert longterm.rate() is None
        longterm.add(tenth * 10 * SECOND, 2**62 - 12_000 * 10 * tenth)
    assert longterm.rate() == pytest.approx(-12_000)


def test_the_slope_forgets_what_is_older_than_half_an_hour() -> None:
    longterm = LongTerm()
    for second in range(0, 7200, 5):
        longterm.add(second * SECOND, 1000 * second if second < 3600 else 3_600_000)
    assert longterm.rate() == pytest.approx(0)


@pytest.mark.parametrize(
    ("age_ns", "believed"),
    [(0, 0), (50 * MILLISECOND, 50 * MILLISECOND), (-1, None), (50 * MILLISECOND + 1, None)],
)
def test_l094_an_age_that_only_a_step_explains_is_not_believed(
    age_ns: int, believed: int | None
) -> None:
    assert believable_age_ns(age_ns) == believed


@pytest.fixture
def socks() -> "tuple[socket.socket, socket.socket]":
    here = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    there = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    here.bind(("127.0.0.1", 0))
    there.bind(("127.0.0.1", 0))
    here.settimeout(2)
    return here, there


def test_the_kernel_says_how_long_a_datagram_has_lain(
    socks: tuple[socket.socket, socket.socket],
) -> None:
    here, there = socks
    with here, there:
        assert ask_for_stamps(here)
        there.sendto(b"x", here.getsockname())
        data, address, age_ns = receive(here)
        assert (data, address) == (b"x", there.getsockname())
        assert age_ns is not None
        assert 0 <= age_ns < 50 * MILLISECOND


def test_s089_without_kernel_stamps_there_is_no_age(
    socks: tuple[socket.socket, socket.socket],
) -> None:
    here, there = socks
    with here, there:
        there.sendto(b"x", here.getsockname())
        assert receive(here)[2] is None


def test_l094_a_wall_clock_that_was_stepped_gives_no_age(
    socks: tuple[socket.socket, socket.socket],
) -> None:
    here, there = socks
    with here, there:
        ask_for_stamps(here)
        there.sendto(b"x", here.getsockname())
        assert receive(here, wall_ns=lambda: 0)[2] is None


def test_the_wait_ends_at_the_instant_and_not_before() -> None:
    clock = RawMonotonic()
    target_ns = clock.now_ns() + 3 * MILLISECOND
    assert wait_until(clock, target_ns, threading.Event(), spin_ns=300_000)
    assert clock.now_ns() >= target_ns


def test_the_wait_is_broken_off_by_its_event() -> None:
    clock, wake = RawMonotonic(), threading.Event()
    wake.set()
    assert not wait_until(clock, clock.now_ns() + 60 * SECOND, wake, spin_ns=0)


def test_an_instant_that_is_past_is_there_at_once() -> None:
    assert wait_until(ManualClock(5), 5, threading.Event(), spin_ns=300_000)
