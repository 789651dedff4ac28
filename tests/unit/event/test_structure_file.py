"""Blind structures: the two that come with the product, a file beside the event, or inline."""

import json
from pathlib import Path
from typing import Any

import pytest

from firmware_py.core.structure import Break, Level, Structure, check
from firmware_py.event.structure_file import BUILT_IN, load_structure
from tests.unit.event.files import GOOD, complaints, loaded, written

CASES = Path(__file__).parents[2] / "cases" / "data" / "structures.json"
SHORT = """chips = [25, 100]
start_chips = 1000
segments = [
  { blinds = "50/100", minutes = 20 },
  { break = "Supper", minutes = 10, remove = [25] },
  { blinds = "100/200", minutes = 15 },
]
"""


def structure(text: str, directory: Path) -> Structure | list[str]:
    written(directory, text, "own.toml")
    read = load_structure("own.toml", directory)
    return read if isinstance(read, Structure) else [problem.words for problem in read]


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_filed_structures_are_those_of_the_cases(name: str, tmp_path: Path) -> None:
    filed: dict[str, Any] = json.loads(CASES.read_text())[name]
    read = load_structure(name, tmp_path)
    assert isinstance(read, Structure)
    assert read.start_chips == filed["start_chips"]
    for segment, start_s, row in zip(read.segments, read.starts_s, filed["rows"], strict=True):
        assert segment.seconds == row["minutes"] * 60
        hours, minutes = row["starts"].split(":")
        assert start_s == int(hours) * 3600 + int(minutes) * 60
        if isinstance(segment, Level):
            blinds = (segment.number, segment.small_blind, segment.big_blind)
            assert blinds == (row["level"], row["small_blind"], row["big_blind"])
        else:
            assert [f"{chip:,}s" in row["note"] for chip in segment.remove] == [True] * len(
                segment.remove
            )
            assert segment.remove
    assert check(read) == []


def test_a_structure_file_is_read(tmp_path: Path) -> None:
    read = structure(SHORT, tmp_path)
    assert isinstance(read, Structure)
    assert read.segments == (
        Level(number=1, small_blind=50, big_blind=100, seconds=1200),
        Break(seconds=600, remove=(25,), note="Supper"),
        Level(number=2, small_blind=100, big_blind=200, seconds=900),
    )
    assert read.rebuy_until_s is None


def test_the_same_lines_stand_inline(tmp_path: Path) -> None:
    inline = GOOD.replace('structure = "main"\n', "") + "[structure]\n" + SHORT
    assert loaded(written(tmp_path, inline)).structure == structure(SHORT, tmp_path)


def test_an_event_names_a_file_beside_it_and_its_problems_carry_that_name(tmp_path: Path) -> None:
    written(tmp_path, SHORT, "own.toml")
    event = written(tmp_path, GOOD.replace('"main"', '"own.toml"'))
    assert loaded(event).structure.start_chips == 1000
    written(tmp_path, SHORT.replace("minutes = 15", "minutes = 0"), "own.toml")
    (said,) = complaints(event)
    assert said.startswith("own.toml, line 6: segments row 3, minutes is 0")


def test_f031_a_break_without_a_length_is_refused_with_its_row(tmp_path: Path) -> None:
    assert structure(SHORT.replace("minutes = 10, ", ""), tmp_path) == [
        "own.toml, line 5: segments row 2, minutes is missing; "
        "allowed: a whole number from 1 to 1,440"
    ]


@pytest.mark.parametrize("blinds", ["1200/2400", "1,200/2,400", "1.200 / 2.400", "1 200/2 400"])
def test_blinds_are_written_as_people_write_them(tmp_path: Path, blinds: str) -> None:
    text = f'chips = [100]\nstart_chips = 1\nsegments = [{{ blinds = "{blinds}", minutes = 1 }}]'
    read = structure(text, tmp_path)
    assert isinstance(read, Structure)
    assert (read.levels[0].small_blind, read.levels[0].big_blind) == (1200, 2400)


@pytest.mark.parametrize("blinds", ['"12.5/25"', '"50"', '"-50/100"', "50", '"50/100/200"'])
def test_other_blinds_are_refused(tmp_path: Path, blinds: str) -> None:
    text = f"chips = [25]\nstart_chips = 1\nsegments = [{{ blinds = {blinds}, minutes = 1 }}]"
    (said,) = structure(text, tmp_path)
    assert "segments row 1, blinds is" in said


def test_every_mistake_is_found_in_one_go_also_around_rows_that_cannot_be_read(
    tmp_path: Path,
) -> None:
    text = """chips = [25, 100]
start_chips = 0
rebuy_until = 50
segments = [
  { blinds = "50/100", minutes = 20 },
  { blinds = "75/1a50", minutes = 20 },
  { blinds = "100/5000", minute = 20 },
  { break = "x", remove = [5], minutes = 1 },
  5,
  { blinds = "2000/20000", minutes = 20 },
  { blinds = "9900/20001", minutes = 20 },
  { blinds = "9900/20001", break = "x" },
]
"""
    said = structure(text, tmp_path)
    assert isinstance(said, list)
    assert sorted(words.split("; ")[0].removeprefix("own.toml, line ") for words in said) == sorted(
        [
            "2: start_chips is 0",
            '6: segments row 2, blinds is "75/1a50"',
            "7: segments row 3, minute is unknown",
            "7: segments row 3, minutes is missing",
            "8: segments row 4, remove is 5",
            "9: segments row 5 is 5",
            "11: segments row 7, blinds is big blind 20,001",
            "12: segments row 8 is a level and a break at once",
        ]
    )


def test_a_level_end_off_the_rebuy_limit_is_only_a_warning(tmp_path: Path) -> None:
    inline = GOOD.replace('structure = "main"\n', "") + "[structure]\nrebuy_until = 30\n" + SHORT
    (warning,) = loaded(written(tmp_path, inline)).warnings
    assert "line 6: structure.rebuy_until is 30 minutes of play" in warning.words
