"""Owns what a screen says: from a unit's state and the official time to a view.

Pure. Between `now_ns` and `next_change_ns(unit, now_ns)` the view stays the same, so the display
sleeps that long. Which level a hand belongs to is core's business, how a view looks is display's.
"""

from dataclasses import replace

from display.views import ChipView, ClockView, Frame, HandBox, MessageView, Tone, View
from firmware_py.core.schedule import (
    SECOND,
    Phase,
    Position,
    begun_by,
    level_at,
    next_level,
    position,
    segment_at,
    segments_at,
    until_break_ns,
)
from firmware_py.core.structure import Break, Level
from firmware_py.core.turns import MINUTE_NS, next_turn_ns, warning_ns
from firmware_py.table import face as clock_face
from firmware_py.table.face import Face, Sounded, face
from firmware_py.table.marks import marks
from firmware_py.table.unit_state import ChipShown, UnitState
from firmware_py.table.words import (
    amount_text,
    blinds_text,
    clock_text,
    level_text,
    minutes_text,
    seconds_left,
)

IDLE_NS = 60 * SECOND  # looked at this often although nothing is due
MOST_LINES = 3


def present(unit: UnitState, now_ns: int) -> View:
    """Return what the unit's screen shows at the official instant `now_ns`."""
    frame = _frame(unit, now_ns)
    shown = _untimed(unit, frame) if not _official(unit) else _clock(unit, frame, now_ns)
    if unit.chip is not None and now_ns < unit.chip.until_ns:
        return _chip(unit.chip, frame, shown.clock if isinstance(shown, ClockView) else "")
    return shown


def next_change_ns(unit: UnitState, now_ns: int) -> int:
    """Return the next instant after `now_ns` at which the view may change by itself."""
    due = [now_ns + IDLE_NS]
    due += [shown.until_ns for shown in (unit.notice, unit.chip) if shown is not None]
    if unit.sync.state == "holdover" and unit.sync.sample_ns is not None:
        due.append(now_ns + SECOND - (now_ns - unit.sync.sample_ns) % SECOND)
    if _official(unit):
        due += [
            instant
            for instant in (
                face(position(unit.schedule, now_ns), now_ns).tick_ns,
                next_turn_ns(unit.schedule, now_ns),
            )
            if instant is not None
        ]
    return min(instant for instant in due if instant > now_ns)


def sounds(unit: UnitState, from_ns: int, to_ns: int) -> tuple[Sounded, ...]:
    """Return what the unit has to say aloud after `from_ns` and up to `to_ns`."""
    return clock_face.sounds(unit.schedule, from_ns, to_ns) if _official(unit) else ()


def _official(unit: UnitState) -> bool:
    """Return whether there is a time and an event, so that digits may be shown (F050)."""
    return unit.timed and unit.table.tournament.opened is not None


def _frame(unit: UnitState, now_ns: int) -> Frame:
    opened = unit.table.tournament.opened
    notice = unit.notice
    return Frame(
        place=unit.place,
        event=opened.name if opened else "",
        marks=marks(unit, now_ns),
        notice=notice.words if notice and now_ns < notice.until_ns else "",
        help=unit.help,
    )


# ---- no official clock


def _untimed(unit: UnitState, frame: Frame) -> MessageView:
    hand = unit.table.hand_level
    kept = (f"The hand in play is at {blinds_text(hand)}",) if hand else ()
    if not unit.linked:
        lines = ("It shows the clock by itself as soon as the master answers", *kept)
        return MessageView(frame=frame, title="WAITING FOR THE MASTER", lines=lines)
    if not unit.timed:
        lines = ("No time from the master yet", *kept)
        return MessageView(frame=frame, title="NO SYNC", lines=lines)
    return MessageView(frame=frame, title="WAITING FOR THE TD", lines=("No event is open yet",))


def _chip(chip: ChipShown, frame: Frame, clock: str) -> ChipView:
    if chip.problem:
        line = "Ask the TD"
        return ChipView(frame=frame, title=chip.problem, line=line, good=False, clock=clock)
    title, seat = f"TABLE {chip.table}", f"SEAT {chip.seat}"
    here = frame.place in (title, "HALL")
    line = "Welcome" if here else f"GO TO {title}"
    return ChipView(frame=frame, title=title, seat=seat, line=line, good=here, clock=clock)


# ---- the clock


def _clock(unit: UnitState, frame: Frame, now_ns: int) -> View:
    place = position(unit.schedule, now_ns)
    if not segments_at(unit.schedule, now_ns):
        return MessageView(frame=frame, title="WAITING FOR THE TD", lines=("No levels yet",))
    shown = face(place, now_ns)
    if place.phase is Phase.WAITING:
        return _before_start(unit, frame, place, shown, now_ns)
    segment = segment_at(unit.schedule, now_ns)
    view = ClockView(
        frame=frame,
        tone=_tone(place, segment, shown),
        title=_title(place, segment),
        clock=shown.text,
        badge=_badge(place, shown),
        progress_permille=shown.permille,
        next_line=_next_line(unit, now_ns),
        lines=_lines(unit, place, segment, now_ns)[:MOST_LINES],
    )
    return _with_prices(unit, view, now_ns)


def _before_start(unit: UnitState, frame: Frame, place: Position, shown: Face, now_ns: int) -> View:
    first = level_at(unit.schedule, now_ns)
    price = level_text(first) if first else ""
    if place.next_flip_ns is None:
        profile = unit.table.tournament.profile
        rules = f"Rules: {profile.name} {profile.fingerprint}"
        return MessageView(frame=frame, title="WAITING FOR THE START", lines=(price, rules))
    return ClockView(
        frame=frame,
        tone=Tone.WAITING,
        title="STARTS IN",
        clock=shown.text,
        next_line=f"NEXT  {price}",
    )


def _tone(place: Position, segment: Level | Break, shown: Face) -> Tone:
    if place.phase is Phase.PAUSED:
        return Tone.HALTED
    if isinstance(segment, Break):
        return Tone.CALM
    return Tone.URGENT if shown.last_minute or place.phase is Phase.OVERTIME else Tone.NORMAL


def _title(place: Position, segment: Level | Break) -> str:
    if isinstance(segment, Break):
        return "BREAK"
    over = place.elapsed_ns >= place.length_ns
    return "OVERTIME" if over else f"LEVEL {segment.number}"


def _badge(place: Position, shown: Face) -> str:
    if place.phase is Phase.PAUSED:
        return "PAUSED"
    if not shown.last_minute:
        return ""
    return "LAST MINUTE" if warning_ns(place.length_ns) == MINUTE_NS else "ENDS SOON"


def _next_line(unit: UnitState, now_ns: int) -> str:
    """Return what comes after this segment, the first thing first."""
    segments = segments_at(unit.schedule, now_ns)
    after = segments[position(unit.schedule, now_ns).segment + 1 :]
    if not after:
        return "LAST LEVEL"
    if isinstance(after[0], Break):
        return f"NEXT  BREAK {clock_text(after[0].seconds)}"
    return f"NEXT  {level_text(after[0])}"


def _lines(
    unit: UnitState, place: Position, segment: Level | Break, now_ns: int
) -> tuple[str, ...]:
    """Return the lesser lines, the most pressing first."""
    raised = _raise_line(unit, now_ns)
    if isinstance(segment, Break):
        return (*raised, *_break_lines(segment))
    left_ns = until_break_ns(unit.schedule, now_ns)
    if left_ns is None:
        return raised
    following = next_level(unit.schedule, now_ns)
    next_is_break = left_ns == place.remaining_ns
    if next_is_break:
        return (*raised, f"THEN  {level_text(following)}") if following else raised
    return (*raised, f"NEXT BREAK IN {minutes_text(seconds_left(left_ns))}")


def _break_lines(segment: Break) -> tuple[str, ...]:
    removed = " ".join(amount_text(chip) for chip in segment.remove)
    lines = (
        f"COLOUR-UP {removed}" if removed else "",
        "ADD-ON OPEN" if segment.addon else "",
        segment.note.upper(),
    )
    return tuple(line for line in lines if line)


def _raise_line(unit: UnitState, now_ns: int) -> tuple[str, ...]:
    """Return the call to raise blinds that were posted at the old price (rule 4, case L03)."""
    hand = unit.table.hand
    if hand is None or hand.blinds_ns is None:
        return ()
    if hand.latched is not None:
        level = unit.table.hand_level if hand.latched.correct_blinds else None
    else:
        posted = begun_by(unit.schedule, hand.blinds_ns).segment
        now = position(unit.schedule, now_ns).segment
        level = level_at(unit.schedule, now_ns) if posted != now else None
    return (f"RAISE THE BLINDS TO {blinds_text(level)}",) if level else ()


def _with_prices(unit: UnitState, view: ClockView, now_ns: int) -> ClockView:
    """Return `view` with the price of this hand and of the next, or with the level's alone."""
    coming = level_at(unit.schedule, now_ns)
    level = segment_at(unit.schedule, now_ns)
    hand, price = unit.table.hand, unit.table.hand_level
    if hand is None or price is None or coming is None:
        return replace(view, blinds=blinds_text(level) if isinstance(level, Level) else "")
    boxes = (
        HandBox(label="THIS HAND", blinds=blinds_text(price), detail=f"hand {hand.number}"),
        HandBox(label="NEXT HAND", blinds=blinds_text(coming)),
    )
    return replace(view, hands=boxes)
