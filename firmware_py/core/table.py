"""Decides for one table and evolves it: the one pair for a unit's own stream.

A unit decides at once and alone; no key waits for the network. What it learns of the room comes in
through `follow`. The level of a hand is latch.py's business.
"""

from typing import Any, assert_never

from msgspec.structs import replace

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
from firmware_py.core.events import (
    BlindsPosted,
    Event,
    FloorCalled,
    FloorCallEnded,
    HandDealt,
    HandEnded,
    HandLatched,
    HandMisdealt,
    RiffleBegun,
    TableActionUndone,
    TableEvent,
    Unknown,
)
from firmware_py.core.latch import Hand, latch
from firmware_py.core.refusals import Refused, first_refusal
from firmware_py.core.table_guards import GUARDS
from firmware_py.core.table_state import PAST_KEPT, PastAction, Table
from firmware_py.core.tournament_state import Tournament

__all__ = ["Table", "decide", "directives", "evolve", "follow", "refusal", "undo_preview"]

KEY_WORDS = {
    "BlindsPosted": "BLINDS",
    "RiffleBegun": "SHUFFLE",
    "HandDealt": "DEALT",
    "HandEnded": "HAND OVER",
    "HandMisdealt": "the misdeal",
    "FloorCalled": "the call of the TD",
}


def refusal(state: Table, command: TableCommand, at_ns: int) -> Refused | None:
    """Return why `command` cannot be done now, or None; lamps ask this too."""
    return first_refusal(GUARDS[type(command)], state, command, at_ns)


def decide(state: Table, command: TableCommand, at_ns: int) -> list[TableEvent] | Refused:
    """Return what the key does: its own event first, then what follows from it."""
    if refused := refusal(state, command, at_ns):
        return refused
    event = _event(state, command, {"at_ns": at_ns, "actor": command.actor})
    after = evolve(state, event)
    follows = None
    if after.hand is not None and isinstance(event, BlindsPosted | RiffleBegun | HandDealt):
        follows = latch(
            after.hand, state.tournament.schedule, state.tournament.profile, command.actor
        )
    return [event, follows] if follows else [event]


def _event(state: Table, command: TableCommand, who: dict[str, Any]) -> TableEvent:
    hand = state.hand.number if state.hand else state.hands + 1
    match command:
        case PostBlinds():
            return BlindsPosted(**who, hand=hand)
        case BeginRiffle():
            return RiffleBegun(**who, hand=hand)
        case FinishDeal():
            return HandDealt(**who, hand=hand)
        case EndHand():
            return HandEnded(**who, hand=hand)
        case Misdeal():
            return HandMisdealt(**who, hand=hand)
        case CallFloor():
            return FloorCalled(**who)
        case EndFloorCall():
            return FloorCallEnded(**who)
        case UndoTableAction():
            return TableActionUndone(**who, undoes=state.past[-1].number)
    assert_never(command)


def evolve(state: Table, event: TableEvent) -> Table:
    """Return the state after `event` of the table's own stream."""
    before = state
    state = replace(state, number=state.number + 1)
    match event:
        case BlindsPosted():
            hand = replace(_hand(state, event.hand), blinds_ns=event.at_ns)
            return _done(before, event, replace(state, hand=hand))
        case RiffleBegun():
            hand = replace(_hand(state, event.hand), riffle_ns=event.at_ns)
            return _done(before, event, replace(state, hand=hand))
        case HandDealt():
            hand = replace(_hand(state, event.hand), dealt_ns=event.at_ns)
            return _done(before, event, replace(state, hand=hand))
        case HandLatched():
            return replace(state, hand=replace(_hand(state, event.hand), latched=event))
        case HandEnded():
            return _done(before, event, replace(state, hand=None, hands=event.hand))
        case HandMisdealt():
            hand = replace(_hand(state, event.hand), riffle_ns=None, dealt_ns=None)
            return _done(before, event, replace(state, hand=hand))
        case FloorCalled():
            return _done(before, event, replace(state, floor_called_ns=event.at_ns))
        case FloorCallEnded():
            past = tuple(p for p in state.past if p.name != "FloorCalled")
            return replace(state, floor_called_ns=None, past=past)
        case TableActionUndone():
            return _undone(state, event)
        case Unknown():
            return replace(state, unknown=state.unknown + 1)
    assert_never(event)


def follow(state: Table, tournament: Tournament) -> Table:
    """Return the state with what the room has decided meanwhile."""
    return replace(state, tournament=tournament)


def directives(state: Table, at_ns: int) -> list[TableEvent]:
    """Return what the unit has to write because of what it learned from the TD."""
    joined = state.tournament.table(state.place)
    called_ns = state.floor_called_ns
    if joined is None or called_ns is None or joined.answered_ns <= called_ns:
        return []
    return [FloorCallEnded(at_ns=at_ns, actor="td")]


def undo_preview(state: Table) -> str | None:
    """Return what UNDO would take back, in words; None when there is nothing."""
    if not state.past:
        return None
    last = state.past[-1]
    words = KEY_WORDS[last.name]
    return words if last.name == "FloorCalled" else f"{words} of hand {last.hand_number}"


def _hand(state: Table, number: int) -> Hand:
    return state.hand or Hand(number=number)


def _done(before: Table, event: Event, after: Table) -> Table:
    """Return `after` with the way back to `before`."""
    past = PastAction(
        number=after.number,
        name=type(event).__name__,
        hand_number=getattr(event, "hand", 0),
        hand=before.hand,
        hands=before.hands,
    )
    return replace(after, past=(*before.past, past)[-PAST_KEPT:])


def _undone(state: Table, event: TableActionUndone) -> Table:
    past = next((p for p in state.past if p.number == event.undoes), None)
    if past is None:  # older than what is kept
        return state
    earlier = tuple(p for p in state.past if p.number < event.undoes)
    if past.name == "FloorCalled":
        return replace(state, floor_called_ns=None, past=earlier)
    return replace(state, hand=past.hand, hands=past.hands, past=earlier)
