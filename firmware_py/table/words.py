"""Owns how numbers and spans are written for a screen: one form for each kind of figure.

All spans come in as nanoseconds, so that no tenth is ever taken for a second (F034). What is left
of a span rounds up, what has gone by rounds down: 0:01 stands until zero, +0:01 after a whole
second.
"""

from firmware_py.core.schedule import SECOND
from firmware_py.core.structure import Level

MINUTE_S = 60
HOUR_S = 3600


def seconds_left(span_ns: int) -> int:
    """Return the whole seconds that a countdown shows: rounded up, never negative (F023)."""
    return max(0, -(-span_ns // SECOND))


def seconds_gone(span_ns: int) -> int:
    """Return the whole seconds that have gone by: rounded down, never negative."""
    return max(0, span_ns // SECOND)


def clock_text(seconds: int) -> str:
    """Return "0:01", "59:59", "1:00:00": an hour is written as one (F029).

    ValueError for a negative span, which no screen may show.
    """
    if seconds < 0:
        raise ValueError("a span on a screen is never negative")
    hours, rest = divmod(seconds, HOUR_S)
    minutes, left = divmod(rest, MINUTE_S)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


def left_text(span_ns: int) -> str:
    """Return a countdown: what is left of a span."""
    return clock_text(seconds_left(span_ns))


def over_text(span_ns: int) -> str:
    """Return an overtime, with its plus: "+0:07"."""
    return f"+{clock_text(seconds_gone(span_ns))}"


def age_text(span_ns: int) -> str:
    """Return how long ago something was: "4:10"."""
    return clock_text(seconds_gone(span_ns))


def minutes_text(seconds: int) -> str:
    """Return a coarse span in words, rounded up to the minute: "42 MIN", "1 H 05 MIN"."""
    hours, minutes = divmod(-(-seconds // MINUTE_S), 60)
    return f"{hours} H {minutes:02} MIN" if hours else f"{minutes} MIN"


def amount_text(chips: int) -> str:
    """Return an amount of chips: "1,200"."""
    return f"{chips:,}"


def blinds_text(level: Level) -> str:
    """Return both blinds: "600/1,200"."""
    return f"{amount_text(level.small_blind)}/{amount_text(level.big_blind)}"


def level_text(level: Level) -> str:
    """Return a level with its price: "LEVEL 7  400/800"."""
    return f"LEVEL {level.number}  {blinds_text(level)}"
