"""Owns the KeyPort over gpiozero: ten keys, the knob's push and its two contacts.

Callbacks run on lgpio's one notification thread, which an exception would end for good: they stamp
and enqueue, nothing else, and fail into a flag that `alive` shows. Bounces pass on: debounce.py.
"""

from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

from gpiozero.input_devices import InputDevice
from gpiozero.pins.pi import PiFactory

from hardware.knob import Quadrature
from hardware.pins import Pins
from hardware.ports import Edge, Key, Turn
from sync.clock import Clock


class _Watched:
    """One input line; gpiozero holds `changed` weakly, so this object must be kept."""

    def __init__(self, pin: int, factory: PiFactory, told: Callable[[bool], None]) -> None:
        self._told = told
        self.failed = False
        make: Any = InputDevice  # has no types
        self._device = make(pin, pull_up=True, pin_factory=factory)

    def begin(self) -> None:
        """Tell of changes from here on."""
        self._device.pin.when_changed = self.changed

    def changed(self, ticks: float, state: int) -> None:
        """Take a level on the notification thread. Ticks are of a clock that is slewed: unused."""
        try:
            self._told(bool(state))
        except Exception:
            self.failed = True

    def close(self) -> None:
        """Free the line; gpiozero alone would leave its callback with lgpio."""
        self._device.pin.when_changed = None
        self._device.close()


class GpioKeys:
    """KeyPort on a pin factory; `watcher` says whether the factory's thread still runs."""

    def __init__(
        self, pins: Pins, clock: Clock, factory: PiFactory, watcher: Callable[[], bool]
    ) -> None:
        self.inputs: SimpleQueue[Edge | Turn] = SimpleQueue()
        self._clock = clock
        self._watcher = watcher
        self._knob = Quadrature()
        self._lines: list[_Watched] = []
        try:
            for key, pin in pins.keys.items():
                self._lines.append(_Watched(pin, factory, self._edge_of(key)))
            for contact, pin in enumerate(pins.knob):
                self._lines.append(_Watched(pin, factory, self._contact(contact)))
        except BaseException:
            self.close()
            raise
        for line in self._lines:  # only now: until its pull-up is set a line reads as pressed
            line.begin()

    def alive(self) -> bool:
        """Return false when the watching thread has died or a callback has failed."""
        return self._watcher() and not any(line.failed for line in self._lines)

    def close(self) -> None:
        """Free the lines."""
        while self._lines:
            self._lines.pop().close()

    def _edge_of(self, key: Key) -> Callable[[bool], None]:
        def told(level: bool) -> None:
            self.inputs.put(Edge(key, not level, self._clock.now_ns()))

        return told

    def _contact(self, contact: int) -> Callable[[bool], None]:
        def told(level: bool) -> None:
            at_ns = self._clock.now_ns()
            if steps := self._knob.changed(contact, level):
                self.inputs.put(Turn(steps, at_ns))

        return told
