"""Owns one example of every kind of screen, for `tableside screens`, the tests and the manual."""

from display.views import (
    ChipView,
    ClockView,
    Frame,
    HandBox,
    Mark,
    MessageView,
    Severity,
    Tone,
    View,
)

EVENT = "Friday Deepstack"
FRAME = Frame(place="TABLE 4", event=EVENT)
HOLDOVER = Mark(text="HOLDOVER 4:10", severity=Severity.WARNING)
OFFLINE = Mark(text="OFFLINE", severity=Severity.WARNING)
FAULT = Mark(text="READER FAULT: no answer", severity=Severity.FAULT)
FLOOR = Mark(text="FLOOR CALLED", severity=Severity.INFO)
DEVIATES = Mark(text="DEVIATES", severity=Severity.INFO)
NEWER = Mark(text="NEWER VERSION", severity=Severity.WARNING)
HELP = "B blinds   S shuffle   D dealt   H hand over   U undo   F floor   T chip   Q quit"
LONG_NOTICE = (
    "Undo takes back HAND OVER of hand 114 at table 4; press UNDO once more within five "
    "seconds, or wait for it to go by"
)

LEVEL = ClockView(
    frame=FRAME,
    tone=Tone.NORMAL,
    title="LEVEL 7",
    clock="12:34",
    progress_permille=372,
    blinds="300/600",
    next_line="NEXT  LEVEL 8  400/800",
    lines=("NEXT BREAK IN 42 MIN",),
)


def _level(**changed: object) -> ClockView:
    fields = {name: getattr(LEVEL, name) for name in ClockView.__slots__}
    return ClockView(**(fields | changed))


def _hands(this: str, following: str, number: int) -> tuple[HandBox, ...]:
    return (
        HandBox(label="THIS HAND", blinds=this, detail=f"hand {number}"),
        HandBox(label="NEXT HAND", blinds=following),
    )


SAMPLES: dict[str, View] = {
    "level": LEVEL,
    "level_hands": _level(blinds="", hands=_hands("300/600", "300/600", 14)),
    "level_turned": _level(
        title="LEVEL 8",
        clock="19:48",
        progress_permille=10,
        blinds="",
        hands=_hands("300/600", "400/800", 14),
        next_line="NEXT  LEVEL 9  500/1,000",
        lines=("RAISE THE BLINDS TO 400/800", "NEXT BREAK IN 32 MIN"),
    ),
    "last_minute": _level(
        tone=Tone.URGENT, clock="0:42", badge="LAST MINUTE", progress_permille=965
    ),
    "overtime": _level(
        tone=Tone.URGENT, title="OVERTIME", clock="+3:07", progress_permille=1000, lines=()
    ),
    "paused": _level(
        tone=Tone.HALTED, badge="PAUSED", blinds="", hands=_hands("300/600", "300/600", 15)
    ),
    "break": ClockView(
        frame=FRAME,
        tone=Tone.CALM,
        title="BREAK",
        clock="9:51",
        progress_permille=343,
        next_line="NEXT  LEVEL 9  500/1,000",
        lines=("COLOUR-UP 25", "ADD-ON OPEN", "DINNER IS SERVED IN THE BAR"),
    ),
    "long_break": ClockView(
        frame=FRAME,
        tone=Tone.CALM,
        title="BREAK",
        clock="1:30:00",
        next_line="NEXT  LEVEL 9  500/1,000",
    ),
    "starts_in": ClockView(
        frame=FRAME,
        tone=Tone.WAITING,
        title="STARTS IN",
        clock="4:58",
        next_line="NEXT  LEVEL 1  25/50",
    ),
    "waiting_start": MessageView(
        frame=FRAME,
        title="WAITING FOR THE START",
        lines=("LEVEL 1  25/50", "Rules: house 3f9a1c"),
    ),
    "waiting_master": MessageView(
        frame=Frame(place="TABLE 4", marks=(OFFLINE,)),
        title="WAITING FOR THE MASTER",
        lines=("It shows the clock by itself as soon as the master answers",),
    ),
    "no_sync": MessageView(
        frame=Frame(
            place="TABLE 4", event=EVENT, marks=(Mark(text="NO SYNC", severity=Severity.WARNING),)
        ),
        title="NO SYNC",
        lines=("No time from the master yet", "The hand in play is at 300/600"),
    ),
    "marks": _level(frame=Frame(place="TABLE 4", event=EVENT, marks=(FAULT, HOLDOVER, OFFLINE))),
    "notice": _level(
        frame=Frame(place="TABLE 4", event=EVENT, marks=(FLOOR,), notice=LONG_NOTICE),
        blinds="",
        hands=_hands("300/600", "300/600", 114),
    ),
    "chip_welcome": ChipView(
        frame=Frame(place="TABLE 3", event=EVENT),
        title="TABLE 3",
        seat="SEAT 7",
        line="Welcome",
        clock="12:34",
    ),
    "chip_wrong": ChipView(
        frame=FRAME,
        title="TABLE 5",
        seat="SEAT 2",
        line="GO TO TABLE 5",
        good=False,
        clock="12:34",
    ),
    "chip_unknown": ChipView(
        frame=FRAME, title="UNKNOWN CHIP", line="Ask the TD", good=False, clock="12:34"
    ),
    "help": _level(
        frame=Frame(place="TABLE 4", event=EVENT, help=HELP),
        blinds="",
        hands=_hands("300/600", "300/600", 3),
    ),
    "hall": _level(frame=Frame(place="HALL", event=EVENT)),
    "long_blinds": _level(title="LEVEL 24", blinds="100,000/200,000 ante 200,000"),
    "long": _level(
        frame=Frame(
            place="TABLE 114",
            event="The Great Northern Charity Deepstack Championship of 2026, Day 1B",
            marks=(FAULT, HOLDOVER, OFFLINE, NEWER, FLOOR, DEVIATES),
            help=HELP,
        ),
        tone=Tone.HALTED,
        title="LEVEL 24",
        clock="1:02:34",
        badge="PAUSED",
        blinds="",
        hands=_hands("100,000/200,000 ante 200,000", "150,000/300,000 ante 300,000", 1114),
        next_line="NEXT  LEVEL 25  150,000/300,000 ante 300,000",
        lines=(
            "RAISE THE BLINDS TO 100,000/200,000",
            "NEXT BREAK IN 1 H 05 MIN",
            "REMOVE 25 100 500 1,000",
        ),
    ),
}
