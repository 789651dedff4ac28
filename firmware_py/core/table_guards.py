"""Owns why a command to a table is refused: guard, code and words in one table.

A hand that is in play may always be finished; only its start asks for a running level.
"""

from collections.abc import Callable
from typing import Any

from firmware_py.core.commands import (
    BeginRiffle,
    CallFloor,
    Command,
    EndFloorCall,
    EndHand,
    FinishDeal,
    Misdeal,
    PostBlinds,
    UndoTableAction,
)
from firmware_py.core.refusals import Guard
from firmware_py.core.schedule import Phase, Schedule, begun_by, segments_at
from firmware_py.core.structure import Break
from firmware_py.core.table_state import Table

TableGuard = Guard[Table, Any]
Test = Callable[[Table, Any, int], bool]


def _starting(test: Callable[[Table, int], bool]) -> Test:
    """Return a guard's test that counts only while the hand is not in play yet."""
    return lambda state, command, at_ns: not state.in_play and test(state, at_ns)


def _phase(state: Table, at_ns: int) -> Phase:
    return begun_by(state.tournament.schedule, at_ns).phase


def _paused(state: Table, at_ns: int) -> bool:
    allowed = state.tournament.profile.hands_while_paused
    return _phase(state, at_ns) is Phase.PAUSED and not allowed


def _in_break(state: Table, at_ns: int) -> bool:
    schedule = state.tournament.schedule
    segments = segments_at(schedule, at_ns)
    return isinstance(segments[begun_by(schedule, at_ns).segment], Break)


def _break_words(state: Table, command: Command, at_ns: int) -> str:
    schedule = state.tournament.schedule
    ends_ns = at_ns + begun_by(schedule, at_ns).remaining_ns
    seconds = max(0, ends_ns - _first_deal_ns(schedule)) // 1_000_000_000
    return f"Break until {seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _first_deal_ns(schedule: Schedule) -> int:
    running = (c.at_ns for c in schedule.changes if c.phase is not Phase.WAITING)
    return next(running, 0)


def _has(field: str) -> Test:
    return lambda state, command, at_ns: (
        state.hand is not None and getattr(state.hand, field) is not None
    )


def _not_in_play(state: Table, command: Command, at_ns: int) -> bool:
    return not state.in_play


def _blinds_missing(state: Table, command: FinishDeal, at_ns: int) -> bool:
    needed = state.tournament.profile.hand_start == "both"
    return needed and (state.hand is None or state.hand.blinds_ns is None)


NO_EVENT: TableGuard = Guard(
    "no_event", lambda s, c, t: s.tournament.opened is None, "The TD has not opened the event yet"
)
START: tuple[TableGuard, ...] = (
    NO_EVENT,
    Guard(
        "not_started",
        _starting(lambda s, t: _phase(s, t) is Phase.WAITING),
        "The clock has not started yet",
    ),
    Guard("paused", _starting(_paused), "Paused by the TD"),
    Guard("break", _starting(_in_break), _break_words),
)

GUARDS: dict[type[Command], tuple[TableGuard, ...]] = {
    PostBlinds: (
        *START,
        Guard("blinds_posted", _has("blinds_ns"), "The blinds of this hand are noted already"),
    ),
    BeginRiffle: (
        *START,
        Guard("riffle_begun", _has("riffle_ns"), "The shuffle of this hand is noted already"),
        Guard("dealt", _has("dealt_ns"), "This hand is dealt; press HAND OVER when it ends"),
    ),
    FinishDeal: (
        *START,
        Guard("no_blinds", _blinds_missing, "Press BLINDS first"),
        Guard("dealt", _has("dealt_ns"), "This deal is noted already"),
    ),
    EndHand: (NO_EVENT, Guard("no_hand", _not_in_play, "No hand is in play")),
    Misdeal: (NO_EVENT, Guard("no_hand", _not_in_play, "No hand is in play")),
    CallFloor: (
        Guard("called", lambda s, c, t: s.floor_called_ns is not None, "The TD is called already"),
    ),
    EndFloorCall: (
        Guard("not_called", lambda s, c, t: s.floor_called_ns is None, "The TD is not called"),
    ),
    UndoTableAction: (
        Guard("nothing", lambda s, c, t: not s.past, "There is nothing to take back"),
    ),
}
