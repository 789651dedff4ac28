"""Owns a table played in tests: keys in, the state and its record out, the night's clock above."""

from typing import Any

from firmware_py.core.codec import decode, encode
from firmware_py.core.commands import BeginRiffle, PostBlinds, TableCommand
from firmware_py.core.events import Event, HandLatched
from firmware_py.core.refusals import Refused
from firmware_py.core.roles import Role
from firmware_py.core.table import Table, decide, evolve, follow
from firmware_py.core.tournament import Tournament

DEALER: dict[str, Any] = {"actor": "table/3", "role": Role.DEALER}


class Felt:
    """Table 3; `record` holds its events as bytes."""

    def __init__(self, tournament: Tournament) -> None:
        self.state = follow(Table(place=3), tournament)
        self.record: list[bytes] = []

    def follow(self, tournament: Tournament) -> None:
        """Learn what the room has decided."""
        self.state = follow(self.state, tournament)

    def press(self, kind: type[TableCommand], at_ns: int) -> list[Event] | Refused:
        """Press a key; a refusal leaves the table as it was."""
        result = decide(self.state, kind(**DEALER), at_ns)
        if not isinstance(result, Refused):
            self.write(result)
        return result

    def write(self, events: list[Event]) -> None:
        """Evolve by events as they come back from the wire."""
        for event in events:
            self.record.append(encode(event))
            self.state = evolve(self.state, decode(encode(event)))

    def done(self, kind: type[TableCommand], at_ns: int) -> list[Event]:
        """Press a key that must be taken."""
        result = self.press(kind, at_ns)
        assert isinstance(result, list), result
        return result

    def refused(self, kind: type[TableCommand], at_ns: int) -> Refused:
        """Press a key that must be refused, and return why."""
        before = self.state
        result = self.press(kind, at_ns)
        assert isinstance(result, Refused), result
        assert self.state == before
        return result

    def hand(self, at_ns: int) -> HandLatched:
        """Begin a hand: BLINDS and SHUFFLE at one instant."""
        self.done(PostBlinds, at_ns)
        (latched,) = (e for e in self.done(BeginRiffle, at_ns) if isinstance(e, HandLatched))
        return latched

    def replayed(self) -> Table:
        """Return the state that the record alone gives, as after a restart."""
        state = follow(Table(place=3), self.state.tournament)
        for payload in self.record:
            state = evolve(state, decode(payload))
        return state
