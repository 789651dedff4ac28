"""Which replies the client believes: all others leave the follower as it was."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sync.clock import MILLISECOND, SECOND
from sync.follower import Follower
from sync.ntp import auth, packet
from sync.ntp.client import Asker
from sync.ntp.packet import Base, Packet

KEY = bytes(range(16))
BASE = Base(timebase_id=9, term=3, revision=12)
NOW = 1_000 * SECOND
AHEAD = 1_700_000_000 * SECOND  # master minus local


class Fixture:
    """An asker with one request out: nonce 77, sent at NOW."""

    def __init__(self) -> None:
        self.asker = Asker(Follower(), 1, KEY)
        self.asker.request(77)
        self.asker.sent(77, NOW)

    def reply(self, *, key: bytes = KEY, late_ns: int = 0, **changes: object) -> bool:
        """Return whether a good reply with `changes` was used."""
        fields: dict[str, object] = {
            "mode": packet.SERVER,
            "stratum": 1,
            "origin": 77,
            "receive": packet.to_stamp(AHEAD + NOW + MILLISECOND),
            "transmit": packet.to_stamp(AHEAD + NOW + MILLISECOND),
            "base": BASE,
        }
        wire = Packet(**(fields | changes)).encode()  # type: ignore[arg-type]
        return self.asker.reply(auth.signed(wire, 1, key), NOW + 2 * MILLISECOND + late_ns)

    @property
    def dropped(self) -> dict[str, int]:
        return dict(self.asker.dropped)


@pytest.fixture
def out() -> Fixture:
    return Fixture()


def test_a_good_reply_is_used_and_s050_taken_whole(out: Fixture) -> None:
    assert out.reply()
    assert out.dropped == {}
    mapping = out.asker.follower.mapping
    assert mapping is not None
    assert mapping.official_ns(NOW + 5 * MILLISECOND) == AHEAD + NOW + 5 * MILLISECOND


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"mode": packet.CLIENT}, "mode"),
        ({"mode": 5}, "mode"),
        ({"origin": 78}, "origin"),
        ({"origin": 0}, "origin"),
        ({"key": bytes(16)}, "mac"),
        ({"base": None}, "no_timebase"),
        ({"late_ns": 3 * SECOND}, "late"),
    ],
)
def test_s095_a_forged_reply_is_dropped(
    out: Fixture, changes: dict[str, object], reason: str
) -> None:
    assert not out.reply(**changes)  # type: ignore[arg-type]
    assert out.dropped == {reason: 1}
    assert out.asker.follower.mapping is None


@pytest.mark.parametrize("changes", [{"mode": 5}, {"origin": 78}, {"receive": 0}, {"base": None}])
def test_s095_the_wait_for_the_true_reply_goes_on(out: Fixture, changes: dict[str, object]) -> None:
    out.reply(**changes)  # type: ignore[arg-type]
    assert out.reply()


@pytest.mark.parametrize("field", ["receive", "transmit"])
def test_s082_a_zero_stamp_is_dropped(out: Fixture, field: str) -> None:
    assert not out.reply(**{field: 0})  # type: ignore[arg-type]
    assert out.dropped == {"zero_stamp": 1}


def test_l093_a_reply_sent_before_it_was_asked_is_dropped(out: Fixture) -> None:
    assert not out.reply(transmit=packet.to_stamp(AHEAD + NOW))
    assert out.dropped == {"impossible_stamps": 1}
    assert out.asker.follower.mapping is None


def test_l093_a_negative_delay_is_dropped(out: Fixture) -> None:
    assert not out.reply(transmit=packet.to_stamp(AHEAD + NOW + 20 * MILLISECOND))
    assert out.dropped == {"impossible_stamps": 1}


def test_s079_a_stamp_that_leaps_by_two_to_the_32_is_dropped(out: Fixture) -> None:
    assert not out.reply(late_ns=2**32)
    assert out.dropped == {"late": 1}


def test_s097_the_same_reply_twice_counts_once(out: Fixture) -> None:
    assert out.reply()
    assert not out.reply()
    assert out.dropped == {"origin": 1}


def test_s094_shuffled_replies_find_their_requests() -> None:
    out = Fixture()
    for number in (78, 79):
        out.asker.sent(number, NOW + number * MILLISECOND)
    for number in (79, 77, 78):
        sent_ns = NOW + (number * MILLISECOND if number > 77 else 0)
        stamp = packet.to_stamp(AHEAD + sent_ns + MILLISECOND)
        late_ns = sent_ns - NOW
        assert out.reply(origin=number, receive=stamp, transmit=stamp, late_ns=late_ns)
    assert out.asker.follower.state(NOW).delay_ns == 2 * MILLISECOND


def kiss(code: bytes) -> dict[str, object]:
    return {"stratum": 0, "leap": 3, "reference_id": code}


@pytest.mark.parametrize(
    ("code", "least_s"), [(b"RATE", 1.9), (b"DENY", 57), (b"RSTR", 57), (bytes(4), 0.95)]
)
def test_a_kiss_from_the_master_is_obeyed(out: Fixture, code: bytes, least_s: float) -> None:
    assert not out.reply(**kiss(code))  # type: ignore[arg-type]
    assert out.asker.wait_ns(random.Random(1)) >= least_s * SECOND


def test_rate_kisses_double_the_wait_up_to_about_a_minute(out: Fixture) -> None:
    waits = []
    for nonce in range(100, 110):
        out.asker.sent(nonce, NOW)
        out.reply(origin=nonce, **kiss(b"RATE"))  # type: ignore[arg-type]
        waits.append(out.asker.wait_ns(random.Random(1)))
    assert waits == sorted(waits)
    assert waits[-1] <= 68 * SECOND


@pytest.mark.parametrize("changes", [{"key": bytes(16)}, {"origin": 78}, {"origin": 0}])
def test_s098_a_forged_kiss_changes_nothing(out: Fixture, changes: dict[str, object]) -> None:
    before_ns = out.asker.wait_ns(random.Random(1))
    out.reply(**(kiss(b"DENY") | changes))  # type: ignore[arg-type]
    assert out.asker.wait_ns(random.Random(1)) == before_ns


@given(st.binary(max_size=120))
def test_no_datagram_raises_or_moves_anything(data: bytes) -> None:
    out = Fixture()
    assert not out.asker.reply(data, NOW)
    assert out.asker.follower.mapping is None


def test_a_request_is_as_long_as_the_longest_reply_and_has_a_nonce_for_a_stamp(
    out: Fixture,
) -> None:
    wire = out.asker.request(0xABCDEF)
    assert len(wire) == 48 + 24 + 20
    parsed = packet.decode(wire[:-20])
    assert isinstance(parsed, Packet)
    assert (parsed.mode, parsed.transmit, parsed.receive) == (packet.CLIENT, 0xABCDEF, 0)


def test_unanswered_requests_end_the_burst_and_are_forgotten(out: Fixture) -> None:
    rng = random.Random(1)
    assert out.asker.wait_ns(rng) < 200 * MILLISECOND
    for number in range(8):
        out.asker.sent(100 + number, NOW + number * MILLISECOND)
    assert out.asker.wait_ns(rng) > 900 * MILLISECOND
    out.asker.sent(200, NOW + 3 * SECOND)
    assert list(out.asker._asked) == [200]
