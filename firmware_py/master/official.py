"""Owns the tournament stream: the only place that decides for the tournament and writes it down.

Order is the promise: decide, store durably, evolve, only then answer. A request that comes twice
is answered again, not done again, also across a restart, since each event names its request.
"""

from dataclasses import dataclass

from firmware_py.core import codec
from firmware_py.core.commands import TournamentCommand
from firmware_py.core.events import Event, TournamentEvent
from firmware_py.core.refusals import Refused
from firmware_py.core.tournament import EMPTY, Tournament, decide, evolve
from firmware_py.journal.store import Journal

STREAM = "tournament"


@dataclass(frozen=True, slots=True)
class Accepted:
    """The command was carried out by events first..last; by none if last < first."""

    first: int
    last: int


class OfficialStream:
    """The tournament as the journal knows it, and the way to change it."""

    def __init__(self, journal: Journal, epoch: int | None = None) -> None:
        """Replay the newest epoch of the stream, or begin `epoch`."""
        self._journal = journal
        self.epoch = epoch or journal.streams().get(STREAM, 1)
        self.state: Tournament = EMPTY
        self._answered: dict[str, Accepted] = {}
        for record in journal.read(STREAM, self.epoch):
            self._took(codec.decode(record.payload), record.number)

    @property
    def last(self) -> int:
        """The number of the newest event."""
        return self._journal.last(STREAM, self.epoch)

    def command(
        self, command: TournamentCommand, at_ns: int, request: str = ""
    ) -> Accepted | Refused:
        """Carry out `command`, durably, or say why not; a known `request` is only answered."""
        if request and (known := self._answered.get(request)):
            return known
        outcome = decide(self.state, command, at_ns)
        if isinstance(outcome, Refused):
            self._store(list(outcome.record), request="")
            return outcome
        return self._store(list(outcome), request)

    def _store(self, events: list[Event], request: str) -> Accepted:
        first = self.last + 1
        if not events:
            return Accepted(first, first - 1)
        if request:
            events = [codec.with_request(event, request) for event in events]
        last = self._journal.append(STREAM, self.epoch, first, [codec.encode(e) for e in events])
        for number, event in enumerate(events, first):
            self._took(event, number)
        return Accepted(first, last)

    def _took(self, event: Event, number: int) -> None:
        """Evolve by an event that is stored, and remember which request it answered."""
        if not isinstance(event, TournamentEvent):
            raise ValueError(f"number {number} of {STREAM} is a {type(event).__name__}")
        self.state = evolve(self.state, event)
        if event.request:
            known = self._answered.get(event.request)
            self._answered[event.request] = Accepted(known.first if known else number, number)
