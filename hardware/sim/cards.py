"""Owns simulated chips: MIFARE Classic 1K and NTAG213 as ISO 14443-3 type A cards.

States and replies follow the standard and the makers' data sheets: a frame out of order sends a
card back to IDLE, or to HALT when it came from there, in silence.
"""

import enum
from dataclasses import dataclass, field

from hardware.iso14443 import check_byte, crc_a, with_crc

REQA, WUPA, HLTA = 0x26, 0x52, 0x50
SELECT = (0x93, 0x95)
CASCADE_TAG = 0x88
AUTH_A, READ, WRITE_CLASSIC, WRITE_NTAG = 0x60, 0x30, 0xA0, 0xA2
ACK, NAK = 0xA, 0x0
Bits = list[int]


class State(enum.Enum):
    """Where a card is in the protocol."""

    IDLE = enum.auto()
    READY = enum.auto()
    ACTIVE = enum.auto()
    HALT = enum.auto()


def bits_of(data: bytes) -> Bits:
    """Return the bits in the order of sending: least significant first."""
    return [octet >> n & 1 for octet in data for n in range(8)]


def octets_of(bits: Bits) -> bytes:
    """Return whole octets; a tail shorter than eight bits is filled with zeros."""
    return bytes(
        sum(bit << n for n, bit in enumerate(bits[at : at + 8])) for at in range(0, len(bits), 8)
    )


@dataclass(slots=True)
class SimCard:
    """What both kinds share: selection."""

    uid: bytes
    state: State = State.IDLE
    level: int = 0  # cascade level being selected
    woken: bool = False  # came from HALT: falls back there
    encrypted: bool = False
    memory: bytearray = field(default_factory=bytearray)
    writing: int | None = None

    atqa = b"\x04\x00"
    final_sak = 0x08
    payload_at = 0  # in the memory

    @property
    def locked(self) -> bool:
        """Whether the payload needs a key that we do not have."""
        return False

    def store(self, payload: bytes) -> None:
        """Put 16 octets of payload into the memory, as if written earlier."""
        self.memory[self.payload_at : self.payload_at + 16] = payload

    def stored(self) -> bytes:
        """Return the payload in the memory."""
        return bytes(self.memory[self.payload_at : self.payload_at + 16])

    def power_off(self) -> None:
        """The field is gone."""
        self.state, self.woken, self.encrypted, self.writing = State.IDLE, False, False, None

    def parts(self) -> list[bytes]:
        """Return the four UID octets of each cascade level."""
        if len(self.uid) == 4:
            return [self.uid]
        return [bytes([CASCADE_TAG]) + self.uid[:3], self.uid[3:]]

    def hears(self, data: bytes, last_bits: int, *, crypto: bool) -> Bits | None:
        """Return the answer's bits to a frame; None for silence."""
        short = last_bits == 7 and len(data) == 1
        if short and not crypto:
            return self._wake(data[0])
        if self.state in (State.IDLE, State.HALT):
            return None
        if short:  # ciphered by the reader: noise
            return self._out_of_order()
        if crypto != self.encrypted:  # plain talk while ciphered, or the reverse
            return self._out_of_order()
        if self.state is State.READY and data[0] in SELECT:
            return self._selection(data, last_bits)
        if self.state is State.ACTIVE and not last_bits:
            return self._active(data)
        return self._out_of_order()

    def authenticates(self, block: int, key: bytes, uid: bytes) -> bool:
        """Return whether the card takes part; one that sleeps or waits is not spoken to."""
        if self.state not in (State.IDLE, State.HALT):
            self._out_of_order()
        return False

    def _wake(self, code: int) -> Bits | None:
        wakes = self.state is State.IDLE or (code == WUPA and self.state is State.HALT)
        if self.state in (State.READY, State.ACTIVE):
            self._out_of_order()
            return None
        if code not in (REQA, WUPA) or not wakes:
            return None
        self.woken = self.state is State.HALT
        self.state, self.level = State.READY, 0
        return bits_of(self.atqa)

    def _out_of_order(self) -> Bits | None:
        """Fall back in silence."""
        self.state = State.HALT if self.woken else State.IDLE
        self.encrypted, self.writing = False, None
        return None

    def _selection(self, data: bytes, last_bits: int) -> Bits | None:
        if data[0] != SELECT[self.level]:
            return self._out_of_order()
        part = self.parts()[self.level]
        whole = bits_of(part + bytes([check_byte(part)]))
        known = (len(data) - 2) * 8 - (8 - last_bits if last_bits else 0)
        if data[1] == 0x70:
            if data[2:7] != part + bytes([check_byte(part)]) or data[7:9] != crc_a(data[:7]):
                return self._out_of_order()
            return self._selected()
        if bits_of(data[2:])[:known] != whole[:known]:
            return self._out_of_order()
        return whole[known:]

    def _selected(self) -> Bits:
        more = self.level + 1 < len(self.parts())
        if more:
            self.level += 1
            return bits_of(with_crc(b"\x04"))
        self.state = State.ACTIVE
        return bits_of(with_crc(bytes([self.final_sak])))

    def _active(self, data: bytes) -> Bits | None:
        if self.writing is not None:
            return self._store(data)
        if len(data) < 4 or crc_a(data[:-2]) != data[-2:]:
            return self._out_of_order()
        if data[0] == HLTA:
            self.state, self.encrypted = State.HALT, False
            return None
        return self._command(data[:-2])

    def _store(self, data: bytes) -> Bits | None:
        at, self.writing = self.writing, None
        if at is None or len(data) != 18 or crc_a(data[:16]) != data[16:]:
            return self._refuse()
        self.memory[at : at + 16] = data[:16]
        return bits_of(bytes([ACK]))[:4]

    def _command(self, data: bytes) -> Bits | None:
        raise NotImplementedError

    def _refuse(self) -> Bits:
        self._out_of_order()
        return bits_of(bytes([NAK]))[:4]


class Classic1K(SimCard):
    """MIFARE Classic 1K: 64 blocks of 16 octets, a sector opens with its key."""

    __slots__ = ()

    payload_at = 4 * 16

    def __init__(self, uid: bytes) -> None:
        super().__init__(uid)
        trailer = b"\xff" * 6 + bytes.fromhex("ff078069") + b"\xff" * 6
        self.memory = bytearray((bytes(48) + trailer) * 16)
        self.memory[: len(uid)] = uid

    @property
    def locked(self) -> bool:
        """Whether the payload's sector has another key than a fresh card's."""
        return self.memory[7 * 16 : 7 * 16 + 6] != b"\xff" * 6

    def lock(self, key: bytes) -> None:
        """Give the payload's sector a key, as on a hotel's card."""
        self.memory[7 * 16 : 7 * 16 + 6] = key

    def authenticates(self, block: int, key: bytes, uid: bytes) -> bool:
        """Return whether key A of the block's sector fits; a wrong one ends the talk."""
        trailer = (block // 4 * 4 + 3) * 16
        fits = key == bytes(self.memory[trailer : trailer + 6]) and uid == self.uid[-4:]
        if self.state is not State.ACTIVE or not fits:
            return SimCard.authenticates(self, block, key, uid)
        self.encrypted = True
        return True

    def _command(self, data: bytes) -> Bits | None:
        at = data[1] * 16
        if not self.encrypted or at >= len(self.memory):
            return self._refuse()
        if data[0] == READ:
            return bits_of(with_crc(bytes(self.memory[at : at + 16])))
        if data[0] == WRITE_CLASSIC:
            self.writing = at
            return bits_of(bytes([ACK]))[:4]
        return self._refuse()


class Ntag213(SimCard):
    """NTAG213: 45 pages of 4 octets, a 7-octet UID, no cipher."""

    __slots__ = ()

    atqa = b"\x44\x00"
    final_sak = 0x00
    payload_at = 8 * 4

    def __init__(self, uid: bytes) -> None:
        super().__init__(uid)
        self.memory = bytearray(45 * 4)
        self.memory[12:16] = bytes.fromhex("e1101200")

    def _command(self, data: bytes) -> Bits | None:
        page = data[1]
        if page >= 45:
            return self._refuse()
        if data[0] == READ:
            wrapped = bytes(self.memory + self.memory)
            return bits_of(with_crc(wrapped[page * 4 : page * 4 + 16]))
        if data[0] == WRITE_NTAG and len(data) == 6 and 4 <= page < 40:
            self.memory[page * 4 : page * 4 + 4] = data[2:6]
            return bits_of(bytes([ACK]))[:4]
        return self._refuse()
