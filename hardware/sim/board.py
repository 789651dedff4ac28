"""Owns the simulated board: GPIO lines with pulls and edges, and what hangs on the SPI buses.

Levels from outside (a finger, a contact) and from inside (an output) meet here. Edges are told on
a thread of their own, as the kernel's would be.
"""

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from sync.clock import Clock

OUTPUT_BIT = 1 << 9  # of a line's mode, as lgpio reports it
EdgeCall = Callable[[int, int, int], None]  # line, level, tick ns


class SpiDevice(Protocol):
    """A chip on an SPI bus."""

    def transfer(self, sent: list[int]) -> list[int]:
        """Exchange octets under one chip select."""
        ...


@dataclass(slots=True)
class Line:
    """One GPIO line; `mode` holds the bits that lgpio reports."""

    mode: int = 0
    outside: int | None = None  # what a contact forces, None for open
    output: int = 0
    calls: list[EdgeCall] = field(default_factory=list)

    def drives(self) -> bool:
        """Return whether it is an output."""
        return bool(self.mode & OUTPUT_BIT)

    def level(self, *, is_output: bool, pulled_up: bool) -> int:
        """Return the level that a read gives."""
        if is_output:
            return self.output
        if self.outside is not None:
            return self.outside
        return int(pulled_up)


class Board:
    """All lines and buses of one simulated Pi."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.lines: dict[int, Line] = {}
        self.spi: dict[tuple[int, int], SpiDevice] = {}
        self._edges: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def line(self, number: int) -> Line:
        """Return the line, made on first use."""
        return self.lines.setdefault(number, Line())

    def contact(self, number: int, level: int | None) -> None:
        """Force a line from outside; None lets go of it."""
        line = self.line(number)
        before = line.outside
        line.outside = level
        if before != level and line.calls:
            shown = 1 if level is None else level  # keys and knob have pull-ups
            tick = self.clock.now_ns()
            self._tell(line, number, shown, tick)

    def told(self, bound_s: float = 1.0) -> bool:
        """Wait until every edge so far has been told; False when that thread is dead or slow."""
        if self._thread is None:
            return True
        done = threading.Event()
        self._edges.put(done.set)
        while not done.wait(min(bound_s, 0.05)) and self._thread.is_alive() and bound_s > 0:
            bound_s -= 0.05
        return done.is_set()

    def telling(self) -> bool:
        """Return false when the edge thread has died."""
        return self._thread is None or self._thread.is_alive()

    def close(self) -> None:
        """End the edge thread."""
        if self._thread is not None:
            self._edges.put(None)
            self._thread.join()
            self._thread = None

    def _tell(self, line: Line, number: int, level: int, tick: int) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="gpio-edges", daemon=True)
            self._thread.start()
        for call in list(line.calls):
            self._edges.put(lambda call=call: call(number, level, tick))  # type: ignore[misc]

    def _run(self) -> None:
        while (tell := self._edges.get()) is not None:
            tell()  # an exception ends the thread, as it does in lgpio
