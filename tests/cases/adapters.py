"""Owns `run_case`: plays one shared case on the product's own core and returns its results.

Holds no rules and no expected values. With an `expect` just its fields come back, without one
every fact that the case can be asked for.
"""

from collections.abc import Callable, Mapping
from typing import Any

from tests.cases.timing import play
from tests.cases.timing_facts import facts

Case = dict[str, Any]


def run_case(case: Case) -> dict[str, Any]:
    """Return what comes of `case`; ValueError for a kind, an event or a field nobody knows."""
    if case["kind"] not in KINDS or "events" not in case:
        raise ValueError(f"no adapter for a case of kind {case['kind']!r}")
    found = KINDS[case["kind"]](case)
    asked = case.get("expect", found)
    if unknown := [name for name in asked if name not in found]:
        raise ValueError(f"case {case.get('id')}: no such result: {', '.join(unknown)}")
    return {name: found[name] for name in asked}


def _timing(case: Case) -> dict[str, Any]:
    return facts(play(case))


KINDS: Mapping[str, Callable[[Case], dict[str, Any]]] = {
    "latch": _timing,
    "pause": _timing,
    "break": _timing,
}
