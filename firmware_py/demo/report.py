"""Owns what the demo says about itself: flips seen from outside, errors, spread, misses.

All instants are the host's CLOCK_MONOTONIC_RAW in nanoseconds, which no table process sees.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict

import msgspec

MILLISECOND = 1_000_000


class SeenFlip(msgspec.Struct, frozen=True, kw_only=True):
    """One table showed `segment` (counted from 1) of schedule `revision`."""

    segment: int
    revision: int
    official_ns: int  # when it should have been
    shown_ns: int  # when it was

    @property
    def error_ms(self) -> float:
        """Shown minus official; positive is late."""
        return (self.shown_ns - self.official_ns) / MILLISECOND


class TableRun(msgspec.Struct, frozen=True, kw_only=True):
    """What one table did in the run."""

    table: int
    flips: tuple[SeenFlip, ...]
    rss_mb: float
    cpu_percent: float
    lamp_ms: tuple[float, ...] = ()  # key press to lamp, each


class Spread(TypedDict):
    """Nearest-rank percentiles, in the unit that the field's name gives."""

    p50: float
    p99: float
    max: float


def percentiles(values: Iterable[float]) -> Spread:
    """Return p50, p99 and maximum by nearest rank; all 0 when there is nothing."""
    ranked = sorted(values)
    if not ranked:
        return Spread(p50=0.0, p99=0.0, max=0.0)

    def rank(share: float) -> float:
        return round(ranked[max(0, math.ceil(share * len(ranked)) - 1)], 3)

    return Spread(p50=rank(0.5), p99=rank(0.99), max=round(ranked[-1], 3))


def flip_spreads_ms(runs: Sequence[TableRun]) -> list[float]:
    """Return, for each official instant, the last minus the first table to show it."""
    shown: dict[int, list[int]] = defaultdict(list)
    for run in runs:
        for flip in run.flips:
            shown[flip.segment].append(flip.shown_ns)
    return [(max(instants) - min(instants)) / MILLISECOND for instants in shown.values()]


def missed(runs: Sequence[TableRun], expected: Mapping[int, int]) -> int:
    """Count flips that should have been seen and were not.

    `expected` maps each segment (from 1) to the number of tables that ran at its instant.
    """
    seen = [flip.segment for run in runs for flip in run.flips]
    return sum(max(0, tables - seen.count(segment)) for segment, tables in expected.items())


def report(runs: Sequence[TableRun], expected: Mapping[int, int]) -> dict[str, object]:
    """Return the report of design 9; extra fields may be added, none renamed."""
    errors = [abs(flip.error_ms) for run in runs for flip in run.flips]
    return {
        "tables": [_table(run) for run in runs],
        "flip_error_ms": percentiles(errors),
        "flip_spread_ms": percentiles(flip_spreads_ms(runs)),
        "missed": missed(runs, expected),
        "lamp_ms": percentiles(ms for run in runs for ms in run.lamp_ms),
        "lamp_presses": sum(len(run.lamp_ms) for run in runs),
    }


def _table(run: TableRun) -> dict[str, object]:
    return {
        "table": run.table,
        "flips": [
            msgspec.to_builtins(flip) | {"error_ms": round(flip.error_ms, 3)} for flip in run.flips
        ],
        "rss_mb": round(run.rss_mb, 1),
        "cpu_percent": round(run.cpu_percent, 1),
    }
