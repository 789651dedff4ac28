"""Owns the way to gpiozero's lgpio factory: made here and handed on, never searched for.

gpiozero's own search falls back to other libraries with a warning only. Import this module after
the stand-ins of sim/modules.py, if those are wanted: it imports lgpio.
"""

from collections import defaultdict
from importlib import import_module
from typing import Any

from gpiozero.pins.lgpio import LGPIOFactory

PI_4B = 0xC03111


class SimulatedPiFactory(LGPIOFactory):
    """The lgpio factory on a machine that has no revision of a Pi to read."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        # gpiozero shares both between all factories of a process: two panels would collide
        self.pins, self._reservations = {}, defaultdict(list)

    def _get_revision(self) -> int:
        return PI_4B


def real_factory() -> Any:
    """Return the factory on this Pi's lines; lgpio's and gpiozero's errors have no common root."""
    make: Any = LGPIOFactory
    return make()


def notifier_alive() -> bool:
    """Return whether lgpio's one notification thread runs; without it every key is dead."""
    thread = getattr(import_module("lgpio"), "_notify_thread", None)  # no public way to know
    return thread is None or bool(thread.is_alive())
