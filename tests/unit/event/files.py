"""An event file on disk, and what is said about it."""

from pathlib import Path

from firmware_py.event.file import EventFile, load

GOOD = """name = "Charity night"
start = "2026-10-24 19:00"
zone = "Europe/Berlin"
structure = "main"
tables = 10
"""


def written(directory: Path, text: str | bytes, name: str = "event.toml") -> Path:
    file = directory / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def complaints(file: Path) -> list[str]:
    event = load(file)
    assert isinstance(event, list)
    return [problem.words for problem in event]


def loaded(file: Path) -> EventFile:
    event = load(file)
    assert isinstance(event, EventFile), [problem.words for problem in event]
    return event
