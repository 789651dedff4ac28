"""Owns what is said about a mistake in an event file: where, what was found, what is allowed."""

from dataclasses import dataclass

from firmware_py.core.structure import Severity

Key = tuple[str | int, ...]  # where in a file: names of fields, and rows counted from 0


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake; `line` counts from 1.

    `line` is 0 and `field` empty when the file as a whole is meant.
    """

    file: str
    line: int
    field: str
    found: str
    allowed: str
    severity: Severity = Severity.ERROR

    @property
    def words(self) -> str:
        """The problem as one sentence."""
        what = f"{self.field} is {self.found}" if self.field else self.found
        where = f"{self.file}, line {self.line}" if self.line else self.file
        return f"{where}: {what}; allowed: {self.allowed}"


def field_name(key: Key) -> str:
    """Return a key as a volunteer reads it: `structure.segments row 7, minutes`."""
    words = ""
    for part in key:
        if isinstance(part, int):
            words += f" row {part + 1}"
        elif words:
            words += f", {part}" if words[-1].isdigit() else f".{part}"
        else:
            words = part
    return words.strip()
