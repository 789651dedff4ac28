"""Owns the journal as text for other programs: JSON lines or CSV, and names for such files.

The private desk stream is left out. Times are printed in UTC from the timebase's nanoseconds; the
order is that of stream, epoch and number, never that of a clock (F043).
"""

import csv
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import TextIO

import msgspec

from firmware_py.core.codec import decode
from firmware_py.core.events import Event, Unknown
from firmware_py.journal.store import Record

PRIVATE = frozenset({"desk"})  # personal data never leaves the master (design.md, 3)
COLUMNS = ("stream", "epoch", "number", "time", "event", "actor", "details")
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")  # what a spreadsheet takes for a formula (F077)
RESERVED = frozenset(
    {"con", "prn", "aux", "nul"} | {f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10)}
)
LONGEST_NAME = 60


def json_lines(records: Iterable[Record]) -> Iterator[str]:
    """Yield one JSON object per event."""
    for record in public(records):
        place = {"stream": record.stream, "epoch": record.epoch, "number": record.number}
        yield json.dumps(place | _fields(record), ensure_ascii=False)


def write_csv(records: Iterable[Record], out: TextIO) -> None:
    """Write one row per event; `out` must not translate line ends."""
    table = csv.writer(out)
    table.writerow(COLUMNS)
    for record in public(records):
        fields = _fields(record)
        known = [fields.pop(name, "") for name in ("time", "type", "actor")]
        details = json.dumps(fields, ensure_ascii=False)
        row = (record.stream, record.epoch, record.number, *known, details)
        table.writerow([cell(value) for value in row])


def public(records: Iterable[Record]) -> Iterator[Record]:
    """Yield the records without those of the private streams."""
    return (record for record in records if record.stream not in PRIVATE)


def cell(value: object) -> object:
    """Return a value that opens as text, or as a number, in any spreadsheet (F077)."""
    formula = isinstance(value, str) and value.lstrip(" ").startswith(FORMULA)
    return f"'{value}" if formula else value


def safe_name(name: str, day: str, ending: str) -> str:
    """Return a file name made from an event's name and date that any system takes (F076)."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    stem = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST_NAME].strip("-") or "event"
    stem = f"event-{stem}" if stem in RESERVED else stem
    return f"{stem}-{day}.{ending}"


def time_words(at_ns: int) -> str:
    """Return an instant of the timebase as UTC with milliseconds; "" beyond the calendar."""
    try:
        moment = datetime.fromtimestamp(at_ns // 1_000_000_000, UTC)
    except (ValueError, OverflowError, OSError):
        return ""
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{at_ns // 1_000_000 % 1000:03}Z"


def _fields(record: Record) -> dict[str, object]:
    try:
        event = decode(record.payload)
    except ValueError:
        return {"type": "unreadable", "payload": record.payload.hex()}
    return {"time": time_words(event.at_ns)} | _plain(event)


def _plain(event: Event) -> dict[str, object]:
    if isinstance(event, Unknown):
        held = {"type": event.event_tag, "payload": event.payload.hex()}
        return {**held, "at_ns": event.at_ns, "actor": event.actor}
    fields: dict[str, object] = msgspec.to_builtins(event)
    return fields
