"""Random inventories on the simulated reader: nobody missed, nobody invented, always in time."""

import gc
import random

import pytest

from hardware.pi.reader import open_reader
from hardware.ports import Card, CardKind, ReaderFault
from hardware.sim.board import Board
from hardware.sim.cards import Classic1K, Ntag213, SimCard
from hardware.sim.mfrc522_chip import Mfrc522Chip
from hardware.sim.modules import install
from sync.clock import MILLISECOND, ManualClock

SEEDS = range(300)
BOUND_NS = 150 * MILLISECOND
KINDS = {Classic1K: CardKind.CLASSIC_1K, Ntag213: CardKind.NTAG213}


class Timed:
    """An SPI call costs 25 us of the virtual clock."""

    def __init__(self, chip: Mfrc522Chip, clock: ManualClock) -> None:
        self.chip, self.clock = chip, clock
        self.longest_ns = 0

    def transfer(self, sent: list[int]) -> list[int]:
        self.clock.advance(25_000)
        return self.chip.transfer(sent)


class Desk:
    """A reader, its chip, and the longest that a call has taken."""

    def __init__(self, seed: int = 0) -> None:
        self.clock = ManualClock()
        self.chip = Mfrc522Chip(self.clock, random.Random(seed))
        board = Board(self.clock)
        board.spi[0, 0] = Timed(self.chip, self.clock)
        install(board)
        self.reader = open_reader(25, self.clock, self.clock.advance)
        self.longest_ns = 0

    def inventory(self) -> tuple[Card, ...] | ReaderFault:
        begun_ns = self.clock.now_ns()
        found = self.reader.inventory()
        self.longest_ns = max(self.longest_ns, self.clock.now_ns() - begun_ns)
        return found


def near(rng: random.Random, uid: bytes) -> bytes:
    """The same UID but for one bit, not of the first octet (which names the maker)."""
    at, bit = rng.randrange(1, len(uid)), rng.randrange(8)
    return bytes(octet ^ (1 << bit if n == at else 0) for n, octet in enumerate(uid))


def some_cards(rng: random.Random) -> list[SimCard]:
    """0 to 4 cards, every second one a near twin of an earlier one of its length."""
    cards: dict[bytes, SimCard] = {}
    while len(cards) < rng.randrange(5):
        kind, length = rng.choice([(Classic1K, 4), (Classic1K, 7), (Ntag213, 7)])
        first = b"\x04" if length == 7 else bytes([rng.choice([0x10, 0x3B, 0x8B, 0xE3])])
        uid = first + rng.randbytes(length - 1)
        twins = [known for known in cards if len(known) == length]
        if twins and rng.random() < 0.5:
            uid = near(rng, rng.choice(twins))
        if length == 7 and uid[3] == 0x88:  # the standard keeps this one free
            continue
        card = kind(uid)
        card.store(rng.randbytes(16))
        if kind is Classic1K and rng.random() < 0.2:
            card.lock(rng.randbytes(6))
        cards.setdefault(uid, card)
    return list(cards.values())


def expected(cards: list[SimCard]) -> set[Card]:
    return {
        Card(c.uid, KINDS[type(c)], None if c.locked else c.stored())  # type: ignore[index]
        for c in cards
    }


@pytest.mark.parametrize("seed", SEEDS)
def test_every_chip_is_found_with_its_payload_poll_after_poll(seed: int):
    desk, rng = Desk(seed), random.Random(seed)
    for _ in range(2):
        cards = some_cards(rng)
        desk.chip.cards.clear()
        for card in cards:
            desk.chip.lay(card)
        for _ in range(3):
            found = desk.inventory()
            assert not isinstance(found, ReaderFault), found
            assert len(found) == len(cards)
            assert set(found) == expected(cards)
    assert desk.longest_ns <= BOUND_NS


@pytest.mark.parametrize("seed", SEEDS)
def test_bad_air_and_hasty_hands_never_make_a_wrong_uid_or_payload(seed: int):
    desk, rng = Desk(seed), random.Random(seed)
    cards = some_cards(rng)
    for card in cards:
        desk.chip.lay(card)
    faults = desk.chip.faults
    faults.flip_chance, faults.drop_chance = rng.choice([(0.05, 0), (0, 0.05), (0.3, 0.3)])
    faults.pull_after = rng.choice([None, None, rng.randrange(40)])
    true = expected(cards)
    unread = {Card(card.uid, card.kind) for card in true}  # a payload that did not come is None
    for _ in range(5):
        found = desk.inventory()
        if not isinstance(found, ReaderFault):
            assert set(found) <= true | unread
            assert len({card.uid for card in found}) == len(found)
    assert desk.longest_ns <= BOUND_NS


def test_whoever_is_locked_is_found_without_a_payload_among_others():
    desk = Desk()
    cards = [Classic1K(b"\x8b\x65\x66" + bytes([n])) for n in range(4)]
    for card in cards:
        card.lock(b"hotel!")
        desk.chip.lay(card)
    found = desk.inventory()
    assert not isinstance(found, ReaderFault)
    assert set(found) == expected(cards)
    assert desk.longest_ns <= BOUND_NS


def test_a_whole_stack_of_chips_is_told_as_several_in_time():
    desk = Desk()
    for n in range(9):
        card = Classic1K(b"\x8b\x65\x66" + bytes([n]))
        card.lock(b"hotel!")
        desk.chip.lay(card)
    found = desk.inventory()
    assert not isinstance(found, ReaderFault)
    assert len({card.uid for card in found}) == 6
    assert desk.longest_ns <= BOUND_NS


def test_a_write_reaches_only_the_chip_that_was_named():
    desk = Desk()
    mine, other = Classic1K(b"\x8b\x65\x66\xb9"), Ntag213(b"\x04\xa3\xc6\xca\xe2a\x80")
    desk.chip.lay(other)
    assert desk.reader.write(mine.uid, b"m" * 16) == ReaderFault("other_card")
    assert other.stored() == bytes(16)
    desk.chip.lay(mine)
    desk.reader.write(mine.uid, b"m" * 16)
    assert other.stored() == bytes(16)
    desk.chip.take(other)
    assert desk.reader.write(mine.uid, b"n" * 16) is None
    assert mine.stored() == b"n" * 16


def test_thousands_of_polls_do_not_grow():
    desk = Desk()
    desk.chip.lay(Classic1K(b"\x8b\x65\x66\xb9"))
    desk.chip.lay(Ntag213(b"\x04\xa3\xc6\xca\xe2a\x80"))
    counts = []
    for _ in range(2):
        for _ in range(1500):
            desk.inventory()
        gc.collect()
        counts.append(len(gc.get_objects()))
    assert counts[1] - counts[0] < 100
