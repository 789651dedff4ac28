"""Owns a unit's copy of the tournament stream: stored first, then believed.

Survives a restart of the unit without the master. A newer epoch is another night: the copy begins
anew, the old one stays in the journal.
"""

from firmware_py.core import codec
from firmware_py.core.events import TournamentEvent
from firmware_py.core.tournament import EMPTY, Tournament, evolve
from firmware_py.journal.store import Journal
from sync.streams import EventsArrived

STREAM = "tournament"


class Replica:
    """The tournament as far as this unit knows it."""

    def __init__(self, journal: Journal) -> None:
        """Replay the newest epoch that is stored."""
        self._journal = journal
        self.epoch = journal.streams().get(STREAM, 0)
        self.state: Tournament = EMPTY
        for record in journal.read(STREAM, self.epoch):
            self.state = evolve(self.state, _decoded(record.payload))

    @property
    def last(self) -> int:
        """The number of the newest event."""
        return self._journal.last(STREAM, self.epoch)

    def take(self, arrived: EventsArrived) -> None:
        """Store what came, durably, and follow it.

        JournalFull, or ValueError for what is no event of this stream, leave all as it was.
        """
        events = [_decoded(payload) for payload in arrived.payloads]
        self._journal.append(STREAM, arrived.epoch, arrived.first, arrived.payloads)
        if arrived.epoch != self.epoch:
            self.epoch, self.state = arrived.epoch, EMPTY
        for event in events:
            self.state = evolve(self.state, event)


def _decoded(payload: bytes) -> TournamentEvent:
    event = codec.decode(payload)
    if not isinstance(event, TournamentEvent):
        raise ValueError(f"{type(event).__name__} is no event of the tournament")
    return event
