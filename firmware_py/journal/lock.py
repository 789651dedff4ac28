"""Owns the writer's lock, and the witness of how much was committed.

The kernel frees the lock when its holder dies. The witness is written behind each commit and never
ahead of it: a journal that holds less than its witness has lost what was acknowledged, even when
SQLite finds nothing wrong with a log that was cut at a seam. It may lag after a power cut.
"""

import fcntl
import os
from pathlib import Path
from typing import NamedTuple

from firmware_py.errors import UserError

LOCK_FILE = "journal.lock"


class Witness(NamedTuple):
    """What was committed at least: how many events, how many writings of notes."""

    events: int = 0
    notes: int = 0


class WriterLock:
    """Holds `directory` for one writer until closed or the process ends."""

    def __init__(self, directory: Path) -> None:
        """Take the lock; UserError when another program has it or nothing can be kept here."""
        try:
            self._handle = os.open(directory / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise UserError(
                f"{directory}: no journal can be kept here ({error.strerror}); "
                "make the directory, or name another one"
            ) from error
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._handle)
            raise UserError(
                f"{directory}: another tableside program is using this state directory; "
                "stop it, or name another directory with --state"
            ) from error

    def note(self, witness: Witness) -> None:
        """Remember what is committed; not synced, so that it costs microseconds."""
        os.pwrite(self._handle, b"%020d %020d\n" % witness, 0)

    def close(self) -> None:
        """Let the next writer in."""
        os.close(self._handle)


def read_witness(directory: Path) -> Witness:
    """Return what was committed at least; nothing when it was never noted or is unreadable."""
    try:
        events, notes = (directory / LOCK_FILE).read_bytes().split()
        return Witness(int(events), int(notes))
    except (OSError, ValueError):
        return Witness()
