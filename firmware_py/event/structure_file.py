"""Owns reading a blind structure: one of the two that come with the product, a file, or inline.

Levels are numbered in order; minutes are whole and never have a default (F031). Whether the
amounts make sense is checked in core/structure.py; here each finding gets its line.
"""

import re
from pathlib import Path

from firmware_py.core import structure as core
from firmware_py.core.structure import MOST_CHIPS, Break, Level, Segment, Severity, Structure
from firmware_py.event.fields import Section, Source, opened, shown
from firmware_py.event.problems import Key, Problem

BUILT_IN = ("main", "sit_and_go")
FIELDS = frozenset({"name", "chips", "start_chips", "rebuy_until", "segments"})
LEVEL_FIELDS = frozenset({"blinds", "minutes"})
BREAK_FIELDS = frozenset({"break", "minutes", "remove", "addon"})
MOST_MINUTES = 24 * 60
MOST_ROWS = 200
_AMOUNT = r"(\d{1,3}(?:[,._' ]\d{3})+|\d{1,9})"
_BLINDS = re.compile(rf"\s*{_AMOUNT}\s*/\s*{_AMOUNT}\s*")
# What core names its findings by, and what the field is called in the file.
_NAMES = {"length": "minutes", "small_blind": "blinds", "big_blind": "blinds"}


def built_in(name: str) -> Path:
    """Return where a structure that comes with the product lies."""
    return Path(__file__).with_name("structures") / f"{name}.toml"


def load_structure(named: str, beside: Path) -> Structure | list[Problem]:
    """Return the structure `named`: "main", "sit_and_go", or a file in the folder `beside`.

    Problems come all at once, in order of lines; warnings alone do not stop a structure.
    """
    source = opened_structure(named, beside)
    structure = read_structure(source.section()) if not source.problems else None
    errors = [p for p in source.problems if p.severity is Severity.ERROR]
    return structure if structure and not errors else errors


def opened_structure(named: str, beside: Path) -> Source:
    """Read the file of the structure `named`; see load_structure."""
    return opened(built_in(named) if named in BUILT_IN else beside / named, named)


def read_structure(section: Section) -> Structure:
    """Return the structure in `section`; with complaints, it is only good for finding more."""
    section.only(FIELDS)
    rows = _rows(section)
    kept = _segments(rows)
    limit = section.integer("rebuy_until", 0, MOST_MINUTES, 0)
    if "chips" not in section.table:
        section.complain("chips", "missing", "the chips in play, such as chips = [25, 100, 500]")
    structure = Structure(
        name=section.text("name", "own structure"),
        segments=tuple(kept.values()),
        chips=section.integers("chips", 1, MOST_CHIPS),
        start_chips=section.integer("start_chips", 1, MOST_CHIPS),
        rebuy_until_s=limit * 60 if limit else None,
    )
    _check(section, structure, list(kept), whole=len(kept) == len(rows))
    return structure


def _rows(section: Section) -> list[Section | None]:
    """Return the rows, None for one that is no table."""
    value = section.table.get("segments")
    allowed = f'1 to {MOST_ROWS} rows, such as {{ blinds = "50/100", minutes = 20 }}'
    if not isinstance(value, list) or not value:
        section.complain("segments", "missing" if value is None else shown(value), allowed)
        return []
    if len(value) > MOST_ROWS:
        section.complain("segments", f"{len(value):,} rows long", allowed)
        return []
    rows: list[Section | None] = []
    for n, row in enumerate(value):
        key = (*section.key, "segments", n)
        if isinstance(row, dict):
            rows.append(Section(section.source, key, row))
            continue
        section.source.complain(key, shown(row), '{ blinds = "50/100", minutes = 20 }')
        rows.append(None)
    return rows


def _segments(rows: list[Section | None]) -> dict[int, Segment]:
    """Return what can be read, by row from 0; levels are numbered in order."""
    kept: dict[int, Segment] = {}
    for n, row in enumerate(rows):
        number = 1 + sum(isinstance(segment, Level) for segment in kept.values())
        segment = _segment(row, number) if row is not None else None
        if segment is not None:
            kept[n] = segment
    return kept


def _segment(row: Section, number: int) -> Segment | None:
    """Return the row's level or break, None when its kind or its blinds cannot be read."""
    if ("blinds" in row.table) == ("break" in row.table):
        both = "blinds" in row.table
        found = "a level and a break at once" if both else "neither a level nor a break"
        row.source.complain(row.key, found, 'either blinds = "50/100" or break = "why"')
        return None
    row.only(LEVEL_FIELDS if "blinds" in row.table else BREAK_FIELDS)
    seconds = 60 * row.integer("minutes", 1, MOST_MINUTES)
    if "blinds" in row.table:
        return _level(row, number, seconds)
    return Break(
        seconds=seconds,
        remove=row.integers("remove", 1, MOST_CHIPS),
        addon=row.flag("addon", False),
        note=row.text("break", default=""),
    )


def _level(row: Section, number: int, seconds: int) -> Level | None:
    value = row.table["blinds"]
    match = _BLINDS.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        row.complain("blinds", shown(value), 'small and big blind in quotes, such as "50/100"')
        return None
    small, big = (int(re.sub(r"\D", "", amount)) for amount in match.groups())
    return Level(number=number, small_blind=small, big_blind=big, seconds=seconds)


def _check(section: Section, structure: Structure, rows: list[int], *, whole: bool) -> None:
    """Add what core finds, each at its line; `rows` says where each segment stands in the file.

    With rows that could not be read, findings that may come from the hole are left out: they come
    back, if they are real, once the rows are mended.
    """
    source = section.source
    said = {(problem.line, problem.field) for problem in source.problems}
    before = len(source.problems)
    for problem in core.check(structure):
        warned = problem.severity is Severity.WARNING and before
        if warned or (not whole and _from_hole(problem, rows)):
            continue
        _complain(section, problem, rows)
        newest = source.problems[-1]
        if (newest.line, newest.field) in said:
            source.problems.pop()


def _from_hole(problem: core.Problem, rows: list[int]) -> bool:
    if problem.field in ("segment", "segments"):
        return True
    row = problem.row - 1  # of those that could be read
    return problem.field == "big_blind" and rows[row] != (rows[row - 1] + 1 if row else 0)


def _complain(section: Section, problem: core.Problem, rows: list[int]) -> None:
    name = _NAMES.get(problem.field, problem.field)
    found = problem.found
    if name == "blinds" and name != problem.field:
        found = f"{problem.field.replace('_', ' ')} {found}"
    key: Key = (*section.key, name)
    if problem.row:
        key = (*section.key, "segments", rows[problem.row - 1])
        key = key if name == "segment" else (*key, name)
    section.source.complain(key, found, problem.allowed, problem.severity)
