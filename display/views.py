"""Owns what a screen can show, as plain data: the presenter fills it, the screen draws it.

Every text is ready to draw; a view holds no rule and no clock. Equal views give equal pictures.
"""

import enum
from dataclasses import dataclass


class Tone(enum.Enum):
    """The mood of a screen; each also differs by word and shape, never by colour alone."""

    NORMAL = "normal"
    URGENT = "urgent"  # the last minute of a level
    CALM = "calm"  # a break
    HALTED = "halted"  # paused by the TD
    WAITING = "waiting"  # nothing official to show yet


class Severity(enum.Enum):
    """How loud a mark is."""

    INFO = "info"
    WARNING = "warning"
    FAULT = "fault"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A small standing sign: HOLDOVER 4:10, OFFLINE, READER FAULT, FLOOR CALLED."""

    text: str
    severity: Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What surrounds every screen."""

    place: str  # "TABLE 4", "HALL"
    event: str = ""  # the event's name
    marks: tuple[Mark, ...] = ()
    notice: str = ""  # one short sentence: a refusal, or what an undo will take back
    help: str = ""  # which keyboard keys stand for the panel; empty on a real unit


@dataclass(frozen=True, slots=True, kw_only=True)
class HandBox:
    """The price of one hand: label "THIS HAND", blinds "300/600", detail "hand 14"."""

    label: str
    blinds: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockView:
    """Level, break, pause, overtime: whatever has an official clock."""

    frame: Frame
    tone: Tone
    title: str  # "LEVEL 7", "BREAK", "OVERTIME"
    clock: str  # "12:34", "1:30:00", "+3:07"
    badge: str = ""  # "PAUSED", "LAST MINUTE"; stands beside the clock
    progress_permille: int = 0  # elapsed share of the segment
    blinds: str = ""  # the running level's, large, when no hand is in play
    hands: tuple[HandBox, ...] = ()  # this hand, next hand; at most two
    next_line: str = ""  # "NEXT  LEVEL 8  600/1,200"
    lines: tuple[str, ...] = ()  # "NEXT BREAK 0:42", "REMOVE 25", "ADD-ON OPEN"; at most three


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageView:
    """No official clock: waiting for the master, no sync, stopped."""

    frame: Frame
    title: str  # "WAITING FOR THE MASTER"
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipView:
    """A seat chip lies on the reader."""

    frame: Frame
    title: str  # "TABLE 3"; or "UNKNOWN CHIP"
    seat: str = ""  # "SEAT 7"
    line: str = ""  # "Welcome", "GO TO TABLE 5", "ONE CHIP ONLY"
    good: bool = True
    clock: str = ""  # the official clock goes on in a corner: "12:34"


View = ClockView | MessageView | ChipView
