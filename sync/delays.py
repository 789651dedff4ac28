"""Owns what the delays of a link tell: how noisy a sample is, and the envelope of both directions.

On a link with little noise one filter does it all. Where delay noise is above a millisecond the
least delay of each direction, taken by itself, tells more than any one sample.
"""

from collections import deque
from dataclasses import dataclass

WINDOW = 64
ENVELOPE_SAMPLES = 256
LEAST = 8
ENVELOPE_NS = 256 * 1_000_000_000


@dataclass(frozen=True, slots=True)
class Exchange:
    """Four stamps: t1 and t4 local ns (sent, received here), t2 and t3 the master's ns."""

    t1: int
    t2: int
    t3: int
    t4: int
    floor_ns: int = 0  # noise of the stamps themselves, when the kernel gave none

    @property
    def offset_ns(self) -> int:
        """Master minus local, halves rounded down (RFC 5905, section 8, theta)."""
        return (self.t2 - self.t1 + self.t3 - self.t4) // 2

    @property
    def delay_ns(self) -> int:
        """Round trip without the master's share (RFC 5905, section 8, delta)."""
        return (self.t4 - self.t1) - (self.t3 - self.t2)

    @property
    def at_ns(self) -> int:
        """The local instant that the offset belongs to."""
        return (self.t1 + self.t4) // 2


class Delays:
    """The last delays of one link."""

    def __init__(self) -> None:
        self._delays: deque[int] = deque(maxlen=WINDOW)

    def add(self, delay_ns: int) -> None:
        """Take note of one."""
        self._delays.append(delay_ns)

    @property
    def least_ns(self) -> int:
        """The least delay in the window, never below 0; 0 when empty."""
        return max(0, min(self._delays, default=0))

    @property
    def spread_ns(self) -> int:
        """The lower quartile above the least."""
        ranked = sorted(self._delays)
        return ranked[len(ranked) // 4] - ranked[0] if ranked else 0

    def __len__(self) -> int:
        return len(self._delays)


class Envelope:
    """The least delay of each direction by itself, over minutes."""

    def __init__(self) -> None:
        self._samples: deque[Exchange] = deque(maxlen=ENVELOPE_SAMPLES)

    def add(self, exchange: Exchange) -> None:
        """Take note of one exchange."""
        self._samples.append(exchange)
        while exchange.t4 - self._samples[0].t4 > ENVELOPE_NS:
            self._samples.popleft()

    def offset_ns(self, at_ns: int, rate: float, oldest_ns: int) -> int | None:
        """Return the offset at local `at_ns`, with the drift `rate` in ns/s taken out.

        Samples older than `oldest_ns` are left out, for their drift is not known well enough.
        None with fewer than eight samples.
        """
        samples = [s for s in self._samples if at_ns - s.t4 <= oldest_ns]
        if len(samples) < LEAST:
            return None
        up = min(s.t2 - s.t1 + int(rate * (at_ns - s.t1) / 1e9) for s in samples)
        down = min(s.t4 - s.t3 - int(rate * (at_ns - s.t4) / 1e9) for s in samples)
        return (up - down) // 2
