"""The bad network in a box: delays, loss, order and silence as ordered."""

import contextlib
import random
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import mean

import pytest

from sync.clock import MILLISECOND, RawMonotonic
from sync.relay import Plan, Relay, plans

pytestmark = pytest.mark.system
CLOCK = RawMonotonic()


@dataclass
class Bench:
    """A relay with two tables before a time server and a link server that we play ourselves."""

    relay: Relay
    time_server: socket.socket
    link_server: socket.socket

    def datagrams(self, table: int = 1) -> socket.socket:
        sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        sock.connect(("127.0.0.1", self.relay.ports(table)[0]))
        sock.settimeout(2)
        return sock

    def connection(self, table: int = 1) -> tuple[socket.socket, socket.socket]:
        near = socket.create_connection(("127.0.0.1", self.relay.ports(table)[1]), timeout=2)
        far, _ = self.link_server.accept()
        far.settimeout(2)
        return near, far


@contextlib.contextmanager
def bench(*tables: Plan) -> Iterator[Bench]:
    time_server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    time_server.bind(("127.0.0.1", 0))
    time_server.settimeout(2)
    link_server = socket.create_server(("127.0.0.1", 0))
    link_server.settimeout(2)
    relay = Relay(
        tables,
        time_to=time_server.getsockname(),
        link_to=link_server.getsockname(),
        rng=random.Random(1),
        clock=CLOCK,
    )
    relay.start()
    try:
        yield Bench(relay, time_server, link_server)
    finally:
        relay.stop()
        time_server.close()
        link_server.close()


def ms(delay: float, jitter: float = 0.0, loss: float = 0.0) -> Plan:
    return Plan(int(delay * MILLISECOND), jitter, loss)


def test_plans_are_spread_evenly_from_nothing_to_the_whole_delay():
    assert [plan.delay_ns for plan in plans(4, 120, 0.5, 0.02)] == [0, 40e6, 80e6, 120e6]
    assert [plan.delay_ns for plan in plans(1, 120, 0.5, 0.02)] == [0]


def test_each_packet_varies_by_its_share_and_is_lost_with_its_chance():
    plan, rng = ms(100, 0.5, 0.02), random.Random(4)
    delays = [plan.one_way_ns(rng) for _ in range(5000)]
    assert min(delays) >= 50 * MILLISECOND
    assert max(delays) <= 150 * MILLISECOND
    assert mean(delays) == pytest.approx(100 * MILLISECOND, rel=0.03)
    assert mean(plan.is_lost(rng) for _ in range(20_000)) == pytest.approx(0.02, abs=0.004)


def test_a_datagram_comes_there_and_back_after_its_delay():
    with bench(ms(0), ms(30)) as there, there.datagrams(table=2) as near:
        began_ns = CLOCK.now_ns()
        near.send(b"ask")
        data, address = there.time_server.recvfrom(100)
        there.time_server.sendto(b"answer", address)
        assert (data, near.recv(100)) == (b"ask", b"answer")
        assert 60 <= (CLOCK.now_ns() - began_ns) / MILLISECOND < 120


def test_datagrams_overtake_and_vanish():
    with bench(ms(10, 1.0, 0.3)) as there, there.datagrams() as near:
        for number in range(200):
            near.send(number.to_bytes(1, "big"))
        got = []
        there.time_server.settimeout(0.2)
        with contextlib.suppress(TimeoutError):
            while True:
                got.append(there.time_server.recv(100)[0])
    assert 110 <= len(got) <= 170
    assert got != sorted(got)


def test_a_stream_keeps_its_octets_and_their_order():
    sent = random.Random(2).randbytes(300_000)
    with bench(ms(2, 1.0, 0.05)) as there:
        near, far = there.connection()
        with near, far:
            writer = threading.Thread(target=_write_and_close, args=(near, sent))
            writer.start()
            assert _read_all(far) == sent
            writer.join()


def _write_and_close(sock: socket.socket, data: bytes) -> None:
    sock.sendall(data)
    sock.shutdown(socket.SHUT_WR)


def _read_all(sock: socket.socket) -> bytes:
    return b"".join(iter(lambda: sock.recv(65536), b""))


def test_a_cut_table_is_silent_both_ways_and_its_stream_goes_on_when_healed():
    with bench(ms(0), ms(0)) as there:
        near, far = there.connection()
        with near, far, there.datagrams() as asks, there.datagrams(table=2) as other:
            there.relay.cut(1)
            near.sendall(b"pressed")
            asks.send(b"lost")
            other.send(b"not cut")
            assert there.time_server.recv(100) == b"not cut"
            far.settimeout(0.1)
            with pytest.raises(TimeoutError):
                far.recv(100)
            there.relay.cut(1, False)
            far.settimeout(2)
            assert far.recv(100) == b"pressed"
            there.time_server.settimeout(0.1)
            with pytest.raises(TimeoutError):
                there.time_server.recv(100)


def test_a_datagram_on_its_way_when_the_cable_is_pulled_never_comes():
    with bench(ms(60)) as there, there.datagrams() as near:
        near.send(b"in flight")
        time.sleep(0.02)  # let the relay take it; the subject is real time here
        there.relay.cut(1)
        time.sleep(0.06)
        there.relay.cut(1, False)
        there.time_server.settimeout(0.1)
        with pytest.raises(TimeoutError):
            there.time_server.recv(100)


def test_a_process_that_does_not_read_holds_up_nobody_else():
    with bench(ms(0), ms(0)) as there:
        near, far = there.connection()
        with near, far, there.datagrams(table=2) as other:
            near.settimeout(0.1)
            with contextlib.suppress(TimeoutError):
                near.sendall(bytes(16_000_000))
            other.send(b"still there")
            assert there.time_server.recv(100) == b"still there"


def test_without_a_master_a_caller_is_hung_up_on():
    with bench(ms(0)) as there:
        there.link_server.close()
        with socket.create_connection(("127.0.0.1", there.relay.ports(1)[1]), timeout=2) as near:
            assert near.recv(10) == b""


def test_hanging_up_is_passed_on_and_leaves_nothing_open():
    with bench(ms(0)) as there:
        for _ in range(5):
            near, far = there.connection()
            near.close()
            assert far.recv(10) == b""
            far.close()
        deadline = time.monotonic() + 2
        while there.relay._streams and time.monotonic() < deadline:
            time.sleep(0.005)
        assert not there.relay._streams
