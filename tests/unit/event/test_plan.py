"""The printed plan, as a tournament director reads it."""

from pathlib import Path

from firmware_py.event.plan import plan_lines
from tests.unit.event.files import GOOD, loaded, written

SHORT = """[structure]
name = "Short"
chips = [25, 100]
start_chips = 1000
rebuy_until = 20
segments = [
  { blinds = "50/100", minutes = 20 },
  { break = "Supper", minutes = 10, remove = [25], addon = true },
  { blinds = "100/200", minutes = 15 },
]
"""


def plan(directory: Path, start: str, rest: str = "") -> list[str]:
    text = GOOD.replace('structure = "main"\n', "").replace('"2026-10-24 19:00"', start)
    return plan_lines(loaded(written(directory, text + rest + SHORT)))


def test_a_whole_plan(tmp_path: Path) -> None:
    assert plan(tmp_path, '"2026-10-24 19:00"', "[prices]\nentry = 12.5\n") == [
        "Charity night",
        "Saturday 24 October 2026, 19:00 CEST (Europe/Berlin)",
        "10 tables, 11 seats each; profile house",
        "Short: 1,000 chips to start with, in 25, 100",
        "Prices in EUR: entry 12.50, fee 10, rebuy 50, add-on 100",
        "",
        "Level   Blinds  Min  From   To",
        "    1   50/100   20  19:00  19:20",
        "break            10  19:20  19:30  Supper; add-on; colour up 25s",
        "    2  100/200   15  19:30  19:45",
        "",
        "Total 0:45, of which breaks 0:10; the last level ends at 19:45 CEST",
        "Rebuys for the first 0:20 of play (breaks do not count)",
    ]


def test_f035_over_the_change_of_clocks_both_zone_names_are_shown(tmp_path: Path) -> None:
    lines = plan(tmp_path, '"2026-10-25 02:30+02:00"')
    assert lines[6:10] == [
        "Level   Blinds  Min  From        To",
        "    1   50/100   20  02:30 CEST  02:50 CEST",
        "break            10  02:50 CEST  02:00 CET  Supper; add-on; colour up 25s",
        "    2  100/200   15  02:00 CET   02:15 CET",
    ]
    assert "The clocks change during the night: mind the names behind the times" in lines


def test_f035_a_level_that_begins_at_2_50_ends_at_2_10_winter_time(tmp_path: Path) -> None:
    first = plan(tmp_path, '"2026-10-25 02:50+02:00"')[7]
    assert first == "    1   50/100   20  02:50 CEST  02:10 CET"


def test_midnight_is_marked(tmp_path: Path) -> None:
    lines = plan(tmp_path, '"2026-10-24 23:35"')
    assert lines[8:11] == [
        "break            10  23:55  00:05  Supper; add-on; colour up 25s",
        "       Sunday 25 October 2026",
        "    2  100/200   15  00:05  00:20",
    ]
    assert lines[12].endswith("the last level ends at 00:20 CEST on Sunday")


def test_without_a_start_times_count_from_the_first_deal(tmp_path: Path) -> None:
    text = GOOD.replace('start = "2026-10-24 19:00"\n', "")
    lines = plan_lines(loaded(written(tmp_path, text)))
    assert lines[1] == "No start is planned: times count from the first deal"
    assert "    1           50/100   20  0:00  0:20" in lines
    assert lines[-2] == "Total 6:50, of which breaks 0:35"


def test_a_profile_that_is_not_the_filed_one_is_shown(tmp_path: Path) -> None:
    lines = plan_lines(loaded(written(tmp_path, GOOD + 'profile = "tda"\n')))
    assert lines[2].startswith("10 tables, 11 seats each; profile tda (")
    assert lines[2].endswith(") DEVIATES in hand_start")
