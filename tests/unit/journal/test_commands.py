"""`tableside journal`: what a TD reads, the exit codes, and that nothing is overwritten."""

import csv
import io
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_py.cli import main
from firmware_py.core.codec import decode, encode
from firmware_py.core.events import (
    AttemptRefused,
    ClockPaused,
    ClockStarted,
    Event,
    HandLatched,
    TimeChanged,
    TournamentOpened,
    Unknown,
)
from firmware_py.core.profile import HOUSE
from firmware_py.core.structure import Break, Level, Structure
from firmware_py.journal.repair import LOST
from firmware_py.journal.sqlite import FILE, SqliteJournal

MINUTE = 60_000_000_000
BEGIN = 1_792_861_200_000_000_000  # 2026-10-24 17:00 UTC, 19:00 in Berlin
SEGMENTS = (
    Level(number=1, small_blind=50, big_blind=100, seconds=1200),
    Break(seconds=600, remove=(25,)),
    Level(number=2, small_blind=100, big_blind=200, seconds=1200),
)
PLAN = Structure(name="short", segments=SEGMENTS, chips=(25, 100), start_chips=1000)


def opened(name: str = "Main 5/6: Fri?") -> Event:
    return TournamentOpened(
        at_ns=BEGIN, actor="td", name=name, structure=PLAN, profile=HOUSE, tables=2,
        zone="Europe/Berlin",
    )  # fmt: skip


def night() -> list[Event]:
    at = {"actor": "td"}
    return [
        opened(),
        ClockStarted(at_ns=BEGIN, effective_ns=BEGIN, revision=1, **at),
        ClockPaused(at_ns=BEGIN + MINUTE, effective_ns=BEGIN + MINUTE, revision=2, **at),
        TimeChanged(
            at_ns=BEGIN + 2 * MINUTE, effective_ns=BEGIN + 2 * MINUTE, revision=3, delta_s=-60, **at
        ),
        AttemptRefused(at_ns=BEGIN + 3 * MINUTE, actor="=1+1", command="+SUM(A1)", code="no"),
    ]


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    place = tmp_path / "state"
    place.mkdir()
    journal = SqliteJournal(place)
    journal.append("tournament", 1, 1, [encode(event) for event in night()])
    latched = HandLatched(
        at_ns=BEGIN + MINUTE, actor="table/2", hand=1, segment=0, revision=1, correct_blinds=False
    )
    journal.append("table/2", 1, 1, [encode(latched)])
    journal.append("desk", 1, 1, [b"private"])
    journal.close()
    return place


def spoil(directory: Path, statement: str) -> None:
    db = sqlite3.connect(directory / FILE)
    with db:
        db.execute(statement)
    db.close()


Said = Callable[[], tuple[str, str]]


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    return lambda: tuple(capsys.readouterr())  # type: ignore[return-value]


def test_verify_names_each_stream_and_its_head(directory: Path, said: Said) -> None:
    assert main(["journal", "verify", str(directory)]) == 0
    out, _ = said()
    assert [line.split(":")[0] for line in out.splitlines()] == [
        "desk, epoch 1",
        "table/2, epoch 1",
        "tournament, epoch 1",
        "7 events in 3 streams",
    ]


def test_verify_works_while_a_master_writes(directory: Path, said: Said) -> None:
    journal = SqliteJournal(directory)
    journal.append("tournament", 1, 6, [encode(opened())])
    assert main(["journal", "verify", str(directory)]) == 0
    assert "8 events" in said()[0]
    journal.close()


def test_verify_names_the_break_by_number_and_ends_with_1(directory: Path, said: Said) -> None:
    spoil(directory, "UPDATE events SET payload = x'00' WHERE stream = 'tournament' AND number = 3")
    assert main(["journal", "verify", str(directory)]) == 1
    out, err = said()
    assert "tournament, epoch 1: 4 whole events; damaged or missing: number 3" in out
    assert (
        "the chain breaks at number 3; the last good event is tournament, epoch 1, number 2" in err
    )


def test_export_gives_one_json_object_per_event_and_nothing_private(
    directory: Path, said: Said
) -> None:
    assert main(["journal", "export", str(directory)]) == 0
    rows = [json.loads(line) for line in said()[0].splitlines()]
    assert [(row["stream"], row["number"], row["type"]) for row in rows[:3]] == [
        ("table/2", 1, "HandLatched"),
        ("tournament", 1, "TournamentOpened"),
        ("tournament", 2, "ClockStarted"),
    ]
    assert rows[3]["time"] == "2026-10-24T17:01:00.000Z"
    assert "desk" not in {row["stream"] for row in rows}


def test_f077_no_cell_becomes_a_formula(directory: Path, said: Said) -> None:
    assert main(["journal", "export", "--csv", str(directory)]) == 0
    *_, last = csv.DictReader(io.StringIO(said()[0]))
    assert last["actor"] == "'=1+1"
    assert json.loads(last["details"])["command"] == "+SUM(A1)"


def test_f076_the_export_has_a_name_for_any_system_and_replaces_nothing(
    directory: Path, tmp_path: Path, said: Said
) -> None:
    for ending in ("2026-10-24.csv", "2026-10-24-2.csv"):
        assert main(["journal", "export", "--csv", "--out", str(tmp_path), str(directory)]) == 0
        assert said()[0].strip() == str(tmp_path / f"main-5-6-fri-{ending}")
    assert main(["journal", "export", "--out", str(tmp_path / "no"), str(directory)]) == 2
    assert "cannot be written" in said()[1]


def test_replay_tells_event_by_event_where_the_clock_stands(directory: Path, said: Said) -> None:
    assert main(["journal", "replay", str(directory)]) == 0
    lines = said()[0].splitlines()
    assert lines[0] == "tournament, epoch 1"
    assert lines[2:5] == [
        "     2  2026-10-24 19:00:00  clock started by td: level 1, 50/100, running, 20:00 left",
        "     3  2026-10-24 19:01:00  clock paused by td: level 1, 50/100, paused, 19:00 left",
        "     4  2026-10-24 19:02:00  time changed (delta s -60) by td: "
        "level 1, 50/100, paused, 18:00 left",
    ]
    assert "     1  cannot be read" in lines
    assert lines[-1].endswith(
        "hand latched (hand 1, segment 0, correct blinds False) by table/2: level 1, 50/100"
    )


def test_repair_leaves_a_sound_journal_alone(directory: Path, said: Said) -> None:
    assert main(["journal", "repair", str(directory)]) == 0
    assert "all 7 events are sound, nothing to repair" in said()[0]
    assert not list(directory.glob("journal-repaired*"))


def test_repair_writes_a_copy_and_never_touches_the_original(directory: Path, said: Said) -> None:
    spoil(directory, "UPDATE events SET payload = x'00' WHERE stream = 'tournament' AND number = 3")
    before = (directory / FILE).read_bytes()
    for n in (1, 2):
        assert main(["journal", "repair", str(directory)]) == 0
        assert f"journal-repaired-{n}.sqlite3: 6 whole events kept, 1 dropped" in said()[0]
    assert (directory / FILE).read_bytes() == before


def test_repair_use_puts_the_copy_in_place_and_keeps_the_original(
    directory: Path, said: Said
) -> None:
    spoil(directory, "UPDATE events SET payload = x'00' WHERE stream = 'tournament' AND number = 3")
    before = (directory / FILE).read_bytes()
    assert main(["journal", "repair", "--use", str(directory)]) == 0
    assert (directory / "journal-damaged-1.sqlite3").read_bytes() == before
    journal = SqliteJournal(directory)
    payloads = [record.payload for record in journal.read("tournament", 1)]
    journal.close()
    assert payloads[2] == LOST
    assert [decode(p) for n, p in enumerate(payloads) if n != 2] == [
        event for n, event in enumerate(night()) if n != 2
    ]
    said()
    assert main(["journal", "replay", str(directory)]) == 0
    assert "event lost (of a newer version, without effect) by journal repair" in said()[0]


def test_what_stands_for_a_lost_event_has_no_effect() -> None:
    event = decode(LOST)
    assert isinstance(event, Unknown)
    assert encode(event) == LOST


def test_repair_of_a_running_masters_journal_is_refused(directory: Path, said: Said) -> None:
    journal = SqliteJournal(directory)
    assert main(["journal", "repair", str(directory)]) == 2
    assert "another tableside program" in said()[1]
    journal.close()


@pytest.mark.parametrize("command", ["verify", "export", "replay", "repair"])
def test_a_directory_without_a_journal_is_one_sentence(
    command: str, tmp_path: Path, said: Said
) -> None:
    assert main(["journal", command, str(tmp_path)]) == 2
    assert "holds no journal" in said()[1]
    assert list(tmp_path.iterdir()) == []
