"""Owns the BuzzerPort over gpiozero: an active buzzer behind a transistor, high for sound."""

from typing import Any

from gpiozero.output_devices import OutputDevice
from gpiozero.pins.pi import PiFactory


class GpioBuzzer:
    """BuzzerPort on a pin factory."""

    def __init__(self, pin: int, factory: PiFactory) -> None:
        make: Any = OutputDevice  # has no types
        self._device = make(pin, initial_value=False, pin_factory=factory)

    def sound(self, on: bool) -> None:
        """Switch it."""
        self._device.value = on

    def close(self) -> None:
        """Silence, line freed."""
        if not self._device.closed:
            self._device.off()
            self._device.close()
