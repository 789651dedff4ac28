"""Events as bytes and back; what a newer version wrote is kept as it came."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_py.core.codec import SCHEMA, decode, encode, with_request
from firmware_py.core.events import (
    BlindsPosted,
    ClockPaused,
    HandLatched,
    SegmentsEdited,
    TableEvent,
    TournamentEvent,
    TournamentOpened,
    Unknown,
)
from firmware_py.core.profile import Profile
from firmware_py.core.structure import Break, Level, Structure

INT64 = st.integers(-(2**63), 2**63 - 1)
KINDS = [kind for kind in (*TournamentEvent.__args__, *TableEvent.__args__) if kind is not Unknown]
PLAIN: dict[object, st.SearchStrategy[object]] = {
    int: INT64,
    str: st.text(max_size=20),
    bool: st.booleans(),
}
SEGMENTS = st.lists(
    st.builds(Level, number=INT64, small_blind=INT64, big_blind=INT64, seconds=INT64)
    | st.builds(Break, seconds=INT64, note=st.text(max_size=9), addon=st.booleans()),
    max_size=3,
).map(tuple)
STRUCTURES = st.builds(
    Structure,
    name=st.text(max_size=9),
    segments=SEGMENTS,
    chips=st.lists(INT64, max_size=3).map(tuple),
    start_chips=INT64,
    rebuy_until_s=st.none() | INT64,
)
PROFILES = st.builds(Profile, name=st.text(max_size=9), lead_ms=INT64)


def strategy_for(annotation: object) -> st.SearchStrategy[object]:
    if annotation is Structure:
        return STRUCTURES
    if annotation is Profile:
        return PROFILES
    return PLAIN.get(annotation, SEGMENTS)


def event_of(kind: type) -> st.SearchStrategy[object]:
    fields = {f.name: strategy_for(f.type) for f in msgspec.structs.fields(kind)}
    return st.builds(kind, **fields)


EVENTS = st.one_of([event_of(kind) for kind in KINDS])


@settings(max_examples=200, deadline=None)
@given(EVENTS)
def test_every_event_comes_back_as_it_was(event):
    assert decode(encode(event)) == event


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes_are_an_event_or_a_value_error(payload):
    try:
        event = decode(payload)
    except ValueError:
        return
    assert isinstance(event, Unknown)
    assert encode(event) == payload


@settings(max_examples=200, deadline=None)
@given(EVENTS, st.data())
def test_a_damaged_event_raises_nothing_but_value_error(event, data):
    payload = bytearray(encode(event))
    at = data.draw(st.integers(0, len(payload) - 1))
    payload[at] ^= data.draw(st.integers(1, 255))
    try:
        again = decode(bytes(payload))
    except ValueError:
        return
    assert encode(again)


def test_what_stands_on_the_disk_is_readable_for_others():
    event = ClockPaused(at_ns=5, actor="td", effective_ns=9, revision=2)
    assert msgspec.msgpack.decode(encode(event)) == [
        1,
        {"type": "ClockPaused", "at_ns": 5, "actor": "td", "effective_ns": 9, "revision": 2},
    ]


@pytest.mark.parametrize("schema", [SCHEMA, SCHEMA + 1])
def test_an_unknown_event_is_kept_byte_for_byte(schema):
    fields = {"type": "PlayerDrawn", "at_ns": 7, "actor": "master", "seat": [3, {"x": 1.5}]}
    payload = msgspec.msgpack.encode([schema, fields])
    event = decode(payload)
    assert isinstance(event, Unknown)
    assert (event.event_tag, event.at_ns, event.actor) == ("PlayerDrawn", 7, "master")
    assert encode(event) == payload


def test_a_known_event_of_a_newer_schema_is_not_half_understood():
    fields = {"type": "BlindsPosted", "at_ns": 7, "actor": "table/1", "hand": 3, "ante": 100}
    payload = msgspec.msgpack.encode([SCHEMA + 1, fields])
    event = decode(payload)
    assert isinstance(event, Unknown)
    assert encode(event) == payload


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "BlindsPosted", "at_ns": 7, "actor": "table/1"},
        {"type": "BlindsPosted", "at_ns": "7", "actor": "table/1", "hand": 3},
        {"type": "PlayerDrawn", "actor": "master"},
        {"at_ns": 7, "actor": "master"},
        {"type": "Unknown", "at_ns": 7, "actor": "x", "event_tag": "y", "payload": b"z"},
    ],
)
def test_a_damaged_event_is_a_value_error(fields):
    with pytest.raises(ValueError, match=r"."):
        decode(msgspec.msgpack.encode([SCHEMA, fields]))


def test_s091_the_edges_of_int64_travel():
    for edge in (-(2**63), 2**63 - 1):
        event = BlindsPosted(at_ns=edge, actor="table/1", hand=1)
        assert decode(encode(event)) == event


def test_an_event_names_the_wish_it_answers():
    event = with_request(BlindsPosted(at_ns=1, actor="table/1", hand=1), "r-17")
    assert event.request == "r-17"
    assert decode(encode(event)) == event


def test_names_on_the_wire_are_unique():
    tags = [kind.__name__ for kind in KINDS]
    assert len(tags) == len(set(tags))
    assert {HandLatched, SegmentsEdited, TournamentOpened} <= set(KINDS)
