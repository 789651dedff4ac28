"""Owns the official time: wall time captured once, plus the raw monotonic clock since then.

It never steps. Its id tells one night from another, its term one master's reign from the next;
a follower keeps the higher term. Nanoseconds, int64.
"""

import msgspec


class Timebase(msgspec.Struct, frozen=True, kw_only=True):
    """Official time as a fixed distance from one host's raw clock within one boot."""

    id: int  # 64 random bits
    term: int  # raised by every take-over
    official_ns: int  # the official instant ...
    raw_ns: int  # ... at this reading of the host's raw clock
    boot_id: str  # the boot in which the raw clock counts

    def at(self, raw_ns: int) -> int:
        """Return the official instant at the raw reading."""
        return self.official_ns + raw_ns - self.raw_ns

    def raw(self, official_ns: int) -> int:
        """Return the raw reading at the official instant."""
        return self.raw_ns + official_ns - self.official_ns

    def resumed(self, *, official_ns: int, raw_ns: int, boot_id: str) -> "Timebase":
        """Return the next reign: time goes on from `official_ns` on another boot's clock."""
        return Timebase(
            id=self.id,
            term=self.term + 1,
            official_ns=official_ns,
            raw_ns=raw_ns,
            boot_id=boot_id,
        )


def encode(timebase: Timebase) -> bytes:
    """Return the timebase's bytes for the journal."""
    return msgspec.msgpack.encode(timebase)


def decode(data: bytes) -> Timebase:
    """Return the timebase; ValueError when the bytes are damaged."""
    try:
        return msgspec.msgpack.decode(data, type=Timebase)
    except msgspec.DecodeError as error:
        raise ValueError(f"not a timebase: {error}") from error
