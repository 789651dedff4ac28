"""Owns the shape of a blind structure: levels, breaks, chips, and its checks.

A segment is a level or a break. Amounts are whole chips, lengths whole seconds. Which segment
runs when is schedule.py's business. The checks give all problems at once, as values.
"""

import enum
import math
from collections.abc import Iterator
from itertools import pairwise

import msgspec


class Level(msgspec.Struct, frozen=True, kw_only=True, tag="level"):
    """A stretch of play at one price (rule 4)."""

    number: int  # 1, 2, 3 ...; breaks have no number
    small_blind: int
    big_blind: int
    seconds: int


class Break(msgspec.Struct, frozen=True, kw_only=True, tag="break"):
    """A rest between two levels; `remove` names the chips that are coloured up in it."""

    seconds: int
    remove: tuple[int, ...] = ()
    addon: bool = False
    note: str = ""


Segment = Level | Break


class Structure(msgspec.Struct, frozen=True, kw_only=True):
    """The whole night's plan: segments in order, chips in play, when rebuys close."""

    name: str
    segments: tuple[Segment, ...]
    chips: tuple[int, ...]  # denominations in play from the start, ascending
    start_chips: int  # a starting stack
    rebuy_until_s: int | None = None  # playing clock, seconds (rule 1); None: no rebuys

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels without the breaks."""
        return tuple(s for s in self.segments if isinstance(s, Level))

    @property
    def total_s(self) -> int:
        """Seconds from the first deal to the end of the last segment."""
        return sum(segment.seconds for segment in self.segments)

    def with_segments(self, segments: tuple[Segment, ...]) -> "Structure":
        """Return the structure with another list."""
        return msgspec.structs.replace(self, segments=segments)


class Severity(enum.Enum):
    """Whether a problem stops the event or only wants a look."""

    ERROR = "error"
    WARNING = "warning"


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """One thing wrong: in which row (from 1; 0 for the whole), what was found, what is allowed."""

    row: int
    field: str
    found: str
    allowed: str
    severity: Severity = Severity.ERROR

    @property
    def words(self) -> str:
        """The problem as one sentence without its place in a file."""
        where = f"row {self.row}: " if self.row else ""
        return f"{where}{self.field} is {self.found}; allowed: {self.allowed}"


def check(structure: Structure) -> list[Problem]:
    """Return all problems of a structure (structures.md, invariants), in order of rows."""
    problems = [*_whole(structure), *_chips(structure), *_lengths(structure)]
    problems += [*_steps(structure), *_payable(structure), *_rebuy_limit(structure)]
    return sorted(problems, key=lambda problem: problem.row)


def chips_in_play(structure: Structure) -> tuple[tuple[int, ...], ...]:
    """Return, for each segment, the denominations still in play during it."""
    chips, rows = structure.chips, []
    for segment in structure.segments:
        rows.append(chips)
        if isinstance(segment, Break):  # coloured up in the break, gone after it
            chips = tuple(chip for chip in chips if chip not in segment.remove)
    return tuple(rows)


def payable(amount: int, chips: tuple[int, ...]) -> bool:
    """Return whether `amount` can be put together from any number of `chips`."""
    if not chips:
        return False
    unit = math.gcd(*chips)
    if amount % unit:
        return False
    amount //= unit
    scaled = [chip // unit for chip in chips]
    if amount >= max(scaled) ** 2:  # beyond the largest gap of coprime coins
        return True
    sums = 1  # bit n is set when n can be paid
    for chip in scaled:
        step = chip
        while step <= amount:
            sums |= sums << step
            step *= 2
    return bool(sums >> amount & 1)


def _whole(structure: Structure) -> Iterator[Problem]:
    segments = structure.segments
    if not structure.levels:
        yield Problem(
            row=0, field="segments", found="without a level", allowed="at least one level"
        )
        return
    if isinstance(segments[0], Break):
        yield Problem(row=1, field="segment", found="a break", allowed="a level first")
    if isinstance(segments[-1], Break):
        yield Problem(row=len(segments), field="segment", found="a break", allowed="a level last")
    for number, (row, level) in enumerate(_rows(structure), 1):
        if level.number != number:
            yield Problem(
                row=row, field="number", found=str(level.number), allowed=f"{number}, the next one"
            )


def _chips(structure: Structure) -> Iterator[Problem]:
    if not structure.chips or any(chip <= 0 for chip in structure.chips):
        yield Problem(
            row=0, field="chips", found=str(list(structure.chips)), allowed="amounts above 0"
        )
    if list(structure.chips) != sorted(set(structure.chips)):
        yield Problem(
            row=0, field="chips", found=str(list(structure.chips)), allowed="each once, ascending"
        )
    if structure.start_chips <= 0:
        yield Problem(
            row=0, field="start_chips", found=str(structure.start_chips), allowed="above 0"
        )
    for row, (segment, chips) in enumerate(
        zip(structure.segments, chips_in_play(structure), strict=True), 1
    ):
        if isinstance(segment, Break) and (strange := set(segment.remove) - set(chips)):
            yield Problem(
                row=row,
                field="remove",
                found=", ".join(f"{chip:,}" for chip in sorted(strange)),
                allowed="chips in play: " + ", ".join(f"{chip:,}" for chip in chips),
            )


def _lengths(structure: Structure) -> Iterator[Problem]:
    for row, segment in enumerate(structure.segments, 1):
        if not 1 <= segment.seconds <= 24 * 3600:
            yield Problem(
                row=row,
                field="length",
                found=f"{segment.seconds} seconds",
                allowed="1 second to 24 hours",
            )


def _steps(structure: Structure) -> Iterator[Problem]:
    for row, level in _rows(structure):
        if level.big_blind <= 0 or level.small_blind <= 0:
            yield Problem(row=row, field="blinds", found=_blinds(level), allowed="amounts above 0")
    for (_, before), (row, level) in pairwise(_rows(structure)):
        if not before.big_blind < level.big_blind <= 2 * before.big_blind:
            yield Problem(
                row=row,
                field="big_blind",
                found=f"{level.big_blind:,}",
                allowed=f"more than {before.big_blind:,}, at most {2 * before.big_blind:,}",
            )


def _payable(structure: Structure) -> Iterator[Problem]:
    in_play = chips_in_play(structure)
    for row, level in _rows(structure):
        chips = in_play[row - 1]
        if not chips or min(chips) <= 0:
            continue  # _chips has said so
        names = ", ".join(f"{chip:,}" for chip in chips)
        for field, amount in (("small_blind", level.small_blind), ("big_blind", level.big_blind)):
            if amount > 0 and not payable(amount, chips):
                yield Problem(
                    row=row, field=field, found=f"{amount:,}", allowed=f"payable with {names}"
                )
        most = -(-level.big_blind // (2 * min(chips))) * min(chips)
        if level.small_blind > most:
            yield Problem(
                row=row,
                field="small_blind",
                found=f"{level.small_blind:,}",
                allowed=f"at most {most:,}, half the big blind",
            )


def _rebuy_limit(structure: Structure) -> Iterator[Problem]:
    limit_s = structure.rebuy_until_s
    if limit_s is None:
        return
    ends_s, total_s = [], 0
    for level in structure.levels:
        total_s += level.seconds
        ends_s.append(total_s)
    if limit_s not in ends_s:
        nearest = min(ends_s, key=lambda end_s: abs(end_s - limit_s), default=0)
        yield Problem(
            row=0,
            field="rebuy_until",
            found=f"{limit_s // 60} minutes of play",
            allowed=f"a level's end, such as {nearest // 60} minutes (rule 1)",
            severity=Severity.WARNING,
        )


def _rows(structure: Structure) -> list[tuple[int, Level]]:
    return [(row, s) for row, s in enumerate(structure.segments, 1) if isinstance(s, Level)]


def _blinds(level: Level) -> str:
    return f"{level.small_blind:,}/{level.big_blind:,}"
