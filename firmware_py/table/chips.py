"""Owns what a chip on the reader means to this screen: a seat, or a problem in words. Pure."""

from dataclasses import dataclass

from firmware_py.core.schedule import SECOND
from firmware_py.table.unit_state import ChipShown
from hardware.ports import Card
from hardware.presence import CardGone, CardSeen, ReaderBack, ReaderFailed, Report, SeveralCards
from hardware.seat_chip import ChipKind, ChipProblem, SeatChip, decode

SHOWN_NS = 8 * SECOND
PROBLEMS = {
    ChipProblem.BLANK: "UNKNOWN CHIP",
    ChipProblem.VERSION: "CHIP OF A NEWER VERSION",
    ChipProblem.FOREIGN: "CHIP OF ANOTHER SET",
    ChipProblem.FORGED: "CHIP NOT GENUINE",
}


@dataclass(frozen=True, slots=True)
class ChipKeys:
    """What proves a chip of this event: the key under its payloads and the set's id (4 octets)."""

    key: bytes
    set_id: bytes


def shown(report: Report, keys: ChipKeys, now_ns: int) -> ChipShown | None:
    """Return what to show for `report` at official `now_ns`; None when it is nothing to show."""
    until_ns = now_ns + SHOWN_NS
    match report:
        case CardSeen(card):
            return _of(card, keys, until_ns)
        case SeveralCards():
            return ChipShown(until_ns=until_ns, problem="ONE CHIP AT A TIME")
        case CardGone() | ReaderFailed() | ReaderBack():
            return None


def _of(card: Card, keys: ChipKeys, until_ns: int) -> ChipShown:
    if card.payload is None:
        return ChipShown(until_ns=until_ns, problem="UNKNOWN CHIP")
    chip = decode(card.payload, card.uid, keys.key, keys.set_id)
    if isinstance(chip, SeatChip) and chip.kind is ChipKind.SEAT:
        return ChipShown(until_ns=until_ns, table=chip.table, seat=chip.seat)
    problem = PROBLEMS[chip] if isinstance(chip, ChipProblem) else "NOT A SEAT CHIP"
    return ChipShown(until_ns=until_ns, problem=problem)
