"""Owns the note of each flip and key press that a unit leaves for a measurement from outside.

One JSON object a line; instants are the unit's own local clock. Written by the display thread
after the picture is out, so the write costs the flip nothing.
"""

from pathlib import Path
from typing import TextIO

import msgspec

from firmware_py.table.display_loop import FlipShown


class LampSeen(msgspec.Struct, frozen=True, kw_only=True):
    """A key went down and the lamps answered, both as the contacts and the latch saw it."""

    key: str
    pressed_ns: int
    lamp_ns: int


class FlipNote(msgspec.Struct, frozen=True, kw_only=True):
    """FlipShown as it stands in the file."""

    segment: int
    revision: int
    official_ns: int
    local_ns: int
    late: bool


class FlipLog:
    """Appends notes to one file."""

    def __init__(self, path: Path) -> None:
        self._out: TextIO = path.open("a", encoding="ascii", buffering=1)

    def flip(self, shown: FlipShown) -> None:
        """Note a flip."""
        note = FlipNote(
            segment=shown.segment,
            revision=shown.revision,
            official_ns=shown.official_ns,
            local_ns=shown.local_ns,
            late=shown.late,
        )
        self._write("flip", note)

    def lamp(self, seen: LampSeen) -> None:
        """Note how fast a key was answered."""
        self._write("lamp", seen)

    def _write(self, kind: str, note: msgspec.Struct) -> None:
        self._out.write(msgspec.json.encode({kind: note}).decode() + "\n")


def read(path: Path) -> tuple[list[FlipNote], list[LampSeen]]:
    """Return what a file holds; a last line cut short is left out."""
    flips: list[FlipNote] = []
    lamps: list[LampSeen] = []
    if not path.exists():
        return flips, lamps
    for line in path.read_text(encoding="ascii").split("\n")[:-1]:
        entry = msgspec.json.decode(line)
        if "flip" in entry:
            flips.append(msgspec.convert(entry["flip"], FlipNote))
        else:
            lamps.append(msgspec.convert(entry["lamp"], LampSeen))
    return flips, lamps
