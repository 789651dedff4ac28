"""Owns the narrow ports above all hardware; pi/ and sim/ stand behind them.

A callback from a foreign thread only stamps and enqueues. Faults are values; a wrong set-up is an
exception of errors.py that a program turns into one line.
"""

import enum
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Protocol


class Key(enum.Enum):
    """The dealer panel's keys, by the word printed on them; KNOB is the seat knob's push."""

    BLINDS = "BLINDS"
    SHUFFLE = "SHUFFLE"
    DEALT = "DEALT"
    HAND_OVER = "HAND OVER"
    OUT = "OUT"
    AWAY = "AWAY"
    CLOCK = "CLOCK"
    REBUY = "REBUY"
    FLOOR = "FLOOR"
    UNDO = "UNDO"
    KNOB = "KNOB"


@dataclass(frozen=True, slots=True)
class Edge:
    """A raw contact change, bounce and all, on the unit's local clock."""

    key: Key
    down: bool
    at_ns: int


@dataclass(frozen=True, slots=True)
class Turn:
    """The seat knob moved by `steps` detents; clockwise is positive."""

    steps: int
    at_ns: int


class KeyPort(Protocol):
    """Ten keys and a knob; edges and turns arrive in `inputs`."""

    inputs: SimpleQueue[Edge | Turn]

    def alive(self) -> bool:
        """Return false when the thread that watches the lines has died."""
        ...

    def close(self) -> None:
        """Free the lines."""
        ...


class LampPort(Protocol):
    """One lamp in each key."""

    def show(self, lit: frozenset[Key]) -> None:
        """Light just these; HardwareFault if the lamp driver does not answer."""
        ...

    def close(self) -> None:
        """Lamps dark, bus freed."""
        ...


class BuzzerPort(Protocol):
    """A buzzer that knows on and off; patterns are the caller's."""

    def sound(self, on: bool) -> None:
        """Switch it."""
        ...

    def close(self) -> None:
        """Silence, line freed."""
        ...


class CardKind(enum.Enum):
    """The chips we read and write."""

    CLASSIC_1K = "MIFARE Classic 1K"
    NTAG213 = "NTAG213"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Card:
    """A chip in the field: UID of 4 or 7 bytes, and its 16-byte payload when one was read."""

    uid: bytes
    kind: CardKind
    payload: bytes | None = None


@dataclass(frozen=True, slots=True)
class ReaderFault:
    """The reader does not do its work: `reason` is "unplugged", "timeout", "garbage" ..."""

    reason: str


class CardReader(Protocol):
    """A reader asked now and then; every call ends within a bound (150 ms)."""

    def inventory(self) -> tuple[Card, ...] | ReaderFault:
        """Return all chips in the field, payload read when it is one of ours."""
        ...

    def write(self, uid: bytes, payload: bytes) -> ReaderFault | None:
        """Write and read back 16 bytes on the chip `uid`; None means verified."""
        ...

    def close(self) -> None:
        """Field off, bus freed."""
        ...
