"""Owns the stream that the unit writes: decide, store durably, evolve, in this order.

A unit speaks for its table once the master has let it join; the epoch that it was given then names
its stream. From there on it decides alone, with or without the master.
"""

from collections.abc import Sequence

from firmware_py.core import codec
from firmware_py.core.commands import TableCommand
from firmware_py.core.events import Event, TableEvent
from firmware_py.core.refusals import Refused
from firmware_py.core.table import Table, decide, directives, evolve, follow
from firmware_py.core.tournament import Tournament
from firmware_py.journal.store import Journal

NOT_JOINED = Refused("not_joined", "The master has not yet let this unit speak for the table")


class OwnStream:
    """One table, written by this unit `unit`."""

    def __init__(self, journal: Journal, place: int, unit: str, tournament: Tournament) -> None:
        """Replay what this unit wrote in the epoch that it holds."""
        self._journal = journal
        self._unit = unit
        self.table = Table(place=place)
        self.epoch = 0  # 0: it speaks for no table
        self.follow(tournament)

    @property
    def name(self) -> str:
        """The stream's name."""
        return f"table/{self.table.place}"

    def follow(self, tournament: Tournament) -> None:
        """Learn what the room has decided; a new epoch begins a new stream."""
        held = tournament.table(self.table.place)
        epoch = held.epoch if held is not None and held.unit == self._unit else 0
        if epoch != self.epoch:
            self.epoch, self.table = epoch, Table(place=self.table.place)
            for record in self._journal.read(self.name, epoch) if epoch else ():
                self._took(codec.decode(record.payload))
        self.table = follow(self.table, tournament)

    def command(self, command: TableCommand, at_ns: int) -> Sequence[TableEvent] | Refused:
        """Carry out `command`, durably, or say why not; JournalFull changes nothing."""
        if not self.epoch:
            return NOT_JOINED
        outcome = decide(self.table, command, at_ns)
        if not isinstance(outcome, Refused):
            self._store(outcome)
        return outcome

    def obey(self, at_ns: int) -> None:
        """Write what follows from the TD's directives."""
        if self.epoch:
            self._store(directives(self.table, at_ns))

    def _store(self, events: Sequence[TableEvent]) -> None:
        if not events:
            return
        first = self._journal.last(self.name, self.epoch) + 1
        self._journal.append(self.name, self.epoch, first, [codec.encode(e) for e in events])
        for event in events:
            self._took(event)

    def _took(self, event: Event) -> None:
        if isinstance(event, TableEvent):
            self.table = evolve(self.table, event)
