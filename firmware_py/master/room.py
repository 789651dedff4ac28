"""Owns the master without I/O: who is in the room, what they wish, what the clock brings by itself.

Frames in, frames out; every call is told the host's raw time. Decisions are core's, written by
OfficialStream; here they are asked for and the outcome is told to whoever must know.
"""

import random
from collections.abc import Mapping

from msgspec.structs import replace as with_fields

from firmware_py import health
from firmware_py.core import wishes
from firmware_py.core.commands import (
    AnswerFloor,
    ClockCommand,
    JoinTable,
    OpenTournament,
    RecoverClock,
    TournamentCommand,
)
from firmware_py.core.last_table import break_due
from firmware_py.core.latch import conflict
from firmware_py.core.refusals import Refused
from firmware_py.core.roles import Role
from firmware_py.core.schedule import Phase, position
from firmware_py.core.tournament_alerts import due_alerts
from firmware_py.core.turns import next_turn_ns
from firmware_py.health import Board, UnitHealth, UnitSeen, read_health
from firmware_py.journal.source import JournalSource
from firmware_py.journal.sqlite import JournalFull
from firmware_py.journal.store import Journal
from firmware_py.master.official import STREAM, Accepted, OfficialStream
from firmware_py.master.tables import Tables, stream_of
from sync.clock import SECOND
from sync.hub import Hub, PeerEnd
from sync.messages import Hello
from sync.replication import BeatArrived, CommandArrived, Fact, Opened
from sync.streams import EventsArrived
from sync.timebase import Timebase

UNIT_KEY, DESK_KEY = 1, 2
SILENT_NS = 10 * SECOND  # a unit that is silent for so long may be replaced
FORGET_NS = 60 * SECOND
FULL = Refused("disk_full", "The master's disk is full; free some space")
UNREADABLE = Refused("unreadable", "The master does not know this command; is it older?")


class Room:
    """The master's side of all links, and its own timers."""

    def __init__(
        self,
        *,
        journal: Journal,
        official: OfficialStream,
        timebase: Timebase,
        keys: Mapping[int, bytes],
        rng: random.Random,
        now_ns: int,
    ) -> None:
        """`keys` by key id: 1 seals units' frames, 2 the desks'."""
        self.official = official
        self.timebase = timebase
        self.marks: set[str] = set()
        self._source = JournalSource(journal)
        self._hub = Hub(keys, rng)
        self._tables = Tables(journal)
        self._health: dict[str, UnitHealth] = {}
        self._heard: dict[str, int] = {}  # unit -> raw ns; silent since the start at most
        self._began_ns = now_ns
        self._turn_ns: int | None = None
        self._tables.follow(official.state)

    # ---- in

    def frame(self, peer: str, data: bytes, now_ns: int) -> list[tuple[str, bytes]]:
        """Take a frame; return what goes back at once."""
        facts, at_once = self._hub.receive(peer, data, now_ns)
        for fact in facts:
            end = self._hub.peers.get(peer)
            if end is not None:
                self._told(end, fact, now_ns)
        return [(peer, frame) for frame in at_once]

    def command(
        self, command: TournamentCommand, now_ns: int, request: str = ""
    ) -> Accepted | Refused:
        """Carry out `command` at the official instant of `now_ns`; a full disk is a refusal."""
        try:
            outcome = self.official.command(command, self.timebase.at(now_ns), request)
        except JournalFull:
            self.marks.add("DISK FULL")
            return FULL
        self.marks.discard("DISK FULL")
        self._tables.follow(self.official.state)
        return outcome

    def recover(self, last_official_ns: int, now_ns: int) -> None:
        """Hold the clock where it stood at `last_official_ns`: the host was away since."""
        place = position(self.official.state.schedule, last_official_ns)
        if place.phase is not Phase.WAITING:
            self.command(
                RecoverClock(
                    actor="master",
                    role=Role.UNIT,
                    segment=place.segment,
                    elapsed_ns=place.elapsed_ns,
                ),
                now_ns,
            )

    def tick(self, now_ns: int) -> None:
        """Do what the clock brings by itself, and forget who has long been silent."""
        official_ns = self.timebase.at(now_ns)
        if self._turn_ns is None or official_ns >= self._turn_ns:
            for alert in due_alerts(self.official.state, official_ns):
                self.command(alert, now_ns)
            self._begin_break(now_ns)
        self._turn_ns = next_turn_ns(self.official.state.schedule, official_ns)
        for peer in self._hub.forget_silent(now_ns, FORGET_NS):
            self._health.pop(peer, None)

    # ---- out

    def to_send(self, now_ns: int) -> list[tuple[str, bytes]]:
        """Return (peer, frame) for all that is to be sent now."""
        board = b""
        frames: list[tuple[str, bytes]] = []
        for peer, end in self._hub.peers.items():
            if end.hello.kind == "desk":
                board = board or health.encode(self.board(now_ns))
                end.beat = board
            frames += [(peer, frame) for frame in end.to_send(now_ns)]
        return frames

    def next_ns(self, now_ns: int) -> int:
        """Return when `tick` or `to_send` have something to do again."""
        due = [now_ns + SECOND, *(end.next_deadline_ns() for end in self._hub.peers.values())]
        if self._turn_ns is not None:
            due.append(self.timebase.raw(self._turn_ns))
        return min(due)

    def board(self, now_ns: int) -> Board:
        """Return how the room is."""
        return Board(
            official_ns=self.timebase.at(now_ns),
            term=self.timebase.term,
            epoch=self.official.epoch,
            last=self.official.last,
            units=tuple(
                self._seen(peer, end, now_ns)
                for peer, end in sorted(self._hub.peers.items())
                if end.hello.kind != "desk"
            ),
            marks=tuple(sorted(self.marks)),
        )

    # ---- within

    def _told(self, end: PeerEnd, fact: Fact, now_ns: int) -> None:
        self._heard[_unit(end.hello)] = now_ns
        match fact:
            case Opened(hello):
                stored = hello.follows[2] if hello.follows[1] == self.official.epoch else 0
                end.writes(self._source, STREAM, self.official.epoch, stored)
                self._grant(end)
            case EventsArrived():
                self._take(end, fact, now_ns)
            case CommandArrived(request, payload, key_id):
                outcome = self._wished(end, request, payload, key_id, now_ns)
                refused = outcome if isinstance(outcome, Refused) else None
                end.answer(
                    request, refused.code if refused else "", refused.words if refused else ""
                )
                self._grant(end)
            case BeatArrived(payload):
                self._health[end.hello.peer] = read_health(payload)
            case _:
                pass

    def _grant(self, end: PeerEnd) -> None:
        """Take in the table's stream from the unit that holds it."""
        held = self.official.state.table(end.hello.table)
        if held is not None and held.unit == _unit(end.hello) and end.hello.kind == "table":
            last = self._tables.last(held.table, held.epoch)
            end.follows(stream_of(held.table), held.epoch, last)

    def _take(self, end: PeerEnd, arrived: EventsArrived, now_ns: int) -> None:
        held = self.official.state.table(end.hello.table)
        if held is None or held.unit != _unit(end.hello):  # replaced meanwhile
            return
        try:
            latched = self._tables.take(arrived)
        except JournalFull:
            self.marks.add("DISK FULL")
            return
        except ValueError:
            self.marks.add(f"BAD EVENT FROM TABLE {end.hello.table}")
            return
        end.durable(arrived.last)
        for latch in latched:
            alert = conflict(self.official.state, end.hello.table, latch)
            if alert is not None:
                self.command(alert, now_ns)
        self._begin_break(now_ns)

    def _begin_break(self, now_ns: int) -> None:
        begin = break_due(self.official.state, self._tables.all(), self.timebase.at(now_ns))
        if begin is not None:
            self.command(begin, now_ns)

    def _wished(
        self, end: PeerEnd, request: str, payload: bytes, key_id: int, now_ns: int
    ) -> Accepted | Refused:
        command = wishes.decode(payload)
        if isinstance(command, JoinTable) and end.hello.kind == "table":
            return self.command(self._join(end.hello, now_ns), now_ns, request)
        if isinstance(command, ClockCommand | AnswerFloor | OpenTournament):
            role = Role.TD if key_id == DESK_KEY else Role.UNIT
            actor = "td" if role is Role.TD else end.hello.peer
            return self.command(with_fields(command, role=role, actor=actor), now_ns, request)
        return UNREADABLE

    def _join(self, hello: Hello, now_ns: int) -> JoinTable:
        """Return the wish to join as the master knows it: who asks, and who is silent."""
        held = self.official.state.table(hello.table)
        silent = held is not None and self._silent_ns(held.unit, now_ns) >= SILENT_NS
        return JoinTable(
            actor=hello.peer,
            role=Role.UNIT,
            table=hello.table,
            unit=_unit(hello),
            replaces=silent,
        )

    def _silent_ns(self, unit: str, now_ns: int) -> int:
        return now_ns - self._heard.get(unit, self._began_ns)

    def _seen(self, peer: str, end: PeerEnd, now_ns: int) -> UnitSeen:
        unit = _unit(end.hello)
        held = self.official.state.table(end.hello.table)
        return UnitSeen(
            kind=end.hello.kind,
            table=end.hello.table,
            unit=unit,
            speaks=held is not None and held.unit == unit,
            silent_ns=self._silent_ns(unit, now_ns),
            health=self._health.get(peer, UnitHealth()),
        )


def _unit(hello: Hello) -> str:
    """Return the unit's own id, which its name on the link carries."""
    return hello.peer.rpartition("-")[2]
