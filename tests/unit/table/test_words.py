"""How figures are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_py.core.structure import Level
from firmware_py.table.words import (
    amount_text,
    blinds_text,
    clock_text,
    left_text,
    level_text,
    minutes_text,
    over_text,
)

MILLISECOND = 1_000_000
SECOND = 1_000 * MILLISECOND


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0:00"), (59, "0:59"), (3599, "59:59"), (3600, "1:00:00"), (5400, "1:30:00")],
)
def test_f029_an_hour_is_written_as_an_hour(seconds, text):
    assert clock_text(seconds) == text


@pytest.mark.parametrize(
    ("left_ns", "text"),
    [(400 * MILLISECOND, "0:01"), (1, "0:01"), (0, "0:00"), (SECOND, "0:01"), (SECOND + 1, "0:02")],
)
def test_f023_what_is_left_rounds_up(left_ns, text):
    assert left_text(left_ns) == text


def test_f023_what_is_over_carries_a_plus_and_rounds_down():
    assert over_text(0) == "+0:00"
    assert over_text(7_900 * MILLISECOND) == "+0:07"
    assert over_text(3_600 * SECOND) == "+1:00:00"


@given(st.integers(-(2**62), 2**62))
def test_f023_no_span_is_ever_shown_negative(span_ns):
    assert "-" not in left_text(span_ns) + over_text(span_ns)
    with pytest.raises(ValueError, match="negative"):
        clock_text(-1)


def test_f034_ninety_thousand_milliseconds_are_a_minute_and_a_half():
    assert left_text(90_000 * MILLISECOND) == "1:30"


@given(st.integers(0, 10**6))
def test_f034_a_text_gives_its_seconds_back(seconds):
    parts = [int(part) for part in clock_text(seconds).split(":")]
    total = 0
    for part in parts:
        total = total * 60 + part
    assert total == seconds


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(1, "1 MIN"), (60, "1 MIN"), (61, "2 MIN"), (3_600, "1 H 00 MIN"), (6_120, "1 H 42 MIN")],
)
def test_a_coarse_span_is_in_words_and_rounds_up(seconds, text):
    assert minutes_text(seconds) == text


def test_amounts_are_grouped():
    level = Level(number=23, small_blind=1_000_000, big_blind=2_000_000, seconds=900)
    assert amount_text(950) == "950"
    assert blinds_text(level) == "1,000,000/2,000,000"
    assert level_text(level) == "LEVEL 23  1,000,000/2,000,000"
