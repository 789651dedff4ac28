"""Owns the shape of a blind structure: levels, breaks, chips, and its checks.

A segment is a level or a break. Amounts are whole chips, lengths whole seconds. Which segment
runs when is schedule.py's business. The checks give all problems at once, as values.
"""

import enum
import math
from collections.abc import Iterator
from itertools import accumulate, pairwise

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

    @property
    def starts_s(self) -> tuple[int, ...]:
        """When each segment begins if nothing is changed, seconds from the first deal."""
        ends_s = accumulate(segment.seconds for segment in self.segments)
        return tuple(end - s.seconds for end, s in zip(ends_s, self.segments, strict=True))

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


MOST_CHIPS = 100_000_000
_BOUNDS = f"from 1 to {MOST_CHIPS:,}"


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
    """Return whether `amount` can be put together from any number of `chips` (all above 0)."""
    if not chips:
        return False
    unit = math.gcd(*chips)
    if amount % unit:
        return False
    amount //= unit
    scaled = [chip // unit for chip in chips]
    if min(scaled) == 1 or amount >= max(scaled) ** 2:  # beyond the gaps of coprime coins
        return True
    sums, within = 1, (1 << amount + 1) - 1  # bit n is set when n can be paid
    for chip in scaled:
        step = chip
        while step <= amount:
            sums |= sums << step & within
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
    found = ", ".join(f"{chip:,}" for chip in structure.chips) or "none"
    if not _in_bounds(structure.chips):
        yield Problem(row=0, field="chips", found=found, allowed=f"amounts {_BOUNDS}")
    if list(structure.chips) != sorted(set(structure.chips)):
        yield Problem(row=0, field="chips", found=found, allowed="each once, ascending")
    if not _in_bounds((structure.start_chips,)):
        start = f"{structure.start_chips:,}"
        yield Problem(row=0, field="start_chips", found=start, allowed=_BOUNDS)
    yield from _colour_ups(structure)


def _in_bounds(amounts: tuple[int, ...]) -> bool:
    return bool(amounts) and all(1 <= amount <= MOST_CHIPS for amount in amounts)


def _colour_ups(structure: Structure) -> Iterator[Problem]:
    rows = zip(structure.segments, chips_in_play(structure), strict=True)
    for row, (segment, chips) in enumerate(rows, 1):
        if not isinstance(segment, Break) or not segment.remove:
            continue
        names = ", ".join(f"{chip:,}" for chip in chips)
        if strange := set(segment.remove) - set(chips):
            found = ", ".join(f"{chip:,}" for chip in sorted(strange))
            yield Problem(row=row, field="remove", found=found, allowed=f"chips in play: {names}")
        elif set(segment.remove) == set(chips):
            yield Problem(
                row=row, field="remove", found="every chip", allowed=f"not all of {names}"
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
        if not _in_bounds((level.small_blind, level.big_blind)):
            yield Problem(row=row, field="blinds", found=_blinds(level), allowed=_BOUNDS)
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
        chips, blinds = in_play[row - 1], (level.small_blind, level.big_blind)
        if _in_bounds(chips) and _in_bounds(blinds):  # else it has been said already
            yield from _blinds_payable(row, level, chips)


def _blinds_payable(row: int, level: Level, chips: tuple[int, ...]) -> Iterator[Problem]:
    names = ", ".join(f"{chip:,}" for chip in chips)
    for field, amount in (("small_blind", level.small_blind), ("big_blind", level.big_blind)):
        if not payable(amount, chips):
            found = f"{amount:,}"
            yield Problem(row=row, field=field, found=found, allowed=f"payable with {names}")
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
