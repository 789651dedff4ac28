"""Owns the NTPv4 packet as bytes (RFC 5905, sections 6 and 7.3) and our extension field.

Timebase nanoseconds travel as NTP timestamps: 32 bits of seconds, 32 of fraction; the era is
found from the nearest instant to one that the reader knows. A packet that cannot be read is a
value, `Dropped(reason)`, never an exception.
"""

import struct
from dataclasses import dataclass

HEADER = struct.Struct("!BBbbII4sQQQQ")
FIELD = struct.Struct("!HHQII4x")  # type, length, timebase id, term, schedule revision
FIELD_TYPE = 0xF7A5  # from the range for experiments, 0xF000 to 0xFFFF (RFC 9748)
VERSION = 4
CLIENT, SERVER = 3, 4
UNSYNCHRONISED = 3  # leap indicator of a server without a timebase
NTP_EPOCH_S = 2_208_988_800  # 1900 to 1970
ERA = 1 << 64
SECOND = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Dropped:
    """A packet that is not used, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class Base:
    """Whose time it is: our extension field."""

    timebase_id: int
    term: int
    revision: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Packet:
    """A packet without its MAC; stamps are raw 64-bit NTP timestamps."""

    mode: int
    leap: int = 0
    stratum: int = 0
    poll: int = 0
    precision: int = -20
    root_delay: int = 0
    root_dispersion: int = 0
    reference_id: bytes = b"\0\0\0\0"
    reference: int = 0
    origin: int = 0
    receive: int = 0
    transmit: int = 0
    base: Base | None = None

    def encode(self) -> bytes:
        """Return header and extension field."""
        first = self.leap << 6 | VERSION << 3 | self.mode
        head = HEADER.pack(
            first,
            self.stratum,
            self.poll,
            self.precision,
            self.root_delay,
            self.root_dispersion,
            self.reference_id,
            self.reference,
            self.origin,
            self.receive,
            self.transmit,
        )
        if self.base is None:
            return head
        base = self.base
        return head + FIELD.pack(FIELD_TYPE, FIELD.size, base.timebase_id, base.term, base.revision)


def decode(data: bytes) -> Packet | Dropped:
    """Return the packet in `data` (MAC taken off already)."""
    if len(data) < HEADER.size:
        return Dropped("short")
    first, stratum, poll, precision, delay, dispersion, refid, *stamps = HEADER.unpack_from(data)
    if first >> 3 & 7 != VERSION:
        return Dropped("version")
    base = _field(data[HEADER.size :])
    if isinstance(base, Dropped):
        return base
    reference, origin, receive, transmit = stamps
    return Packet(
        mode=first & 7,
        leap=first >> 6,
        stratum=stratum,
        poll=poll,
        precision=precision,
        root_delay=delay,
        root_dispersion=dispersion,
        reference_id=refid,
        reference=reference,
        origin=origin,
        receive=receive,
        transmit=transmit,
        base=base,
    )


def _field(data: bytes) -> Base | Dropped | None:
    if not data:
        return None
    if len(data) != FIELD.size:
        return Dropped("extension")
    kind, length, timebase_id, term, revision = FIELD.unpack(data)
    if kind != FIELD_TYPE or length != FIELD.size:
        return Dropped("extension")
    return Base(timebase_id, term, revision)


def to_stamp(official_ns: int) -> int:
    """Return the NTP timestamp of a timebase instant; the era is lost, as on any wire."""
    seconds, ns = divmod(official_ns, SECOND)
    fraction = ((ns << 32) + SECOND // 2) // SECOND
    return ((seconds + NTP_EPOCH_S << 32) + fraction) % ERA


def from_stamp(stamp: int, near_ns: int) -> int:
    """Return the timebase instant of `stamp` in the era nearest to `near_ns`."""
    ahead = (stamp - to_stamp(near_ns)) % ERA
    if ahead >= ERA // 2:
        ahead -= ERA
    return near_ns + ((ahead * SECOND + (1 << 31)) >> 32)
