"""Owns the sound copy of a damaged journal: every whole event, never in the original's place.

A number that is lost keeps its place, so that the units' and the master's numbers go on meaning the
same: an event of the type EventLost stands there, which every program keeps without effect. From
the first such place on the copy has a chain of its own.
"""

import os
import sqlite3
from pathlib import Path

import msgspec

from firmware_py.journal import chain
from firmware_py.journal.lock import Witness, WriterLock
from firmware_py.journal.rows import SCHEMA
from firmware_py.journal.salvage import Salvage
from firmware_py.journal.store import Record

LOST = msgspec.msgpack.encode((1, {"type": "EventLost", "at_ns": 0, "actor": "journal repair"}))
_EVENT = "INSERT INTO events (stream, epoch, number, payload, chain) VALUES (?, ?, ?, ?, ?)"


def filled(key: tuple[str, int], whole: list[Record]) -> list[Record]:
    """Return the stream without gaps and with a sound chain; `whole` must not be empty."""
    known = {record.number: record.payload for record in whole}
    head, records = chain.start(*key), []
    for number in range(1, whole[-1].number + 1):
        payload = known.get(number, LOST)
        head = chain.link(head, *key, number, payload)
        records.append(Record(*key, number, payload, head))
    return records


def write_copy(found: Salvage, target: Path) -> None:
    """Write all whole events into a new journal at `target`; FileExistsError if it is there."""
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    db = sqlite3.connect(target)
    try:
        db.execute("PRAGMA synchronous = FULL")
        db.executescript(SCHEMA)
        with db:
            for key, whole in found.whole.items():
                rows = filled(key, whole)
                db.executemany(
                    _EVENT, [(r.stream, r.epoch, r.number, r.payload, r.chain) for r in rows]
                )
            db.executemany(
                "INSERT INTO notes VALUES (?, ?, ?, ?)",
                [(k, n, value, chain.note(k, n, value)) for k, (n, value) in found.notes.items()],
            )
    finally:
        db.close()


def put_in_place(copy: Path, path: Path, aside: Path, lock: WriterLock, held: Witness) -> None:
    """Make `copy` the journal at `path`; the original and its log stay under the name `aside`.

    The log moves first: without it the original is still refused, whenever a power cut comes.
    """
    for ending in ("-wal", "-shm", ""):
        if (part := path.with_name(path.name + ending)).exists():
            part.rename(aside.with_name(aside.name + ending))
    lock.note(held)
    copy.rename(path)
    directory = os.open(path.parent, os.O_RDONLY)
    os.fsync(directory)
    os.close(directory)


def fresh_name(directory: Path, stem: str) -> Path:
    """Return a name in `directory` that is not taken: STEM-1.sqlite3, STEM-2.sqlite3 ..."""
    n = 1
    while (directory / f"{stem}-{n}.sqlite3").exists():
        n += 1
    return directory / f"{stem}-{n}.sqlite3"
