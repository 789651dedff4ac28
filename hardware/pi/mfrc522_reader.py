"""Owns the CardReader over an MFRC522: who lies in the field, and the 16 octets on each.

mfrc522's methods above its registers wait without end, check no sums and know 4-octet UIDs only,
so its registers alone are used (mfrc522_air.py). Every call ends within 150 ms; faults are values.
"""

from collections.abc import Callable
from typing import Any

from hardware.iso14443 import check_byte, with_crc
from hardware.pi.mfrc522_air import Air, Trouble
from hardware.ports import Card, CardKind, ReaderFault
from sync.clock import MILLISECOND, Clock

BOUND_NS = 140 * MILLISECOND  # of waiting; the last register writes come on top
REQUEST_NS, HALT_NS, AUTH_NS = 5 * MILLISECOND, 2 * MILLISECOND, 8 * MILLISECOND
ASK_LEFT_NS = 30 * MILLISECOND  # with less time left a card is counted, not read
MOST_CARDS, MOST_MEETINGS = 6, 3
REQA, HLTA, READ, WRITE_CLASSIC, WRITE_NTAG, AUTH_A = 0x26, 0x50, 0x30, 0xA0, 0xA2, 0x60
SELECTS = (0x93, 0x95)
CASCADE_TAG = 0x88
CLASSIC_BLOCK, NTAG_PAGE = 4, 8
FACTORY_KEY = b"\xff" * 6
OF_THE_READER = frozenset(("unplugged", "garbage", "timeout"))


class Mfrc522Reader:
    """CardReader over an MFRC522 whose registers `chip` reads and writes."""

    def __init__(self, chip: Any, clock: Clock, pause: Callable[[int], None]) -> None:
        """`chip` is mfrc522's class or a twin; `pause(ns)` sleeps on the unit's clock."""
        self._air = Air(chip, clock, pause)

    def inventory(self) -> tuple[Card, ...] | ReaderFault:
        """Return all chips in the field with their payloads; of more than six, six."""
        return self._bounded(self._all_cards)

    def write(self, uid: bytes, payload: bytes) -> ReaderFault | None:
        """Write and read back 16 octets; ValueError for another length."""
        if len(payload) != 16:
            raise ValueError(f"{len(payload)} octets; a payload has 16")
        outcome = self._bounded(lambda: self._written(uid, payload))
        return outcome if isinstance(outcome, ReaderFault) else None

    def close(self) -> None:
        """Field off, bus freed."""
        self._air.close()

    def _bounded(self, talk: Callable[[], tuple[Card, ...]]) -> tuple[Card, ...] | ReaderFault:
        try:
            self._air.begin(BOUND_NS)
            return talk()
        except Trouble as trouble:
            if trouble.reason in OF_THE_READER:
                self._air.distrust()
            return ReaderFault(trouble.reason)
        except OSError:
            self._air.distrust()
            return ReaderFault("spi")

    def _all_cards(self) -> tuple[Card, ...]:
        """Meet card after card until nobody answers.

        A card that refuses (a foreign key) falls back to IDLE, does not hear HLTA and answers
        again: it is then put to sleep without a question.
        """
        self._air.fresh_field()
        cards: dict[bytes, Card] = {}
        met: dict[bytes, int] = {}
        while len(cards) < MOST_CARDS and self._somebody():
            uid, kind = self._selected()
            met[uid] = met.get(uid, 0) + 1
            if met[uid] > MOST_MEETINGS:
                raise Trouble("bad_frame")
            again = met[uid] == 2 and len(cards) == 1  # alone, so worth the time
            asks = (met[uid] == 1 or again) and self._air.left_ns() > ASK_LEFT_NS
            payload = self._payload(uid, kind) if asks else None
            if payload is not None or uid not in cards:
                cards[uid] = Card(uid, kind, payload)
            self._halt()
        return tuple(cards.values())

    def _somebody(self) -> bool:
        try:
            self._air.talk(bytes([REQA]), last_bits=7, wait_ns=REQUEST_NS)
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
            frame = bytes([select, 0x70]) + part + bytes([check_byte(part)])
            sak = self._air.asked(frame, 1)[0]
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
            octets, _, collision = self._air.talk(frame, last_bits=rest, align=rest)
            bits = known + _bits(octets)[rest:]
            if collision is None:
                return _checked(bits)
            if not len(known) < collision <= len(bits):
                raise Trouble("collision")
            known = [*bits[: collision - 1], 1]
        raise Trouble("collision")

    def _payload(self, uid: bytes, kind: CardKind) -> bytes | None:
        """Return the 16 octets of ours, None when this chip does not give them."""
        if kind is CardKind.OTHER or not self._opened(uid, kind):
            return None
        try:
            return self._block(kind)
        except Trouble as trouble:
            if trouble.reason == "refused":
                return None
            raise

    def _opened(self, uid: bytes, kind: CardKind) -> bool:
        """Return whether the payload may be read: a MIFARE Classic's sector needs its key."""
        if kind is not CardKind.CLASSIC_1K:
            return True
        data = bytes([AUTH_A, CLASSIC_BLOCK]) + FACTORY_KEY + uid[-4:]
        return self._air.authenticates(data, AUTH_NS)

    def _halt(self) -> None:
        """Put the card to sleep while crypto is still on, then end the crypto."""
        try:
            self._air.talk(with_crc(bytes([HLTA, 0])), wait_ns=HALT_NS)
        except Trouble as trouble:
            if not trouble.silent:
                raise
        finally:
            self._air.end_crypto()

    def _written(self, uid: bytes, payload: bytes) -> tuple[Card, ...]:
        self._air.fresh_field()
        if not self._somebody():
            raise Trouble("no_card")
        found, kind = self._selected()
        if found != uid:
            raise Trouble("other_card")
        if kind is CardKind.OTHER:
            raise Trouble("unknown_card")
        try:
            if not self._opened(uid, kind):
                raise Trouble("wrong_key")
            self._store(kind, payload)
            back = self._block(kind)
        finally:
            self._air.end_crypto()
        if back != payload:
            raise Trouble("not_verified")
        return (Card(uid, kind, back),)

    def _store(self, kind: CardKind, payload: bytes) -> None:
        if kind is CardKind.CLASSIC_1K:
            self._air.acknowledged(bytes([WRITE_CLASSIC, CLASSIC_BLOCK]))
            self._air.acknowledged(payload)
            return
        for n in range(4):
            page = payload[4 * n : 4 * n + 4]
            self._air.acknowledged(bytes([WRITE_NTAG, NTAG_PAGE + n]) + page)

    def _block(self, kind: CardKind) -> bytes:
        where = CLASSIC_BLOCK if kind is CardKind.CLASSIC_1K else NTAG_PAGE
        return self._air.asked(bytes([READ, where]), 16)


def _checked(bits: list[int]) -> bytes:
    """Return the four UID octets out of 40 bits whose last eight are the check byte."""
    if len(bits) != 40:
        raise Trouble("bad_frame")
    part = _octets(bits)
    if check_byte(part[:4]) != part[4]:
        raise Trouble("bad_check_byte")
    return part[:4]


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
