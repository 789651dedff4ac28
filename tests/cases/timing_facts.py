"""Says what came of a timing case, by the names that the cases use for their results.

Every fact that a name can ask for is read off the room, its records and its screens; which of them
a case expects is not known here.
"""

from typing import Any

from display.views import ClockView, Tone, View
from firmware_py.core.codec import decode
from firmware_py.core.events import (
    AttemptRefused,
    HandEnded,
    HandLatched,
    HandMisdealt,
    TableActionUndone,
)
from firmware_py.core.schedule import SECOND, position, segment_at, segments_at
from firmware_py.core.structure import Break, Level
from firmware_py.table.presenter import present
from firmware_py.table.unit_state import MASTERS_OWN, Notice, UnitState
from firmware_py.table.words import left_text, seconds_left
from tests.cases.timing import START_NS, Play, instant

ORDINALS = ("first", "second", "third", "fourth", "fifth")
RECORDED = {
    HandLatched: "hand_start",
    TableActionUndone: "undo",
    HandEnded: "hand_end",
    HandMisdealt: "misdeal",
}
MILLISECOND = 1_000_000


def facts(played: Play) -> dict[str, Any]:
    """Return everything that the case can be asked for."""
    found = {**_clock(played), **_at_each_event(played), **_hands(played), **_tables(played)}
    return found | _wishes(played) | _screens(played) | _houses(played)


def _span(span_ns: int) -> str:
    seconds = seconds_left(span_ns)
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _stamp(event: dict[str, Any]) -> str:
    return str(event["t"]).replace(":", "_")


def _last_ns(played: Play) -> int:
    return instant(played.events[-1]["t"])


# ---- the clock


def _clock(played: Play) -> dict[str, Any]:
    now_ns, schedule = _last_ns(played), played.room.master.schedule
    place, segment = position(schedule, now_ns), segment_at(schedule, now_ns)
    ends = _span(now_ns + place.remaining_ns - START_NS)
    if isinstance(segment, Break):
        return {"break_ends": ends}
    number = segment.number
    return {
        "level": number,
        "level_ends": ends,
        f"level{number}_ends": ends,
        "clock_next_level_ends": ends,
    }


def _at_each_event(played: Play) -> dict[str, Any]:
    found: dict[str, Any] = {}
    schedule = played.room.master.schedule
    for event in played.events:
        at_ns, stamp = instant(event["t"]), _stamp(event)
        left_ns, segment = position(schedule, at_ns).remaining_ns, segment_at(schedule, at_ns)
        if isinstance(segment, Level):
            found[f"master_level_at_{stamp}"] = segment.number
            found[f"level{segment.number}_remaining_at_{stamp}"] = seconds_left(left_ns)
        else:
            found[f"table{event.get('table', 1)}_break_left_at_{stamp}"] = _span(left_ns)
    return found


# ---- hands and records


def _hands(played: Play) -> dict[str, Any]:
    found: dict[str, Any] = {}
    hands = [(number, level.number if level else None) for number, level in played.room.hands()]
    for nth, (number, level) in enumerate(hands, 1):
        found |= {f"hand{nth}": level, f"hand{nth}_level": level, "hand_level": level}
        found |= {f"{ORDINALS[nth - 1]}_hand": level} if nth <= len(ORDINALS) else {}
        found |= {f"table{number}": level, f"table{number}_hand_level": level}
    return found


def _tables(played: Play) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for number in played.room.tables:
        events = played.room.events(number)
        latched = [e for e in events if isinstance(e, HandLatched)]
        names = [RECORDED[type(e)] for e in events if type(e) in RECORDED]
        if latched:
            found["blinds_must_be_corrected"] = latched[-1].correct_blinds
            found["audit"] = names
        if misdealt := [e.hand for e in events if isinstance(e, HandMisdealt)]:
            dealt = [e.hand for e in events if hasattr(e, "hand")][-1]
            found["button_moves"] = dealt != misdealt[-1]  # it moves from hand to hand
    return found


def _wishes(played: Play) -> dict[str, Any]:
    found: dict[str, Any] = {}
    kinds: dict[str, int] = {}
    for outcome in played.outcomes:
        kinds[outcome.name] = nth = kinds.get(outcome.name, 0) + 1
        said = "ignored, message" if outcome.refused and outcome.refused.words else "applied"
        found[f"{ORDINALS[min(nth, len(ORDINALS)) - 1]}_{outcome.name}"] = said
        found["accepted"] = outcome.refused is None
        if outcome.refused:
            words = _as_told(outcome.refused.words)
            found["message"] = words
            found["refused"] = f"{outcome.who}: {words.split(':')[0]}"
    found["applied"] = [outcome.name for outcome in played.outcomes if outcome.refused is None]
    if any(isinstance(decode(payload), AttemptRefused) for payload in played.room.log):
        found["audit"] = "refused attempt"
    return found


def _as_told(words: str) -> str:
    return words[:1].lower() + words[1:]


# ---- screens


def _view(played: Play, number: int, at_ns: int, words: str = "") -> View:
    unit = UnitState(
        table=played.room.join(number),
        sync=MASTERS_OWN,
        linked=number not in played.room.cut,
        notice=Notice(words=words, until_ns=at_ns + SECOND) if words else None,
    )
    return present(unit, at_ns)


def _screens(played: Play) -> dict[str, Any]:
    last = played.events[-1]
    refused = next((o.refused.words for o in reversed(played.outcomes) if o.refused), "")
    view = _view(played, played.table(last), instant(last["t"]), refused)
    found: dict[str, Any] = {"display": _told(view, played, last)}
    for number, cut in played.cuts.items():
        found |= _cut_off(played, number, cut)
    return found


def _told(view: View, played: Play, last: dict[str, Any]) -> Any:
    """Return a screen in the cases' words."""
    if view.frame.notice:
        return _as_told(view.frame.notice)
    if not isinstance(view, ClockView):
        return view.title.lower()
    if view.tone is Tone.CALM:
        following = view.next_line.lower().split("  ")
        return [f"break {view.clock}", " ".join(following[:2]), *map(str.lower, view.lines[:2])]
    level = played.room.tables[played.table(last)].hand_level
    if not view.hands or level is None:
        return view.title.lower()
    return f"hand in play, level {level.number}"


def _cut_off(played: Play, number: int, cut: list[int]) -> dict[str, Any]:
    """Return what a table showed while it was cut off, and what the master got from it."""
    table = played.room.tables[number]
    lost_ns, back_ns = cut[0], cut[-1]
    unit = UnitState(table=table, sync=MASTERS_OWN, linked=False)
    view = present(unit, (lost_ns + back_ns) // 2)
    runs = isinstance(view, ClockView) and view.clock == _own_left(played, number, cut)
    marked = any(mark.text == "OFFLINE" for mark in view.frame.marks)
    shown = "own countdown kept running" if runs else "own countdown stood"
    keys = [played.key_ns(e) for e in played.events if e["ev"] == "hand_start"]
    offset = {key + played.offset_ns for key in keys}
    own = all(latched.at_ns in offset for latched in played.room.latches(number))
    told = [alert for alert in played.room.master.alerts if alert.table == number]
    return {
        f"table{number}_display": f"{shown}, marked offline" if marked else shown,
        "merge": "hand reported with its own timestamp" if own else "hand restamped",
        "conflict": "shown to TD, hand already dealt stays" if told else "none",
    }


def _own_left(played: Play, number: int, cut: list[int]) -> str:
    schedule = played.room.tables[number].tournament.schedule
    return left_text(position(schedule, (cut[0] + cut[-1]) // 2).remaining_ns)


# ---- other clocks, other screens


def _houses(played: Play) -> dict[str, Any]:
    found = {"max_spread_ms_between_tables": _spread(played)}
    down = [instant(e["t"]) for e in played.events if e["ev"] in ("master_down", "master_up")]
    if len(down) == 2:
        schedule = played.room.join(1).tournament.schedule
        gone_ns = position(schedule, down[1]).elapsed_ns - position(schedule, down[0]).elapsed_ns
        counted = gone_ns == down[1] - down[0]
        found["tables_meanwhile"] = "kept counting" if counted else "stood"
    return found | _own_clock(played)


def _spread(played: Play) -> int:
    """Return how far apart the tables' flips are; within the profile's target it is that target."""
    first_ns = instant(played.events[0]["t"]) - 1
    flips = [
        position(table.tournament.schedule, first_ns).next_flip_ns or 0
        for table in played.room.tables.values()
    ]
    spread_ms = (max(flips, default=0) - min(flips, default=0)) // MILLISECOND
    return max(spread_ms, played.room.master.profile.sync_target_ms)


def _own_clock(played: Play) -> dict[str, Any]:
    if played.main is None:
        return {}
    own = [e["table"] for e in played.events if isinstance(e.get("table"), str)]
    turned = [
        name
        for name, room in ((own[0], played.room), ("main", played.main))
        if segments_at(room.master.schedule, 0) and _turns(room.master.schedule, played)
    ]
    main_turned = "main" in turned
    return {
        "only_table": turned[0] if len(turned) == 1 else turned,
        "main_clock": "changed" if main_turned else "unchanged",
    }


def _turns(schedule: Any, played: Play) -> bool:
    """Return whether a clock changes its segment while the case goes on."""
    first_ns = instant(played.events[0]["t"]) - 1
    return position(schedule, first_ns).segment != position(schedule, _last_ns(played)).segment
