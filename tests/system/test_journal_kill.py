"""An acknowledged event survives kill -9, and the killed writer's lock is free at once."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_py.errors import UserError
from firmware_py.journal.sqlite import SqliteJournal

ROOT = Path(__file__).parents[2]
KILLS = 20

pytestmark = pytest.mark.system


def writer(directory: Path) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "tests.system.journal_writer", str(directory)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT)


def acknowledged(process: "subprocess.Popen[bytes]", at_least: int) -> int:
    """Read so many numbers, kill the writer in the midst of its work, return the last it said."""
    assert process.stdout is not None
    said = [process.stdout.readline() for _ in range(at_least)]
    process.kill()
    said += [line for line in process.stdout if line.endswith(b"\n")]
    process.wait()
    process.stdout.close()
    return int(said[-1]) if said else 0


def test_f073_no_acknowledged_event_is_lost_by_kill_9(tmp_path: Path) -> None:
    chance, least = random.Random(1), 0
    for _ in range(KILLS):
        process = writer(tmp_path)
        least = max(least, acknowledged(process, chance.randrange(1, 60)))
        journal = SqliteJournal(tmp_path)
        stored = journal.read("tournament", 1)
        journal.close()
        assert len(stored) >= least
        assert all(r.payload == f"event {r.number}".encode() * (r.number % 200 + 1) for r in stored)
    assert least > KILLS


def test_the_lock_holds_between_processes(tmp_path: Path) -> None:
    process = writer(tmp_path)
    assert process.stdout is not None
    process.stdout.readline()
    with pytest.raises(UserError, match="another tableside program"):
        SqliteJournal(tmp_path)
    acknowledged(process, 0)
    SqliteJournal(tmp_path).close()
