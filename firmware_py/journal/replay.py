"""Owns telling a journal as a story: each event in words, and where the clock stood after it.

The states are evolved by the core alone, as the master does it on restart. Takes records in the
order of their numbers, gives lines; times are shown in the event's zone.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import groupby

import msgspec

from firmware_py.core.codec import decode
from firmware_py.core.events import ClockEvent, HandLatched, TableEvent, TournamentEvent, Unknown
from firmware_py.core.latch import level_of
from firmware_py.core.schedule import SECOND, Phase, Position, position, segments_at
from firmware_py.core.structure import Break, Level, Segment
from firmware_py.core.tournament import EMPTY, Tournament, evolve
from firmware_py.event.moment import zone
from firmware_py.journal.store import Record

UNTOLD = frozenset(
    {"at_ns", "actor", "request", "effective_ns", "revision", "type"}
    | {"structure", "profile", "segments", "payload", "event_tag"}
)


def story(records: Iterable[Record]) -> Iterator[str]:
    """Yield the lines; the tournament comes first, for the tables' hands are told by its clock."""
    ordered = sorted(records, key=lambda r: (r.stream != "tournament", r.stream, r.epoch, r.number))
    state = EMPTY
    for (stream, epoch), group in groupby(ordered, key=lambda r: (r.stream, r.epoch)):
        yield f"{stream}, epoch {epoch}"
        state = EMPTY if stream == "tournament" else state
        for record in group:
            event = _read(record)
            if stream == "tournament" and isinstance(event, TournamentEvent):
                state = evolve(state, event)
            yield f"{record.number:>6}  {_told(event, state)}"


def _read(record: Record) -> TournamentEvent | TableEvent | None:
    try:
        return decode(record.payload)
    except ValueError:
        return None


def _told(event: TournamentEvent | TableEvent | None, state: Tournament) -> str:
    if event is None:
        return "cannot be read"
    words = f"{_clock(event.at_ns, state)}  {event_words(event)} by {event.actor}"
    if isinstance(event, ClockEvent):
        return f"{words}: {standing(state, event.effective_ns)}"
    if isinstance(event, HandLatched):
        return f"{words}: {_level(event, state)}"
    return words


def event_words(event: TournamentEvent | TableEvent) -> str:
    """Return an event's name and its facts: `time changed (delta s -60)`."""
    if isinstance(event, Unknown):
        return f"{_spaced(event.event_tag)} (of a newer version, without effect)"
    facts = msgspec.structs.asdict(event)
    told = [f"{_spaced(name)} {facts[name]}" for name in facts if name not in UNTOLD]
    return _spaced(type(event).__name__) + (f" ({', '.join(told)})" if told else "")


def standing(state: Tournament, t_ns: int) -> str:
    """Return what the clock shows at `t_ns`: `level 2, 75/150, running, 19:59 left`."""
    segments = segments_at(state.schedule, t_ns)
    if not segments:
        return "no structure"
    place = position(state.schedule, t_ns)
    return f"{_segment(segments[place.segment])}, {place.phase.value}, {_left(place)}"


def _left(place: Position) -> str:
    over = place.phase is Phase.OVERTIME
    span_ns = place.elapsed_ns - place.length_ns if over else place.remaining_ns
    minutes, seconds = divmod(-(-span_ns // SECOND), 60)  # up, so that 0:00 means the flip
    return f"{minutes}:{seconds:02} {'over' if over else 'left'}"


def _segment(segment: Segment) -> str:
    if isinstance(segment, Break):
        return "break"
    return f"level {segment.number}, {_blinds(segment)}"


def _level(event: HandLatched, state: Tournament) -> str:
    level = level_of(event, state.schedule) if state.schedule.segments else None
    return f"level {level.number}, {_blinds(level)}" if level else "level unknown"


def _blinds(level: Level) -> str:
    return f"{level.small_blind:,}/{level.big_blind:,}"


def _clock(at_ns: int, state: Tournament) -> str:
    place = zone(state.opened.zone) if state.opened else None
    try:
        return f"{datetime.fromtimestamp(at_ns // SECOND, place or UTC):%Y-%m-%d %H:%M:%S}"
    except (ValueError, OverflowError, OSError):
        return f"{at_ns} ns"


def _spaced(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name).lower()
