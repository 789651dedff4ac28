"""Owns what the TD is warned of by the clock alone: the structure runs out (F016).

Pure: the master asks at each flip and gives what comes back to `decide`, which writes it down
once, for an alert that has been raised is not due again.
"""

from collections.abc import Iterator

from firmware_py.core.commands import RaiseAlert
from firmware_py.core.roles import Role
from firmware_py.core.schedule import Phase, position, segments_at
from firmware_py.core.structure import Level
from firmware_py.core.tournament_state import Tournament

WHOLE_ROOM = 0  # in place of a table's number
LEVELS_LEFT = 2


def due_alerts(state: Tournament, at_ns: int) -> tuple[RaiseAlert, ...]:
    """Return the warnings that the clock gives rise to at `at_ns` and that nobody has had."""
    raised = {alert.code for alert in state.alerts}
    return tuple(
        RaiseAlert(actor="master", role=Role.UNIT, code=code, table=WHOLE_ROOM, words=words)
        for code, words in _warnings(state, at_ns)
        if code not in raised
    )


def _warnings(state: Tournament, at_ns: int) -> Iterator[tuple[str, str]]:
    place = position(state.schedule, at_ns)
    if place.phase is Phase.WAITING:
        return
    segments = segments_at(state.schedule, at_ns)
    left = [later for later in segments[place.segment + 1 :] if isinstance(later, Level)]
    # The code names the list's length: once the TD has added levels, its new end is warned of too.
    if place.phase is Phase.OVERTIME:
        yield f"overtime_{len(segments)}", "The last level has run out; its blinds stay"
    elif len(left) <= LEVELS_LEFT:
        yield f"levels_left_{len(segments)}", _words(left)


def _words(left: list[Level]) -> str:
    if not left:
        return "This is the last level; add levels or let it go into overtime"
    numbers = " and ".join(str(level.number) for level in left)
    return f"Levels left after this one: {numbers}; add more if play will last longer"
