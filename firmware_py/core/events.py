"""Owns everything that can happen: one frozen record a fact, named in the past tense.

`at_ns` is the instant in timebase nanoseconds, `actor` who did it ("td", "table/3", "master").
Events are never changed or deleted; a correction is a further event. The tag on the wire is the
class's name, so a name, once used, keeps its meaning. Codec: codec.py.
"""

import msgspec

from firmware_py.core.profile import Profile
from firmware_py.core.structure import Segment, Structure


class Event(msgspec.Struct, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """What all events share."""

    at_ns: int
    actor: str
    request: str = ""  # the wish it answers, so that a repeated one is not done twice


# ---- tournament stream (writer: the master)


class TournamentOpened(Event, frozen=True, kw_only=True):
    """The event file was taken over; the clock waits."""

    name: str
    structure: Structure
    profile: Profile
    tables: int
    seats: int = 11
    zone: str = "UTC"  # IANA name, for printing only


class ClockEvent(Event, frozen=True, kw_only=True):
    """A change of the schedule: true from `effective_ns` on, counted by `revision`."""

    effective_ns: int
    revision: int


class ClockStarted(ClockEvent, frozen=True, kw_only=True):
    """The first segment begins at `effective_ns` (in the future when armed)."""


class ClockPaused(ClockEvent, frozen=True, kw_only=True):
    """All tables stop at `effective_ns`."""


class ClockResumed(ClockEvent, frozen=True, kw_only=True):
    """All tables go on at `effective_ns`."""


class TimeChanged(ClockEvent, frozen=True, kw_only=True):
    """The segment that runs at `effective_ns` became longer (or shorter) by `delta_s`."""

    delta_s: int


class SegmentChosen(ClockEvent, frozen=True, kw_only=True):
    """Segment number `segment` (index from 0) begins anew; paused stays paused."""

    segment: int


class SegmentsEdited(ClockEvent, frozen=True, kw_only=True):
    """The list of segments was replaced; what has begun keeps its place."""

    segments: tuple[Segment, ...]


class BreakBegan(ClockEvent, frozen=True, kw_only=True):
    """The break counts from here, since the last table is done (option break_start)."""


class ClockChangeUndone(ClockEvent, frozen=True, kw_only=True):
    """Event `undoes` of this stream is taken back: the schedule before it counts again."""

    undoes: int


class ClockRecovered(ClockEvent, frozen=True, kw_only=True):
    """The master came back after a reboot and holds the clock at `elapsed_ns` of `segment`."""

    segment: int
    elapsed_ns: int


class TableJoined(Event, frozen=True, kw_only=True):
    """Unit `unit` speaks for `table`; its stream carries `epoch` from now on."""

    table: int
    unit: str
    epoch: int


class FloorAnswered(Event, frozen=True, kw_only=True):
    """The TD has seen to the call of `table`: a directive that ends it."""

    table: int


class AttemptRefused(Event, frozen=True, kw_only=True):
    """Somebody without the right tried `command` (rule 8); kept for the record."""

    command: str
    code: str


class AlertRaised(Event, frozen=True, kw_only=True):
    """A late fact contradicts what was decided meanwhile; the TD must look."""

    code: str
    table: int
    words: str


# ---- table stream (writer: the unit at that table)


class BlindsPosted(Event, frozen=True, kw_only=True):
    """Both blinds are in for hand `hand`."""

    hand: int


class RiffleBegun(Event, frozen=True, kw_only=True):
    """The shuffle for hand `hand` has begun (rule 4)."""

    hand: int


class HandLatched(Event, frozen=True, kw_only=True):
    """Hand `hand` belongs to `segment` of schedule `revision`, whatever the clock does now."""

    hand: int
    segment: int
    revision: int
    correct_blinds: bool  # blinds went in at the old price: raise them


class HandDealt(Event, frozen=True, kw_only=True):
    """All hands are complete (rule 17)."""

    hand: int


class HandEnded(Event, frozen=True, kw_only=True):
    """The pot is pushed; the next hand may begin."""

    hand: int


class HandMisdealt(Event, frozen=True, kw_only=True):
    """The same hand is dealt again: same level, same button (rules 23, 51)."""

    hand: int


class FloorCalled(Event, frozen=True, kw_only=True):
    """The dealer wants the TD at the table."""


class FloorCallEnded(Event, frozen=True, kw_only=True):
    """The call is over, by the dealer or by the TD's answer."""


class TableActionUndone(Event, frozen=True, kw_only=True):
    """Event `undoes` of this stream is taken back."""

    undoes: int


class Unknown(Event, frozen=True, kw_only=True):
    """An event of a newer version: kept and passed on, shown as such, without effect."""

    event_tag: str
    payload: bytes  # as it came


AnyClockEvent = (
    ClockStarted
    | ClockPaused
    | ClockResumed
    | TimeChanged
    | SegmentChosen
    | SegmentsEdited
    | BreakBegan
    | ClockChangeUndone
    | ClockRecovered
)
TournamentEvent = (
    AnyClockEvent
    | TournamentOpened
    | TableJoined
    | FloorAnswered
    | AttemptRefused
    | AlertRaised
    | Unknown
)
TableEvent = (
    BlindsPosted
    | RiffleBegun
    | HandLatched
    | HandDealt
    | HandEnded
    | HandMisdealt
    | FloorCalled
    | FloorCallEnded
    | TableActionUndone
    | Unknown
)
