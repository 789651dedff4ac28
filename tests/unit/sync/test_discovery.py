"""What a service record says about a master, and what strange records are worth."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from zeroconf import ServiceInfo

from sync.frames import Garbled
from sync.links.discovery import SERVICE, Master, fingerprint, own_address, read, record

MASTER = Master("td-station", fingerprint(b"k" * 32), "127.0.0.1", 11124, 11123)


def test_a_record_says_what_it_was_made_from():
    assert read(record(MASTER)) == MASTER


def test_the_fingerprint_tells_events_apart_and_not_the_key():
    assert fingerprint(b"k" * 32) != fingerprint(b"l" * 32)
    assert len(fingerprint(b"k" * 32)) == 16
    assert (b"k" * 32).hex().find(fingerprint(b"k" * 32)) < 0


@pytest.mark.parametrize(
    "time", ["", "0", "65536", "-1", "x", "1e3", "9" * 40, "000080", "8\n", None]
)
def test_a_record_without_a_usable_time_port_is_garbled(time: str | None):
    info = ServiceInfo(
        SERVICE, f"a.{SERVICE}", port=1, addresses=[bytes(4)], properties={"time": time}
    )
    assert read(info) == Garbled("time_port")


def test_a_record_without_an_address_is_garbled():
    assert read(ServiceInfo(SERVICE, f"a.{SERVICE}", port=1)) == Garbled("address")


@given(st.binary(max_size=60))
def test_no_text_record_raises(text: bytes):
    properties = bytes([len(text)]) + text
    info = ServiceInfo(SERVICE, f"a.{SERVICE}", port=1, addresses=[bytes(4)], properties=properties)
    assert isinstance(read(info), Master | Garbled)


def test_the_own_address_can_be_announced():
    master = replace(MASTER, host=own_address())
    assert read(record(master)) == master
