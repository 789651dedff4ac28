"""The bounded driver over mfrc522's own register access, on the simulated chip, virtual time."""

import pytest

from hardware.pi.reader import open_reader
from hardware.ports import ReaderFault
from hardware.sim.board import Board
from hardware.sim.cards import Classic1K, Ntag213
from hardware.sim.mfrc522_chip import Mfrc522Chip
from hardware.sim.modules import install
from sync.clock import ManualClock

PAYLOAD = b"0123456789abcdef"


class Timed:
    """An SPI call costs 25 us of the virtual clock."""

    def __init__(self, chip: Mfrc522Chip, clock: ManualClock) -> None:
        self.chip, self.clock = chip, clock

    def transfer(self, sent: list[int]) -> list[int]:
        self.clock.advance(25_000)
        return self.chip.transfer(sent)


@pytest.fixture
def bench():
    clock = ManualClock()
    chip, board = Mfrc522Chip(clock), Board(clock)
    board.spi[0, 0] = Timed(chip, clock)
    install(board)
    return chip, open_reader(25, clock, clock.advance), clock


def test_an_empty_field_is_no_fault(bench):
    assert bench[1].inventory() == ()


@pytest.mark.parametrize(
    "card", [Classic1K(b"\x8b\x65\x66\xb9"), Ntag213(b"\x04\xa3\xc6\xca\xe2a\x80")]
)
def test_f094_uids_are_whole_and_a_payload_is_written_and_read_back(bench, card):
    chip, reader, _ = bench
    chip.lay(card)
    assert reader.write(card.uid, PAYLOAD) is None
    assert [(c.uid, c.payload) for c in reader.inventory()] == [(card.uid, PAYLOAD)]


def test_f103_a_mute_or_dead_reader_is_a_value_within_150_ms(bench):
    chip, reader, clock = bench
    chip.lay(Classic1K(b"\1\2\3\4"))
    for fault in ("mute", "spi_error"):
        before = clock.now_ns()
        setattr(chip.faults, fault, True)
        assert isinstance(reader.inventory(), ReaderFault)
        assert clock.now_ns() - before < 150_000_000
        setattr(chip.faults, fault, False)
    chip.faults.unplugged = 0xFF
    assert reader.inventory() == ReaderFault("unplugged")
    chip.faults.unplugged = None
    assert len(reader.inventory()) == 1
