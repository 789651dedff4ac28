"""Owns the MFRC522 driver: mfrc522's register access, our own talk with the chip, bounded in time.

The library's methods above the registers wait without end, check no sums and know 4-octet UIDs
only, so just its registers and bit operations are used. Every wait ends at the chip's timer or at a
deadline of the injected clock; every sum is checked; faults are values.
"""

from collections.abc import Callable
from typing import Any

from hardware.iso14443 import check_byte, crc_a, with_crc
from hardware.ports import Card, CardKind, ReaderFault
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
TICK_NS = 25_000  # prescaler 0xA9: 25 us a tick
REQUEST_NS, TALK_NS = 5 * MILLISECOND, 15 * MILLISECOND
FIELD_PAUSE_NS = 5 * MILLISECOND
SETTLE_NS = 300_000
BOUND_NS = 150 * MILLISECOND  # of one inventory
MOST_CARDS = 6
REQA, HLTA, READ, WRITE_CLASSIC, WRITE_NTAG, AUTH_A = 0x26, 0x50, 0x30, 0xA0, 0xA2, 0x60
SELECTS = (0x93, 0x95)
CASCADE_TAG = 0x88
ACK = 0x0A
CLASSIC_BLOCK, NTAG_PAGE = 4, 8
FACTORY_KEY = b"\xff" * 6


class Trouble(Exception):
    """Ends one talk with the chip; never leaves this module. `reason` is ReaderFault's."""

    def __init__(self, reason: str, *, silent: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.silent = silent  # nobody answered: no fault of the reader


class Mfrc522Reader:
    """CardReader over an MFRC522 whose registers `chip` reads and writes."""

    def __init__(self, chip: Any, clock: Clock, pause: Callable[[int], None]) -> None:
        """`chip` is mfrc522's class or a twin; `pause(ns)` sleeps on the unit's clock."""
        self._chip = chip
        self._clock = clock
        self._pause = pause
        self._ready = False
        self._deadline_ns = 0

    def inventory(self) -> tuple[Card, ...] | ReaderFault:
        """Return all chips in the field with their payloads."""
        return self._bounded(self._all_cards)

    def write(self, uid: bytes, payload: bytes) -> ReaderFault | None:
        """Write and read back 16 octets; ValueError for another length."""
        if len(payload) != 16:
            raise ValueError(f"{len(payload)} octets; a payload has 16")
        outcome = self._bounded(lambda: self._written(uid, payload))
        return outcome if isinstance(outcome, ReaderFault) else None

    def close(self) -> None:
        """Field off, bus freed."""
        try:
            self._write(TX_CONTROL, self._read(TX_CONTROL) & ~3)
            self._chip.spi.close()
        except OSError:
            return

    def _bounded(self, talk: Callable[[], tuple[Card, ...]]) -> tuple[Card, ...] | ReaderFault:
        self._deadline_ns = self._clock.now_ns() + BOUND_NS
        try:
            self._awake()
            return talk()
        except Trouble as trouble:
            self._ready = self._ready and trouble.reason not in ("unplugged", "garbage", "timeout")
            return ReaderFault(trouble.reason)
        except OSError:
            self._ready = False
            return ReaderFault("spi")

    # ---- the chip

    def _read(self, register: int) -> int:
        return int(self._chip.Read_MFRC522(register))

    def _write(self, register: int, value: int) -> None:
        self._chip.Write_MFRC522(register, value)

    def _awake(self) -> None:
        """See that the chip is there; set it up after power-on or a fault."""
        version = self._read(VERSION)
        if version in DEAD_LINE:
            raise Trouble("unplugged")
        if version not in VERSIONS:
            raise Trouble("garbage")
        if self._ready:
            return
        self._write(COMMAND, SOFT_RESET)
        self._until(lambda: not self._read(COMMAND) & POWER_DOWN, 50 * MILLISECOND)
        for register, value in (
            (TIMER_MODE, 0x80),
            (TIMER_PRESCALER, 0xA9),
            (TX_ASK, 0x40),
            (MODE, 0x3D),
        ):
            self._write(register, value)
        if self._read(TIMER_PRESCALER) != 0xA9:  # a line that only echoes
            raise Trouble("garbage")
        self._ready = True

    def _until(self, done: Callable[[], bool], bound_ns: int) -> None:
        end_ns = min(self._deadline_ns, self._clock.now_ns() + bound_ns)
        while not done():
            if self._clock.now_ns() >= end_ns:
                raise Trouble("timeout")
            self._pause(SETTLE_NS)

    def _fresh_field(self) -> None:
        """Switch the field off and on, so that every card is IDLE and answers REQA."""
        control = self._read(TX_CONTROL)
        self._write(TX_CONTROL, control & ~3)
        self._pause(FIELD_PAUSE_NS)
        self._write(TX_CONTROL, control | 3)
        self._pause(FIELD_PAUSE_NS)

    def _command(self, command: int, data: bytes, framing: int, wait_ns: int) -> int:
        """Run a command on `data`; return the interrupt bits that ended it."""
        ticks = wait_ns // TICK_NS
        self._write(RELOAD_HIGH, ticks >> 8)
        self._write(RELOAD_LOW, ticks & 0xFF)
        self._write(COMMAND, IDLE)
        self._write(COM_IRQ, 0x7F)
        self._write(FIFO_LEVEL, 0x80)
        self._chip.spi.xfer2([FIFO << 1 & 0x7E, *data])
        self._write(BIT_FRAMING, framing)
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

    def _talk(
        self, data: bytes, *, last_bits: int = 0, align: int = 0, wait_ns: int = TALK_NS
    ) -> tuple[bytes, int, int | None]:
        """Send a frame; return octets, bits in the last one, and where a collision was."""
        ended = self._command(TRANSCEIVE, data, align << 4 | last_bits, wait_ns)
        if not ended & RX:
            raise Trouble("no_answer", silent=True)
        errors = self._read(ERROR)
        if errors & FATAL_ERRORS:
            raise Trouble("bad_frame")
        count = min(64, self._read(FIFO_LEVEL))
        address = FIFO << 1 | 0x80
        octets = bytes(self._chip.spi.xfer2([address] * count + [0])[1:]) if count else b""
        collision = None
        if errors & COLLISION:
            where = self._read(COLL)
            if where & NO_POSITION:
                raise Trouble("collision")
            collision = where & 0x1F or 32
        return octets, self._read(CONTROL) & 7, collision

    def _asked(self, data: bytes, length: int) -> bytes:
        """Send a frame with CRC and return the answer of `length` octets, CRC checked."""
        octets, _, collision = self._talk(with_crc(data))
        sound = len(octets) == length + 2 and crc_a(octets[:-2]) == octets[-2:]
        if collision is not None or not sound:
            raise Trouble("bad_crc")
        return octets[:-2]

    def _acknowledged(self, data: bytes) -> None:
        octets, last_bits, _ = self._talk(with_crc(data))
        if last_bits != 4 or octets[:1] != bytes([ACK]):
            raise Trouble("refused")

    # ---- the cards

    def _all_cards(self) -> tuple[Card, ...]:
        self._fresh_field()
        cards: list[Card] = []
        while len(cards) < MOST_CARDS and self._somebody():
            uid, kind = self._selected()
            if uid in (card.uid for card in cards):
                raise Trouble("bad_frame")
            cards.append(Card(uid, kind, self._payload(uid, kind)))
            self._halt()
        return tuple(cards)

    def _somebody(self) -> bool:
        try:
            self._talk(bytes([REQA]), last_bits=7, wait_ns=REQUEST_NS)
        except Trouble as trouble:
            if trouble.silent:
                return False
            raise
        return True

    def _selected(self) -> tuple[bytes, CardKind]:
        """Select one card out of all that answer; return its UID and kind."""
        uid = b""
        for level, select in enumerate(SELECTS):
            part = self._part(select)
            sak = self._asked(bytes([select, 0x70]) + part + bytes([check_byte(part)]), 1)[0]
            more = bool(sak & 0x04)
            if more != (part[0] == CASCADE_TAG) or (more and level):
                raise Trouble("bad_frame")
            uid += part[1:] if more else part
            if not more:
                return uid, _kind(sak, len(uid))
        raise Trouble("bad_frame")

    def _part(self, select: int) -> bytes:
        """Return the four UID octets of a cascade level, resolving collisions bit by bit."""
        known: list[int] = []
        for _ in range(33):
            whole, rest = divmod(len(known), 8)
            frame = bytes([select, (2 + whole) << 4 | rest]) + _octets(known)
            octets, _, collision = self._talk(frame, last_bits=rest, align=rest)
            bits = known + _bits(octets)[rest:]
            if collision is None:
                if len(bits) != 40:
                    raise Trouble("bad_frame")
                part = _octets(bits)
                if check_byte(part[:4]) != part[4]:
                    raise Trouble("bad_check_byte")
                return part[:4]
            if collision <= len(known):
                raise Trouble("collision")
            known = [*bits[: collision - 1], 1]
        raise Trouble("collision")

    def _payload(self, uid: bytes, kind: CardKind) -> bytes | None:
        """Return the 16 octets of ours, None when this chip does not give them."""
        try:
            if kind is CardKind.CLASSIC_1K:
                self._open_sector(uid)
                return self._asked(bytes([READ, CLASSIC_BLOCK]), 16)
            if kind is CardKind.NTAG213:
                return self._asked(bytes([READ, NTAG_PAGE]), 16)
        except Trouble:
            return None
        return None

    def _open_sector(self, uid: bytes) -> None:
        data = bytes([AUTH_A, CLASSIC_BLOCK]) + FACTORY_KEY + uid[-4:]
        ended = self._command(AUTHENT, data, 0, TALK_NS)
        if not ended & DONE or not self._read(STATUS2) & CRYPTO_ON:
            raise Trouble("wrong_key", silent=True)

    def _halt(self) -> None:
        """Put the card to sleep while crypto is still on, then end the crypto."""
        try:
            self._talk(with_crc(bytes([HLTA, 0])), wait_ns=2 * MILLISECOND)
        except Trouble as trouble:
            if not trouble.silent:
                raise
        finally:
            self._write(STATUS2, self._read(STATUS2) & ~CRYPTO_ON)

    def _written(self, uid: bytes, payload: bytes) -> tuple[Card, ...]:
        self._fresh_field()
        if not self._somebody():
            raise Trouble("no_card")
        found, kind = self._selected()
        if found != uid:
            raise Trouble("other_card")
        try:
            if kind is CardKind.CLASSIC_1K:
                self._open_sector(uid)
                self._acknowledged(bytes([WRITE_CLASSIC, CLASSIC_BLOCK]))
                self._acknowledged(payload)
                back = self._asked(bytes([READ, CLASSIC_BLOCK]), 16)
            elif kind is CardKind.NTAG213:
                for n in range(4):
                    page = payload[4 * n : 4 * n + 4]
                    self._acknowledged(bytes([WRITE_NTAG, NTAG_PAGE + n]) + page)
                back = self._asked(bytes([READ, NTAG_PAGE]), 16)
            else:
                raise Trouble("unknown_card")
        finally:
            self._write(STATUS2, self._read(STATUS2) & ~CRYPTO_ON)
        if back != payload:
            raise Trouble("not_verified")
        return (Card(uid, kind, back),)


def _kind(sak: int, length: int) -> CardKind:
    if sak & ~0x40 == 0x08:
        return CardKind.CLASSIC_1K
    return CardKind.NTAG213 if sak == 0 and length == 7 else CardKind.OTHER


def _bits(octets: bytes) -> list[int]:
    return [octet >> n & 1 for octet in octets for n in range(8)]


def _octets(bits: list[int]) -> bytes:
    return bytes(
        sum(bit << n for n, bit in enumerate(bits[at : at + 8])) for at in range(0, len(bits), 8)
    )
