"""Owns waiting for an instant of a clock that cannot be slept on: sleep short of it, then spin.

CLOCK_MONOTONIC_RAW refuses to be slept on, so the sleep uses an event's time-out (the normal
monotonic clock) and ends early; the rest is spun, briefly, since many units may share two cores.
"""

import threading

from sync.clock import Clock

SLEEP_SHORT_NS = 250_000  # a sleep is late by about this much (sync figures: 188 us median)


def wait_until(clock: Clock, target_ns: int, wake: threading.Event, spin_ns: int) -> bool:
    """Return true when `target_ns` has come, false when `wake` was set before.

    `spin_ns` 0 sleeps only and may be late by a sleep's lateness.
    """
    short_ns = max(spin_ns, SLEEP_SHORT_NS) if spin_ns else 0
    while (left_ns := target_ns - clock.now_ns()) > short_ns:
        if wake.wait((left_ns - short_ns) / 1e9):
            return clock.now_ns() >= target_ns
    while clock.now_ns() < target_ns:
        pass
    return True
