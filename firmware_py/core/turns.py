"""Owns when the clock says something new: the next flip, the last minute, a change that lies ahead.

Pure; official nanoseconds.
"""

from firmware_py.core.schedule import SECOND, Phase, Position, Schedule, position

MINUTE_NS = 60 * SECOND


def warning_ns(length_ns: int) -> int:
    """Return how long before its end a segment of `length_ns` is announced to end.

    A minute (rule 4); a segment of a minute or less has its last quarter announced instead, for a
    warning that stands from the start says nothing.
    """
    return MINUTE_NS if length_ns > MINUTE_NS else length_ns // 4


def in_last_minute(place: Position) -> bool:
    """Return whether the end of the segment has been announced and is still to come."""
    if place.phase is Phase.WAITING or place.remaining_ns == 0:
        return False
    return place.remaining_ns <= warning_ns(place.length_ns)


def next_turn_ns(schedule: Schedule, t_ns: int) -> int | None:
    """Return the next instant after `t_ns` at which more than the digits changes.

    That is a flip, the last minute, or a change of the clock that lies ahead; None if there is
    none to come.
    """
    place = position(schedule, t_ns)
    turns = [change.at_ns for change in schedule.changes]
    if place.next_flip_ns is not None:
        turns.append(place.next_flip_ns)
    if place.phase is Phase.RUNNING:
        turns.append(t_ns + place.remaining_ns - warning_ns(place.length_ns))
    return min((turn for turn in turns if turn > t_ns), default=None)
