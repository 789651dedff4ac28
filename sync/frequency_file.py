"""Owns what is remembered between runs: how fast this board's crystal is, and whose it is.

An SD card may be moved to another Pi, whose crystal differs by tens of ppm: the file names the
board, and is ignored on any other. A lost or damaged file only costs a slower first minute.
"""

import json
from pathlib import Path

LIMIT_PPB = 500_000  # no crystal that works is further off
BOARD_FILES = (
    Path("/sys/firmware/devicetree/base/serial-number"),  # a Pi: stays with the board
    Path("/etc/machine-id"),  # else: stays with the disk
)


def board_id(files: tuple[Path, ...] = BOARD_FILES) -> str:
    """Return what tells this board from others, empty when the system does not say."""
    for file in files:
        try:
            found = file.read_text(encoding="ascii", errors="replace").strip("\0\n ")
        except OSError:
            continue
        if found:
            return found
    return ""


def load(file: Path, board: str) -> int | None:
    """Return the remembered frequency in ppb; None when lost, damaged or another board's."""
    try:
        kept = json.loads(file.read_text(encoding="ascii"))
        ppb, owner = kept["ppb"], kept["board"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    legal = type(ppb) is int and abs(ppb) <= LIMIT_PPB
    return ppb if legal and owner == board else None


def save(file: Path, board: str, ppb: int) -> bool:
    """Remember `ppb`, whole or not at all; false when the disk refuses, no reason to stop."""
    fresh = file.with_name(file.name + ".new")
    try:
        fresh.write_text(json.dumps({"board": board, "ppb": ppb}) + "\n", encoding="ascii")
        fresh.replace(file)
    except OSError:
        return False
    return True
