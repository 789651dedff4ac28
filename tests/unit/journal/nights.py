"""A small journal on disk, and ways to spoil it."""

import shutil
from pathlib import Path

from firmware_py.journal.sqlite import FILE, SqliteJournal

TOURNAMENT, TABLE = ("tournament", 1), ("table/3", 2)
EACH = 40


def payload(n: int) -> bytes:
    """Return an event of a size of its own; every fortieth fills more than a page."""
    return f"event {n} ".encode() * (900 if n % 40 == 0 else 3 + n % 12)


def fill(directory: Path) -> SqliteJournal:
    """Write two streams in turns, commit by commit, and leave the journal open."""
    journal = SqliteJournal(directory)
    for n in range(1, EACH + 1):
        journal.append(*TOURNAMENT, n, [payload(n)])
        journal.append(*TABLE, n, [payload(1000 + n)])
    journal.note("timebase", b"7")
    return journal


def copied(directory: Path, target: Path) -> Path:
    """Copy a journal as a power cut would leave it: file, log and witness, no shared memory."""
    target.mkdir()
    for name in (FILE, f"{FILE}-wal", "journal.lock"):
        if (directory / name).exists():
            shutil.copy(directory / name, target / name)
    return target


def octets(directory: Path) -> dict[str, bytes]:
    """Return the journal's file and log as they lie on disk; a log without a byte is none."""
    held = {name: directory / name for name in (FILE, f"{FILE}-wal")}
    return {n: f.read_bytes() for n, f in held.items() if f.exists() and f.stat().st_size}
