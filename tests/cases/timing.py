"""Plays the timing cases (latch, pause, break): a case's words into keys and commands.

What a case calls a hand start is BLINDS and SHUFFLE; an expiry needs nothing, the clock does it.
Instants of a case are those at which things take effect, so the profile's lead is zero here.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from firmware_py.core.commands import (
    BeginRiffle,
    ChangeTime,
    EndHand,
    FinishDeal,
    Misdeal,
    NextSegment,
    PauseClock,
    PostBlinds,
    PreviousSegment,
    ResumeClock,
    TableCommand,
    UndoTableAction,
)
from firmware_py.core.events import Event
from firmware_py.core.profile import HOUSE, TDA, Profile
from firmware_py.core.refusals import Refused
from firmware_py.core.roles import Role
from firmware_py.core.schedule import SECOND
from firmware_py.core.structure import Break, Level, Segment, Structure
from firmware_py.core.table import refusal
from firmware_py.event.structure_file import load_structure
from tests.cases.room import Outcome, Room

START_NS = 1_000_000 * SECOND  # the case's 0:00:00
BEFORE_NS = 10 * SECOND  # a hand of which only the end is told began this long before
VARIANTS = {"house": HOUSE, "both": HOUSE, "tda": TDA}
NEVER = 1 << 62
BREAK_STARTS = {"expiry": "expiry", "last_table_done": "last_table"}


@dataclass
class Play:
    """A case on its way: the room, and what came of each wish."""

    case: dict[str, Any]
    room: Room
    offset_ns: int
    main: Room | None  # another clock in the house, when the case is about a table's own
    outcomes: list[Outcome] = field(default_factory=list)
    cuts: dict[int, list[int]] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)

    @property
    def events(self) -> list[dict[str, Any]]:
        return sorted(self.case["events"], key=lambda event: instant(event["t"]))

    def table(self, event: dict[str, Any]) -> int:
        """Return the number of the table that an event is about, 1 if it does not say."""
        named = event.get("table", 1)
        return named if isinstance(named, int) else self.names.setdefault(named, 50)

    def key_ns(self, event: dict[str, Any]) -> int:
        """Return the instant of a key as the table's own clock has it."""
        own = self.offset_ns if self.table(event) in self.room.cut else 0
        return instant(event["t"]) + own


def instant(text: str) -> int:
    """Return the official instant of "h:mm:ss" or "h:mm:ss.fff"."""
    hours, minutes, seconds = text.split(":")
    whole, _, part = seconds.partition(".")
    total_s = (int(hours) * 60 + int(minutes)) * 60 + int(whole)
    return START_NS + total_s * SECOND + int(part.ljust(9, "0") or 0)


def play(case: dict[str, Any]) -> Play:
    """Return the case played to its end; ValueError for what no case has said so far."""
    tables = case["config"].get("tables", 60)
    played = Play(
        case=case,
        room=Room(_plan(case), _profile(case), tables),
        offset_ns=case["config"].get("table_offset_ms", 0) * 1_000_000,
        main=Room(_default(), _profile(case), 1) if _own_clock(case) else None,
    )
    played.room.start(START_NS)
    for number in range(1, case["config"].get("tables", 0) + 1):
        played.room.join(number)
    _begun_before(played)
    for event in played.events:
        played.room.pass_to(instant(event["t"]))
        if event["ev"] not in EVENTS:
            raise ValueError(f"unknown event {event['ev']!r} in a timing case")
        result = EVENTS[event["ev"]](played, event)
        if result is not None:
            who = str(event.get("console", event.get("by", "")))
            played.outcomes.append(Outcome(event["ev"], who, result))
        played.room.look(instant(event["t"]))
    return played


def _own_clock(case: dict[str, Any]) -> bool:
    return any(
        e["ev"] == "level_expires" and isinstance(e.get("table"), str) for e in case["events"]
    )


def _profile(case: dict[str, Any]) -> Profile:
    begins = BREAK_STARTS[case["config"].get("break_starts", "expiry")]
    return replace(VARIANTS[case["variant"]], lead_ms=0, break_start=begins)


def _default() -> Structure:
    structure = load_structure("main", Path())
    assert isinstance(structure, Structure)
    return structure


def _plan(case: dict[str, Any]) -> Structure:
    """Return the main structure with the case's lengths and breaks."""
    structure = _default()
    breaks = {str(n): int(s) for n, s in case["config"].get("break_after", {}).items()}
    seconds = case["config"].get("level_seconds")
    segments: list[Segment] = []
    for level in structure.levels:
        segments.append(replace(level, seconds=seconds or level.seconds))
        if str(level.number) in breaks:
            usual = _break_after(structure, level)
            segments.append(replace(usual, seconds=breaks[str(level.number)]))
    return replace(structure, segments=_told(case, segments))


def _told(case: dict[str, Any], segments: list[Segment]) -> tuple[Segment, ...]:
    """Return the segments with the ends that the case tells of, as far as nobody moved them."""
    moved = [instant(e["t"]) for e in case["events"] if e["ev"] in CLOCK]
    first_ns = min(moved, default=NEVER)
    expiries = (e for e in case["events"] if e["ev"] == "level_expires" and "level" in e)
    told = {e["level"]: instant(e["t"]) for e in expiries if instant(e["t"]) <= first_ns}
    ends_ns = START_NS
    for index, segment in enumerate(segments):
        ends_ns += segment.seconds * SECOND
        if isinstance(segment, Level) and segment.number in told:
            late_s = (told[segment.number] - ends_ns) // SECOND
            segments[index] = replace(segment, seconds=segment.seconds + late_s)
            ends_ns += late_s * SECOND
    return tuple(segments)


def _break_after(structure: Structure, level: Level) -> Break:
    following = structure.segments[structure.segments.index(level) + 1 :][:1]
    return next((s for s in following if isinstance(s, Break)), Break(seconds=0))


def _begun_before(played: Play) -> None:
    """Begin the hands of which a case tells only the end."""
    begun: set[int] = set()
    for event in played.events:
        number = played.table(event)
        if event["ev"] == "hand_end" and number not in begun:
            first_ns = instant(played.events[0]["t"])
            _hand_start(played, event, max(START_NS, first_ns - BEFORE_NS))
        if event["ev"] in ("hand_start", "hand_end", "blinds_posted", "riffle"):
            begun.add(number)


def _clock(kind: Callable[..., Any]) -> "Translate":
    def wish(played: Play, event: dict[str, Any]) -> list[Event] | Refused:
        delegated = event.get("delegated", False)
        by_td = Role.DELEGATE if delegated else Role.DEALER if "by" in event else Role.TD
        seconds = {"delta_s": event["seconds"]} if kind is ChangeTime else {}
        command = kind(
            actor=str(event.get("console", event.get("by", "td"))),
            role=by_td,
            seen_revision=_seen(played, event),
            **seconds,
        )
        return played.room.wish(command, instant(event["t"]))

    return wish


def _seen(played: Play, event: dict[str, Any]) -> int | None:
    """Return our revision for the case's; its lowest is what stood when the case began."""
    if "seen_version" not in event:
        return None
    lowest = min(e["seen_version"] for e in played.events if "seen_version" in e)
    return 1 + int(event["seen_version"]) - int(lowest)  # the start is our first revision


def _key(kind: type[TableCommand]) -> "Translate":
    def press(played: Play, event: dict[str, Any]) -> list[Event] | Refused:
        command = kind(actor="dealer", role=Role.DEALER)
        return played.room.key(played.table(event), command, played.key_ns(event))

    return press


def _start(played: Play, event: dict[str, Any]) -> list[Event] | Refused:
    return _hand_start(played, event, played.key_ns(event))


def _hand_start(played: Play, event: dict[str, Any], at_ns: int) -> list[Event] | Refused:
    """Press HAND OVER if a hand still stands, then BLINDS and SHUFFLE unless noted already."""
    number, who = played.table(event), {"actor": "dealer", "role": Role.DEALER}
    if played.room.join(number).in_play:
        played.room.key(number, EndHand(**who), at_ns)
    events: list[Event] = []
    for command in (PostBlinds(**who), BeginRiffle(**who)):
        refused = refusal(played.room.tables[number], command, at_ns)
        if refused and refused.code in ("blinds_posted", "riffle_begun"):
            continue
        result = played.room.key(number, command, at_ns)
        if isinstance(result, Refused):
            return result
        events += result
    return events


def _link_lost(played: Play, event: dict[str, Any]) -> None:
    number = played.table(event)
    played.room.join(number)
    played.room.cut.add(number)
    played.cuts[number] = [instant(event["t"])]


def _link_back(played: Play, event: dict[str, Any]) -> None:
    played.room.reconnect(played.table(event), instant(event["t"]))
    played.cuts[played.table(event)].append(instant(event["t"]))


def _boot_done(played: Play, event: dict[str, Any]) -> None:
    played.room.restart_table(played.table(event))


def _master_up(played: Play, event: dict[str, Any]) -> None:
    played.room.restart_master()


def _nothing(played: Play, event: dict[str, Any]) -> None:
    """Take a word for what the clock or the lack of power does by itself."""


Translate = Callable[[Play, dict[str, Any]], list[Event] | Refused | None]
CLOCK: dict[str, Translate] = {
    "pause": _clock(PauseClock),
    "resume": _clock(ResumeClock),
    "td_adds_seconds": _clock(ChangeTime),
    "td_next_level": _clock(NextSegment),
    "td_previous_level": _clock(PreviousSegment),
}
EVENTS: dict[str, Translate] = {
    **CLOCK,
    "blinds_posted": _key(PostBlinds),
    "riffle": _key(BeginRiffle),
    "deal_pressed_without_shuffle": _key(FinishDeal),
    "hand_start": _start,
    "hand_restart": _key(BeginRiffle),
    "hand_end": _key(EndHand),
    "misdeal_redeal": _key(Misdeal),
    "undo_hand_start": _key(UndoTableAction),
    "level_expires": _nothing,
    "link_lost": _link_lost,
    "link_back": _link_back,
    "power_cut": _nothing,
    "boot_done": _boot_done,
    "master_down": _nothing,
    "master_up": _master_up,
}
