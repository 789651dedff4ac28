"""Owns the journal that lives as long as its process: for tests and simulations."""

from collections.abc import Sequence

from firmware_py.journal import chain
from firmware_py.journal.store import Record, checked


class MemoryJournal:
    """A Journal without a disk."""

    def __init__(self) -> None:
        self._records: dict[tuple[str, int], list[Record]] = {}
        self._notes: dict[str, bytes] = {}

    def append(self, stream: str, epoch: int, first: int, payloads: Sequence[bytes]) -> int:
        """Store payloads as numbers `first`..; see Journal.append."""
        records = self._records.setdefault((stream, epoch), [])
        known = [record.payload for record in records[first - 1 : first - 1 + len(payloads)]]
        for number, payload in checked(len(records), first, payloads, known):
            before = records[-1].chain if records else chain.start(stream, epoch)
            linked = chain.link(before, stream, epoch, number, payload)
            records.append(Record(stream, epoch, number, payload, linked))
        return len(records)

    def read(
        self, stream: str, epoch: int, after: int = 0, limit: int | None = None
    ) -> list[Record]:
        """Return the records with number > `after`, in order."""
        records = self._records.get((stream, epoch), [])
        return records[after : None if limit is None else after + limit]

    def last(self, stream: str, epoch: int) -> int:
        """Return the last number of (stream, epoch); 0 when empty."""
        return len(self._records.get((stream, epoch), []))

    def streams(self) -> dict[str, int]:
        """Return each stream with its newest epoch."""
        newest: dict[str, int] = {}
        for stream, epoch in self._records:
            newest[stream] = max(epoch, newest.get(stream, 0))
        return newest

    def note(self, name: str, value: bytes | None = None) -> bytes | None:
        """Store `value` under `name`, or return what is stored."""
        if value is not None:
            self._notes[name] = value
        return self._notes.get(name)

    def close(self) -> None:
        """Nothing to let go of."""
