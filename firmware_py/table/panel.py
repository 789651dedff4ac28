"""Owns what a press on the dealer's panel means: a command, or a sentence.

A key acts at the first edge, unless holding it means something else: then it acts when it is let
go before a second is over, or once when the second is over, never both (F086). Either way the
action bears the instant of the first edge. UNDO first says what it would take back and does it
when pressed again within five seconds; held, it does so at once.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from firmware_py.core.commands import (
    BeginRiffle,
    CallFloor,
    EndFloorCall,
    EndHand,
    FinishDeal,
    Misdeal,
    PostBlinds,
    TableCommand,
    UndoTableAction,
)
from firmware_py.core.roles import Role
from firmware_py.core.schedule import SECOND
from firmware_py.core.table import Table, refusal, undo_preview
from firmware_py.table.unit_state import UndoAsked, UnitState
from hardware.ports import Key

UNDO_ASKED_NS = 5 * SECOND

SHORT: Mapping[Key, type[TableCommand]] = {
    Key.BLINDS: PostBlinds,
    Key.SHUFFLE: BeginRiffle,
    Key.DEALT: FinishDeal,
    Key.HAND_OVER: EndHand,
    Key.FLOOR: CallFloor,
    Key.UNDO: UndoTableAction,
}
LONG: Mapping[Key, type[TableCommand]] = {
    Key.HAND_OVER: Misdeal,
    Key.FLOOR: EndFloorCall,
    Key.UNDO: UndoTableAction,
}
NO_PLAYERS = "No players are registered at this table"

KEYBOARD: Mapping[str, Key] = {
    "b": Key.BLINDS,
    "s": Key.SHUFFLE,
    "d": Key.DEALT,
    "h": Key.HAND_OVER,
    "o": Key.OUT,
    "a": Key.AWAY,
    "c": Key.CLOCK,
    "r": Key.REBUY,
    "f": Key.FLOOR,
    "u": Key.UNDO,
    "k": Key.KNOB,
}
HELP = "  ".join(f"{name} {key.value}" for name, key in KEYBOARD.items() if key in SHORT)


@dataclass(frozen=True, slots=True)
class Press:
    """A finished gesture on a key that went down at `at_ns`."""

    key: Key
    held: bool
    at_ns: int


@dataclass(frozen=True, slots=True)
class Wish:
    """The press asks for `command`; core decides whether it may be."""

    command: TableCommand
    at_ns: int


@dataclass(frozen=True, slots=True)
class Tell:
    """The press does nothing but is answered."""

    words: str


@dataclass(frozen=True, slots=True)
class Ask:
    """UNDO was pressed once: say what a second press takes back."""

    words: str
    asked: UndoAsked


class Gestures:
    """Turns what the keys do into presses, each at most once.

    Takes any instants of one clock; the debouncer stands before it and says when a key is held.
    """

    def __init__(self) -> None:
        self._down_ns: dict[Key, int] = {}

    def down(self, key: Key, at_ns: int) -> Press | None:
        """Take a key that went down; a press at once if holding it means nothing else."""
        if key not in LONG:
            return Press(key, held=False, at_ns=at_ns)
        self._down_ns[key] = at_ns
        return None

    def held(self, key: Key) -> Press | None:
        """Take a key that has been down for a second."""
        began_ns = self._down_ns.pop(key, None)
        return None if began_ns is None else Press(key, held=True, at_ns=began_ns)

    def up(self, key: Key) -> Press | None:
        """Take a key that was let go."""
        began_ns = self._down_ns.pop(key, None)
        return None if began_ns is None else Press(key, held=False, at_ns=began_ns)


def answer(unit: UnitState, press: Press) -> Wish | Tell | Ask:
    """Return what `press` (on official time) means to this unit."""
    meanings = LONG if press.held else SHORT
    if press.key not in meanings:
        return Tell(NO_PLAYERS)
    if press.key is Key.UNDO and not press.held and not _asked(unit, press.at_ns):
        return _ask(unit.table, press.at_ns)
    return Wish(_command(unit.table, meanings[press.key]), press.at_ns)


def lamps(table: Table, at_ns: int) -> frozenset[Key]:
    """Return the keys whose short press core would allow right after `at_ns`.

    One nanosecond on, since at a stroke itself the level before it still counts (rule 4) and no
    finger comes that soon.
    """
    return frozenset(
        key
        for key, kind in SHORT.items()
        if refusal(table, _command(table, kind), at_ns + 1) is None
    )


def _command(table: Table, kind: type[TableCommand]) -> TableCommand:
    return kind(actor=f"table/{table.place}", role=Role.DEALER)


def _asked(unit: UnitState, at_ns: int) -> bool:
    """Return whether this very action has just been asked about."""
    asked, past = unit.undo_asked, unit.table.past
    if asked is None or not past:
        return False
    return asked.number == past[-1].number and at_ns < asked.until_ns


def _ask(table: Table, at_ns: int) -> Tell | Ask:
    preview = undo_preview(table)
    if preview is None:
        refused = refusal(table, _command(table, UndoTableAction), at_ns)
        return Tell(refused.words if refused else "")
    asked = UndoAsked(number=table.past[-1].number, until_ns=at_ns + UNDO_ASKED_NS)
    return Ask(f"UNDO takes back {preview}; press again within 5 s", asked)
