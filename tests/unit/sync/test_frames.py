"""The sealed frame: what fits the key comes out whole, all else is a named reason."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sync.frames import LONGEST, TAG_BYTES, WINDOW, Frame, Garbled, Window, seal, unseal

KEY = b"k" * 32
KEYS = {1: KEY, 2: b"d" * 32}
FRAME = Frame(1, session=5, to=6, counter=7, body=b"body")
NUMBERS = st.integers(0, 2**64 - 1)


@given(st.builds(Frame, st.sampled_from([1, 2]), NUMBERS, NUMBERS, NUMBERS, st.binary()))
def test_a_sealed_frame_comes_out_as_it_went_in(frame: Frame):
    assert unseal(seal(frame, KEYS[frame.key_id]), KEYS) == frame


@given(st.binary(max_size=300))
def test_no_bytes_raise(data: bytes):
    assert isinstance(unseal(data, KEYS), Garbled)


@settings(max_examples=300)
@given(st.integers(0, len(seal(FRAME, KEY)) * 8 - 1))
def test_each_single_bit_is_under_the_tag(bit: int):
    data = bytearray(seal(FRAME, KEY))
    data[bit // 8] ^= 1 << bit % 8
    assert isinstance(unseal(bytes(data), KEYS), Garbled)


@given(st.integers(0, len(seal(FRAME, KEY)) - 1))
def test_no_cut_frame_is_believed(length: int):
    assert isinstance(unseal(seal(FRAME, KEY)[:length], KEYS), Garbled)


@pytest.mark.parametrize(
    ("octet", "value", "reason"),
    [(0, 0, "magic"), (2, 2, "version"), (3, 9, "key_id"), (3, 2, "tag"), (30, 0, "tag")],
)
def test_the_reason_says_what_does_not_fit(octet: int, value: int, reason: str):
    data = bytearray(seal(FRAME, KEY))
    data[octet] = value
    assert unseal(bytes(data), KEYS) == Garbled(reason)


def test_a_desk_frame_sealed_with_a_unit_key_is_refused():
    forged = Frame(2, session=5, to=6, counter=7, body=b"pause")
    assert unseal(seal(forged, KEYS[1]), KEYS) == Garbled("tag")


def test_the_longest_body_fits_and_one_octet_more_does_not():
    longest = Frame(1, 1, 1, 1, bytes(LONGEST))
    assert unseal(seal(longest, KEY), KEYS) == longest
    assert unseal(seal(longest, KEY) + b"x", KEYS) == Garbled("length")
    with pytest.raises(ValueError, match=str(LONGEST)):
        seal(Frame(1, 1, 1, 1, bytes(LONGEST + 1)), KEY)
    assert TAG_BYTES == 16


@given(st.permutations(range(30)))
def test_each_counter_is_fresh_once_in_any_order(counters: list[int]):
    window = Window()
    assert all(window.fresh(counter) for counter in counters)
    assert not any(window.fresh(counter) for counter in counters)


@given(st.lists(st.integers(0, 5 * WINDOW), max_size=60))
def test_the_window_agrees_with_a_set(counters: list[int]):
    window, seen, highest = Window(), set[int](), -1
    for counter in counters:
        expected = counter not in seen and counter > highest - WINDOW
        assert window.fresh(counter) is expected
        seen.add(counter)
        highest = max(highest, counter)


def test_what_is_too_old_to_know_is_not_fresh():
    window = Window()
    assert window.fresh(2 * WINDOW)
    assert window.fresh(WINDOW + 1)
    assert not window.fresh(WINDOW)
