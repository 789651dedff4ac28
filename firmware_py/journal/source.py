"""Owns reading a journal as the source of a stream that is being sent (sync.streams.Source)."""

from collections.abc import Sequence

from firmware_py.journal.store import Journal


class JournalSource:
    """A journal, as replication reads it."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def last(self, stream: str, epoch: int) -> int:
        """Return the last number of (stream, epoch)."""
        return self._journal.last(stream, epoch)

    def payloads(self, stream: str, epoch: int, after: int, limit: int) -> Sequence[bytes]:
        """Return up to `limit` payloads with number > `after`."""
        return [r.payload for r in self._journal.read(stream, epoch, after, limit)]
