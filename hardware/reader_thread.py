"""Owns the thread that asks the card reader: polls in, reports out, never silently dead.

What a poll means is presence.py's. Reports go into a queue; `notify` then wakes whoever waits.
"""

import threading
from collections.abc import Callable
from queue import SimpleQueue

from hardware.ports import CardReader, ReaderFault
from hardware.presence import Presence, Report
from sync.clock import SECOND, Clock

STOP_S = 1.0  # a poll ends within 150 ms


class ReaderPolls:
    """The reader asked once more, whatever happens inside."""

    def __init__(self, reader: CardReader, clock: Clock) -> None:
        self._reader = reader
        self._clock = clock
        self._presence = Presence()

    def poll(self) -> tuple[list[Report], int]:
        """Return what is new, and when to poll again."""
        try:
            found = self._reader.inventory()
        except Exception as error:  # a driver's bug is a fault to show, not a dead thread
            found = ReaderFault(f"crashed: {type(error).__name__}")
        now_ns = self._clock.now_ns()
        return self._presence.polled(found, now_ns), self._presence.next_poll_ns(now_ns)


class ReaderThread:
    """Polls from `start` to `stop`; `reports` holds what was new."""

    def __init__(
        self, reader: CardReader, clock: Clock, notify: Callable[[], None] = lambda: None
    ) -> None:
        """`notify` is called on the thread, after the reports have been put; it must not block."""
        self.reports: SimpleQueue[Report] = SimpleQueue()
        self._polls = ReaderPolls(reader, clock)
        self._clock = clock
        self._notify = notify
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="card-reader", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def alive(self) -> bool:
        """Return whether the thread runs."""
        return self._thread.is_alive()

    def stop(self) -> bool:
        """End it; False if it has not ended within a second (a bus that hangs)."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(STOP_S)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while not self._stop.is_set():
            reports, next_ns = self._polls.poll()
            for report in reports:
                self.reports.put(report)
            if reports:
                self._woken()
            self._stop.wait(max(0, next_ns - self._clock.now_ns()) / SECOND)

    def _woken(self) -> None:
        try:
            self._notify()
        except Exception:  # the loop it wakes may have ended: the reports are in the queue
            return
