"""Owns a room of two clocks for tests: a true master, a unit with a wrong crystal, a link between.

Real follower, asker, codec and server rules; simulated time, seeded. Delays follow the sync notes'
noise model: what the sender's send call costs, the way, and what the receiver cannot see.
"""

import heapq
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count

from sync.clock import MICROSECOND, SECOND
from sync.follower import Follower, SyncState
from sync.ntp import auth
from sync.ntp.client import Asker
from sync.ntp.packet import Base, Dropped
from sync.ntp.server import accepted, answer

KEY = bytes(range(16))
BASE = Base(timebase_id=0x1122_3344_5566_7788, term=1, revision=4)
START_NS = 1_764_590_400 * SECOND  # an evening in 2025

Delay = Callable[[random.Random], float]  # ns


@dataclass(frozen=True, slots=True)
class Way:
    """The one-way delays of a link and how often a packet is lost on it."""

    up: Delay
    down: Delay
    loss: float = 0.0


def _lag(rng: random.Random) -> float:
    lag_us = 8 + rng.expovariate(1 / 6)
    return lag_us + (rng.expovariate(1 / 400) if rng.random() < 0.004 else 0.0)


def wired(bias_us: float = 0.0) -> Way:
    """An idle switch: tens of microseconds, exponential."""

    def one(rng: random.Random, extra_us: float) -> float:
        return (_lag(rng) + 55 + rng.expovariate(1 / 10) + extra_us) * MICROSECOND

    return Way(lambda rng: one(rng, 6 + bias_us), lambda rng: one(rng, 0))


def wired_loaded() -> Way:
    """Queueing behind half of the packets, now and then milliseconds of it."""

    def one(rng: random.Random, tail: float) -> float:
        us = _lag(rng) + 55 + (rng.expovariate(1 / 120) if rng.random() < 0.5 else 0.0)
        us += min(12_000, rng.expovariate(1 / 1500)) if rng.random() < tail else 0.0
        return us * MICROSECOND

    return Way(lambda rng: one(rng, 0.02), lambda rng: one(rng, 0.10), loss=0.002)


def wifi() -> Way:
    """Good Wi-Fi: log-normal access, six in a hundred with retries, 150 us of asymmetry."""

    def one(rng: random.Random, base_us: float) -> float:
        us = _lag(rng) + base_us + rng.lognormvariate(math.log(600), 0.7)
        return (us + (rng.expovariate(1 / 5000) if rng.random() < 0.06 else 0.0)) * MICROSECOND

    return Way(lambda rng: one(rng, 650), lambda rng: one(rng, 800), loss=0.005)


def relayed(base_ms: float, jitter: float = 0.5, loss: float = 0.02) -> Way:
    """The demo's relay: a base delay in both directions, each packet varied by itself."""

    def one(rng: random.Random) -> float:
        own_us = base_ms * 1000 * (1 + rng.uniform(-jitter, jitter))
        return (own_us + _lag(rng) + 55) * MICROSECOND

    return Way(one, one, loss)


@dataclass(frozen=True, slots=True)
class Crystal:
    """Local = true + offset, at a wrong rate that may swing with the room's temperature."""

    offset_ns: int = 0
    ppb: float = 0.0
    swing_ppb: float = 0.0
    period_s: float = 1800.0

    def at(self, true_ns: int) -> int:
        """Return what the unit's counter shows at a true instant."""
        seconds, turn = true_ns / SECOND, 2 * math.pi / self.period_s
        swung = self.swing_ppb * (1 - math.cos(turn * seconds)) / turn
        return true_ns + self.offset_ns + round(self.ppb * seconds + swung)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a unit showed at one true instant, and what it said of itself."""

    at_s: float
    error_ns: int
    sync: SyncState

    @property
    def honest(self) -> bool:
        """Whether the true error lies within the stated uncertainty."""
        return abs(self.error_ns) <= self.sync.uncertainty_ns


@dataclass
class Room:
    """One unit that follows one master; `readings` grows by one each second of true time."""

    way: Way
    crystal: Crystal = field(default_factory=Crystal)
    seed: int = 1
    saved_ppb: int | None = None
    base: Base | None = BASE
    cut: bool = False
    ahead_ns: int = START_NS  # official minus true
    each_ns: int = SECOND
    readings: list[Reading] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.follower = Follower(self.saved_ppb)
        self.asker = Asker(self.follower, 1, KEY)
        self.now_ns = 0
        self.polls: list[int] = []  # true instants, ns
        self._order = count()
        self._due: list[tuple[int, int, Callable[[], None]]] = []
        self._at(0, self._poll)
        self._at(self.each_ns, self._read)

    def run(self, seconds: float) -> "Room":
        """Go on for so long of true time."""
        until_ns = self.now_ns + round(seconds * SECOND)
        while self._due[0][0] <= until_ns:
            self.now_ns, _, happen = heapq.heappop(self._due)
            happen()
        self.now_ns = until_ns
        return self

    def state(self) -> SyncState:
        """Return what the unit says of itself now."""
        return self.follower.state(self.local_ns())

    def local_ns(self) -> int:
        """Return the unit's counter now."""
        return self.crystal.at(self.now_ns)

    def error_ns(self) -> int:
        """Return shown minus official now; the follower must have a mapping."""
        assert self.follower.mapping is not None
        shown_ns = self.follower.mapping.official_ns(self.local_ns())
        return shown_ns - self.now_ns - self.ahead_ns

    def after(self, seconds: float) -> Iterator[Reading]:
        """Yield the readings taken after so many seconds of true time."""
        return (reading for reading in self.readings if reading.at_s > seconds)

    def _at(self, true_ns: int, happen: Callable[[], None]) -> None:
        heapq.heappush(self._due, (true_ns, next(self._order), happen))

    def _read(self) -> None:
        if self.follower.mapping is not None:
            self.readings.append(Reading(self.now_ns / SECOND, self.error_ns(), self.state()))
        self._at(self.now_ns + self.each_ns, self._read)

    def _poll(self) -> None:
        self.follower.tick(self.local_ns())
        self.polls.append(self.now_ns)
        nonce = self.rng.getrandbits(64) or 1
        wire = self.asker.request(nonce)
        self.asker.sent(nonce, self.local_ns())
        if not self._lost():
            self._at(self.now_ns + round(self.way.up(self.rng)), lambda: self._serve(wire))
        self._at(self.now_ns + self.asker.wait_ns(self.rng), self._poll)

    def _serve(self, wire: bytes) -> None:
        request = accepted(wire, {1: KEY})
        assert not isinstance(request, Dropped)
        received_ns = self.now_ns + self.ahead_ns
        reply = answer(request, self.base, received_ns, received_ns + 50 * MICROSECOND)
        data = auth.signed(reply.encode(), 1, KEY)
        sent_ns = self.now_ns + 50 * MICROSECOND
        if not self._lost():
            self._at(sent_ns + round(self.way.down(self.rng)), lambda: self._receive(data))

    def _receive(self, data: bytes) -> None:
        self.asker.reply(data, self.local_ns())

    def _lost(self) -> bool:
        return self.cut or self.rng.random() < self.way.loss


def percentile(values: list[int], share: float) -> int:
    """Return the value below which `share` of them lie (nearest rank)."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(share * len(ranked)))]


def locked_after_s(room: Room, longest_s: float = 30) -> float:
    """Run `room` until it says locked; return when that was, in seconds."""
    while room.state().state != "locked":
        room.run(0.02)
        assert room.now_ns < longest_s * SECOND, "never locked"
    return room.now_ns / SECOND
