"""`tableside event new|check|show`."""

from datetime import date
from pathlib import Path

import pytest

from firmware_py.cli import main
from firmware_py.event.structure_file import load_structure
from firmware_py.event.template import system_zone, template
from tests.unit.event.files import GOOD, loaded, written

Output = pytest.CaptureFixture[str]


@pytest.mark.parametrize(("structure", "tables"), [("main", 10), ("sit_and_go", 1)])
def test_a_new_file_is_in_order_and_holds_the_filed_structure(
    tmp_path: Path, capsys: Output, structure: str, tables: int
) -> None:
    file = tmp_path / "event.toml"
    assert main(["event", "new", str(file), "--structure", structure]) == 0
    assert main(["event", "check", str(file)]) == 0
    assert "is in order" in capsys.readouterr().out
    event = loaded(file)
    assert event.structure == load_structure(structure, tmp_path)
    assert event.tables == tables


def test_a_file_that_is_there_is_only_replaced_by_force(tmp_path: Path, capsys: Output) -> None:
    file = written(tmp_path, "mine")
    assert main(["event", "new", str(file)]) == 2
    assert "is there already; add --force" in capsys.readouterr().err
    assert file.read_text() == "mine"
    assert main(["event", "new", str(file), "--force"]) == 0
    assert file.read_text() != "mine"


def test_a_folder_that_is_not_there_is_one_sentence(tmp_path: Path, capsys: Output) -> None:
    assert main(["event", "new", str(tmp_path / "no" / "event.toml")]) == 2
    assert "cannot be written (No such file or directory)" in capsys.readouterr().err


@pytest.mark.parametrize("day", [date(2026, 10, 18), date(2026, 10, 23), date(2026, 10, 17)])
def test_the_next_saturday_is_proposed(day: date) -> None:
    assert 'start = "2026-10-24 19:00"' in template("main", day, "Europe/Berlin", "event.toml")


def test_the_machines_zone_is_proposed(tmp_path: Path) -> None:
    (tmp_path / "localtime").symlink_to("/usr/share/zoneinfo/Europe/Berlin")
    assert system_zone(tmp_path / "localtime") == "Europe/Berlin"
    assert system_zone(tmp_path / "nothing") == "UTC"


@pytest.mark.parametrize("command", ["check", "show"])
def test_mistakes_go_to_stderr_one_a_line_with_code_2(
    command: str, tmp_path: Path, capsys: Output
) -> None:
    file = written(tmp_path, GOOD.replace("= 10", "= 0") + "seats = 12\n")
    assert main(["event", command, str(file)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert [line.split(";")[0] for line in err.splitlines()] == [
        "event.toml, line 5: tables is 0",
        "event.toml, line 6: seats is 12",
    ]


def test_show_prints_the_plan_and_what_is_worth_a_look(tmp_path: Path, capsys: Output) -> None:
    rows = '[\n  { blinds = "25/50", minutes = 5 },\n]\n'
    off = f"[structure]\nchips = [25]\nstart_chips = 1\nrebuy_until = 7\nsegments = {rows}"
    file = written(tmp_path, GOOD.replace('structure = "main"\n', "") + off)
    assert main(["event", "show", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "    1   25/50    5  19:00  19:05" in lines
    assert lines[-1].startswith("Worth a look: event.toml, line 8: structure.rebuy_until is 7 min")
