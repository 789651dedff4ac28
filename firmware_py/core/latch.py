"""Decides which level the hand in play belongs to (rule 4); nothing else may.

Takes blinds, riffle and the schedule; gives HandLatched. A latched hand keeps its segment through
flips, pauses, breaks and skips, until it ends or its start is undone. Amounts: structure.py.
"""

import msgspec

from firmware_py.core.commands import RaiseAlert
from firmware_py.core.events import HandLatched
from firmware_py.core.profile import Profile
from firmware_py.core.roles import Role
from firmware_py.core.schedule import Schedule, begun_by, segments_at
from firmware_py.core.structure import Level
from firmware_py.core.tournament_state import Tournament


class Hand(msgspec.Struct, frozen=True, kw_only=True):
    """The hand at a table, from its first key to HAND OVER."""

    number: int  # 1, 2, 3 ... at this table
    blinds_ns: int | None = None
    riffle_ns: int | None = None
    dealt_ns: int | None = None
    latched: HandLatched | None = None


def start_ns(hand: Hand, profile: Profile) -> int | None:
    """Return the instant at which the hand is in play, None while something is missing.

    House: the later of blinds and riffle; tda: the riffle. Without a riffle (pre-shuffled deck,
    rule 42) the finished deal stands for it.
    """
    riffle_ns = hand.riffle_ns if hand.riffle_ns is not None else hand.dealt_ns
    if riffle_ns is None:
        return None
    if profile.hand_start == "riffle":
        return riffle_ns
    return None if hand.blinds_ns is None else max(hand.blinds_ns, riffle_ns)


def latch(hand: Hand, schedule: Schedule, profile: Profile, actor: str) -> HandLatched | None:
    """Return the latch that `hand` has just earned, None if it has one or needs more keys."""
    when_ns = start_ns(hand, profile)
    if hand.latched is not None or when_ns is None:
        return None
    place = begun_by(schedule, when_ns)
    return HandLatched(
        at_ns=when_ns,
        actor=actor,
        hand=hand.number,
        segment=place.segment,
        revision=place.revision,
        correct_blinds=_at_old_price(hand, schedule, place.segment),
    )


def level_of(latched: HandLatched, schedule: Schedule) -> Level | None:
    """Return the level that the hand is played at."""
    segments = segments_at(schedule, latched.at_ns)
    segment = segments[latched.segment] if latched.segment < len(segments) else None
    return segment if isinstance(segment, Level) else None


def conflict(tournament: Tournament, table: int, latched: HandLatched) -> RaiseAlert | None:
    """Return the alert when a table that did not know better dealt at another level.

    The hand stays as dealt; the TD is told (case L13).
    """
    place = begun_by(tournament.schedule, latched.at_ns)
    if place.segment == latched.segment:
        return None
    return RaiseAlert(
        actor="master",
        role=Role.UNIT,
        code="hand_at_other_level",
        table=table,
        words=f"Table {table} began hand {latched.hand} at "
        f"{_name(tournament, latched.segment, latched.at_ns)}, the clock was at "
        f"{_name(tournament, place.segment, latched.at_ns)}; the hand stays as dealt",
    )


def _at_old_price(hand: Hand, schedule: Schedule, segment: int) -> bool:
    """Return whether the blinds went in before the level that the hand belongs to."""
    return hand.blinds_ns is not None and begun_by(schedule, hand.blinds_ns).segment != segment


def _name(tournament: Tournament, segment: int, at_ns: int) -> str:
    segments = segments_at(tournament.schedule, at_ns)
    found = segments[segment] if segment < len(segments) else None
    return f"level {found.number}" if isinstance(found, Level) else f"segment {segment + 1}"
