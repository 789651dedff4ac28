"""Owns the long-term frequency: the slope of the offset over up to half an hour.

Holding over on it is two to four times better than on the filter's frequency of the moment.
"""

from collections import deque

SECOND = 1_000_000_000
EVERY_NS = 10 * SECOND
KEPT = 180  # half an hour
LEAST = 6  # a minute: shorter slopes are worse than the filter's own


class LongTerm:
    """Offsets now and then, and the line through them."""

    def __init__(self) -> None:
        self._points: deque[tuple[int, int]] = deque(maxlen=KEPT)

    def add(self, at_ns: int, offset_ns: int) -> None:
        """Take note of master minus local at a local instant, at most one each ten seconds."""
        if not self._points or at_ns - self._points[-1][0] >= EVERY_NS:
            self._points.append((at_ns, offset_ns))

    def rate(self) -> float | None:
        """Return the slope in ns/s by least squares, None while there is too little."""
        if len(self._points) < LEAST:
            return None
        first_ns, first_offset = self._points[0]
        xs = [(at - first_ns) / 1e9 for at, _ in self._points]
        ys = [float(offset - first_offset) for _, offset in self._points]
        mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
        over = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True))
        return over / sum((x - mean_x) ** 2 for x in xs)
