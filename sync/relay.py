"""Owns the bad network in a box: a user-space relay for time (UDP) and link (TCP) of many tables.

Each table has its own delay, varied independently for each packet and direction; UDP packets may
overtake and vanish, a lost TCP segment comes a retransmission later and holds up those behind it.
A table can be cut off silently and healed. One thread serves all; chance comes from one seed.
"""

import contextlib
import heapq
import random
import selectors
import socket
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sync.clock import MILLISECOND, Clock

RETRANSMISSION_NS = 200 * MILLISECOND
FULL_NS = 2 * MILLISECOND  # until a reader that is full is tried again
CHUNK = 64 * 1024
IDLE_S = 0.1


@dataclass(frozen=True, slots=True)
class Plan:
    """One table's network: one-way delay, its variation (share), loss (share)."""

    delay_ns: int
    jitter: float
    loss: float

    def one_way_ns(self, rng: random.Random) -> int:
        """Return the delay of one packet."""
        return int(self.delay_ns * (1 + rng.uniform(-self.jitter, self.jitter)))

    def is_lost(self, rng: random.Random) -> bool:
        """Return whether one packet is lost."""
        return rng.random() < self.loss


def plans(tables: int, delay_ms: float, jitter: float, loss: float) -> list[Plan]:
    """Return the plans of `tables` tables: delays from 0 to `delay_ms`, evenly spaced."""
    steps = max(1, tables - 1)
    return [
        Plan(int(delay_ms * MILLISECOND * number / steps), jitter, loss) for number in range(tables)
    ]


@dataclass(slots=True)
class _Table:
    """One table's two doors and whether its cable is out."""

    plan: Plan
    udp: socket.socket
    tcp: socket.socket
    cut: bool = False
    cuts: int = 0  # how often the cable was pulled
    upstreams: dict[tuple[str, int], socket.socket] = field(default_factory=dict)


@dataclass(slots=True)
class _Pipe:
    """One direction of one TCP connection."""

    table: _Table
    source: socket.socket
    sink: socket.socket
    ended: list[socket.socket]  # shared by both directions: whose sender has hung up
    last_due_ns: int = 0
    waiting: bytearray = field(default_factory=bytearray)  # due, but the sink is full


class Relay:
    """Relays for `plans`, towards one time port and one link port on `host`."""

    def __init__(
        self,
        tables: Sequence[Plan],
        *,
        time_to: tuple[str, int],
        link_to: tuple[str, int],
        rng: random.Random,
        clock: Clock,
    ) -> None:
        self._time_to, self._link_to = time_to, link_to
        self._rng = rng
        self._clock = clock
        self._selector = selectors.SelectSelector()  # finer than a millisecond, unlike epoll
        self._due: list[tuple[int, int, _Table, Callable[[], None]]] = []
        self._count = 0
        self._streams: set[socket.socket] = set()
        self._held: list[tuple[_Table, Callable[[], None]]] = []
        self._lock = threading.Lock()
        self._stopping = False
        self._tables = [self._opened(plan) for plan in tables]
        self._thread = threading.Thread(target=self._serve, name="relay", daemon=True)

    def ports(self, table: int) -> tuple[int, int]:
        """Return (time port, link port) of table number `table`, counted from 1."""
        there = self._tables[table - 1]
        return int(there.udp.getsockname()[1]), int(there.tcp.getsockname()[1])

    def start(self) -> None:
        """Begin to relay."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread and close all sockets."""
        self._stopping = True
        self._thread.join()
        for sock in self._streams:
            sock.close()
        for table in self._tables:
            for sock in (table.udp, table.tcp, *table.upstreams.values()):
                sock.close()
        self._selector.close()

    def cut(self, table: int, is_cut: bool = True) -> None:
        """Pull the cable of a table, silently, or put it back."""
        there = self._tables[table - 1]
        with self._lock:
            there.cuts += is_cut and not there.cut
            there.cut = is_cut

    def _opened(self, plan: Plan) -> _Table:
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.bind(("127.0.0.1", 0))
        udp.setblocking(False)
        tcp = socket.create_server(("127.0.0.1", 0))
        tcp.setblocking(False)
        table = _Table(plan, udp, tcp)
        self._watch(udp, lambda: self._from_table(table))
        self._watch(tcp, lambda: self._accept(table))
        return table

    def _watch(self, sock: socket.socket, ready: Callable[[], None]) -> None:
        self._selector.register(sock, selectors.EVENT_READ, ready)

    def _serve(self) -> None:
        while not self._stopping:
            wait_s = IDLE_S
            if self._due:
                wait_s = min(IDLE_S, max(0.0, (self._due[0][0] - self._clock.now_ns()) / 1e9))
            for key, _ in self._selector.select(wait_s):
                with contextlib.suppress(OSError):
                    key.data()
            with self._lock:
                self._deliver()

    def _deliver(self) -> None:
        now_ns = self._clock.now_ns()
        healed = [(table, act) for table, act in self._held if not table.cut]
        self._held = [(table, act) for table, act in self._held if table.cut]
        for _, act in healed:
            with contextlib.suppress(OSError):
                act()
        while self._due and self._due[0][0] <= now_ns:
            _, _, table, act = heapq.heappop(self._due)
            if table.cut:
                self._held.append((table, act))
                continue
            with contextlib.suppress(OSError):
                act()

    def _later(self, due_ns: int, table: _Table, act: Callable[[], None]) -> None:
        self._count += 1
        heapq.heappush(self._due, (due_ns, self._count, table, act))

    # ---- time: datagrams

    def _from_table(self, table: _Table) -> None:
        data, address = table.udp.recvfrom(2048)
        upstream = table.upstreams.get(address)
        if upstream is None:
            upstream = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            upstream.setblocking(False)
            upstream.connect(self._time_to)
            table.upstreams[address] = upstream
            known = upstream
            self._watch(upstream, lambda: self._from_master(table, known, address))
        self._datagram(table, upstream.send, data)

    def _from_master(
        self, table: _Table, upstream: socket.socket, address: tuple[str, int]
    ) -> None:
        data = upstream.recv(2048)
        self._datagram(table, lambda packet: table.udp.sendto(packet, address), data)

    def _datagram(self, table: _Table, send: Callable[[bytes], object], data: bytes) -> None:
        if table.cut or table.plan.is_lost(self._rng):
            return
        due_ns, cuts = self._clock.now_ns() + table.plan.one_way_ns(self._rng), table.cuts

        def arrive() -> None:
            if table.cuts == cuts:  # else the cable was pulled while it was on its way
                send(data)

        self._later(due_ns, table, arrive)

    # ---- link: streams

    def _accept(self, table: _Table) -> None:
        near, _ = table.tcp.accept()
        try:
            far = socket.create_connection(self._link_to, timeout=3)
        except OSError:  # no master: the caller is hung up on
            near.close()
            return
        ended: list[socket.socket] = []
        for source, sink in ((near, far), (far, near)):
            source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            source.setblocking(False)
            self._streams.add(source)
            pipe = _Pipe(table, source, sink, ended)
            self._watch(source, lambda pipe=pipe: self._chunk(pipe))  # type: ignore[misc]

    def _chunk(self, pipe: _Pipe) -> None:
        try:  # also while cut: the sender's kernel cannot know
            data = pipe.source.recv(CHUNK)
        except OSError:
            data = b""
        plan, now_ns = pipe.table.plan, self._clock.now_ns()
        due_ns = now_ns + plan.one_way_ns(self._rng)
        if plan.is_lost(self._rng):
            due_ns += max(RETRANSMISSION_NS, 2 * plan.delay_ns)
        pipe.last_due_ns = max(pipe.last_due_ns + 1, due_ns)
        if not data:
            self._selector.unregister(pipe.source)
            self._later(pipe.last_due_ns, pipe.table, lambda: self._hang_up(pipe))
            return
        self._later(pipe.last_due_ns, pipe.table, lambda: self._pour(pipe, data))

    def _pour(self, pipe: _Pipe, data: bytes) -> None:
        """Give the sink what it takes; a stopped process must not hold up the other tables."""
        tried_later = bool(pipe.waiting) and bool(data)
        pipe.waiting += data
        if tried_later:
            return
        try:
            del pipe.waiting[: pipe.sink.send(pipe.waiting)]
        except BlockingIOError:
            pass
        except OSError:  # the reader has gone
            pipe.waiting.clear()
        if pipe.waiting:
            self._later(self._clock.now_ns() + FULL_NS, pipe.table, lambda: self._pour(pipe, b""))

    def _hang_up(self, pipe: _Pipe) -> None:
        if pipe.waiting:
            self._later(self._clock.now_ns() + FULL_NS, pipe.table, lambda: self._hang_up(pipe))
            return
        with contextlib.suppress(OSError):
            pipe.sink.shutdown(socket.SHUT_WR)
        pipe.ended.append(pipe.source)
        if len(pipe.ended) == 2:
            for sock in pipe.ended:
                self._streams.discard(sock)
                sock.close()
