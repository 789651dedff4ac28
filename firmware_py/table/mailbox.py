"""Owns the meeting of two threads: one newest scene for the display, one queue back.

The link thread posts; the display thread takes the newest and sleeps on `wake` meanwhile.
"""

import threading
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

T = TypeVar("T")


class OfficialTime(Protocol):
    """How local and official nanoseconds belong together at this moment."""

    def official_ns(self, local_ns: int) -> int:
        """Return the official instant at the local one."""
        ...

    def local_ns(self, official_ns: int) -> int:
        """Return the local instant at which the official one will come."""
        ...


@dataclass(frozen=True, slots=True)
class OwnTime:
    """Official time that is this machine's own clock plus a constant (master, satellite)."""

    ahead_ns: int = 0

    def official_ns(self, local_ns: int) -> int:
        """Return local plus the constant."""
        return local_ns + self.ahead_ns

    def local_ns(self, official_ns: int) -> int:
        """Return official less the constant."""
        return official_ns - self.ahead_ns


class Newest(Generic[T]):
    """Holds the newest value put; `wake` is set by each put and cleared by each take."""

    def __init__(self, first: T) -> None:
        self._value = first
        self.wake = threading.Event()

    def put(self, value: T) -> None:
        """Replace the value and wake the taker."""
        self._value = value
        self.wake.set()

    def take(self) -> T:
        """Return the newest value; a put from now on wakes again."""
        self.wake.clear()
        return self._value
