"""Owns reading one TOML file field by field, so that every mistake is found in one go.

A Source is one file with its lines and the problems found so far; a Section is a table in it. A
getter that complains returns a stand-in of the right type: whoever reads goes on, and looks at
`source.problems` at the end. Times and money are whole numbers; TOML's floats come as Decimal.
"""

import re
import tomllib
from collections.abc import Collection
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

from firmware_py.core.structure import Severity
from firmware_py.event.problems import Key, Problem, field_name
from firmware_py.event.toml_lines import line_of, lines

LONGEST = 1 << 20  # bytes; an event file has some thousand
UTF8_MARK, UTF16_MARKS = b"\xef\xbb\xbf", (b"\xff\xfe", b"\xfe\xff")


@dataclass(slots=True)
class Source:
    """One file: what it holds, where, and what is wrong with it."""

    name: str
    table: dict[str, object] = field(default_factory=dict)
    lines: dict[Key, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def complain(
        self, key: Key, found: str, allowed: str, severity: Severity = Severity.ERROR
    ) -> None:
        """Note a problem with the field `key`."""
        line = line_of(self.lines, key) if key or self.lines else 0
        self.problems.append(Problem(self.name, line, field_name(key), found, allowed, severity))

    def section(self, *key: str | int) -> "Section":
        """Return the table `key`, () for the whole file; an absent one is empty."""
        value: object = self.table
        for part in key:
            value = value.get(part, {}) if isinstance(value, dict) else {}
        if not isinstance(value, dict):
            self.complain(key, shown(value), f"a table: [{field_name(key)}]")
            value = {}
        return Section(self, key, value)


@dataclass(frozen=True, slots=True)
class Section:
    """One table of a file."""

    source: Source
    key: Key
    table: dict[str, object]

    def complain(self, name: str, found: str, allowed: str) -> None:
        """Note a problem with the field `name` of this table."""
        self.source.complain((*self.key, name), found, allowed)

    def only(self, names: Collection[str]) -> None:
        """Complain of every field that is not among `names`."""
        for name in self.table:
            if name not in names:
                self.complain(name, "unknown", ", ".join(sorted(names)))

    def integer(self, name: str, at_least: int, at_most: int, default: int | None = None) -> int:
        """Return a whole number within its bounds; it must be given when there is no default."""
        allowed = f"a whole number from {at_least:,} to {at_most:,}"
        value = self._given(name, allowed, default, at_least)
        if isinstance(value, int) and not isinstance(value, bool) and at_least <= value <= at_most:
            return value
        self.complain(name, shown(value), allowed)
        return at_least

    def text(self, name: str, default: str | None = None, at_most: int = 80) -> str:
        """Return a text of one line, not empty; it must be given when there is no default."""
        allowed = f'a text in quotes, one line, 1 to {at_most} letters, such as {name} = "..."'
        value = self._given(name, allowed, default, "-")
        if not isinstance(value, str) or (value and not value.isprintable()):
            self.complain(name, shown(value), allowed)
            return "-"
        if not (value.strip() or value == default) or len(value) > at_most:
            self.complain(name, shown(value), allowed)
        return value.strip()

    def choice(self, name: str, among: Collection[str], default: str | None = None) -> str:
        """Return one of the texts in `among`."""
        allowed = " or ".join(f'"{word}"' for word in among)
        value = self._given(name, allowed, default, next(iter(among)))
        if isinstance(value, str) and value in among:
            return value
        self.complain(name, shown(value), allowed)
        return next(iter(among))

    def flag(self, name: str, default: bool) -> bool:
        """Return true or false."""
        value = self.table.get(name, default)
        if isinstance(value, bool):
            return value
        self.complain(name, shown(value), "true or false, without quotes")
        return default

    def integers(self, name: str, at_least: int, at_most: int) -> tuple[int, ...]:
        """Return a list of whole numbers, empty when absent."""
        value = self.table.get(name, [])
        if isinstance(value, list) and all(
            isinstance(n, int) and not isinstance(n, bool) and at_least <= n <= at_most
            for n in value
        ):
            return tuple(value)
        self.complain(
            name, shown(value), f"whole numbers from {at_least:,} to {at_most:,} in brackets"
        )
        return ()

    def money(self, name: str, default: int) -> int:
        """Return an amount in minor units (hundredths); `default` is in minor units too."""
        value = self.table.get(name)
        if value is None:
            return default
        if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
            minor = Decimal(value) * 100
            if minor.is_finite() and 0 <= minor <= 10**9 and minor == int(minor):
                return int(minor)
        allowed = "0 to 10,000,000 with at most two decimals, without quotes, such as 12.50"
        self.complain(name, shown(value), allowed)
        return default

    def _given(self, name: str, allowed: str, default: object, stand_in: object) -> object:
        if name in self.table:
            return self.table[name]
        if default is None:
            self.complain(name, "missing", allowed)
            return stand_in
        return default


def shown(value: object) -> str:
    """Return a value as the file has it, cut to a readable length."""
    match value:
        case bool():
            text = str(value).lower()
        case str():
            text = f'"{value}"'
        case dict():
            text = "a table"
        case list():
            text = "[" + ", ".join(shown(part) for part in value[:20]) + "]"
        case _:
            text = str(value)
    text = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
    return text if len(text) <= 60 else text[:57] + "..."


def opened(path: Path, name: str) -> Source:
    """Read a file; what it cannot be read for stands in the result's problems."""
    source = Source(name)
    try:
        octets = path.read_bytes()[: LONGEST + 1]
    except FileNotFoundError:
        known = "a file that is there (tableside event new makes an event file)"
        source.complain((), "there is no such file", known)
        return source
    except OSError as error:
        why = f"it cannot be read ({error.strerror})"
        source.complain((), why, "a TOML file that you may read")
        return source
    if text := _text(source, octets):
        _parse(source, text)
    return source


def _text(source: Source, octets: bytes) -> str:
    """Return the text; a byte order mark is no part of it (F080)."""
    if octets.startswith(UTF16_MARKS):
        source.complain((), "the file is saved as UTF-16", "UTF-8: save it again with that coding")
        return ""
    if len(octets) > LONGEST:
        source.complain((), "the file is longer than 1 MB", "an event file")
        return ""
    octets = octets.removeprefix(UTF8_MARK)
    try:
        text = octets.decode()
    except UnicodeDecodeError as error:
        source.lines[()] = octets.count(b"\n", 0, error.start) + 1
        column = error.start - octets.rfind(b"\n", 0, error.start)
        found = f"byte {column} (0x{octets[error.start]:02x}) is no UTF-8"
        source.complain((), found, "UTF-8: save it again with that coding")
        return ""
    return text or "\n"


def _parse(source: Source, text: str) -> None:
    try:
        source.table = tomllib.loads(text, parse_float=Decimal)
        source.lines = lines(text)
    except tomllib.TOMLDecodeError as error:
        where = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)", str(error))
        last = text.count("\n", 0, len(text.rstrip())) + 1
        source.lines[()] = int(where[1]) if where and where[1] else last
        column = f" at sign {where[2]}" if where and where[2] else ""
        found = f"this is not TOML{column} ({str(error).split(' (at ')[0]})"
        source.complain((), found, "lines such as: tables = 12")
    except RecursionError:
        source.complain((), "brackets are nested too deeply", "lines such as: tables = 12")
