"""Owns the journal on disk: SQLite in WAL mode, every commit synced, one writer at a time.

Opening proves the whole file (SQLite's own check and the hash chains); a file that fails is never
run on. What is wrong with it comes as JournalDamaged, and `repair` makes a sound copy.
"""

import fcntl
import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from firmware_py.errors import UserError
from firmware_py.journal import chain
from firmware_py.journal.repair import salvage
from firmware_py.journal.rows import SCHEMA, all_records, break_in
from firmware_py.journal.store import Record, checked

FILE = "journal.sqlite3"
BROKEN = (sqlite3.DatabaseError, UnicodeDecodeError)  # what a damaged file may raise
BEGUN = b"begun\n"  # in the lock file: a journal was here, so an empty one is a loss


class JournalDamaged(UserError):
    """The file cannot be trusted: says which event is the last good one, and what to do."""


class SqliteJournal:
    """The Journal in `directory`; holds the writer's lock until closed or the process ends."""

    def __init__(self, directory: Path) -> None:
        """Open and prove the file; UserError when another writer holds it, JournalDamaged."""
        self.path = directory / FILE
        self._lock = _locked(directory)
        try:
            self._db = self._opened()
        except BaseException:
            os.close(self._lock)
            raise
        try:
            self._heads = self._proved()
        except BROKEN as error:
            self.close()
            raise damage(self.path, str(error)) from error
        except JournalDamaged:
            self.close()
            raise

    def append(self, stream: str, epoch: int, first: int, payloads: Sequence[bytes]) -> int:
        """Store payloads as numbers `first`..; see Journal.append. Durable on return."""
        last, head = self._head(stream, epoch)
        known = [r.payload for r in self.read(stream, epoch, first - 1, len(payloads))]
        rows = []
        for number, payload in checked(last, first, payloads, known):
            head = chain.link(head, stream, epoch, number, payload)
            rows.append((stream, epoch, number, payload, head))
            last = number
        if rows:
            with self._db:
                self._db.executemany(
                    "INSERT INTO events (stream, epoch, number, payload, chain)"
                    " VALUES (?, ?, ?, ?, ?)",
                    rows,
                )
            self._heads[stream, epoch] = (last, head)
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

    def epochs(self) -> list[tuple[str, int]]:
        """Return every (stream, epoch) in order."""
        return sorted(self._heads)

    def note(self, name: str, value: bytes | None = None) -> bytes | None:
        """Store `value` under `name` durably, or return what is stored."""
        if value is not None:
            with self._db:
                self._db.execute(
                    "INSERT INTO notes VALUES (?, ?, ?) ON CONFLICT (name)"
                    " DO UPDATE SET value = excluded.value, hash = excluded.hash",
                    (name, value, chain.note(name, value)),
                )
            return value
        row = self._db.execute("SELECT value FROM notes WHERE name = ?", (name,)).fetchone()
        return None if row is None else bytes(row[0])

    def close(self) -> None:
        """Let go of file and lock."""
        self._db.close()
        os.close(self._lock)

    def _head(self, stream: str, epoch: int) -> tuple[int, bytes]:
        return self._heads.get((stream, epoch)) or (0, chain.start(stream, epoch))

    def _opened(self) -> sqlite3.Connection:
        begun = os.pread(self._lock, len(BEGUN), 0) == BEGUN
        if begun and not (self.path.exists() and self.path.stat().st_size):
            raise damage(self.path, "it is empty or gone")
        try:
            db = _connected(self.path)
        except BROKEN as error:
            raise damage(self.path, str(error)) from error
        if not begun:
            os.pwrite(self._lock, BEGUN, 0)
            os.fsync(self._lock)
        return db

    def _proved(self) -> dict[tuple[str, int], tuple[int, bytes]]:
        """Return the head of each chain; JournalDamaged names the first break."""
        (found,) = self._db.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise damage(self.path, str(found))
        for name, value, proof in self._db.execute("SELECT name, value, hash FROM notes"):
            if chain.note(str(name), bytes(value)) != proof:
                raise damage(self.path, f"the note {name!r} does not match its hash")
        heads: dict[tuple[str, int], tuple[int, bytes]] = {}
        for record in all_records(self._db):
            key = (record.stream, record.epoch)
            last, head = heads.get(key) or (0, chain.start(*key))
            if problem := break_in(record, last, head):
                raise JournalDamaged(
                    f"{self.path}: {problem}; the last good event is "
                    f"{record.stream}, epoch {record.epoch}, number {last}. "
                    f"Run: tableside journal repair {self.path.parent}"
                )
            heads[key] = (record.number, record.chain)
        return heads


def _locked(directory: Path) -> int:
    """Return the handle that holds the writer's lock; the kernel frees it when we die."""
    try:
        handle = os.open(directory / "journal.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise UserError(f"{directory}: no journal can be kept here ({error.strerror})") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(handle)
        raise UserError(
            f"{directory}: another tableside program is using this state directory; "
            "stop it, or name another directory with --state"
        ) from error
    return handle


def damage(path: Path, found: str) -> JournalDamaged:
    """Return what to say about a damaged file: the last good event, and what to do."""
    return JournalDamaged(
        f"{path}: the file is damaged ({found.strip().splitlines()[-1]}); "
        f"{salvage(path).good_words()}. Run: tableside journal repair {path.parent}"
    )


def _connected(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, check_same_thread=False)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.executescript(SCHEMA)
    except BROKEN:
        db.close()
        raise
    return db
