"""Owns the clock's face: digits, bar, last minute and sounds, all from one position.

What is heard and what is seen come from the same instants (F025, F026): the warning belongs to the
moment at which LAST MINUTE comes up, the end tone to the flip itself. Pure; official nanoseconds.
"""

import enum
from collections.abc import Iterator
from dataclasses import dataclass

from firmware_py.core.schedule import SECOND, Phase, Position, Schedule, position
from firmware_py.core.turns import in_last_minute, next_turn_ns
from firmware_py.table.words import clock_text, seconds_gone, seconds_left


class Sound(enum.Enum):
    """What a unit has to say aloud."""

    LAST_MINUTE = "last minute"
    SEGMENT_END = "segment end"  # the time is up
    SEGMENT_CHOSEN = "segment chosen"  # started, skipped or gone back by the TD


@dataclass(frozen=True, slots=True)
class Sounded:
    """A sound and the instant that it belongs to."""

    sound: Sound
    at_ns: int


@dataclass(frozen=True, slots=True)
class Face:
    """What the clock shows at one instant."""

    text: str
    permille: int  # the elapsed share, in step with the digits
    last_minute: bool
    tick_ns: int | None  # when the digits change by themselves; None while they stand


def face(place: Position, now_ns: int) -> Face:
    """Return the face for the position at `now_ns`."""
    over_ns = place.elapsed_ns - place.length_ns
    if place.phase is not Phase.WAITING and over_ns >= 0:
        return _overtime(place, over_ns, now_ns)
    armed = place.phase is Phase.WAITING and place.next_flip_ns is not None
    left_ns = (place.next_flip_ns or 0) - now_ns if armed else place.remaining_ns
    shown_s = seconds_left(left_ns)
    return Face(
        text=clock_text(shown_s),
        permille=_permille(place, shown_s),
        last_minute=in_last_minute(place),
        tick_ns=(
            now_ns + left_ns - (shown_s - 1) * SECOND
            if armed or place.phase is Phase.RUNNING
            else None
        ),
    )


def _overtime(place: Position, over_ns: int, now_ns: int) -> Face:
    paused = place.phase is Phase.PAUSED
    return Face(
        text=f"+{clock_text(seconds_gone(over_ns))}",
        permille=1000,
        last_minute=False,
        tick_ns=None if paused else now_ns + SECOND - over_ns % SECOND,
    )


def _permille(place: Position, shown_s: int) -> int:
    if place.phase is Phase.WAITING or place.length_ns == 0:
        return 0
    return max(0, place.length_ns - shown_s * SECOND) * 1000 // place.length_ns


def sounds(schedule: Schedule, from_ns: int, to_ns: int) -> tuple[Sounded, ...]:
    """Return what is to be heard after `from_ns` and up to `to_ns`, in order.

    All of it: a caller that has slept drops what is too old to be of use.
    """
    return tuple(
        Sounded(sound, t_ns)
        for t_ns in _turns(schedule, from_ns, to_ns)
        if (sound := _sound(schedule, t_ns)) is not None
    )


def _turns(schedule: Schedule, from_ns: int, to_ns: int) -> Iterator[int]:
    turn_ns = next_turn_ns(schedule, from_ns)
    while turn_ns is not None and turn_ns <= to_ns:
        yield turn_ns
        turn_ns = next_turn_ns(schedule, turn_ns)


def _sound(schedule: Schedule, t_ns: int) -> Sound | None:
    before, after = position(schedule, t_ns - 1), position(schedule, t_ns)
    if before.phase is Phase.RUNNING and before.remaining_ns == 1 and _turned(before, after):
        return Sound.SEGMENT_END
    if _began_anew(before, after):
        return Sound.SEGMENT_CHOSEN
    if after.phase is Phase.RUNNING and in_last_minute(after) and not in_last_minute(before):
        return Sound.LAST_MINUTE
    return None


def _turned(before: Position, after: Position) -> bool:
    return after.segment != before.segment or after.phase is Phase.OVERTIME


def _began_anew(before: Position, after: Position) -> bool:
    """Return whether the TD let a segment begin: the first one, or another than the present."""
    if after.phase is Phase.WAITING:
        return False
    return before.phase is Phase.WAITING or after.segment != before.segment
