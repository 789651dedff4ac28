"""Owns this package's exceptions: wrong set-up; a program turns each into one line.

HardwareError
├── NotAPi (also OSError): the Pi's drivers were asked for on another machine
├── PinTaken (also ValueError): two uses on one pin
└── HardwareFault (also OSError): a part does not answer
"""


class HardwareError(Exception):
    """Root for this package."""


class NotAPi(HardwareError, OSError):
    """No GPIO or SPI here: says what is missing and what to use instead."""


class PinTaken(HardwareError, ValueError):
    """Two uses on one pin: says which two, which pin, what to edit."""


class HardwareFault(HardwareError, OSError):
    """A part that was there does not answer."""
