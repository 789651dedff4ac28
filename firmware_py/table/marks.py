"""Owns the small standing signs on a screen: what is not as it should be, the loudest first.

A mark is there as long as its reason is; nothing here is an event. Pure.
"""

from collections.abc import Iterator

from display.views import Mark, Severity
from firmware_py.core.profile import deviations
from firmware_py.table.unit_state import UnitState
from firmware_py.table.words import age_text

MILLISECOND = 1_000_000
LOUDNESS = (Severity.FAULT, Severity.WARNING, Severity.INFO)

# The follower's alarms (sync.follower.SyncState) as words for the room.
ALARMS = {
    "older_term": "OLD MASTER",
    "two_masters": "TWO MASTERS",
    "step_budget": "TIME JUMPS",
    "frequency": "BAD CRYSTAL",
}


def marks(unit: UnitState, now_ns: int) -> tuple[Mark, ...]:
    """Return the marks of a unit, faults first."""
    found = [*_time(unit, now_ns), *_parts(unit), *_event(unit), *unit.marks]
    return tuple(sorted(found, key=lambda mark: LOUDNESS.index(mark.severity)))


def _time(unit: UnitState, now_ns: int) -> Iterator[Mark]:
    sync = unit.sync
    if sync.sample_ns is None:
        yield Mark(text="NO SYNC", severity=Severity.WARNING)
    elif sync.state == "holdover":
        age = age_text(now_ns - sync.sample_ns)
        yield Mark(text=f"HOLDOVER {age}", severity=Severity.WARNING)
    elif sync.state == "unlocked":
        yield Mark(text="SYNC POOR", severity=Severity.WARNING)
    if sync.alarm:
        words = ALARMS.get(sync.alarm, "TIME ALARM")
        yield Mark(text=words, severity=Severity.FAULT)
    if unit.flip_late_ns > unit.table.tournament.profile.sync_target_ms * MILLISECOND:
        tenths = unit.flip_late_ns // (100 * MILLISECOND)
        words = f"FLIP WAS {tenths // 10}.{tenths % 10} S LATE"
        yield Mark(text=words, severity=Severity.WARNING)


def _parts(unit: UnitState) -> Iterator[Mark]:
    if not unit.linked:
        yield Mark(text="OFFLINE", severity=Severity.WARNING)
    if unit.reader_fault is not None:
        yield Mark(text=f"READER FAULT: {unit.reader_fault}", severity=Severity.FAULT)
    if unit.table.floor_called_ns is not None:
        yield Mark(text="FLOOR CALLED", severity=Severity.INFO)


def _event(unit: UnitState) -> Iterator[Mark]:
    tournament = unit.table.tournament
    if tournament.unknown or unit.table.unknown:
        yield Mark(text="NEWER VERSION", severity=Severity.WARNING)
    if deviations(tournament.profile):
        yield Mark(text="DEVIATES", severity=Severity.INFO)
