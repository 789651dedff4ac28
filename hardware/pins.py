"""Owns the pin map of the 40-pin header (BCM numbers) and the check that no pin serves twice."""

from dataclasses import dataclass, field

from hardware.errors import PinTaken
from hardware.ports import Key

I2C_AND_EEPROM = {0: "HAT EEPROM", 1: "HAT EEPROM", 2: "I2C data", 3: "I2C clock"}


def _keys() -> dict[Key, int]:
    """Return the keys' lines, in the order in which `Key` names them."""
    return dict(zip(Key, (5, 6, 13, 19, 26, 16, 20, 21, 12, 23, 22), strict=True))


def _lamps() -> dict[Key, int]:
    """Return the keys' lamps in the same order: outputs of the two 74HC595, counted from 0."""
    return {key: output for output, key in enumerate(Key)}


@dataclass(frozen=True, slots=True)
class Pins:
    """Which line does what; keys to ground with the internal pull-up.

    Lamp outputs 0 to 7 are QA to QH of the register next to the Pi, 8 to 15 those of the far one.
    """

    keys: dict[Key, int] = field(default_factory=_keys)
    lamps: dict[Key, int] = field(default_factory=_lamps)
    knob: tuple[int, int] = (17, 27)
    buzzer: int = 24
    reader_reset: int = 25
    spi: tuple[int, ...] = (7, 8, 9, 10, 11)  # SPI0: lamps on CE1, reader on CE0
    serial: tuple[int, ...] = (14, 15, 18)

    def __post_init__(self) -> None:
        """PinTaken names both uses of a pin that is asked for twice."""
        taken = dict(I2C_AND_EEPROM)
        for pin, use in self.uses():
            if pin in taken:
                raise PinTaken(f"pin {pin} is used by {taken[pin]} and by {use}; move one of them")
            taken[pin] = use
        self._check_lamps()

    def _check_lamps(self) -> None:
        of_output: dict[int, Key] = {}
        for key, output in self.lamps.items():
            if not 0 <= output <= 15:
                raise PinTaken(f"lamp output {output} of {key.value} is not one of 0 to 15")
            if output in of_output:
                others = f"{of_output[output].value} and {key.value}"
                raise PinTaken(f"lamp output {output} is used by {others}; move one of them")
            of_output[output] = key

    def uses(self) -> list[tuple[int, str]]:
        """Return every pin with the words for its use."""
        fixed = [(pin, "SPI0 (reader and lamps)") for pin in self.spi]
        fixed += [(pin, "the RS-485 port") for pin in self.serial]
        fixed += [(self.buzzer, "the buzzer"), (self.reader_reset, "the reader's reset")]
        fixed += [(pin, "the seat knob") for pin in self.knob]
        return fixed + [(pin, f"the key {key.value}") for key, pin in self.keys.items()]
