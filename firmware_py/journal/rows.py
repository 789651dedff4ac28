"""Owns the tables of the journal file, and reading them in the order of the chains."""

import sqlite3
from collections.abc import Iterator

from firmware_py.journal import chain
from firmware_py.journal.store import Record

SCHEMA = """
CREATE TABLE IF NOT EXISTS events (
  id INTEGER PRIMARY KEY,
  stream TEXT NOT NULL, epoch INTEGER NOT NULL, number INTEGER NOT NULL,
  payload BLOB NOT NULL, chain BLOB NOT NULL,
  UNIQUE (stream, epoch, number)
);
CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, value BLOB NOT NULL, hash BLOB NOT NULL);
"""


def all_records(db: sqlite3.Connection) -> Iterator[Record]:
    """Yield all records, stream by stream, in order."""
    rows = db.execute(
        "SELECT stream, epoch, number, payload, chain FROM events ORDER BY stream, epoch, number"
    )
    for row in rows:
        yield Record(*row)


def break_in(record: Record, last: int, head: bytes) -> str:
    """Return what is wrong with `record` after number `last` and hash `head`; "" when sound."""
    name = f"{record.stream}, epoch {record.epoch}"
    if record.number != last + 1:
        return f"{name}: number {last + 1} is missing before {record.number}"
    linked = chain.link(head, record.stream, record.epoch, record.number, record.payload)
    return "" if linked == record.chain else f"{name}: the chain breaks at number {record.number}"
