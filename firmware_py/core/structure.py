"""Owns the shape of a blind structure: levels, breaks, chips, and its checks.

A segment is a level or a break. Amounts are whole chips, lengths whole seconds. Which segment
runs when is schedule.py's business.
"""

import msgspec


class Level(msgspec.Struct, frozen=True, kw_only=True, tag="level"):
    """A stretch of play at one price (rule 4)."""

    number: int  # 1, 2, 3 ...; breaks have no number
    small_blind: int
    big_blind: int
    seconds: int


class Break(msgspec.Struct, frozen=True, kw_only=True, tag="break"):
    """A rest between two levels; `remove` names the chips that are coloured up in it."""

    seconds: int
    remove: tuple[int, ...] = ()
    addon: bool = False
    note: str = ""


Segment = Level | Break


class Structure(msgspec.Struct, frozen=True, kw_only=True):
    """The whole night's plan: segments in order, chips in play, when rebuys close."""

    name: str
    segments: tuple[Segment, ...]
    chips: tuple[int, ...]  # denominations in play from the start, ascending
    start_chips: int  # a starting stack
    rebuy_until_s: int | None = None  # playing clock, seconds (rule 1); None: no rebuys
