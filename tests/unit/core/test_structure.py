"""The shape of a blind structure and its checks (structures.md, invariants)."""

import json
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware_py.core.structure import (
    Break,
    Level,
    Problem,
    Segment,
    Severity,
    Structure,
    check,
    chips_in_play,
    payable,
)
from tests.unit.core.night import DATA, MINUTE, Night, filed, levels, structure


def level(number: int, small: int, big: int, seconds: int = 600) -> Level:
    return Level(number=number, small_blind=small, big_blind=big, seconds=seconds)


def faults(*segments: Segment) -> list[tuple[int, str]]:
    return [(p.row, p.field) for p in check(structure(*segments))]


@pytest.mark.parametrize("name", ["main", "sit_and_go"])
def test_the_default_structures_have_no_problem(name):
    assert check(filed(name)) == []


@pytest.mark.parametrize("name", ["main", "sit_and_go"])
def test_planned_times_are_those_of_the_published_table(name):
    plan = filed(name)
    rows = json.loads(DATA.read_text())[name]["rows"]
    shown = [f"{s // 3600}:{s % 3600 // 60:02}" for s in plan.starts_s]
    assert shown == [row["starts"] for row in rows]
    assert plan.total_s == sum(row["minutes"] for row in rows) * 60


def test_f031_a_break_without_a_length_is_named_by_its_row():
    (problem,) = check(structure(level(1, 50, 100), Break(seconds=0), level(2, 75, 150)))
    assert problem.row == 2
    assert problem.words == "row 2: length is 0 seconds; allowed: 1 second to 24 hours"


def test_f031_a_day_is_the_most():
    assert faults(level(1, 50, 100, 24 * 3600)) == []
    assert faults(level(1, 50, 100, 24 * 3600 + 1)) == [(1, "length")]


@pytest.mark.parametrize(
    ("big", "fault"), [(100, True), (101, True), (125, False), (200, False), (225, True)]
)
def test_the_big_blind_rises_and_at_most_doubles(big, fault):
    found = faults(level(1, 50, 100), level(2, 50, big))
    assert ((2, "big_blind") in found) == fault


@pytest.mark.parametrize(("small", "fault"), [(75, False), (50, False), (100, True)])
def test_the_small_blind_is_at_most_half_rounded_up_to_a_chip(small, fault):
    assert faults(level(1, small, 150)) == ([(1, "small_blind")] if fault else [])


def test_half_of_an_odd_number_of_chips_is_rounded_up():
    assert faults(level(1, 75, 125)) == []
    assert faults(level(1, 100, 125)) == [(1, "small_blind")]


def test_after_a_colour_up_the_blinds_need_the_chips_that_are_left():
    rest = Break(seconds=60, remove=(25,))
    assert faults(level(1, 50, 100), rest, level(2, 75, 150)) == [
        (3, "small_blind"),
        (3, "big_blind"),
    ]
    assert faults(level(1, 50, 100), rest, level(2, 100, 200)) == []


def test_a_chip_is_coloured_up_once_and_never_the_last_one():
    rest = Break(seconds=60, remove=(25,))
    twice = (level(1, 50, 100), rest, level(2, 100, 200), rest, level(3, 200, 400))
    assert faults(*twice) == [(4, "remove")]
    every = Break(seconds=60, remove=(25, 100, 500, 1000, 5000, 25000))
    assert faults(level(1, 50, 100), every, level(2, 100, 200)) == [(2, "remove")]


def test_a_removed_chip_is_still_in_play_during_the_break():
    plan = structure(level(1, 50, 100), Break(seconds=60, remove=(25, 100)), level(2, 75, 150))
    first, rest, after = chips_in_play(plan)
    assert first == rest == plan.chips
    assert after == (500, 1000, 5000, 25000)


def test_levels_are_numbered_without_gaps_and_breaks_do_not_count():
    assert faults(level(1, 50, 100), Break(seconds=60), level(3, 75, 150)) == [(3, "number")]


def test_a_break_stands_between_levels_only():
    assert faults(Break(seconds=60), level(1, 50, 100)) == [(1, "segment")]
    assert faults(level(1, 50, 100), Break(seconds=60)) == [(2, "segment")]


def test_a_structure_without_levels_is_one_problem():
    assert faults() == [(0, "segments")]


def test_all_problems_come_at_once_in_the_order_of_rows():
    bad = structure(level(1, 0, 100), level(5, 75, 90, 0), Break(seconds=-1))
    found = [(p.row, p.field) for p in check(bad)]
    assert found == sorted(found, key=lambda place: place[0])
    assert {(1, "blinds"), (2, "number"), (2, "length"), (2, "big_blind"), (3, "length")} <= set(
        found
    )


@pytest.mark.parametrize(("limit_s", "warned"), [(7200, False), (7201, True), (7260, True)])
def test_a_rebuy_limit_that_is_no_level_s_end_is_a_warning(limit_s, warned):
    problems = check(replace(filed("main"), rebuy_until_s=limit_s))
    assert [p.severity for p in problems] == ([Severity.WARNING] if warned else [])


def test_the_rebuy_limit_is_playing_time_and_leaves_breaks_out():
    assert check(replace(filed("main"), rebuy_until_s=7200 + 900)) == []
    (warning,) = check(replace(filed("main"), rebuy_until_s=7200 + 600))
    assert warning.words.startswith("rebuy_until is 130 minutes of play; allowed: a level's end")


@pytest.mark.parametrize("chips", [(), (0, 25), (25, 25), (100, 25), (-5,)])
def test_chips_are_positive_ascending_and_each_once(chips):
    plan = Structure(name="x", segments=levels(600), chips=chips, start_chips=100)
    assert "chips" in {p.field for p in check(plan)}


def test_absurd_amounts_are_named_and_cost_no_memory():
    plan = Structure(
        name="x",
        segments=(level(1, 10**15, 2 * 10**15 + 1),),
        chips=(7, 10**9 + 7),
        start_chips=10**12,
    )
    assert {p.field for p in check(plan)} == {"chips", "start_chips", "blinds"}


def test_a_problem_reads_as_one_sentence():
    problem = Problem(row=3, field="big_blind", found="90", allowed="more than 100")
    assert problem.words == "row 3: big_blind is 90; allowed: more than 100"


@settings(max_examples=200, deadline=None)
@given(
    amount=st.integers(1, 400),
    chips=st.lists(st.integers(1, 40), min_size=1, max_size=4, unique=True),
)
def test_payable_agrees_with_trying_all_sums(amount, chips):
    sums = {0}
    for _ in range(amount // min(chips) + 1):
        sums |= {s + chip for s in sums for chip in chips if s + chip <= amount}
    assert payable(amount, tuple(chips)) == (amount in sums)


def test_f035_a_level_over_the_change_of_clocks_lasts_its_twenty_minutes():
    berlin = ZoneInfo("Europe/Berlin")
    first = datetime(2026, 10, 25, 2, 50, tzinfo=berlin)
    start_ns = int(first.timestamp()) * 1_000_000_000
    night = Night.started(structure(*levels(1200, 1200)), at_ns=start_ns)
    flip_ns = night.at(start_ns).next_flip_ns
    assert flip_ns == start_ns + 20 * MINUTE
    printed = datetime.fromtimestamp(flip_ns // 1_000_000_000, UTC).astimezone(berlin)
    assert (printed.hour, printed.minute) == (2, 10)
    assert first.utcoffset() - printed.utcoffset() == timedelta(hours=1)
