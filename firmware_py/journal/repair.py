"""Owns saving what can be saved of a damaged journal: whole events into a copy, never in place.

An event is whole when its hash follows from the one before it. Rows are read from the pages
themselves, so that a file which SQLite refuses still gives up what it has; behind a gap in the
middle of a stream nothing can be proved, and what lies there is counted as dropped.
"""

import sqlite3
from dataclasses import dataclass, field
from pathlib import Path

from firmware_py.journal import chain, pages
from firmware_py.journal.rows import SCHEMA
from firmware_py.journal.store import Record


@dataclass(slots=True)
class Salvage:
    """What was found: whole records per stream, and what had to be left."""

    whole: dict[tuple[str, int], list[Record]] = field(default_factory=dict)
    dropped: int = 0
    breaks: list[str] = field(default_factory=list)
    notes: dict[str, bytes] = field(default_factory=dict)

    @property
    def kept(self) -> int:
        """How many whole events there are."""
        return sum(len(records) for records in self.whole.values())

    def good_words(self) -> str:
        """Return which event is the last good one of each stream."""
        ends = [
            f"{stream}, epoch {epoch}, number {records[-1].number}"
            for (stream, epoch), records in sorted(self.whole.items())
            if records
        ]
        return "the last good event is " + "; ".join(ends) if ends else "no event can be read"


def salvage(path: Path) -> Salvage:
    """Return what can be read of the journal at `path` and its log; touches neither."""
    found = Salvage()
    records: dict[tuple[str, int], dict[int, Record]] = {}
    for row in pages.rows(_octets(path), _octets(path.with_name(path.name + "-wal"))):
        match row:
            case [None, str(stream), int(epoch), int(number), bytes(payload), bytes(linked)]:
                record = Record(stream, epoch, number, payload, linked)
                records.setdefault((stream, epoch), {})[number] = record
            case [str(name), bytes(value), bytes(proof)] if chain.note(name, value) == proof:
                found.notes[name] = value
    for key in sorted(records):
        _whole(key, records[key], found)
    return found


def write_copy(found: Salvage, target: Path) -> None:
    """Write all whole events into a new journal at `target`; FileExistsError if it is there."""
    if target.exists():
        raise FileExistsError(target)
    db = sqlite3.connect(target)
    db.execute("PRAGMA synchronous = FULL")
    db.executescript(SCHEMA)
    with db:
        for records in found.whole.values():
            db.executemany(
                "INSERT INTO events (stream, epoch, number, payload, chain) VALUES (?,?,?,?,?)",
                [(r.stream, r.epoch, r.number, r.payload, r.chain) for r in records],
            )
        db.executemany(
            "INSERT INTO notes VALUES (?, ?, ?)",
            [(name, value, chain.note(name, value)) for name, value in found.notes.items()],
        )
    db.close()


def _octets(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _whole(key: tuple[str, int], records: dict[int, Record], found: Salvage) -> None:
    """Keep what follows from the beginning; name the first break, count what lies beyond."""
    head, number = chain.start(*key), 1
    kept: list[Record] = []
    while (record := records.get(number)) is not None:
        if chain.link(head, *key, number, record.payload) != record.chain:
            break
        kept.append(record)
        head, number = record.chain, number + 1
    found.whole[key] = kept
    if beyond := len(records) - len(kept):
        found.dropped += beyond
        found.breaks.append(f"{key[0]}, epoch {key[1]}: number {number} is damaged or missing")
