"""Owns the proof of a journal file: SQLite's own check, every chain, every note, and the witness.

All of it is read-only, so a file that fails is left exactly as it was found. A chain that breaks
is named by stream, epoch and number.
"""

import sqlite3
from dataclasses import dataclass, field
from pathlib import Path

from firmware_py.errors import UserError
from firmware_py.journal import chain
from firmware_py.journal.lock import Witness
from firmware_py.journal.rows import BROKEN, all_records, reading
from firmware_py.journal.salvage import salvage
from firmware_py.journal.store import Record

Stream = tuple[str, int]  # its name and epoch


class JournalDamaged(UserError):
    """The file cannot be trusted: says which event is the last good one, and what to do."""


@dataclass(slots=True)
class Proof:
    """What a sound file holds: last number and hash of each chain, and how often notes changed."""

    heads: dict[Stream, tuple[int, bytes]] = field(default_factory=dict)
    notes: int = 0

    @property
    def held(self) -> Witness:
        """How much there is."""
        return Witness(sum(last for last, _ in self.heads.values()), self.notes)


def prove(path: Path, witness: Witness) -> Proof:
    """Return the heads of a sound file, empty when nothing was ever stored; JournalDamaged."""
    if not path.exists():
        if any(witness):
            raise damaged(path, "it is gone")
        return Proof()
    _readable(path)
    try:
        proof = _proved(path)
    except BROKEN as error:
        raise damaged(path, str(error)) from error
    missing = [most - held for most, held in zip(witness, proof.held, strict=True) if most > held]
    if missing:
        raise damaged(path, f"{missing[0]:,} of its acknowledged records are missing")
    return proof


def damaged(path: Path, found: str) -> JournalDamaged:
    """Return what to say about a damaged file: the last good event, and what to do."""
    return JournalDamaged(
        f"{path}: the file is damaged ({found.strip().splitlines()[-1]}); "
        f"{salvage(path).good_words()}. Run: tableside journal repair {path.parent}"
    )


def _readable(path: Path) -> None:
    try:
        path.open("rb").close()
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from error


def _proved(path: Path) -> Proof:
    with reading(path) as db:
        (found,) = db.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok":
            raise damaged(path, str(found))
        if not db.execute("SELECT 1 FROM sqlite_schema").fetchone():
            if salvage(path).kept:
                raise damaged(path, "its tables are gone")
            return Proof()  # a crash came before the first commit
        return Proof(_heads(path, db), _notes(path, db))


def _heads(path: Path, db: sqlite3.Connection) -> dict[Stream, tuple[int, bytes]]:
    heads: dict[Stream, tuple[int, bytes]] = {}
    for record in all_records(db):
        key = (record.stream, record.epoch)
        last, head = heads.get(key) or (0, chain.start(*key))
        if problem := _break(record, last, head):
            where = f"{record.stream}, epoch {record.epoch}"
            raise JournalDamaged(
                f"{path}: {where}: {problem}; the last good event is {where}, number {last}. "
                f"Run: tableside journal repair {path.parent}"
            )
        heads[key] = (record.number, record.chain)
    return heads


def _break(record: Record, last: int, head: bytes) -> str:
    if record.number != last + 1:
        return f"number {last + 1} is missing before {record.number}"
    linked = chain.link(head, record.stream, record.epoch, record.number, record.payload)
    return "" if linked == record.chain else f"the chain breaks at number {record.number}"


def _notes(path: Path, db: sqlite3.Connection) -> int:
    writings = 0
    for name, revision, value, proof in db.execute("SELECT * FROM notes"):
        if chain.note(str(name), int(revision), bytes(value)) != proof:
            raise damaged(path, f"the note {name!r} does not match its hash")
        writings += int(revision)
    return writings
