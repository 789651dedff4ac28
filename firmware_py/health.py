"""Owns a unit's words on its own health in each beat, and the master's board of all units."""

import msgspec


class UnitHealth(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One unit's words about itself; instants are official nanoseconds."""

    sync: str = "unlocked"  # sync.follower's state
    uncertainty_ns: int = -1  # -1: not known
    sample_age_ns: int = -1
    alarm: str = ""
    flip_late_ns: int = 0
    reader_fault: str = ""
    hand: int = 0  # in play, 0 for none
    floor_called: bool = False
    marks: tuple[str, ...] = ()


class UnitSeen(msgspec.Struct, frozen=True, kw_only=True):
    """One unit as the master sees it."""

    kind: str  # "table", "hall", "desk"
    table: int
    unit: str
    speaks: bool  # the table's stream is taken from this unit
    silent_ns: int
    health: UnitHealth


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """The master's own beat: how the room is."""

    official_ns: int
    term: int
    epoch: int = 0  # of the tournament stream, and
    last: int = 0  # the number of its newest event: who has that many is up to date
    units: tuple[UnitSeen, ...] = ()
    marks: tuple[str, ...] = ()


def encode(beat: UnitHealth | Board) -> bytes:
    """Return the beat's bytes."""
    return msgspec.msgpack.encode(beat)


def read_health(payload: bytes) -> UnitHealth:
    """Return what a unit said; nothing known when it cannot be read."""
    try:
        return msgspec.msgpack.decode(payload, type=UnitHealth)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return UnitHealth()


def read_board(payload: bytes) -> Board | None:
    """Return the master's board; None when it cannot be read."""
    try:
        return msgspec.msgpack.decode(payload, type=Board)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
