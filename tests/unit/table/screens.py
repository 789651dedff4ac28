"""Owns the units of these tests: a night, a table in it, and what its screen shows."""

from dataclasses import replace
from typing import Any

from display.views import ClockView, MessageView, View
from firmware_py.core.structure import Break
from firmware_py.table.presenter import present
from firmware_py.table.unit_state import MASTERS_OWN, UnitState
from tests.unit.core.felt import Felt
from tests.unit.core.night import Night, levels, structure

THREE = structure(*levels(1200, 1200, 1200))
SIX_AND_BREAK = structure(
    *levels(*[1200] * 6),
    Break(seconds=900, remove=(25,), addon=True),
    *levels(*[1200] * 7)[6:],
)


def unit(night: Night, felt: Felt | None = None, **fields: Any) -> UnitState:
    """Return a locked, linked unit at table 3."""
    table = (felt or Felt(night.state)).state
    known = UnitState(table=table, sync=MASTERS_OWN, linked=True)
    return replace(known, **fields)


def shown(night: Night, now_ns: int, felt: Felt | None = None, **fields: Any) -> ClockView:
    """Return the clock that such a unit shows."""
    view = present(unit(night, felt, **fields), now_ns)
    assert isinstance(view, ClockView), view
    return view


def told(state: UnitState, now_ns: int) -> MessageView:
    """Return the message that a unit without a clock shows."""
    view = present(state, now_ns)
    assert isinstance(view, MessageView), view
    return view


def marks(view: View) -> list[str]:
    """Return the words of all marks."""
    return [mark.text for mark in view.frame.marks]
