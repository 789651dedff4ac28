"""Owns opening the card reader: mfrc522's class made quiet, or a reader that says it is missing."""

import logging
from collections.abc import Callable
from importlib import import_module

from hardware.pi.mfrc522_reader import Mfrc522Reader
from hardware.ports import Card, CardReader, ReaderFault
from sync.clock import Clock

BCM = 11  # mfrc522 takes RPi.GPIO's number for a numbering


class MissingReader:
    """CardReader where none could be opened."""

    def inventory(self) -> tuple[Card, ...] | ReaderFault:
        """Say so."""
        return ReaderFault("unplugged")

    def write(self, uid: bytes, payload: bytes) -> ReaderFault | None:
        """Say so."""
        return ReaderFault("unplugged")

    def close(self) -> None:
        """Nothing to free."""


def open_reader(reset_pin: int, clock: Clock, pause: Callable[[int], None]) -> CardReader:
    """Return the reader on SPI0 CE0; a unit goes on without one, so nothing raises here."""
    try:
        import_module("RPi.GPIO").setwarnings(False)  # the reset line may be ours from before
        chip = import_module("mfrc522").MFRC522(pin_mode=BCM, pin_rst=reset_pin)
    except Exception:  # no module, no SPI, reset line taken: four libraries, four kinds of error
        return MissingReader()
    finally:
        _quiet()
    return Mfrc522Reader(chip, clock, pause)


def _quiet() -> None:
    """Take the handler away that mfrc522 adds to its logger with each reader."""
    logger = logging.getLogger("mfrc522Logger")
    logger.handlers[:] = [logging.NullHandler()]
    logger.propagate = False
