"""Owns the tables of the journal file and the ways to open it, for one writer or for readers."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from firmware_py.journal.store import Record

FILE = "journal.sqlite3"
BROKEN = (sqlite3.DatabaseError, UnicodeDecodeError)  # what a damaged file may raise
SCHEMA = """
CREATE TABLE IF NOT EXISTS events (
  id INTEGER PRIMARY KEY,
  stream TEXT NOT NULL, epoch INTEGER NOT NULL, number INTEGER NOT NULL,
  payload BLOB NOT NULL, chain BLOB NOT NULL,
  UNIQUE (stream, epoch, number)
);
CREATE TABLE IF NOT EXISTS notes (
  name TEXT PRIMARY KEY, revision INTEGER NOT NULL, value BLOB NOT NULL, hash BLOB NOT NULL
);
"""
_ALL = "SELECT stream, epoch, number, payload, chain FROM events ORDER BY stream, epoch, number"


def connected(path: Path) -> sqlite3.Connection:
    """Open the file for its writer, made first if need be: every commit is synced."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # it holds personal data
    db = sqlite3.connect(path, check_same_thread=False)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.executescript(SCHEMA)
    except BROKEN:
        db.close()
        raise
    return db


def reading(path: Path) -> "closing[sqlite3.Connection]":
    """Open the file without changing it or its log; a writer may be at work meanwhile."""
    sealed = "" if os.access(path.parent, os.W_OK) else "&immutable=1"  # a read-only medium
    return closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro{sealed}", uri=True))


def all_records(db: sqlite3.Connection) -> Iterator[Record]:
    """Yield all records, stream by stream, in order of their numbers (F043), never of a clock."""
    for row in db.execute(_ALL):
        yield Record(*row)
