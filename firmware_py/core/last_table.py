"""Decides when a break begins to count that waits for the last table (option break_start, rule 4).

The master asks whenever the clock turns or a table's stream grows; every table is seen as far as
its stream is known. Without the option nothing is ever due.
"""

from collections.abc import Iterable

from firmware_py.core.commands import BeginBreak
from firmware_py.core.roles import Role
from firmware_py.core.table_state import Table
from firmware_py.core.tournament import refusal
from firmware_py.core.tournament_state import Tournament


def break_due(state: Tournament, tables: Iterable[Table], at_ns: int) -> BeginBreak | None:
    """Return the command that lets the break count, once no table has a hand in play."""
    begin = BeginBreak(actor="master", role=Role.UNIT)
    if refusal(state, begin, at_ns) is not None or any(table.in_play for table in tables):
        return None
    return begin
