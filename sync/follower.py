"""Owns what a unit believes of the official time: samples in, a mapping and its honesty out.

Pure: no clock, no socket; every call is told the local time. The first good sample is taken whole,
later ones pass a gate; a run of misses re-locks on the least delayed of them. The stated
uncertainty is three sigma plus half the least delay, since no two-way exchange can see an
asymmetry. Holdover runs on the slope of the last half hour, not on the frequency of the moment.
"""

import math
from collections import deque
from dataclasses import dataclass

from sync import kalman
from sync.clock import MILLISECOND, SECOND
from sync.delays import Delays, Envelope, Exchange
from sync.kalman import Estimate
from sync.longterm import LongTerm
from sync.mapping import Mapping, bent, stepped
from sync.ntp.packet import Base

GATE_SIGMAS = 4.0
RELOCK_MISSES = 8
SIGMA_FLOOR_NS = 2_000
ENVELOPE_SPREAD_NS = MILLISECOND
HOLDOVER_NS = 10 * SECOND
LOCK_SAMPLES = 4
LOCK_PATIENCE = 16  # samples after which even a bad link counts as locked
LOCK_SIGMA_NS = 5 * MILLISECOND
SETTLED = 60  # samples after which a re-lock blames the offset, not the frequency
FREQUENCY_LIMIT = 500_000.0  # ns/s
HOLDOVER_WANDER = 1_000  # ns/s: what a room's temperature may do to a crystal meanwhile (1 ppm)
ALARM_NS = 60 * SECOND
UNKNOWN_NS = 1 << 62  # the uncertainty of a unit that knows nothing
STEPS_A_MINUTE = 2
STAMP_SLACK_NS = 20_000  # the master's send stamp is a forecast and may be late by this much


@dataclass(frozen=True, slots=True)
class Step:
    """Official time was taken over at once."""

    by_ns: int


@dataclass(frozen=True, slots=True)
class Slew:
    """Official time is led there without a jump."""

    by_ns: int


@dataclass(frozen=True, slots=True)
class Ignored:
    """The sample was not used."""

    reason: str


@dataclass(frozen=True, slots=True)
class SyncState:
    """How far official time can be trusted at one local instant."""

    state: str  # "unlocked", "locked", "holdover"
    age_ns: int  # since the last good sample
    uncertainty_ns: int  # the true error lies within, in 99 of 100 cases; UNKNOWN_NS at first
    rate_ppb: int
    delay_ns: int  # least delay of the link
    base: Base | None
    alarm: str = ""  # the last minute's: older_term, two_masters, step_budget, frequency


class Follower:
    """One unit's follower of one master."""

    def __init__(self, saved_ppb: int | None = None) -> None:
        """`saved_ppb` is this board's frequency from an earlier run, ignored beyond 500 ppm."""
        believed = saved_ppb is not None and abs(saved_ppb) <= FREQUENCY_LIMIT
        self._saved_ppb = saved_ppb if believed else None
        self._base: Base | None = None
        self._alarm = ""
        self._alarm_ns = 0
        self._steps: deque[int] = deque(maxlen=STEPS_A_MINUTE)
        self._mapping: Mapping | None = None
        self._locked = False
        self._longterm = LongTerm()
        self._reset()

    def _reset(self) -> None:
        self._estimate: Estimate | None = None
        self._delays = Delays()
        self._envelope = Envelope()
        self._misses: list[Exchange] = []
        self._count = 0
        self._last_ns: int | None = None
        self._held = False

    @property
    def mapping(self) -> Mapping | None:
        """How official time follows from the local clock; None before the first sample."""
        return self._mapping

    @property
    def base(self) -> Base | None:
        """Whose time is followed."""
        return self._base

    def learned_ppb(self) -> int | None:
        """Return the frequency worth remembering, None while nothing is known well."""
        rate = self._longterm.rate()
        return None if rate is None or abs(rate) > FREQUENCY_LIMIT else round(rate)

    def sample(self, exchange: Exchange, base: Base, now_ns: int) -> Step | Slew | Ignored:
        """Take one exchange that came from `base`; `now_ns` is the local time of the call."""
        if refused := self._foreign(base):
            self._warn(refused, now_ns)
            return Ignored(refused)
        if exchange.delay_ns < -STAMP_SLACK_NS or exchange.t3 < exchange.t2:
            return Ignored("impossible_stamps")
        if self._estimate is None:
            self._begin(exchange, *self._remembered())
        elif not self._update(exchange):
            return self._missed(exchange, now_ns)
        self._delays.add(exchange.delay_ns)
        self._envelope.add(exchange)
        self._misses.clear()
        self._count += 1
        self._last_ns = now_ns
        self._held = False
        assert self._estimate is not None
        if abs(self._estimate.rate) > FREQUENCY_LIMIT:
            self._warn("frequency", now_ns)
        return self._lead(now_ns)

    def tick(self, now_ns: int) -> None:
        """Go over to the long-term frequency when samples have stayed away."""
        if self._held or self._mapping is None or not self._is_holdover(now_ns):
            return
        self._held = True
        rate = self._longterm.rate()
        if rate is not None:
            shown_ns = self._mapping.official_ns(now_ns)
            self._mapping = stepped(now_ns, shown_ns, round(rate))

    def state(self, now_ns: int) -> SyncState:
        """Return how things stand at local `now_ns`."""
        age_ns = 0 if self._last_ns is None else max(0, now_ns - self._last_ns)
        name = "unlocked"
        if self._locked:
            name = "holdover" if self._is_holdover(now_ns) else "locked"
        rate = self._estimate.rate if self._estimate else 0.0
        return SyncState(
            state=name,
            age_ns=age_ns,
            uncertainty_ns=self._uncertainty_ns(now_ns),
            rate_ppb=round(rate),
            delay_ns=self._delays.least_ns,
            base=self._base,
            alarm=self._alarm if now_ns - self._alarm_ns < ALARM_NS else "",
        )

    def poll_interval_ns(self) -> int:
        """Return how long to wait for the next poll: a burst at the start, then a second."""
        if self._count < RELOCK_MISSES or self._misses:
            return 100 * MILLISECOND
        noisy = self._delays.spread_ns > ENVELOPE_SPREAD_NS
        return 250 * MILLISECOND if noisy else SECOND

    def _foreign(self, base: Base) -> str:
        """Return why this master is not followed; a higher term takes over."""
        known = self._base
        if known is None:
            self._base = base
        elif base.term < known.term:
            return "older_term"
        elif base.term == known.term and base.timebase_id != known.timebase_id:
            return "two_masters"
        elif base.term > known.term:  # another host's crystal, maybe: the slope is history
            self._reset()
            self._longterm = LongTerm()
            self._locked = False
            self._alarm = ""
        self._base = base
        return ""

    def _warn(self, alarm: str, now_ns: int) -> None:
        self._alarm, self._alarm_ns = alarm, now_ns

    def _remembered(self) -> tuple[float, float]:
        """Return the frequency to begin with and its sigma, ns/s."""
        if self._saved_ppb is None:
            return 0.0, kalman.UNKNOWN_FREQUENCY
        return float(self._saved_ppb), kalman.KNOWN_FREQUENCY

    def _doubted(self) -> tuple[float, float]:
        """Return the frequency to re-lock with: one that soon failed may itself be at fault."""
        assert self._estimate is not None
        if self._count < SETTLED:
            return 0.0, kalman.DOUBTED_FREQUENCY
        rate = self._longterm.rate()
        return self._estimate.rate if rate is None else rate, kalman.KNOWN_FREQUENCY

    def _begin(self, exchange: Exchange, rate: float, rate_sigma: float) -> None:
        sigma_ns = max(SIGMA_FLOOR_NS, exchange.delay_ns / 2, exchange.floor_ns)
        self._estimate = kalman.begun(
            exchange.at_ns, exchange.offset_ns, sigma_ns, rate, rate_sigma
        )

    def _sigma_ns(self, exchange: Exchange) -> float:
        above_ns = max(0, exchange.delay_ns - self._delays.least_ns)
        sigma_ns = math.hypot(self._delays.spread_ns / 2, above_ns / 2, exchange.floor_ns)
        if len(self._delays) < RELOCK_MISSES:  # too few to know the link's spread
            sigma_ns = max(sigma_ns, exchange.delay_ns / 8)
        return max(SIGMA_FLOOR_NS, sigma_ns)

    def _update(self, exchange: Exchange) -> bool:
        """Take the sample into the filter; false when it fails the gate."""
        assert self._estimate is not None
        estimate = kalman.predicted(self._estimate, exchange.at_ns)
        residual_ns = kalman.innovation(estimate, exchange.at_ns, exchange.offset_ns)
        sigma_ns = self._sigma_ns(exchange)
        if abs(residual_ns) > GATE_SIGMAS * math.hypot(sigma_ns, math.sqrt(estimate.p_offset)):
            return False
        estimate = kalman.corrected(estimate, residual_ns, sigma_ns)
        self._estimate = estimate
        return True

    def _missed(self, exchange: Exchange, now_ns: int) -> Step | Slew | Ignored:
        self._misses.append(exchange)
        if len(self._misses) < RELOCK_MISSES:
            return Ignored("gate")
        best = min(self._misses, key=lambda miss: miss.delay_ns)
        frequency = self._doubted()
        self._reset()
        self._longterm = LongTerm()  # a line across a jump has the wrong slope
        self._begin(best, *frequency)
        self._delays.add(best.delay_ns)
        self._envelope.add(best)
        self._count = 1
        self._last_ns = now_ns
        return self._lead(now_ns)

    def _wanted(self, now_ns: int) -> tuple[int, int, float]:
        """Return the best offset now as base and remainder in ns, and the rate in ns/s."""
        assert self._estimate is not None
        rate = self._estimate.rate
        if self._delays.spread_ns > ENVELOPE_SPREAD_NS:
            found = self._envelope.offset_ns(now_ns, rate, self._envelope_age_ns())
            if found is not None:
                return found, 0, rate
        base_ns, delta_ns = self._estimate.offset_at(now_ns)
        return base_ns, round(delta_ns), rate

    def _envelope_age_ns(self) -> int:
        """Return how old a sample may be before the unknown drift since then outweighs it.

        More time finds smaller least delays (error about spread/4t at four polls a second) but
        carries more drift (error about drift*t/2): the two are equal at sqrt(spread/2/drift).
        """
        assert self._estimate is not None
        drift = max(1.0, math.sqrt(self._estimate.p_rate))  # ns/s
        return max(5 * SECOND, int(math.sqrt(self._delays.spread_ns / 2 / drift) * SECOND))

    def _lead(self, now_ns: int) -> Step | Slew | Ignored:
        base_ns, delta_ns, rate = self._wanted(now_ns)
        wanted_ns = now_ns + base_ns + delta_ns
        shown_ns = self._mapping.official_ns(now_ns) if self._mapping else wanted_ns
        led = self._mapping and bent(self._mapping, now_ns, wanted_ns, round(rate))
        by_ns = wanted_ns - shown_ns
        if not self._locked or led is None:
            if self._locked and not self._may_step(now_ns):
                return Ignored("step_budget")
            self._mapping = stepped(now_ns, wanted_ns, round(rate))
            self._locked = self._locked or self._good_enough(now_ns)
            return Step(by_ns)
        self._mapping = led
        self._longterm.add(now_ns, base_ns + delta_ns)
        return Slew(by_ns)

    def _may_step(self, now_ns: int) -> bool:
        """Allow two steps a minute; a third is somebody's game, not the room's time."""
        if len(self._steps) == STEPS_A_MINUTE and now_ns - self._steps[0] < 60 * SECOND:
            self._warn("step_budget", now_ns)
            return False
        self._steps.append(now_ns)
        self._longterm = LongTerm()
        return True

    def _good_enough(self, now_ns: int) -> bool:
        assert self._estimate is not None
        if self._count >= LOCK_PATIENCE:
            return True
        sigma_ns = self._estimate.sigma_at(now_ns)
        return self._count >= LOCK_SAMPLES and sigma_ns < LOCK_SIGMA_NS

    def _is_holdover(self, now_ns: int) -> bool:
        return self._last_ns is not None and now_ns - self._last_ns > HOLDOVER_NS

    def _uncertainty_ns(self, now_ns: int) -> int:
        if self._estimate is None or self._mapping is None or self._last_ns is None:
            return UNKNOWN_NS
        sigma_ns = self._estimate.sigma_at(now_ns)
        base_ns, delta_ns, _ = self._wanted(now_ns)
        behind_ns = abs(now_ns + base_ns + delta_ns - self._mapping.official_ns(now_ns))
        wander_ns = max(0, now_ns - self._last_ns) * HOLDOVER_WANDER // SECOND
        return round(3 * sigma_ns) + self._delays.least_ns // 2 + behind_ns + wander_ns
