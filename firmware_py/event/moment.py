"""Owns the planned start: a wall-clock time in a zone, with the hour that repeats or is left out.

Wall time is for planning and printing only; the night itself runs on the timebase.
"""

from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from firmware_py.event.fields import Section, shown

EXAMPLE = 'such as "2026-10-24 19:00"'


def read_zone(section: Section) -> str:
    """Return the IANA name of the zone; UTC stands in for one that is unknown."""
    name = section.text("zone")
    if zone(name) is None:
        if name != "-":
            section.complain("zone", shown(name), 'an IANA name such as "Europe/Berlin"')
        return "UTC"
    return name


def zone(name: str) -> ZoneInfo | None:
    """Return the zone, None when this machine does not know it."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def read_start(section: Section, zone_name: str) -> datetime | None:
    """Return the planned start in its zone, None when none is planned."""
    value, place = section.table.get("start"), zone(zone_name)
    if value is None or place is None:
        return None
    if isinstance(value, str):
        value = _parsed(value)
    if not isinstance(value, datetime):
        section.complain("start", shown(section.table["start"]), f"date and time, {EXAMPLE}")
        return None
    return _placed(section, value, place)


def _parsed(text: str) -> datetime | None:
    """Return the instant in a text that has both a date and a time."""
    try:
        return datetime.fromisoformat(text.strip()) if ":" in text else None
    except ValueError:
        return None


def _placed(section: Section, start: datetime, place: ZoneInfo) -> datetime | None:
    """Return `start` in `place`; complain when the clock shows it twice or never (F037)."""
    wall = start.replace(tzinfo=None)
    both = [wall.replace(tzinfo=place, fold=fold) for fold in (0, 1)]
    offsets = [moment.utcoffset() for moment in both]
    if start.tzinfo is not None:
        if start.utcoffset() in offsets:
            return datetime.fromtimestamp(start.timestamp(), place)
        allowed = " or ".join(dict.fromkeys(map(_with_offset, both)))
        section.complain("start", shown(str(start)), f"{allowed} in {place.key}")
        return None
    if offsets[0] == offsets[1]:
        return both[0]
    if both[0].timestamp() < both[1].timestamp():
        found, choices = "shown twice by the clock that day", both
    else:  # what the clock shows instead, one reading either side
        found = "left out by the clock that day"
        choices = [datetime.fromtimestamp(moment.timestamp(), place) for moment in both]
    section.complain("start", found, " or ".join(map(_with_offset, choices)))
    return None


def _with_offset(moment: datetime) -> str:
    return f'"{moment:%Y-%m-%d %H:%M%z}" ({moment:%Z})'
