"""Owns what a unit knows at one moment: all that the presenter needs, as one frozen value.

Instants are official (timebase) nanoseconds. The programs make a new UnitState whenever one of its
parts changes; what changes by the mere passing of time is the presenter's business.
"""

from dataclasses import dataclass, field
from typing import Literal

from display.views import Mark
from firmware_py.core.schedule import Schedule
from firmware_py.core.table_state import Table

HALL = 0  # the table number of a screen that belongs to no table


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncMark:
    """How far the official time can be trusted (sync.follower's state, on official time)."""

    state: Literal["unlocked", "locked", "holdover"] = "unlocked"
    sample_ns: int | None = None  # the last good sample; None: there has been none
    uncertainty_ns: int = 0
    alarm: str = ""  # the follower's: "older_term", "two_masters" ...


# A clock that follows nobody: the master, a satellite.
MASTERS_OWN = SyncMark(state="locked", sample_ns=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipShown:
    """A seat chip on the reader, shown until `until_ns`; `problem` is a sentence, "" when good."""

    until_ns: int
    table: int = 0
    seat: int = 0
    problem: str = ""  # "UNKNOWN CHIP", "ONE CHIP ONLY": the screen's title then


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One short sentence, shown until `until_ns`: a refusal, or what an undo will take back."""

    words: str
    until_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoAsked:
    """UNDO was pressed once; pressed again before `until_ns` it takes back event `number`."""

    number: int
    until_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitState:
    """One unit: its table, its view of the time and the link, and what its parts report."""

    table: Table = field(default_factory=lambda: Table(place=HALL))
    sync: SyncMark = SyncMark()
    linked: bool = False
    reader_fault: str | None = None
    marks: tuple[Mark, ...] = ()  # of the disk, the wall clock, the sound: whoever reports one
    chip: ChipShown | None = None
    notice: Notice | None = None
    undo_asked: UndoAsked | None = None
    flip_late_ns: int = 0  # how late this screen's last flip was
    help: str = ""

    @property
    def hall(self) -> bool:
        """Whether this is a screen without a table and without a panel."""
        return self.table.place == HALL

    @property
    def place(self) -> str:
        """What stands on top of the screen."""
        return "HALL" if self.hall else f"TABLE {self.table.place}"

    @property
    def schedule(self) -> Schedule:
        """The schedule as this unit knows it."""
        return self.table.tournament.schedule

    @property
    def timed(self) -> bool:
        """Whether there is an official time at all: a sample has come (F050)."""
        return self.sync.sample_ns is not None
