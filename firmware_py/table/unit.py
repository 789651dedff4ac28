"""Owns the table unit without I/O: frames, key edges, chips and time in; frames, lamps, state out.

Every call is told the local time. A key is answered at once and alone; what the master has to know
travels later. Threads, sockets and pins are the programs' business.
"""

from collections.abc import Iterable
from dataclasses import replace

from display.views import Mark, Severity
from firmware_py import health
from firmware_py.core.refusals import Refused
from firmware_py.core.schedule import SECOND
from firmware_py.core.turns import next_turn_ns
from firmware_py.health import UnitHealth
from firmware_py.journal.sqlite import JournalFull
from firmware_py.table import chips, panel
from firmware_py.table.chips import ChipKeys
from firmware_py.table.conversation import Conversation
from firmware_py.table.display_loop import FlipShown
from firmware_py.table.mailbox import OfficialTime, OwnTime
from firmware_py.table.own_stream import OwnStream
from firmware_py.table.panel import Ask, Press, Tell, Wish
from firmware_py.table.presses import Presses
from firmware_py.table.replica import Replica
from firmware_py.table.timing import Timing
from firmware_py.table.unit_state import ChipShown, Notice, UndoAsked, UnitState
from hardware.ports import Edge, Key
from hardware.presence import ReaderBack, ReaderFailed, Report
from sync.replication import Fact
from sync.streams import EventsArrived

NOTICE_NS = 4 * SECOND
REOPEN_NS = 5 * SECOND  # after a full disk, what was not stored is asked for again
NO_TIME = "No time from the master yet"
DISK_FULL = Mark(text="DISK FULL", severity=Severity.FAULT)


class Unit:
    """One table (or a hall screen, place 0) and all that it knows."""

    def __init__(
        self,
        *,
        own: OwnStream,
        replica: Replica,
        talk: Conversation,
        timing: Timing,
        chip_keys: ChipKeys,
        help_line: str = "",
    ) -> None:
        """`own` and `replica` share one journal; `talk` is this unit's session."""
        self._own, self._replica, self._talk, self._timing = own, replica, talk, timing
        self._chip_keys = chip_keys
        self._help = help_line
        self._presses = Presses()
        self._notice: Notice | None = None
        self._undo: UndoAsked | None = None
        self._chip: ChipShown | None = None
        self._reader_fault: str | None = None
        self._flip_late_ns = 0
        self._full_ns: int | None = None
        self._damaged = False
        self._part_marks: dict[str, Mark] = {}
        self._timed = timing.time is not None

    # ---- in

    def frame(self, data: bytes, now_ns: int) -> None:
        """Take a frame from the master."""
        for fact in self._talk.receive(data, now_ns):
            self._told(fact, now_ns)

    def connected(self) -> None:
        """The transport came back: open a session at once."""
        self._talk.end.restart()

    def edge(self, edge: Edge) -> None:
        """Take a contact's raw change."""
        for press in self._presses.edge(edge):
            self._pressed(press, edge.at_ns)

    def reader(self, report: Report, now_ns: int) -> None:
        """Take what the card reader says."""
        if isinstance(report, ReaderFailed):
            self._reader_fault = report.reason
        elif isinstance(report, ReaderBack):
            self._reader_fault = None
        seen = chips.shown(report, self._chip_keys, self.time.official_ns(now_ns))
        self._chip = seen or self._chip

    def flipped(self, flip: FlipShown) -> None:
        """Take how late the screen was at a flip."""
        self._flip_late_ns = max(0, self.time.official_ns(flip.local_ns) - flip.official_ns)

    def part(self, name: str, mark: Mark | None) -> None:
        """Take a part's standing sign, or that it works again."""
        if mark is None:
            self._part_marks.pop(name, None)
        else:
            self._part_marks[name] = mark

    def tick(self, now_ns: int) -> None:
        """Do what has come due by `now_ns`."""
        for press in self._presses.tick(now_ns):
            self._pressed(press, now_ns)
        if self._full_ns is not None and now_ns - self._full_ns >= REOPEN_NS:
            self._full_ns = now_ns
            self._talk.end.restart()
        if not self._timed and self._timing.time is not None:
            self._timed, self._notice = True, None  # its end was on another clock
        self._talk.speak(self._own.epoch, now_ns)

    # ---- out

    def to_send(self, now_ns: int) -> list[bytes]:
        """Return the frames for the master."""
        self._talk.end.beat = health.encode(self._health(now_ns))
        return self._talk.end.to_send(now_ns)

    def next_ns(self, now_ns: int) -> int:
        """Return when `tick` and `to_send` have something to do again."""
        due = [self._talk.next_ns(), now_ns + SECOND]
        if (presses_ns := self._presses.next_ns()) is not None:
            due.append(presses_ns)
        schedule = self._own.table.tournament.schedule
        turn_ns = next_turn_ns(schedule, self.time.official_ns(now_ns))
        if turn_ns is not None:  # the lamps may change there
            due.append(self.time.local_ns(turn_ns) + 1)
        return min(due)

    @property
    def time(self) -> OfficialTime:
        """Official time as it runs now; the local clock itself before the first sample."""
        return self._timing.time or OwnTime()

    @property
    def official(self) -> bool:
        """Whether there is a time from the master."""
        return self._timing.time is not None

    def state(self, now_ns: int) -> UnitState:
        """Return all that the screen needs."""
        return UnitState(
            table=self._own.table,
            sync=self._timing.mark(now_ns),
            linked=self._talk.end.open,
            reader_fault=self._reader_fault,
            marks=tuple(self._marks()),
            chip=self._chip,
            notice=self._notice,
            undo_asked=self._undo,
            flip_late_ns=self._flip_late_ns,
            help=self._help,
        )

    def lamps(self, now_ns: int) -> frozenset[Key]:
        """Return the lamps that are lit: what a press would do now."""
        if not self._own.epoch or not self.official:
            return frozenset()
        return panel.lamps(self._own.table, self.time.official_ns(now_ns))

    # ---- within

    def _told(self, fact: Fact, now_ns: int) -> None:
        if not isinstance(fact, EventsArrived):
            return
        try:
            self._replica.take(fact)
            self._own.follow(self._replica.state)
            self._own.obey(self.time.official_ns(now_ns))
        except JournalFull:
            self._full_ns = self._full_ns or now_ns
            return
        except ValueError:  # not an event, or not the one we have: the TD must look
            self._damaged = True
            return
        self._full_ns, self._damaged = None, False
        self._talk.end.durable(fact.last)
        self._talk.speak(self._own.epoch, now_ns)

    def _pressed(self, press: Press, now_ns: int) -> None:
        official_ns = self.time.official_ns(now_ns)
        if not self.official:
            self._say(NO_TIME, official_ns)
            return
        press = replace(press, at_ns=self.time.official_ns(press.at_ns))
        match panel.answer(self.state(now_ns), press):
            case Wish() as wish:
                self._wish(wish, official_ns, now_ns)
            case Tell(words):
                self._say(words, official_ns)
            case Ask(words, asked):
                self._undo = asked
                self._notice = Notice(words=words, until_ns=asked.until_ns)

    def _wish(self, wish: Wish, official_ns: int, now_ns: int) -> None:
        try:
            outcome = self._own.command(wish.command, wish.at_ns)
        except JournalFull:
            self._full_ns = self._full_ns or now_ns
            self._say("Not noted: the disk is full; call the TD", official_ns)
            return
        self._undo = None
        if isinstance(outcome, Refused):
            self._say(outcome.words, official_ns)
        else:
            self._notice = None

    def _say(self, words: str, official_ns: int) -> None:
        self._undo = None
        self._notice = Notice(words=words, until_ns=official_ns + NOTICE_NS)

    def _marks(self) -> Iterable[Mark]:
        if self._talk.refused and not self._own.epoch:
            yield Mark(text=self._talk.refused.upper(), severity=Severity.FAULT)
        if self._full_ns is not None:
            yield DISK_FULL
        if self._damaged:
            yield Mark(text="BAD EVENT", severity=Severity.FAULT)
        yield from self._part_marks.values()

    def _health(self, now_ns: int) -> UnitHealth:
        mark, table = self._timing.mark(now_ns), self._own.table
        official_ns = self.time.official_ns(now_ns)
        timed = mark.sample_ns is not None
        return UnitHealth(
            sync=mark.state,
            uncertainty_ns=mark.uncertainty_ns if timed else -1,
            sample_age_ns=official_ns - (mark.sample_ns or 0) if timed else -1,
            alarm=mark.alarm,
            flip_late_ns=self._flip_late_ns,
            reader_fault=self._reader_fault or "",
            hand=table.hand.number if table.hand else 0,
            floor_called=table.floor_called_ns is not None,
            marks=tuple(m.text for m in self._marks()),
        )
