"""Owns the LampPort over two 74HC595 on SPI0 CE1: sixteen outputs, two octets for each picture.

Which output lights which key stands in pins.py. The far register's octet goes first. The registers
never answer, so only a bus that cannot be opened or written to is noticed.
"""

from collections.abc import Mapping

import spidev

from hardware.errors import HardwareFault
from hardware.ports import Key

BUS, CHIP_SELECT = 0, 1
SPEED_HZ = 500_000  # long leads to the panel


class ShiftLamps:
    """LampPort; `outputs` maps a key to its output, 0 to 15."""

    def __init__(self, outputs: Mapping[Key, int]) -> None:
        self._outputs = dict(outputs)
        self._spi: spidev.SpiDev | None = None

    def show(self, lit: frozenset[Key]) -> None:
        """Light just these; HardwareFault if the bus fails, and the next call opens it anew."""
        bits = sum(1 << self._outputs[key] for key in lit if key in self._outputs)
        try:
            self._opened().writebytes(list(bits.to_bytes(2, "big")))
        except OSError as error:
            self._drop()
            raise HardwareFault(f"lamps on SPI{BUS} CE{CHIP_SELECT}: {error}") from error

    def close(self) -> None:
        """Lamps dark, bus freed; a bus that is gone is no matter here."""
        try:
            if self._spi is not None:
                self.show(frozenset())
        except HardwareFault:
            pass
        finally:
            self._drop()

    def _opened(self) -> spidev.SpiDev:
        if self._spi is None:
            spi = spidev.SpiDev()
            spi.open(BUS, CHIP_SELECT)
            spi.max_speed_hz = SPEED_HZ
            spi.mode = 0
            self._spi = spi
        return self._spi

    def _drop(self) -> None:
        spi, self._spi = self._spi, None
        if spi is not None:
            spi.close()
