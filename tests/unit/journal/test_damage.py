"""A cut or spoilt journal: it is never run on or changed, and repair saves what is whole (F073)."""

import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_py.errors import UserError
from firmware_py.journal.repair import LOST, write_copy
from firmware_py.journal.salvage import salvage
from firmware_py.journal.sqlite import FILE, JournalDamaged, SqliteJournal
from tests.unit.journal.nights import EACH, TABLE, TOURNAMENT, copied, fill, octets, payload

WAL = f"{FILE}-wal"
TRIALS = 100


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal whose log has gone into the file."""
    directory = tmp_path_factory.mktemp("closed")
    fill(directory).close()
    return directory


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal whose events are all still in the log, as after kill -9."""
    directory = tmp_path_factory.mktemp("logged")
    journal = fill(directory)
    copy = copied(directory, tmp_path_factory.mktemp("copies") / "logged")
    journal.close()
    return copy


def cut(octets: bytes, at: int, chance: random.Random) -> bytes:
    return octets[:at]


def overwritten(octets: bytes, at: int, chance: random.Random) -> bytes:
    spoilt = chance.randbytes(chance.choice((1, 16, 700)))
    return (octets[:at] + spoilt + octets[at + len(spoilt) :])[: len(octets)]


@pytest.mark.parametrize("spoil", [cut, overwritten])
@pytest.mark.parametrize(("kind", "name"), [("closed", FILE), ("logged", WAL)])
def test_f073_no_damage_is_run_on_and_repair_keeps_every_whole_event(
    kind: str,
    name: str,
    spoil: Callable[[bytes, int, random.Random], bytes],
    request: pytest.FixtureRequest,
    tmp_path: Path,
) -> None:
    whole = request.getfixturevalue(kind)
    chance = random.Random(f"{kind} {spoil.__name__}")
    refused = 0
    for trial in range(TRIALS):
        directory = copied(whole, tmp_path / str(trial))
        sound = (directory / name).read_bytes()
        (directory / name).write_bytes(spoil(sound, chance.randrange(len(sound)), chance))
        refused += opened_or_refused(directory)
        shutil.rmtree(directory)
    assert refused >= (TRIALS if spoil is cut else TRIALS // 2)


def opened_or_refused(directory: Path) -> bool:
    """Check one spoilt journal; return whether it was refused."""
    before = octets(directory)
    damage = refusal(directory)
    if damage is not None:
        assert octets(directory) == before
        found = salvage(directory / FILE)
        assert ("the last good event is" in str(damage)) == bool(found.whole)
        assert_repaired(directory, found.kept, found.dropped)
        return True
    journal = SqliteJournal(directory)  # the damage hit nothing of ours
    for stream, base in ((TOURNAMENT, 0), (TABLE, 1000)):
        stored = [record.payload for record in journal.read(*stream)]
        assert stored == [payload(base + n) for n in range(1, EACH + 1)]
    assert journal.note("timebase") == b"7"
    journal.close()
    return False


def refusal(directory: Path) -> JournalDamaged | None:
    try:
        SqliteJournal(directory).close()
    except JournalDamaged as error:
        return error
    return None


def assert_repaired(directory: Path, kept: int, dropped: int) -> None:
    found = salvage(directory / FILE)
    copy = directory / "copy"
    copy.mkdir()
    write_copy(found, copy / FILE)
    assert kept + dropped == 2 * EACH
    journal = SqliteJournal(copy)
    stored = 0
    for stream, base in ((TOURNAMENT, 0), (TABLE, 1000)):
        for record in journal.read(*stream):
            assert record.payload in (LOST, payload(base + record.number))
            stored += record.payload != LOST
    assert stored == kept
    journal.close()


def test_f073_an_event_spoilt_in_the_middle_is_named_and_the_rest_is_kept(
    closed: Path, tmp_path: Path
) -> None:
    directory = copied(closed, tmp_path / "copy")
    with sqlite3.connect(directory / FILE) as db:
        db.execute(
            "UPDATE events SET payload = 'forged' WHERE stream = ? AND number = 7", ["table/3"]
        )
        db.execute("UPDATE events SET payload = CAST(payload AS BLOB)")
    db.close()
    with pytest.raises(JournalDamaged, match="table/3, epoch 2: the chain breaks at number 7"):
        SqliteJournal(directory)
    found = salvage(directory / FILE)
    assert found.gaps == {TABLE: [7]}
    assert (found.kept, found.dropped) == (2 * EACH - 1, 1)


def test_a_spoilt_hash_is_mended_by_the_event_behind_it(closed: Path, tmp_path: Path) -> None:
    directory = copied(closed, tmp_path / "copy")
    with sqlite3.connect(directory / FILE) as db:
        db.execute("UPDATE events SET chain = zeroblob(32) WHERE stream = 'table/3' AND number = 7")
    db.close()
    with pytest.raises(JournalDamaged, match="breaks at number 7"):
        SqliteJournal(directory)
    assert salvage(directory / FILE).dropped == 0


def test_a_row_that_is_gone_takes_only_its_neighbour_along(closed: Path, tmp_path: Path) -> None:
    directory = copied(closed, tmp_path / "copy")
    with sqlite3.connect(directory / FILE) as db:
        db.execute("PRAGMA secure_delete = ON")
        db.execute("DELETE FROM events WHERE stream = 'tournament' AND number = 9")
    db.close()
    with pytest.raises(JournalDamaged, match=r"number 9 is missing before 10; .* number 8\."):
        SqliteJournal(directory)
    assert salvage(directory / FILE).gaps == {TOURNAMENT: [9, 10]}


def test_a_journal_that_is_gone_or_empty_is_a_loss(closed: Path, tmp_path: Path) -> None:
    gone = copied(closed, tmp_path / "gone")
    (gone / FILE).unlink()
    with pytest.raises(JournalDamaged, match="it is gone"):
        SqliteJournal(gone)
    empty = copied(closed, tmp_path / "empty")
    (empty / FILE).write_bytes(b"")
    with pytest.raises(JournalDamaged, match="80 of its acknowledged records are missing"):
        SqliteJournal(empty)


def test_a_crash_before_the_first_commit_is_no_loss(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"")
    (tmp_path / "journal.lock").write_bytes(b"")
    journal = SqliteJournal(tmp_path)
    assert journal.streams() == {}
    journal.close()


def test_a_spoilt_note_is_damage(closed: Path, tmp_path: Path) -> None:
    directory = copied(closed, tmp_path / "copy")
    with sqlite3.connect(directory / FILE) as db:
        db.execute("UPDATE notes SET value = x'38'")
    db.close()
    with pytest.raises(JournalDamaged, match="note 'timebase' does not match"):
        SqliteJournal(directory)


def test_a_lost_note_is_damage(logged: Path, tmp_path: Path) -> None:
    directory = copied(logged, tmp_path / "copy")
    log = (directory / WAL).read_bytes()
    (directory / WAL).write_bytes(log[: -(4096 + 24)])  # the last commit wrote the note
    with pytest.raises(JournalDamaged, match="acknowledged records are missing"):
        SqliteJournal(directory)


def test_a_second_writer_is_told_in_one_sentence(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path)
    with pytest.raises(UserError, match="another tableside program is using this state directory"):
        SqliteJournal(tmp_path)
    journal.close()
    SqliteJournal(tmp_path).close()


def test_no_directory_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no journal can be kept here"):
        SqliteJournal(tmp_path / "nowhere")
