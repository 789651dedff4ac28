"""Owns the one way to ask for the time: a count of nanoseconds that never steps.

Everything above takes a `Clock` as an argument. Wall time is for printing only and has no
place here.
"""

import time
from dataclasses import dataclass
from typing import Protocol

SECOND = 1_000_000_000
MILLISECOND = 1_000_000
MICROSECOND = 1_000


class Clock(Protocol):
    """A local counter of nanoseconds; its zero and its rate are its own."""

    def now_ns(self) -> int:
        """Return the counter; it never goes back."""
        ...


class RawMonotonic:
    """CLOCK_MONOTONIC_RAW of this host: no step, no slew by any time daemon."""

    def now_ns(self) -> int:
        """Return CLOCK_MONOTONIC_RAW in nanoseconds."""
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)


class ManualClock:
    """A clock moved by hand, for tests and simulations."""

    def __init__(self, ns: int = 0) -> None:
        self._ns = ns

    def now_ns(self) -> int:
        """Return the instant set last."""
        return self._ns

    def advance(self, ns: int) -> None:
        """Move on by `ns` nanoseconds; ValueError if negative."""
        if ns < 0:
            raise ValueError("advance by zero or more nanoseconds")
        self._ns += ns


@dataclass(frozen=True, slots=True)
class SkewedClock:
    """A clock that is wrong on purpose: `base` run at another rate from another zero.

    Integer arithmetic throughout, so that `base_ns` undoes `now_ns` to the nanosecond.
    """

    base: Clock
    offset_ns: int
    rate_ppb: int  # parts in 10^9; +80 ppm is 80_000
    since_ns: int = 0  # the base instant at which only the offset shows

    def now_ns(self) -> int:
        """Return the wrong time."""
        return self.at(self.base.now_ns())

    def at(self, base_ns: int) -> int:
        """Return what this clock shows when its base shows `base_ns`."""
        elapsed = base_ns - self.since_ns
        return base_ns + self.offset_ns + elapsed * self.rate_ppb // 1_000_000_000

    def base_ns(self, shown_ns: int) -> int:
        """Return the base instant at which this clock shows `shown_ns` (to 1 ns)."""
        elapsed = (shown_ns - self.offset_ns - self.since_ns) * 1_000_000_000
        elapsed //= 1_000_000_000 + self.rate_ppb
        return self.since_ns + elapsed
