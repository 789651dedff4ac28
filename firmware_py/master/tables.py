"""Owns the master's copies of the tables' streams: stored first, then believed.

A stream is taken in only from the unit that holds the table, and only in its epoch.
"""

from firmware_py.core import codec
from firmware_py.core.events import HandLatched, TableEvent
from firmware_py.core.table import Table, evolve, follow
from firmware_py.core.tournament import Tournament
from firmware_py.journal.store import Journal
from sync.streams import EventsArrived


def stream_of(table: int) -> str:
    """Return the name of a table's stream."""
    return f"table/{table}"


class Tables:
    """All tables that a unit speaks for."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._tables: dict[int, tuple[int, Table]] = {}  # by number: epoch, state

    def follow(self, tournament: Tournament) -> None:
        """Learn who speaks for which table; a new epoch begins a new stream."""
        for held in tournament.tables:
            epoch, table = self._tables.get(held.table, (0, Table(place=held.table)))
            if epoch != held.epoch:
                table = self._replayed(held.table, held.epoch)
            self._tables[held.table] = held.epoch, follow(table, tournament)

    def all(self) -> list[Table]:
        """Return every table's state, by number."""
        return [table for _, (_, table) in sorted(self._tables.items())]

    def last(self, table: int, epoch: int) -> int:
        """Return how many events of (table, epoch) are stored."""
        return self._journal.last(stream_of(table), epoch)

    def take(self, arrived: EventsArrived) -> list[HandLatched]:
        """Store what came, durably, and return the latches in it.

        JournalFull, or ValueError for what is no event of this stream, leave all as it was.
        """
        number = int(arrived.stream.removeprefix("table/"))
        epoch, table = self._tables[number]
        if epoch != arrived.epoch:
            raise ValueError(f"{arrived.stream} runs in epoch {epoch}, not {arrived.epoch}")
        events = [_decoded(payload) for payload in arrived.payloads]
        self._journal.append(arrived.stream, epoch, arrived.first, arrived.payloads)
        for event in events:
            table = evolve(table, event)
        self._tables[number] = epoch, table
        return [event for event in events if isinstance(event, HandLatched)]

    def _replayed(self, number: int, epoch: int) -> Table:
        table = Table(place=number)
        for record in self._journal.read(stream_of(number), epoch):
            table = evolve(table, _decoded(record.payload))
        return table


def _decoded(payload: bytes) -> TableEvent:
    event = codec.decode(payload)
    if not isinstance(event, TableEvent):
        raise ValueError(f"{type(event).__name__} is no event of a table")
    return event
