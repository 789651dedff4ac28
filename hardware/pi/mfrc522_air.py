"""Owns the talk with an MFRC522 up to single frames: registers, timer, field, errors, check sums.

Every wait ends at the chip's timer or at a deadline of the injected clock. What a card says in
these frames is mfrc522_reader.py's.
"""

from collections.abc import Callable
from typing import Any

from hardware.iso14443 import crc_a, with_crc
from sync.clock import MILLISECOND, Clock

COMMAND, COM_IRQ, ERROR, STATUS2 = 0x01, 0x04, 0x06, 0x08
FIFO, FIFO_LEVEL, CONTROL, BIT_FRAMING, COLL = 0x09, 0x0A, 0x0C, 0x0D, 0x0E
MODE, TX_CONTROL, TX_ASK = 0x11, 0x14, 0x15
TIMER_MODE, TIMER_PRESCALER, RELOAD_HIGH, RELOAD_LOW, VERSION = 0x2A, 0x2B, 0x2C, 0x2D, 0x37
IDLE, TRANSCEIVE, AUTHENT, SOFT_RESET = 0x0, 0xC, 0xE, 0xF
RX, DONE, TIMED_OUT = 0x20, 0x10, 0x01
FATAL_ERRORS, COLLISION, NO_POSITION = 0x13, 0x08, 0x20
CRYPTO_ON, POWER_DOWN = 0x08, 0x10
VERSIONS = frozenset((0x88, 0x90, 0x91, 0x92, 0xB2, 0x12, 0x15))
DEAD_LINE = frozenset((0x00, 0xFF))
SETUP = ((TIMER_MODE, 0x80), (TIMER_PRESCALER, 0xA9), (TX_ASK, 0x40), (MODE, 0x3D), (COLL, 0))
TICK_NS = 25_000  # prescaler 0xA9: 25 us a tick
TALK_NS = 15 * MILLISECOND  # a write to a card takes up to 10
FIELD_PAUSE_NS = 5 * MILLISECOND
SETTLE_NS = 300_000
ACK = 0x0A


class Trouble(Exception):
    """Ends one talk with the chip; never leaves the driver. `reason` is ReaderFault's."""

    def __init__(self, reason: str, *, silent: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.silent = silent  # nobody answered: no fault of the reader


class Air:
    """An MFRC522 and what lies in its field; OSError when the bus itself fails."""

    def __init__(self, chip: Any, clock: Clock, pause: Callable[[int], None]) -> None:
        self._chip = chip
        self._clock = clock
        self._pause = pause
        self._ready = False
        self._deadline_ns = 0

    def begin(self, bound_ns: int) -> None:
        """Start the time of one call; see that the chip is there, set it up if that is due."""
        self._deadline_ns = self._clock.now_ns() + bound_ns
        version = self._read(VERSION)
        if version in DEAD_LINE:
            raise Trouble("unplugged")
        if version not in VERSIONS:
            raise Trouble("garbage")
        if not self._ready:
            self._set_up()

    def left_ns(self) -> int:
        """Return how much of the call's time is left."""
        return self._deadline_ns - self._clock.now_ns()

    def distrust(self) -> None:
        """Set the chip up anew next time."""
        self._ready = False

    def close(self) -> None:
        """Field off, bus freed."""
        try:
            self._write(TX_CONTROL, self._read(TX_CONTROL) & ~3)
            self._chip.spi.close()
        except OSError:
            return

    def fresh_field(self) -> None:
        """Switch the field off and on, so that every card is IDLE and answers REQA."""
        self.end_crypto()
        control = self._read(TX_CONTROL)
        self._write(TX_CONTROL, control & ~3)
        self._pause(FIELD_PAUSE_NS)
        self._write(TX_CONTROL, control | 3)
        self._pause(FIELD_PAUSE_NS)

    def end_crypto(self) -> None:
        """Talk in plain again; the chip never does so by itself."""
        self._write(STATUS2, self._read(STATUS2) & ~CRYPTO_ON)

    def authenticates(self, data: bytes, wait_ns: int) -> bool:
        """Run the chip's own authentication; a refusal is silence until the timer ends."""
        ended = self._command(AUTHENT, data, 0, wait_ns)
        return bool(ended & DONE and self._read(STATUS2) & CRYPTO_ON)

    def talk(
        self, data: bytes, *, last_bits: int = 0, align: int = 0, wait_ns: int = TALK_NS
    ) -> tuple[bytes, int, int | None]:
        """Send a frame; return octets, bits in the last one, and where a collision was."""
        ended = self._command(TRANSCEIVE, data, align << 4 | last_bits, wait_ns)
        if not ended & RX:
            raise Trouble("no_answer", silent=True)
        errors = self._read(ERROR)
        if errors & FATAL_ERRORS:
            raise Trouble("bad_frame")
        collision = None
        if errors & COLLISION:
            where = self._read(COLL)
            if where & NO_POSITION:
                raise Trouble("collision")
            collision = where & 0x1F or 32
        return self._received(), self._read(CONTROL) & 7, collision

    def asked(self, data: bytes, length: int) -> bytes:
        """Send a frame with CRC and return the answer of `length` octets, CRC checked."""
        octets, last_bits, collision = self.talk(with_crc(data))
        if collision is None and last_bits == 4 and len(octets) == 1:
            raise Trouble("refused")
        sound = len(octets) == length + 2 and not last_bits and crc_a(octets[:-2]) == octets[-2:]
        if collision is not None or not sound:
            raise Trouble("bad_crc")
        return octets[:-2]

    def acknowledged(self, data: bytes) -> None:
        """Send a frame with CRC; anything but an acknowledgement is trouble."""
        octets, last_bits, _ = self.talk(with_crc(data))
        if last_bits != 4 or octets[:1] != bytes([ACK]):
            raise Trouble("refused")

    def _read(self, register: int) -> int:
        return int(self._chip.Read_MFRC522(register))

    def _write(self, register: int, value: int) -> None:
        self._chip.Write_MFRC522(register, value)

    def _set_up(self) -> None:
        self._write(COMMAND, SOFT_RESET)
        self._until(lambda: not self._read(COMMAND) & POWER_DOWN, 50 * MILLISECOND)
        for register, value in SETUP:
            self._write(register, value)
        if self._read(TIMER_PRESCALER) != 0xA9:  # a line that only echoes
            raise Trouble("garbage")
        self._ready = True

    def _until(self, done: Callable[[], bool], bound_ns: int) -> None:
        end_ns = min(self._deadline_ns, self._clock.now_ns() + bound_ns)
        while True:
            late = self._clock.now_ns() >= end_ns  # first: a stalled process is no dead chip
            if done():
                return
            if late:
                raise Trouble("timeout")
            self._pause(SETTLE_NS)

    def _received(self) -> bytes:
        count = min(64, self._read(FIFO_LEVEL))
        address = FIFO << 1 | 0x80
        return bytes(self._chip.spi.xfer2([address] * count + [0])[1:]) if count else b""

    def _command(self, command: int, data: bytes, framing: int, wait_ns: int) -> int:
        """Run a command on `data`; return the interrupt bits that ended it."""
        self._load(data, framing, wait_ns)
        self._write(COMMAND, command)
        if command == TRANSCEIVE:
            self._write(BIT_FRAMING, framing | 0x80)
        ends = TIMED_OUT | DONE | (RX if command == TRANSCEIVE else 0)
        ended = 0

        def over() -> bool:
            nonlocal ended
            ended = self._read(COM_IRQ)
            return bool(ended & ends)

        self._until(over, wait_ns + 10 * MILLISECOND)
        return ended

    def _load(self, data: bytes, framing: int, wait_ns: int) -> None:
        ticks = wait_ns // TICK_NS
        self._write(RELOAD_HIGH, ticks >> 8)
        self._write(RELOAD_LOW, ticks & 0xFF)
        self._write(COMMAND, IDLE)
        self._write(COM_IRQ, 0x7F)
        self._write(FIFO_LEVEL, 0x80)
        self._chip.spi.xfer2([FIFO << 1 & 0x7E, *data])
        self._write(BIT_FRAMING, framing)
