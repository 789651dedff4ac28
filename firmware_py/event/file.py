"""Owns the event file: what a volunteer writes down of the night, read and checked in one go."""

from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, get_args

import msgspec

from firmware_py.core.profile import HOUSE, TDA, Profile
from firmware_py.core.structure import Severity, Structure
from firmware_py.event.fields import Section, Source, opened, shown
from firmware_py.event.moment import read_start, read_zone
from firmware_py.event.problems import Problem
from firmware_py.event.structure_file import BUILT_IN, opened_structure, read_structure

MOST_TABLES, MOST_SEATS = 60, 11  # design.md section 1; rule 5
PROFILES = {"house": HOUSE, "tda": TDA}
FIELDS = frozenset({"name", "start", "zone", "structure", "profile", "tables", "seats", "prices"})
PRICE_FIELDS = frozenset({"currency", "entry", "fee", "rebuy", "addon"})


@dataclass(frozen=True, slots=True)
class Prices:
    """What things cost, in minor units (hundredths); as filed in rule 1 unless the file says so."""

    currency: str = "EUR"
    entry: int = 100_00
    fee: int = 10_00
    rebuy: int = 50_00
    addon: int = 100_00


@dataclass(frozen=True, slots=True)
class EventFile:
    """One night, as planned."""

    name: str
    zone: str  # IANA name, for printing only
    start: datetime | None  # the first deal, in `zone`
    structure: Structure
    profile: Profile
    tables: int
    seats: int
    prices: Prices
    warnings: tuple[Problem, ...] = ()


def load(path: Path) -> EventFile | list[Problem]:
    """Read `path`; all errors at once, in order of lines, when there are any.

    A structure file is looked for beside `path`.
    """
    source = opened(path, path.name)
    if source.problems:
        return source.problems
    section = source.section()
    section.only(FIELDS)
    zone = read_zone(section)
    sources = [source]
    event = EventFile(
        name=section.text("name"),
        zone=zone,
        start=read_start(section, zone),
        structure=_structure(section, path.parent, sources),
        profile=_profile(section),
        tables=section.integer("tables", 1, MOST_TABLES),
        seats=section.integer("seats", 2, MOST_SEATS, MOST_SEATS),
        prices=_prices(source.section("prices")),
    )
    problems = [p for s in sources for p in sorted(s.problems, key=lambda p: p.line)]
    errors = [problem for problem in problems if problem.severity is Severity.ERROR]
    return errors or replace(event, warnings=tuple(problems))


def _structure(section: Section, beside: Path, sources: list[Source]) -> Structure:
    """Return the structure, inline or named; a file of its own joins `sources`."""
    value = section.table.get("structure")
    if isinstance(value, dict):
        return read_structure(section.source.section("structure"))
    allowed = " or ".join(f'"{name}"' for name in BUILT_IN) + ", a file beside this one, or a table"
    named = value if isinstance(value, str) else ""
    if named not in BUILT_IN and not (named and (beside / named).is_file()):
        section.complain("structure", "missing" if value is None else shown(value), allowed)
        return Structure(name="-", segments=(), chips=(), start_chips=1)
    source = opened_structure(named, beside)
    sources.append(source)
    return read_structure(source.section())


def _profile(section: Section) -> Profile:
    """Return the filed profile by name, or a table of choices on top of one."""
    if not isinstance(section.table.get("profile"), dict):
        return PROFILES[section.choice("profile", PROFILES, "house")]
    chosen = section.source.section("profile")
    kinds = {f.name: f.type for f in msgspec.structs.fields(Profile) if f.name != "name"}
    chosen.only({"like", "name", *kinds})
    like = PROFILES[chosen.choice("like", PROFILES, "house")]
    given = {name: _option(chosen, name, kind, like) for name, kind in kinds.items()}
    return msgspec.structs.replace(like, name=chosen.text("name", "own"), **given)


def _option(section: Section, name: str, kind: object, like: Profile) -> Any:
    """Return one choice, checked by the type that the core gives it."""
    usual = getattr(like, name)
    if kind is bool:
        return section.flag(name, usual)
    if kind is int:
        return section.integer(name, 0, 10_000, usual)
    return section.choice(name, get_args(kind), usual)


def _prices(section: Section) -> Prices:
    section.only(PRICE_FIELDS)
    usual = Prices()
    return Prices(
        currency=section.text("currency", usual.currency, at_most=3),
        entry=section.money("entry", usual.entry),
        fee=section.money("fee", usual.fee),
        rebuy=section.money("rebuy", usual.rebuy),
        addon=section.money("addon", usual.addon),
    )
