"""Owns the journal on disk: SQLite in WAL mode, every commit synced, one writer at a time.

Opening proves the whole file (proof.py); a file that fails is never run on or changed. What is
wrong with it comes as JournalDamaged, and `tableside journal repair` makes a sound copy.
"""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from firmware_py.errors import UserError
from firmware_py.journal import chain
from firmware_py.journal.lock import Witness, WriterLock, read_witness
from firmware_py.journal.proof import JournalDamaged, damaged, prove
from firmware_py.journal.rows import BROKEN, FILE, connected
from firmware_py.journal.store import Record, checked

__all__ = ["FILE", "JournalDamaged", "JournalFull", "SqliteJournal"]


class JournalFull(UserError):
    """The disk did not take the event: nothing of it is stored."""


class SqliteJournal:
    """The Journal in `directory`; holds the writer's lock until closed or the process ends."""

    def __init__(self, directory: Path) -> None:
        """Open and prove the file; UserError when another writer holds it, JournalDamaged."""
        self.path = directory / FILE
        self._lock = WriterLock(directory)
        try:
            proof = prove(self.path, read_witness(directory))
            self._db = self._connected()
        except BaseException:
            self._lock.close()
            raise
        self._heads = proof.heads
        self._held = proof.held

    def append(self, stream: str, epoch: int, first: int, payloads: Sequence[bytes]) -> int:
        """Store payloads as numbers `first`..; see Journal.append. Durable on return.

        JournalFull when the disk does not take them.
        """
        last, head = self._head(stream, epoch)
        known = [r.payload for r in self.read(stream, epoch, first - 1, len(payloads))]
        rows = []
        for number, payload in checked(last, first, payloads, known):
            head = chain.link(head, stream, epoch, number, payload)
            rows.append((stream, epoch, number, payload, head))
            last = number
        if rows:
            self._commit(
                "INSERT INTO events (stream, epoch, number, payload, chain) VALUES (?, ?, ?, ?, ?)",
                rows,
            )
            self._heads[stream, epoch] = (last, head)
            self._witness(events=len(rows))
        return last

    def read(
        self, stream: str, epoch: int, after: int = 0, limit: int | None = None
    ) -> list[Record]:
        """Return the records with number > `after`, in order."""
        rows = self._db.execute(
            "SELECT number, payload, chain FROM events WHERE stream = ? AND epoch = ?"
            " AND number > ? ORDER BY number LIMIT ?",
            (stream, epoch, after, -1 if limit is None else limit),
        )
        return [Record(stream, epoch, *row) for row in rows]

    def last(self, stream: str, epoch: int) -> int:
        """Return the last number of (stream, epoch); 0 when empty."""
        return self._head(stream, epoch)[0]

    def streams(self) -> dict[str, int]:
        """Return each stream with its newest epoch."""
        newest: dict[str, int] = {}
        for stream, epoch in self._heads:
            newest[stream] = max(epoch, newest.get(stream, 0))
        return newest

    def note(self, name: str, value: bytes | None = None) -> bytes | None:
        """Store `value` under `name` durably, or return what is stored; JournalFull."""
        revision, stored = self._note(name)
        if value is None or value == stored:
            return stored
        proof = chain.note(name, revision + 1, value)
        self._commit(
            "INSERT OR REPLACE INTO notes VALUES (?, ?, ?, ?)", [(name, revision + 1, value, proof)]
        )
        self._witness(notes=1)
        return value

    def close(self) -> None:
        """Let go of file and lock."""
        self._db.close()
        self._lock.close()

    def _head(self, stream: str, epoch: int) -> tuple[int, bytes]:
        return self._heads.get((stream, epoch)) or (0, chain.start(stream, epoch))

    def _note(self, name: str) -> tuple[int, bytes | None]:
        query = "SELECT revision, value FROM notes WHERE name = ?"
        row = self._db.execute(query, (name,)).fetchone()
        return (0, None) if row is None else (int(row[0]), bytes(row[1]))

    def _commit(self, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        try:
            with self._db:
                self._db.executemany(statement, rows)
        except sqlite3.OperationalError as error:
            raise JournalFull(
                f"{self.path}: cannot be written ({error}); free some space or mend the disk"
            ) from error

    def _witness(self, events: int = 0, notes: int = 0) -> None:
        self._held = Witness(self._held.events + events, self._held.notes + notes)
        self._lock.note(self._held)

    def _connected(self) -> sqlite3.Connection:
        try:
            return connected(self.path)
        except OSError as error:
            raise UserError(f"{self.path}: cannot be written ({error.strerror})") from error
        except BROKEN as error:
            raise damaged(self.path, str(error)) from error
