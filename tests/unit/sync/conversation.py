"""A master and units that talk over simulated wires, an evening in a moment."""

import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sync.clock import SECOND
from sync.hub import Hub
from sync.links.memory import PERFECT, Faults, Pair
from sync.messages import PROTOCOL, Hello
from sync.replication import (
    AnswerArrived,
    BeatArrived,
    CommandArrived,
    Fact,
    Opened,
    UnitEnd,
)
from sync.streams import EventsArrived

KEYS = {1: b"u" * 32, 2: b"d" * 32}
EPOCH = 7


class Store:
    """A journal in a dict: payloads by (stream, epoch)."""

    def __init__(self) -> None:
        self.streams: dict[tuple[str, int], list[bytes]] = defaultdict(list)

    def last(self, stream: str, epoch: int) -> int:
        return len(self.streams[stream, epoch])

    def payloads(self, stream: str, epoch: int, after: int, limit: int) -> Sequence[bytes]:
        return self.streams[stream, epoch][after : after + limit]

    def append(self, stream: str, epoch: int, *payloads: bytes) -> None:
        self.streams[stream, epoch].extend(payloads)

    def take(self, arrived: EventsArrived) -> None:
        kept = self.streams[arrived.stream, arrived.epoch]
        assert arrived.first == len(kept) + 1, "a gap or a doublet reached the application"
        kept.extend(arrived.payloads)


@dataclass
class Unit:
    """One unit: what it stores, its end, its wires, what it was told."""

    peer: str
    stream: str
    store: Store
    end: UnitEnd
    wires: Pair
    facts: list[Fact] = field(default_factory=list)
    sent: int = 0

    def of(self, kind: type[Fact]) -> list[Fact]:
        return [fact for fact in self.facts if isinstance(fact, kind)]


class Room:
    """The master's side, and the turning of the wheel."""

    def __init__(self, seed: int, faults: Faults = PERFECT) -> None:
        self.now_ns = 5 * SECOND
        self.rng = random.Random(seed)
        self.faults = faults
        self.store = Store()
        self.units: dict[str, Unit] = {}
        self.done: list[tuple[str, str, bytes, int]] = []  # peer, request, payload, key id
        self.facts: list[tuple[str, Fact]] = []
        self.answers_at_once = True
        self.sent: defaultdict[str, int] = defaultdict(int)
        self.hub = Hub(KEYS, self.rng)

    def restart_master(self) -> None:
        """Lose all sessions, keep the store."""
        self.hub = Hub(KEYS, self.rng)

    def add(self, peer: str, *, key_id: int = 1, table: int = 1, kind: str = "table") -> Unit:
        stream = f"table/{table}"
        hello = Hello(PROTOCOL, peer, kind, table, ("tournament", EPOCH, 0))
        store = Store()
        end = UnitEnd(hello, key_id, KEYS[key_id], random.Random(self.rng.getrandbits(32)))
        if kind == "table":
            end.writes(store, stream, EPOCH)
        unit = Unit(peer, stream, store, end, Pair.made(self.rng, self.faults))
        self.units[peer] = unit
        return unit

    def run(self, seconds: float, until: Callable[[], bool] = lambda: False) -> bool:
        """Let time pass; return whether `until` came true."""
        end_ns = self.now_ns + int(seconds * SECOND)
        while self.now_ns < end_ns:
            self._turn()
            if until():
                return True
            self.now_ns = min(max(self._next_ns(), self.now_ns + 1_000), end_ns)
        return until()

    def _turn(self) -> None:
        for unit in self.units.values():
            for frame in unit.wires.up.receive(self.now_ns):
                for answer in self.master_takes(unit, frame):
                    unit.wires.down.send(answer, self.now_ns)
            for frame in unit.wires.down.receive(self.now_ns):
                self.unit_takes(unit, frame)
            for frame in self.unit_frames(unit):
                unit.wires.up.send(frame, self.now_ns)
            for frame in self.master_frames(unit):
                unit.wires.down.send(frame, self.now_ns)

    def master_takes(self, unit: Unit, frame: bytes) -> list[bytes]:
        """Return what goes back at once."""
        facts, frames = self.hub.receive(unit.peer, frame, self.now_ns)
        for fact in facts:
            self._master_told(unit, fact)
        return frames

    def unit_takes(self, unit: Unit, frame: bytes) -> None:
        for fact in unit.end.receive(frame, self.now_ns):
            self._unit_told(unit, fact)

    def unit_frames(self, unit: Unit) -> list[bytes]:
        frames = unit.end.to_send(self.now_ns)
        unit.sent += len(frames)
        return frames

    def master_frames(self, unit: Unit) -> list[bytes]:
        peer = self.hub.peers.get(unit.peer)
        frames = peer.to_send(self.now_ns) if peer else []
        self.sent[unit.peer] += len(frames)
        return frames

    def _master_told(self, unit: Unit, fact: Fact) -> None:
        self.facts.append((unit.peer, fact))
        peer = self.hub.peers.get(unit.peer)
        if peer is None:
            return
        match fact:
            case Opened(hello):
                stream, epoch, number = hello.follows
                peer.writes(self.store, stream, epoch, number)
                peer.follows(unit.stream, EPOCH, self.store.last(unit.stream, EPOCH))
            case EventsArrived():
                self.store.take(fact)
                peer.durable(fact.last)
            case CommandArrived(request, payload, key_id):
                self.done.append((unit.peer, request, payload, key_id))
                if self.answers_at_once:
                    peer.answer(request, "", "done")
            case _:
                pass

    def _unit_told(self, unit: Unit, fact: Fact) -> None:
        unit.facts.append(fact)
        if isinstance(fact, EventsArrived):
            unit.store.take(fact)
            unit.end.durable(fact.last)

    def _next_ns(self) -> int:
        instants = [peer.next_deadline_ns() for peer in self.hub.peers.values()]
        for unit in self.units.values():
            instants.append(unit.end.next_deadline_ns())
            arrivals = (unit.wires.up.next_ns(), unit.wires.down.next_ns())
            instants += [ns for ns in arrivals if ns is not None]
        return min(instants)


__all__ = ["EPOCH", "KEYS", "AnswerArrived", "BeatArrived", "Room", "Store", "Unit"]
