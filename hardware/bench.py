"""Owns the hands at a simulated panel: fingers on keys and knob, chips, and eyes for the lamps.

A simulated dealer or a keyboard moves contacts here; everything above the board is the unit's own
code. Every movement returns when its edges have been told.
"""

from hardware.pins import Pins
from hardware.ports import Key
from hardware.sim.board import Board
from hardware.sim.cards import SimCard
from hardware.sim.lamps595 import Shift595
from hardware.sim.mfrc522_chip import ChipFaults, Mfrc522Chip
from sync.clock import Clock

LAMPS, READER = (0, 1), (0, 0)  # bus and chip select
CLOCKWISE = ((0, 0), (1, 0), (0, None), (1, None))  # contact A or B, closed (0) or open
BACKWARDS = ((1, 0), (0, 0), (1, None), (0, None))


class SimBench:
    """One simulated panel with its reader."""

    def __init__(self, clock: Clock, pins: Pins) -> None:
        self.board = Board(clock)
        self.reader = Mfrc522Chip(clock)
        self.registers = Shift595(clock)
        self.board.spi[LAMPS] = self.registers
        self.board.spi[READER] = self.reader
        self._pins = pins
        self._keys = {output: key for key, output in pins.lamps.items()}

    @property
    def faults(self) -> ChipFaults:
        """What is wrong with the reader, the air and its chips."""
        return self.reader.faults

    def unplug_reader(self) -> None:
        """Pull its plug: the line reads all ones."""
        self.reader.faults.unplugged = 0xFF

    def plug_reader(self) -> None:
        """Put it back; the chip has forgotten its settings."""
        self.reader.power_up()

    def press(self, key: Key) -> None:
        """Close the key's contact."""
        self._move(self._pins.keys[key], 0)

    def release(self, key: Key) -> None:
        """Let go of it."""
        self._move(self._pins.keys[key], None)

    def turn(self, steps: int) -> None:
        """Turn the seat knob by detents; clockwise is positive."""
        for _ in range(abs(steps)):
            for contact, level in CLOCKWISE if steps > 0 else BACKWARDS:
                self._move(self._pins.knob[contact], level)

    def lay(self, card: SimCard) -> None:
        """Put a chip on the reader; one with the same UID is the same chip, laid anew."""
        self.take(card.uid)
        self.reader.lay(card)

    def take(self, uid: bytes) -> None:
        """Take the chip away; nothing happens when it does not lie there."""
        for card in list(self.reader.cards):
            if card.uid == uid:
                self.reader.take(card)

    def lying(self) -> tuple[bytes, ...]:
        """Return the UIDs of the chips on the reader."""
        return tuple(card.uid for card in list(self.reader.cards))

    def lamps_lit(self) -> frozenset[Key]:
        """Return the keys whose lamps are lit."""
        return self._lit(self.registers.latched)

    @property
    def lamp_changes(self) -> tuple[tuple[int, frozenset[Key]], ...]:
        """Return the last 256 changes: when, and which lamps were lit from then on."""
        return tuple((at_ns, self._lit(bits)) for at_ns, bits in list(self.registers.changes))

    @property
    def buzzer_on(self) -> bool:
        """Whether it sounds."""
        line = self.board.line(self._pins.buzzer)
        return line.drives() and bool(line.output)

    def close(self) -> None:
        """End the board's thread."""
        self.board.close()

    def _move(self, line: int, level: int | None) -> None:
        self.board.contact(line, level)
        self.board.told()

    def _lit(self, bits: int) -> frozenset[Key]:
        return frozenset(key for output, key in self._keys.items() if bits >> output & 1)
