"""Owns the simulated MFRC522: registers, FIFO, timer and the commands that drivers use.

Register numbers, bits and behaviour follow NXP's data sheet (MFRC522, sections 8 to 10). Answers
come after their time on the air, on the board's clock. Faults can be switched on for tests.
"""

import random
from dataclasses import dataclass, field

from hardware.iso14443 import crc_a
from hardware.sim.cards import AUTH_A, Bits, SimCard, octets_of
from sync.clock import Clock

COMMAND, COM_IRQ, DIV_IRQ, ERROR = 0x01, 0x04, 0x05, 0x06
STATUS2, FIFO, FIFO_LEVEL, CONTROL = 0x08, 0x09, 0x0A, 0x0C
BIT_FRAMING, COLL, TX_CONTROL = 0x0D, 0x0E, 0x14
CRC_HIGH, CRC_LOW, PRESCALER_MODE, PRESCALER, RELOAD_HIGH, RELOAD_LOW = (
    0x21,
    0x22,
    0x2A,
    0x2B,
    0x2C,
    0x2D,
)
VERSION = 0x37
IDLE, CALC_CRC, TRANSCEIVE, AUTHENT, SOFT_RESET = 0x0, 0x3, 0xC, 0xE, 0xF
TX_IRQ, RX_IRQ, IDLE_IRQ, ERR_IRQ, TIMER_IRQ = 0x40, 0x20, 0x10, 0x02, 0x01
CRYPTO_ON, COLLISION, POWER_DOWN = 0x08, 0x08, 0x10
BIT_NS = 9_440
TURNAROUND_NS = 91_000
WAKE_NS = 1_000_000


@dataclass(slots=True)
class ChipFaults:
    """What is wrong with the reader or the air, for tests."""

    version: int = 0x92
    unplugged: int | None = None  # every read gives this octet
    spi_error: bool = False
    mute: bool = False  # commands never end
    flip_chance: float = 0.0  # share of answers with one bit flipped
    drop_chance: float = 0.0  # share of answers lost
    pull_after: int | None = None  # frames until the card is pulled away


@dataclass(slots=True)
class _Answer:
    at_ns: int
    bits: Bits
    collision: int | None = None


@dataclass(slots=True)
class Mfrc522Chip:
    """One reader chip and the cards in its field."""

    clock: Clock
    rng: random.Random = field(default_factory=lambda: random.Random(522))
    cards: list[SimCard] = field(default_factory=list)
    faults: ChipFaults = field(default_factory=ChipFaults)
    _plain: dict[int, int] = field(default_factory=dict)
    _fifo: bytearray = field(default_factory=bytearray)
    _com_irq: int = 0
    _div_irq: int = 0
    _error: int = 0
    _crypto: bool = False
    _coll: int = 0
    _last_bits: int = 0
    _command: int = IDLE
    _answer: _Answer | None = None
    _timer_ns: int | None = None
    _woken_ns: int = 0

    def transfer(self, sent: list[int]) -> list[int]:
        """Serve one SPI frame: address octet, then data; reads may be in a burst."""
        if self.faults.spi_error:
            raise OSError(5, "Input/output error")
        if self.faults.unplugged is not None:
            return [self.faults.unplugged] * len(sent)
        register = sent[0] >> 1 & 0x3F
        if sent[0] & 0x80:
            following = [octet >> 1 & 0x3F for octet in sent[1:-1]]
            return [0, *(self._read(at) for at in [register, *following])]
        for octet in sent[1:]:
            self._write(register, octet)
        return [0] * len(sent)

    def power_up(self) -> None:
        """Forget everything, as when the plug goes in again."""
        self.faults.unplugged = None
        self._reset()

    def lay(self, card: SimCard) -> None:
        """Put a card into the field."""
        card.power_off()
        self.cards.append(card)

    def take(self, card: SimCard) -> None:
        """Take it away, also in the middle of a talk."""
        if card in self.cards:
            self.cards.remove(card)

    def _read(self, register: int) -> int:
        self._settle()
        match register:
            case 0x01:
                return self._command | POWER_DOWN * (self.clock.now_ns() < self._woken_ns)
            case 0x04:
                return self._com_irq
            case 0x05:
                return self._div_irq
            case 0x06:
                return self._error
            case 0x08:
                return CRYPTO_ON if self._crypto else 0
            case 0x09:
                return self._fifo.pop(0) if self._fifo else 0
            case 0x0A:
                return len(self._fifo)
            case 0x0C:
                return self._last_bits
            case 0x0E:
                return self._coll
            case 0x37:
                return self.faults.version
            case _:
                return self._plain.get(register, 0)

    def _write(self, register: int, octet: int) -> None:
        self._settle()
        match register:
            case 0x01:
                self._begin(octet & 0x0F)
            case 0x04:
                self._com_irq = _irq(self._com_irq, octet)
            case 0x05:
                self._div_irq = _irq(self._div_irq, octet)
            case 0x08:
                self._crypto = self._crypto and bool(octet & CRYPTO_ON)
            case 0x09:
                if len(self._fifo) < 64:
                    self._fifo.append(octet)
            case 0x0A:
                if octet & 0x80:
                    self._fifo.clear()
            case 0x0D:
                self._plain[register] = octet & 0x7F
                if octet & 0x80 and self._command == TRANSCEIVE:
                    self._send()
            case 0x14:
                self._field(octet)
            case _:
                self._plain[register] = octet

    def _field(self, octet: int) -> None:
        if self._plain.get(TX_CONTROL, 0) & 3 and not octet & 3:
            for card in list(self.cards):
                card.power_off()
        self._plain[TX_CONTROL] = octet

    def _begin(self, command: int) -> None:
        self._command, self._answer, self._timer_ns = command, None, None
        if command in (IDLE, TRANSCEIVE):
            return
        if command == SOFT_RESET:
            self._reset()
        elif command == CALC_CRC:
            self._crc()
        elif command == AUTHENT:
            self._error = 0
            self._authenticate()

    def _reset(self) -> None:
        self._plain.clear()
        self._fifo.clear()
        self._com_irq = self._div_irq = self._error = self._coll = 0
        self._crypto, self._command = False, IDLE
        self._woken_ns = self.clock.now_ns() + WAKE_NS
        for card in list(self.cards):
            card.power_off()

    def _crc(self) -> None:
        low, high = crc_a(bytes(self._fifo))
        self._plain[CRC_LOW], self._plain[CRC_HIGH] = low, high
        self._fifo.clear()
        self._div_irq |= 4

    def _on_air_ns(self, bits: int) -> int:
        return bits * BIT_NS

    def _timer_length_ns(self) -> int:
        plain = self._plain
        prescaler = (plain.get(PRESCALER_MODE, 0) & 0x0F) << 8 | plain.get(PRESCALER, 0)
        reload = plain.get(RELOAD_HIGH, 0) << 8 | plain.get(RELOAD_LOW, 0)
        return int((2 * prescaler + 1) * (reload + 1) * 1e9 / 13.56e6)

    def _start_timer(self, sent_ns: int) -> None:
        if self._plain.get(PRESCALER_MODE, 0) & 0x80:  # TAuto
            self._timer_ns = sent_ns + self._timer_length_ns()

    def _send(self) -> None:
        """Transceive: what stands in the FIFO goes out; who answers, and when."""
        data, last = bytes(self._fifo), self._plain.get(BIT_FRAMING, 0) & 7
        self._fifo.clear()
        self._error = self._coll = self._last_bits = 0
        if self.faults.mute or not data:
            return
        sent_ns = self.clock.now_ns() + self._on_air_ns(len(data) * 9)
        self._com_irq |= TX_IRQ
        self._start_timer(sent_ns)
        if not self._plain.get(TX_CONTROL, 0) & 3:
            return
        self._pull_if_due()
        heard = [c.hears(data, last, crypto=self._crypto) for c in list(self.cards)]
        answers = [answer for answer in heard if answer]
        if answers and self.rng.random() >= self.faults.drop_chance:
            known = (len(data) - 2) * 8 - (8 - last if last else 0) if data[0] >= 0x93 else 0
            self._answer = self._merged(answers, known, sent_ns + TURNAROUND_NS)

    def _pull_if_due(self) -> None:
        if self.faults.pull_after is None:
            return
        if self.faults.pull_after <= 0:
            self.cards.clear()
            self.faults.pull_after = None
        else:
            self.faults.pull_after -= 1

    def _merged(self, answers: list[Bits], known: int, at_ns: int) -> _Answer:
        bits = max(answers, key=lambda answer: len(answer)).copy()
        collision = None
        for n, group in enumerate(zip(*answers, strict=False)):
            if len(set(group)) > 1:
                collision = known + n + 1
                bits = [*answers[0][:n], 0]
                break
        if bits and self.rng.random() < self.faults.flip_chance:
            at = self.rng.randrange(len(bits))
            bits[at] ^= 1
        return _Answer(at_ns + self._on_air_ns(len(bits)), bits, collision)

    def _authenticate(self) -> None:
        data = bytes(self._fifo[:12])
        self._fifo.clear()
        sent_ns = self.clock.now_ns() + self._on_air_ns(120)
        self._start_timer(sent_ns)
        if self.faults.mute or len(data) < 12 or data[0] != AUTH_A:
            return
        self._pull_if_due()
        fits = [card.authenticates(data[1], data[2:8], data[8:]) for card in list(self.cards)]
        if any(fits) and self.rng.random() >= self.faults.drop_chance:
            self._answer = _Answer(sent_ns + 4 * TURNAROUND_NS, [])

    def _settle(self) -> None:
        """Let happen what is due: the answer, or the end of the timer."""
        now_ns = self.clock.now_ns()
        answer = self._answer
        if answer is not None and (self._timer_ns is None or answer.at_ns <= self._timer_ns):
            if now_ns < answer.at_ns:
                return
            self._answer = self._timer_ns = None
            self._received(answer)
        elif self._timer_ns is not None and now_ns >= self._timer_ns:
            self._answer = self._timer_ns = None
            self._com_irq |= TIMER_IRQ

    def _received(self, answer: _Answer) -> None:
        if self._command == AUTHENT:
            self._crypto, self._command = True, IDLE
            self._com_irq |= IDLE_IRQ
            return
        align = self._plain.get(BIT_FRAMING, 0) >> 4 & 7
        bits = [0] * align + answer.bits
        self._fifo[:] = octets_of(bits)[:64]
        self._last_bits = len(bits) % 8
        self._com_irq |= RX_IRQ
        if answer.collision is not None:
            self._error |= COLLISION
            self._com_irq |= ERR_IRQ
            self._coll = answer.collision & 0x1F if answer.collision <= 32 else 0x20


def _irq(before: int, octet: int) -> int:
    """Return the request register after a write: bit 7 says whether marked bits are set."""
    marked = octet & 0x7F
    return before | marked if octet & 0x80 else before & ~marked
