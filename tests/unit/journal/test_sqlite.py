"""The journal on disk: what lies beyond the contract."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware_py.cli import main
from firmware_py.core.codec import encode
from firmware_py.core.events import FloorCalled
from firmware_py.errors import UserError
from firmware_py.journal.sqlite import FILE, JournalFull, SqliteJournal

DAY = 86_400_000_000_000


@contextmanager
def disk_full_at(octets: int) -> Iterator[None]:
    """Let no file of this process grow beyond `octets`."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (octets, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_what_was_acknowledged_is_there_after_reopening(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    journal.append("table/3", 4, 1, [b"hand over"])
    journal.note("timebase", b"7")
    journal.close()
    journal = SqliteJournal(tmp_path)
    assert [record.payload for record in journal.read("table/3", 4)] == [b"hand over"]
    assert journal.note("timebase") == b"7"
    assert journal.append("table/3", 4, 2, [b"blinds"]) == 2
    journal.close()


def test_a_full_disk_stores_nothing_and_is_one_sentence(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    journal.append("tournament", 1, 1, [b"opened"])
    room = sum((tmp_path / name).stat().st_size for name in (FILE, f"{FILE}-wal"))
    with disk_full_at(room), pytest.raises(JournalFull, match="free some space"):
        journal.append("tournament", 1, 2, [bytes(room)])
    assert journal.last("tournament", 1) == 1
    assert journal.append("tournament", 1, 2, [b"started"]) == 2
    journal.close()
    SqliteJournal(tmp_path).close()


def test_f043_a_wall_clock_14_days_behind_does_not_mix_up_the_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = SqliteJournal(tmp_path)
    for number, days in enumerate((20, 20, 6, 6), 1):
        event = FloorCalled(at_ns=days * DAY, actor=f"{number}")
        journal.append("table/1", 1, number, [encode(event)])
    journal.close()
    assert main(["journal", "verify", str(tmp_path)]) == 0
    capsys.readouterr()
    assert main(["journal", "export", "--csv", str(tmp_path)]) == 0
    rows = capsys.readouterr().out.splitlines()[1:]
    assert [row.split(",")[2] for row in rows] == ["1", "2", "3", "4"]


def test_the_file_is_its_owners_alone(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    modes = [(tmp_path / name).stat().st_mode & 0o777 for name in (FILE, f"{FILE}-wal")]
    journal.close()
    assert modes == [0o600, 0o600]


def test_a_place_that_cannot_hold_the_file_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / FILE).symlink_to(tmp_path / "no folder" / FILE)
    with pytest.raises(UserError, match="cannot be written"):
        SqliteJournal(tmp_path)
