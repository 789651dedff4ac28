"""The planned start, also on the nights when the clocks change."""

from pathlib import Path

import pytest

from tests.unit.event.files import GOOD, complaints, loaded, written


def event(start: str, directory: Path) -> Path:
    return written(directory, GOOD.replace('"2026-10-24 19:00"', start))


@pytest.mark.parametrize(
    ("start", "instant"),
    [
        ('"2026-10-24 19:00"', "2026-10-24T19:00:00+02:00"),
        ('" 2026-10-24T19:00:30 "', "2026-10-24T19:00:30+02:00"),
        ("2026-10-24 19:00:00", "2026-10-24T19:00:00+02:00"),
        ("2026-10-24T19:00:00+02:00", "2026-10-24T19:00:00+02:00"),
        ('"2026-12-24 19:00+01:00"', "2026-12-24T19:00:00+01:00"),
    ],
)
def test_a_start_is_written_in_any_of_these_ways(tmp_path: Path, start: str, instant: str) -> None:
    read = loaded(event(start, tmp_path)).start
    assert read is not None
    assert read.isoformat() == instant


@pytest.mark.parametrize("start", ['"Saturday"', '"2026-10-24"', "2026-10-24", "19:00:00", "7"])
def test_anything_else_is_no_start(tmp_path: Path, start: str) -> None:
    (said,) = complaints(event(start, tmp_path))
    assert said.endswith('allowed: date and time, such as "2026-10-24 19:00"')


def test_f037_in_the_hour_shown_twice_it_asks_which_of_the_two(tmp_path: Path) -> None:
    assert complaints(event('"2026-10-25 02:30"', tmp_path)) == [
        "event.toml, line 2: start is shown twice by the clock that day; allowed: "
        '"2026-10-25 02:30+0200" (CEST) or "2026-10-25 02:30+0100" (CET)'
    ]


@pytest.mark.parametrize(("offset", "utc"), [("+0200", "00:30"), ("+0100", "01:30")])
def test_f037_either_answer_is_one_start(tmp_path: Path, offset: str, utc: str) -> None:
    start = loaded(event(f'"2026-10-25 02:30{offset}"', tmp_path)).start
    assert start is not None
    assert start.utctimetuple()[3:5] == tuple(map(int, utc.split(":")))


def test_a_time_that_the_clock_leaves_out_is_refused(tmp_path: Path) -> None:
    assert complaints(event('"2026-03-29 02:30"', tmp_path)) == [
        "event.toml, line 2: start is left out by the clock that day; allowed: "
        '"2026-03-29 03:30+0200" (CEST) or "2026-03-29 01:30+0100" (CET)'
    ]


def test_an_offset_that_the_zone_does_not_have_is_refused(tmp_path: Path) -> None:
    (said,) = complaints(event('"2026-10-24 19:00+05:00"', tmp_path))
    assert said.endswith('allowed: "2026-10-24 19:00+0200" (CEST) in Europe/Berlin')


@pytest.mark.parametrize("zone", ["Berlin", "../etc/passwd", "Europe", "/etc/localtime"])
def test_an_unknown_zone_is_refused(tmp_path: Path, zone: str) -> None:
    (said,) = complaints(written(tmp_path, GOOD.replace("Europe/Berlin", zone)))
    assert f'line 3: zone is "{zone}"' in said
