"""The frequency from the last run: kept for this board only, and never trusted beyond 500 ppm."""

from pathlib import Path

import pytest

from sync.frequency_file import board_id, load, save


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "frequency"


def test_what_is_saved_is_loaded_and_no_scrap_stays(file: Path) -> None:
    assert save(file, "board-a", -38_900)
    assert load(file, "board-a") == -38_900
    assert list(file.parent.iterdir()) == [file]


def test_l043_another_boards_frequency_is_ignored(file: Path) -> None:
    save(file, "board-a", -38_900)
    assert load(file, "board-b") is None


@pytest.mark.parametrize("ppb", [1_274_000, -1_274_000, 500_001])
def test_s016_a_frequency_out_of_range_is_ignored(file: Path, ppb: int) -> None:
    save(file, "board-a", ppb)
    assert load(file, "board-a") is None


@pytest.mark.parametrize(
    "text", ["", "\0\0", "[]", "7", '{"ppb": 5}', '{"board": "board-a", "ppb": "5"}', "{", "\xff"]
)
def test_a_damaged_file_is_as_good_as_none(file: Path, text: str) -> None:
    file.write_text(text, encoding="latin-1")
    assert load(file, "board-a") is None


def test_no_file_and_no_directory_are_no_errors(tmp_path: Path) -> None:
    assert load(tmp_path / "frequency", "board-a") is None
    assert not save(tmp_path / "away" / "frequency", "board-a", 5)


def test_the_board_is_named_by_the_first_file_that_says_something(tmp_path: Path) -> None:
    empty, serial = tmp_path / "empty", tmp_path / "serial"
    empty.write_text("\0", encoding="ascii")
    serial.write_text("10000000abcdef01\0", encoding="ascii")
    assert board_id((tmp_path / "away", empty, serial)) == "10000000abcdef01"
    assert board_id((tmp_path / "away",)) == ""
