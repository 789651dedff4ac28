"""Owns the 16 octets on a seat chip: what they say, and the proof that we wrote them.

Version 1, kind, table, seat, set id (4), then 8 octets of HMAC-SHA256 over the UID and the first
8. The proof hangs on the UID, so a copy on another chip is worth nothing, and a half-written chip
fails it.
"""

import enum
import hashlib
import hmac
import struct
from dataclasses import dataclass

PAYLOAD_BYTES = 16
VERSION = 1
_FIELDS = struct.Struct("!BBBB4s")


class ChipKind(enum.IntEnum):
    """What a chip stands for."""

    SEAT = 1
    STAFF = 2


class ChipProblem(enum.Enum):
    """Why a chip is not taken."""

    BLANK = "blank"
    VERSION = "version"
    FOREIGN = "foreign"  # of another set
    FORGED = "forged"  # the proof fails: a copy, a fake, or half written


@dataclass(frozen=True, slots=True)
class SeatChip:
    """Table and seat as a player draws them."""

    table: int
    seat: int
    set_id: bytes
    kind: ChipKind = ChipKind.SEAT


def encode(chip: SeatChip, uid: bytes, key: bytes) -> bytes:
    """Return the payload for the chip with this UID; ValueError for numbers out of range."""
    if not (0 <= chip.table <= 255 and 0 <= chip.seat <= 255 and len(chip.set_id) == 4):
        raise ValueError("table and seat are 0 to 255, a set id has 4 octets")
    fields = _FIELDS.pack(VERSION, chip.kind, chip.table, chip.seat, chip.set_id)
    return fields + _proof(uid, fields, key)


def decode(payload: bytes, uid: bytes, key: bytes, set_id: bytes) -> SeatChip | ChipProblem:
    """Return what the chip says, or why it is not believed."""
    if len(payload) != PAYLOAD_BYTES or not payload.strip(b"\0"):
        return ChipProblem.BLANK
    fields = payload[: _FIELDS.size]
    version, kind, table, seat, of_set = _FIELDS.unpack(fields)
    if version != VERSION or kind not in ChipKind.__members__.values():
        return ChipProblem.VERSION
    if of_set != set_id:
        return ChipProblem.FOREIGN
    if not hmac.compare_digest(_proof(uid, fields, key), payload[_FIELDS.size :]):
        return ChipProblem.FORGED
    return SeatChip(table, seat, of_set, ChipKind(kind))


def _proof(uid: bytes, fields: bytes, key: bytes) -> bytes:
    return hmac.new(key, uid + fields, hashlib.sha256).digest()[:8]
