"""Packets and their MAC: what is written is read, and nothing that comes in can raise."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sync.ntp import auth, packet
from sync.ntp.packet import Base, Dropped, Packet, decode, from_stamp, to_stamp

KEY = bytes(range(16))
STAMPS = st.integers(0, 2**64 - 1)
SECOND = 1_000_000_000

bases = st.builds(
    Base,
    timebase_id=STAMPS,
    term=st.integers(0, 2**32 - 1),
    revision=st.integers(0, 2**32 - 1),
)
packets = st.builds(
    Packet,
    mode=st.integers(0, 7),
    leap=st.integers(0, 3),
    stratum=st.integers(0, 255),
    poll=st.integers(-128, 127),
    precision=st.integers(-128, 127),
    root_delay=st.integers(0, 2**32 - 1),
    root_dispersion=st.integers(0, 2**32 - 1),
    reference_id=st.binary(min_size=4, max_size=4),
    reference=STAMPS,
    origin=STAMPS,
    receive=STAMPS,
    transmit=STAMPS,
    base=st.none() | bases,
)


@given(packets)
def test_what_is_written_is_read(sent: Packet) -> None:
    assert decode(sent.encode()) == sent


@given(st.binary(max_size=200))
def test_no_bytes_raise(data: bytes) -> None:
    assert isinstance(decode(data), Packet | Dropped)
    assert isinstance(auth.verified(data, {1: KEY}), Dropped)


@given(packets, st.integers(0), st.integers(1, 255))
def test_a_changed_octet_is_noticed(sent: Packet, where: int, flip: int) -> None:
    wire = bytearray(auth.signed(sent.encode(), 1, KEY))
    wire[where % len(wire)] ^= flip
    assert isinstance(auth.verified(bytes(wire), {1: KEY}), Dropped)


def test_the_header_stands_as_in_rfc_5905() -> None:
    wire = Packet(mode=packet.SERVER, stratum=1, reference_id=b"TBLS", transmit=0xAABB << 48)
    data = wire.encode()
    assert len(data) == 48
    assert data[:2] == b"\x24\x01"  # leap 0, version 4, mode 4; stratum 1
    assert data[12:16] == b"TBLS"
    assert data[40:48] == b"\xaa\xbb\0\0\0\0\0\0"


def test_the_extension_field_is_a_multiple_of_four_and_names_its_length() -> None:
    data = Packet(mode=packet.CLIENT, base=Base(7, 2, 3)).encode()[48:]
    assert (len(data), int.from_bytes(data[2:4], "big")) == (24, 24)
    assert 0xF000 <= int.from_bytes(data[:2], "big") <= 0xFFFF


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "short"),
        (bytes(47), "short"),
        (b"\x1b" + bytes(47), "version"),  # version 3
        (b"\x3b" + bytes(47), "version"),  # version 7
        (b"\x23" + bytes(47) + bytes(4), "extension"),
        (b"\x23" + bytes(47) + b"\xf7\xa6\0\x18" + bytes(20), "extension"),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, reason: str) -> None:
    assert decode(data) == Dropped(reason)


def test_the_tag_is_the_one_of_rfc_4493() -> None:
    key = bytes.fromhex("2b7e151628aed2a6abf7158809cf4f3c")
    message = bytes.fromhex(
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411"
    )
    assert auth.signed(message, 9, key)[-20:].hex() == "00000009dfa66747de9ae63030ca32611497c827"


@pytest.mark.parametrize("octets", [4, 12, 15, 17, 19, 21])
def test_s100_a_mac_of_another_length_is_refused(octets: int) -> None:
    plain = Packet(mode=packet.CLIENT, transmit=5).encode()
    whole = auth.signed(plain, 1, KEY)
    assert isinstance(auth.verified((whole + bytes(8))[: 48 + octets], {1: KEY}), Dropped)


def test_no_mac_wrong_key_and_unknown_key_are_told_apart() -> None:
    plain = Packet(mode=packet.CLIENT, transmit=5).encode()
    assert auth.verified(plain, {1: KEY}) == Dropped("no_mac")
    assert auth.verified(auth.signed(plain, 2, KEY), {1: KEY}) == Dropped("key_id")
    assert auth.verified(auth.signed(plain, 1, bytes(16)), {1: KEY}) == Dropped("mac")
    assert auth.verified(auth.signed(plain, 1, KEY), {1: KEY}) == (plain, 1)


@given(st.integers(-(2**62), 2**62), st.integers(-(2**60), 2**60))
def test_a_stamp_finds_its_era_from_an_instant_nearby(official_ns: int, away_ns: int) -> None:
    assert from_stamp(to_stamp(official_ns), official_ns + away_ns) == official_ns


def test_l090_stamps_go_on_across_the_era_of_2036() -> None:
    turn_ns = (2**32 - packet.NTP_EPOCH_S) * SECOND
    assert to_stamp(turn_ns - 1) > to_stamp(turn_ns + 1)
    assert from_stamp(to_stamp(turn_ns + 1), turn_ns - 1) == turn_ns + 1
    assert from_stamp(to_stamp(turn_ns - 1), turn_ns + 1) == turn_ns - 1
