"""Plays every shared case whose subject is built; none is left out in silence."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.cases.adapters import run_case

DATA = Path(os.environ.get("TABLESIDE_CASES") or Path(__file__).with_name("data"))
FILES = ("timing_cases", "button_cases", "betting_cases", "seating_cases")
COVERED = {
    ("timing_cases", "latch"),
    ("timing_cases", "pause"),
    ("timing_cases", "break"),
}
# Kinds whose subject is not built yet, and the subject.
NOT_YET = {
    ("timing_cases", "rebuy"): "money: rebuys",
    ("timing_cases", "addon"): "money: the add-on",
    ("timing_cases", "clock"): "the called clock (rule 15)",
    ("timing_cases", "away"): "absence (rule 6)",
    ("timing_cases", "late"): "late players (rule 7)",
    ("timing_cases", "penalty"): "penalties (rule 25)",
    ("button_cases", "button"): "the button and the blinds (rules 46, 47)",
    ("betting_cases", "action"): "bets (rules 22, 33, 52)",
    ("betting_cases", "side_pot"): "pots (rule 16)",
    ("betting_cases", "payout"): "prizes",
    ("betting_cases", "ranking"): "places (rule 3)",
    ("seating_cases", "balance"): "balancing (rules 20, 21)",
    ("seating_cases", "initial_draw"): "the draw (rules 5, 12)",
    ("seating_cases", "consolidation"): "merging tables (rule 12)",
    ("seating_cases", "rfid"): "the draw by chips (rule 12)",
    ("seating_cases", "break"): "breaking a table (rule 21)",
    ("seating_cases", "worst_seat"): "the worst seat (rule 20)",
    ("seating_cases", "capacity"): "capacity (rules 5, 39)",
    ("seating_cases", "final_table"): "the final table",
}


def _cases() -> list[tuple[str, dict[str, Any]]]:
    files = [DATA / f"{name}.json" for name in FILES]
    return [
        (path.stem, case)
        for path in files
        if path.exists()
        for case in json.loads(path.read_text())["cases"]
    ]


CASES = _cases()
RUN = [case for file, case in CASES if (file, case["kind"]) in COVERED]
UNBUILT = list({(f, c["kind"]): c for f, c in CASES if (f, c["kind"]) in NOT_YET}.values())


@pytest.mark.parametrize("case", RUN, ids=lambda case: case["id"])
def test_case(case):
    assert run_case(case) == case["expect"]


@pytest.mark.parametrize("case", RUN, ids=lambda case: case["id"])
def test_a_case_is_answered_without_being_told_what_to_expect(case):
    untold = {name: value for name, value in case.items() if name != "expect"}
    found = run_case(untold)
    assert {name: found[name] for name in case["expect"]} == case["expect"]


def test_every_kind_is_covered_or_named_as_not_built_yet():
    kinds = {(file, case["kind"]) for file, case in CASES}
    assert RUN
    assert kinds <= COVERED | set(NOT_YET)
    assert not COVERED & set(NOT_YET)


@pytest.mark.parametrize("case", UNBUILT, ids=lambda case: case["kind"])
def test_a_kind_without_an_adapter_is_an_error(case):
    with pytest.raises(ValueError, match="no adapter"):
        run_case(case)


def test_an_unknown_field_or_event_is_an_error():
    case = RUN[0]
    with pytest.raises(ValueError, match="no such result: flavour"):
        run_case(case | {"expect": {"flavour": 1}})
    with pytest.raises(ValueError, match="unknown event"):
        run_case(case | {"events": [{"t": "0:01:00", "ev": "earthquake"}]})
