"""Owns the printed plan: when each level and break begins and ends if nothing is changed.

Instants are added in UTC and only then put into the zone, so that the night on which the clocks
change comes out right (F035); both names of the zone are then shown. Takes an EventFile, gives
lines of text.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from firmware_py.core.profile import deviations
from firmware_py.core.structure import Break, Level, Segment
from firmware_py.event.file import EventFile


def plan_lines(event: EventFile) -> list[str]:
    """Return the whole plan, ready to print."""
    return [*_head(event), "", *_table(event), "", *_foot(event)]


def end_of(event: EventFile) -> datetime | None:
    """Return when the last segment ends, in the event's zone; None without a planned start."""
    return _at(event, event.structure.total_s)


def span(seconds: int) -> str:
    """Return a length as h:mm, or h:mm:ss when it is not whole minutes."""
    hours, rest = divmod(seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    return f"{hours}:{minutes:02}" + (f":{seconds:02}" if seconds else "")


def _at(event: EventFile, offset_s: int) -> datetime | None:
    if event.start is None:
        return None
    instant = event.start.astimezone(UTC) + timedelta(seconds=offset_s)
    return instant.astimezone(ZoneInfo(event.zone))


def _head(event: EventFile) -> Iterator[str]:
    structure, profile = event.structure, event.profile
    yield event.name
    if event.start is None:
        yield "No start is planned: times count from the first deal"
    else:
        yield f"{_day(event.start)}, {event.start:%H:%M %Z} ({event.zone})"
    tables = "1 table" if event.tables == 1 else f"{event.tables} tables"
    yield f"{tables}, {event.seats} seats each; profile {profile.name}{_deviates(event)}"
    chips = ", ".join(f"{chip:,}" for chip in structure.chips)
    yield f"{structure.name}: {structure.start_chips:,} chips to start with, in {chips}"
    yield _prices(event)


def _deviates(event: EventFile) -> str:
    different = ", ".join(deviations(event.profile))
    return f" ({event.profile.fingerprint}) DEVIATES in {different}" if different else ""


def _prices(event: EventFile) -> str:
    named = ("entry", "fee", "rebuy", "addon")
    parts = (f"{name.replace('addon', 'add-on')} {_money(event, name)}" for name in named)
    return f"Prices in {event.prices.currency}: " + ", ".join(parts)


def _money(event: EventFile, name: str) -> str:
    whole, rest = divmod(getattr(event.prices, name), 100)
    return f"{whole:,}.{rest:02}" if rest else f"{whole:,}"


def _table(event: EventFile) -> Iterator[str]:
    structure = event.structure
    wide = max(len(word) for word in ("Blinds", *map(_blinds, structure.levels)))
    yield f"Level  {'Blinds':>{wide}}  Min  {'From':<{_width(event)}}  To"
    day = event.start.date() if event.start else None
    for segment, start_s in zip(structure.segments, structure.starts_s, strict=True):
        begins, end_s = _at(event, start_s), start_s + segment.seconds
        if begins and begins.date() != day:
            day = begins.date()
            yield f"       {_day(begins)}"
        times = f"{_clock(event, start_s):<{_width(event)}}  {_clock(event, end_s)}"
        yield f"{_first(segment, wide)}  {_minutes(segment):>3}  {times}{_remarks(segment)}"


def _first(segment: Segment, wide: int) -> str:
    if isinstance(segment, Level):
        return f"{segment.number:>5}  {_blinds(segment):>{wide}}"
    return f"{'break':>5}  {'':>{wide}}"


def _blinds(level: Level) -> str:
    return f"{level.small_blind:,}/{level.big_blind:,}"


def _minutes(segment: Segment) -> str:
    minutes, seconds = divmod(segment.seconds, 60)
    return f"{minutes}:{seconds:02}" if seconds else str(minutes)


def _remarks(segment: Segment) -> str:
    if isinstance(segment, Level):
        return ""
    removed = " and ".join(f"{chip:,}s" for chip in segment.remove)
    words = [segment.note if segment.note.lower() != "break" else ""]
    words.append("add-on" if segment.addon and "add-on" not in segment.note.lower() else "")
    words.append(f"colour up {removed}" if removed else "")
    said = "; ".join(word for word in words if word)
    return f"  {said}" if said else ""


def _clock(event: EventFile, offset_s: int) -> str:
    moment = _at(event, offset_s)
    if moment is None:
        return span(offset_s)
    shown = f"{moment:%H:%M:%S}" if moment.second else f"{moment:%H:%M}"
    return f"{shown} {moment:%Z}" if _clocks_change(event) else shown


def _clocks_change(event: EventFile) -> bool:
    end = end_of(event)
    return bool(event.start and end and event.start.utcoffset() != end.utcoffset())


def _width(event: EventFile) -> int:
    return max(len(_clock(event, start_s)) for start_s in event.structure.starts_s)


def _foot(event: EventFile) -> Iterator[str]:
    structure, end = event.structure, end_of(event)
    breaks_s = sum(s.seconds for s in structure.segments if isinstance(s, Break))
    whole = f"Total {span(structure.total_s)}, of which breaks {span(breaks_s)}"
    if event.start and end:
        day = "" if end.date() == event.start.date() else f" on {end:%A}"
        whole += f"; the last level ends at {end:%H:%M %Z}{day}"
    yield whole
    if _clocks_change(event):
        yield "The clocks change during the night: mind the names behind the times"
    if structure.rebuy_until_s:
        yield f"Rebuys for the first {span(structure.rebuy_until_s)} of play (breaks do not count)"


def _day(moment: datetime) -> str:
    return f"{moment:%A} {moment.day} {moment:%B %Y}"
