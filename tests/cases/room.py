"""Owns a room that a case is played in: a master, its tables, and the link between them.

Everything goes through the product's decide, evolve and codec. A table that is cut off keeps the
schedule it knew and its own stream; both catch up when the link is back.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from firmware_py.core.codec import decode, encode
from firmware_py.core.commands import (
    JoinTable,
    OpenTournament,
    StartClock,
    TableCommand,
    TournamentCommand,
)
from firmware_py.core.events import Event, HandLatched
from firmware_py.core.last_table import break_due
from firmware_py.core.latch import conflict, level_of
from firmware_py.core.profile import Profile
from firmware_py.core.refusals import Refused
from firmware_py.core.roles import Role
from firmware_py.core.schedule import position
from firmware_py.core.structure import Level, Structure
from firmware_py.core.table import Table, directives, follow
from firmware_py.core.table import decide as decide_table
from firmware_py.core.table import evolve as evolve_table
from firmware_py.core.tournament import EMPTY, Tournament
from firmware_py.core.tournament import decide as decide_clock
from firmware_py.core.tournament import evolve as evolve_clock


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one wish: the events, or a refusal."""

    name: str
    who: str
    result: list[Event] | Refused

    @property
    def refused(self) -> Refused | None:
        return self.result if isinstance(self.result, Refused) else None


class Room:
    """One tournament and its tables; all instants are official nanoseconds."""

    def __init__(self, plan: Structure, profile: Profile, tables: int) -> None:
        self.master: Tournament = EMPTY
        self.log: list[bytes] = []
        self.tables: dict[int, Table] = {}
        self.records: dict[int, list[bytes]] = {}
        self.cut: set[int] = set()
        self._upto_ns = 0
        opening = OpenTournament(
            actor="td", role=Role.TD, name="case", structure=plan, profile=profile, tables=tables
        )
        self.wish(opening, 0)

    def start(self, at_ns: int) -> None:
        """Let the first level begin."""
        self.wish(StartClock(actor="td", role=Role.TD), at_ns)
        self._upto_ns = at_ns

    def join(self, number: int) -> Table:
        """Return table `number`, which is there from now on."""
        if number not in self.tables:
            self.tables[number] = Table(place=number)
            self.records[number] = []
            self.wish(JoinTable(actor="unit", role=Role.UNIT, table=number, unit=f"u{number}"), 0)
        return self.tables[number]

    def wish(self, command: TournamentCommand, at_ns: int) -> list[Event] | Refused:
        """Let the master decide; every linked table learns of it."""
        result = decide_clock(self.master, command, at_ns)
        for event in result.record if isinstance(result, Refused) else result:
            self.log.append(encode(event))
            self.master = evolve_clock(self.master, decode(self.log[-1]))
        for number in set(self.tables) - self.cut:
            self._learn(number, at_ns)
        return result

    def key(self, number: int, command: TableCommand, at_ns: int) -> list[Event] | Refused:
        """Let a table decide."""
        result = decide_table(self.join(number), command, at_ns)
        if not isinstance(result, Refused):
            self._write(number, result)
        return result

    def _write(self, number: int, events: list[Event]) -> None:
        for event in events:
            self.records[number].append(encode(event))
            self.tables[number] = evolve_table(self.tables[number], decode(encode(event)))

    def _learn(self, number: int, at_ns: int) -> None:
        self.tables[number] = follow(self.tables[number], self.master)
        self._write(number, directives(self.tables[number], at_ns))

    def pass_to(self, at_ns: int) -> None:
        """Let time pass; a break that waits for the last table is looked at at each flip."""
        while (flip_ns := position(self.master.schedule, self._upto_ns).next_flip_ns) is not None:
            if flip_ns > at_ns:
                break
            self._upto_ns = flip_ns
            self.look(flip_ns)
        self._upto_ns = max(self._upto_ns, at_ns)

    def look(self, at_ns: int) -> None:
        """Let a break count when the last table is done."""
        if due := break_due(self.master, self.tables.values(), at_ns):
            self.wish(due, at_ns)

    def reconnect(self, number: int, at_ns: int) -> None:
        """Let a table's stream reach the master and the schedule reach the table."""
        self.cut.discard(number)
        for latched in self.latches(number):
            if alert := conflict(self.master, number, latched):
                self.wish(alert, at_ns)
        self._learn(number, at_ns)

    def restart_table(self, number: int) -> None:
        """Let a table come back with what its journal holds."""
        state = follow(Table(place=number), self.master)
        for payload in self.records[number]:
            state = evolve_table(state, decode(payload))
        self.tables[number] = state

    def restart_master(self) -> None:
        """Let the master come back with what its journal holds."""
        self.master = EMPTY
        for payload in self.log:
            self.master = evolve_clock(self.master, decode(payload))

    def events(self, number: int) -> list[Event]:
        """Return a table's record."""
        return [decode(payload) for payload in self.records.get(number, [])]

    def latches(self, number: int) -> Iterator[HandLatched]:
        """Return the latches of a table that were not taken back, one a hand."""
        newest = {e.hand: e for e in self.events(number) if isinstance(e, HandLatched)}
        table = self.tables[number]
        for hand, latched in newest.items():
            if hand <= table.hands or (table.hand and table.hand.latched == latched):
                yield latched

    def hands(self) -> list[tuple[int, Level | None]]:
        """Return table and level of all hands in the order of their starts."""
        found = [
            (latched.at_ns, number, level_of(latched, self.tables[number].tournament.schedule))
            for number in self.tables
            for latched in self.latches(number)
        ]
        return [(number, level) for _, number, level in sorted(found, key=lambda f: f[:2])]
