"""Owns asking the master for its time: requests out, replies checked, exchanges to the follower.

`Asker` is sans-IO and judges every reply; `TimeClient` is the socket around it. Nothing that comes
in can raise; whatever is not used is counted by its reason.
"""

import asyncio
import random
import secrets
import socket
from collections import Counter
from collections.abc import Callable

from sync.clock import SECOND, Clock
from sync.delays import Exchange
from sync.follower import Follower, Ignored
from sync.ntp import auth, packet
from sync.ntp.packet import Base, Dropped, Packet
from sync.stamps import USER_STAMP_FLOOR_NS, ask_for_stamps, receive

WAITS = 2 * SECOND  # a reply later than this is lost
BURST = 8  # requests without an answer before the burst gives up
REOPEN_AFTER = 30  # requests without an answer before the master's name is looked up again
DENIED_NS = 60 * SECOND
SLOWEST_NS = 64 * SECOND


class Asker:
    """The client's rules: each request has a nonce, each reply must answer one."""

    def __init__(self, follower: Follower, key_id: int, key: bytes) -> None:
        self.follower = follower
        self.dropped: Counter[str] = Counter()
        self._keys = {key_id: key}
        self._key_id = key_id
        self._asked: dict[int, int] = {}  # nonce -> t1
        self._slowed_ns = 0
        self.unanswered = 0  # requests since the last believed reply

    def request(self, nonce: int) -> bytes:
        """Return a signed request; the transmit stamp is a nonce, t1 stays here."""
        base = self.follower.base or Base(0, 0, 0)
        asked = Packet(mode=packet.CLIENT, transmit=nonce, base=base)
        return auth.signed(asked.encode(), self._key_id, self._keys[self._key_id])

    def sent(self, nonce: int, t1_ns: int) -> None:
        """Note when the request left; forget those that are lost."""
        self._asked = {n: t for n, t in self._asked.items() if t1_ns - t < WAITS}
        self._asked[nonce] = t1_ns
        self.unanswered += 1

    def reply(self, data: bytes, t4_ns: int, floor_ns: int = 0) -> bool:
        """Judge a datagram that came at local `t4_ns`; true when the follower used it."""
        parsed = self._checked(data)
        if isinstance(parsed, Dropped):
            self.dropped[parsed.reason] += 1
            return False
        packet_, base = parsed
        t1_ns = self._asked.pop(packet_.origin)
        self.unanswered = self._slowed_ns = 0
        if t4_ns - t1_ns > WAITS:
            self.dropped["late"] += 1
            return False
        near_ns = base_near_ns(self.follower, t4_ns)
        exchange = Exchange(
            t1=t1_ns,
            t2=packet.from_stamp(packet_.receive, near_ns),
            t3=packet.from_stamp(packet_.transmit, near_ns),
            t4=t4_ns,
            floor_ns=floor_ns,
        )
        outcome = self.follower.sample(exchange, base, t4_ns)
        if isinstance(outcome, Ignored):
            self.dropped[outcome.reason] += 1
            return False
        return True

    def wait_ns(self, rng: random.Random) -> int:
        """Return how long to wait before the next request, phase spread by 5 %."""
        wait_ns = max(self.follower.poll_interval_ns(), self._slowed_ns)
        if self.unanswered >= BURST:  # nobody there: no burst against a wall
            wait_ns = max(wait_ns, SECOND)
        return int(wait_ns * rng.uniform(0.95, 1.05))

    def _checked(self, data: bytes) -> tuple[Packet, Base] | Dropped:
        verified = auth.verified(data, self._keys)
        if isinstance(verified, Dropped):
            return verified
        parsed = packet.decode(verified[0])
        if isinstance(parsed, Dropped):
            return parsed
        if parsed.mode != packet.SERVER:
            return Dropped("mode")
        if parsed.origin == 0 or parsed.origin not in self._asked:
            return Dropped("origin")
        if parsed.stratum == 0 or parsed.leap == packet.UNSYNCHRONISED:
            return self._kissed(parsed)
        if parsed.receive == 0 or parsed.transmit == 0:
            return Dropped("zero_stamp")
        if parsed.base is None:
            return Dropped("no_timebase")
        return parsed, parsed.base

    def _kissed(self, parsed: Packet) -> Dropped:
        """Obey a kiss code (RFC 5905, section 7.4); an empty one means "not ready"."""
        code = parsed.reference_id
        del self._asked[parsed.origin]
        self.unanswered = 0
        if code == b"RATE":
            self._slowed_ns = min(SLOWEST_NS, max(2 * SECOND, 2 * self._slowed_ns))
        elif code in (b"DENY", b"RSTR"):
            self._slowed_ns = DENIED_NS
        else:
            self._slowed_ns = SECOND
        return Dropped("kiss" if code.strip(b"\0") else "not_ready")


def base_near_ns(follower: Follower, local_ns: int) -> int:
    """Return an official instant in the right era for reading stamps: ours, else this century's."""
    if follower.mapping is not None:
        return follower.mapping.official_ns(local_ns)
    return 2_000_000_000 * SECOND  # 2033: within 68 years of any night this is used


class TimeClient:
    """One unit's socket to the master's time port."""

    def __init__(
        self,
        asker: Asker,
        clock: Clock,
        address: tuple[str, int],
        rng: random.Random,
        sampled: Callable[[], None],
    ) -> None:
        """`sampled` is called after each good sample and after each tick."""
        self._asker = asker
        self._clock = clock
        self._address = address
        self._rng = rng
        self._sampled = sampled
        self._sock: socket.socket | None = None
        self._stamps = False

    async def run(self) -> None:
        """Ask until cancelled; a network that is away is asked again."""
        loop = asyncio.get_running_loop()
        try:
            await self._ask_for_ever(loop)
        finally:
            self._close(loop)

    async def _ask_for_ever(self, loop: asyncio.AbstractEventLoop) -> None:
        while True:
            try:
                await self._open(loop)
                self._ask()
            except OSError:
                self._asker.dropped["socket"] += 1
                self._close(loop)
            if self._asker.unanswered % REOPEN_AFTER == REOPEN_AFTER - 1:
                self._close(loop)  # the master may have got another address
            await asyncio.sleep(self._asker.wait_ns(self._rng) / SECOND)
            self._asker.follower.tick(self._clock.now_ns())
            self._sampled()

    async def _open(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._sock is not None:
            return
        host, port = self._address
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_DGRAM)
        family, kind, proto, _, where = found[0]
        sock = socket.socket(family, kind, proto)
        try:
            sock.setblocking(False)
            sock.connect(where)  # the kernel drops datagrams from anywhere else
        except OSError:
            sock.close()
            raise
        self._stamps = ask_for_stamps(sock)
        self._sock = sock
        loop.add_reader(sock.fileno(), self._readable)

    def _close(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._sock is not None:
            loop.remove_reader(self._sock.fileno())
            self._sock.close()
            self._sock = None

    def _ask(self) -> None:
        assert self._sock is not None
        nonce = secrets.randbits(64) or 1
        wire = self._asker.request(nonce)
        self._asker.sent(nonce, self._clock.now_ns())  # after the MAC: its cost is no delay
        self._sock.send(wire)

    def _readable(self) -> None:
        if self._sock is None:
            return
        try:
            data, _, age_ns = receive(self._sock)
        except OSError:  # nothing after all, nobody on that port yet, or no way there
            return
        now_ns = self._clock.now_ns()
        floor_ns = 0 if age_ns is not None else USER_STAMP_FLOOR_NS
        if self._asker.reply(data, now_ns - (age_ns or 0), floor_ns):
            self._sampled()
