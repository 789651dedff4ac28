"""Who gets the time, and what they get."""

from hypothesis import given
from hypothesis import strategies as st

from sync.clock import MILLISECOND, SECOND
from sync.ntp import auth, packet
from sync.ntp.packet import Base, Dropped, Packet
from sync.ntp.server import BURST, RateLimit, Request, accepted, answer

KEY = bytes(range(16))
BASE = Base(timebase_id=9, term=3, revision=12)


def asked(base: Base | None = BASE, **changes: int) -> bytes:
    fields = {"mode": packet.CLIENT, "transmit": 77} | changes
    return auth.signed(Packet(**fields, base=base).encode(), 1, KEY)


def request(base: Base | None = BASE) -> Request:
    found = accepted(asked(base), {1: KEY})
    assert isinstance(found, Request)
    return found


def test_a_reply_carries_the_request_s_nonce_and_the_masters_instants() -> None:
    reply = answer(request(), BASE, 5 * SECOND, 5 * SECOND + 300)
    assert (reply.mode, reply.leap, reply.origin) == (packet.SERVER, 0, 77)
    assert packet.from_stamp(reply.receive, 0) == 5 * SECOND
    assert packet.from_stamp(reply.transmit, 0) == 5 * SECOND + 300
    assert 1 <= reply.stratum <= 15
    assert reply.base == BASE


def test_a_plain_ntp_client_gets_a_plain_reply() -> None:
    assert answer(request(base=None), BASE, 0, 0).base is None


@given(st.none() | st.just(BASE), st.none() | st.just(BASE))
def test_no_reply_is_longer_than_its_request(theirs: Base | None, ours: Base | None) -> None:
    reply = auth.signed(answer(request(theirs), ours, 0, 0).encode(), 1, KEY)
    assert len(reply) <= len(asked(theirs))


def test_without_a_timebase_the_reply_says_not_ready() -> None:
    reply = answer(request(), None, 0, 0)
    assert (reply.leap, reply.stratum, reply.reference_id) == (3, 0, bytes(4))


def test_silence_for_whoever_has_no_key_or_is_no_client() -> None:
    plain = Packet(mode=packet.CLIENT, transmit=77).encode()
    assert accepted(plain, {1: KEY}) == Dropped("no_mac")
    assert accepted(auth.signed(plain, 1, bytes(16)), {1: KEY}) == Dropped("mac")
    assert accepted(asked(mode=packet.SERVER), {1: KEY}) == Dropped("mode")
    assert accepted(asked(transmit=0), {1: KEY}) == Dropped("zero_stamp")


def test_one_address_gets_a_burst_then_its_rate_and_another_is_not_hurt() -> None:
    limit, rude, calm = RateLimit(), ("10.0.0.1", 5), ("10.0.0.2", 5)
    answers = sum(limit.allows(rude, n * MILLISECOND) for n in range(1000))
    assert BURST <= answers <= BURST + 16
    assert limit.allows(calm, SECOND)
    assert limit.allows(rude, 10 * SECOND)


def test_ten_thousand_addresses_cost_no_more_memory_than_the_table() -> None:
    limit = RateLimit()
    assert all(limit.allows((f"10.0.{n // 256}.{n % 256}", 5), 0) for n in range(10_000))
    assert len(limit._buckets) <= 4096
