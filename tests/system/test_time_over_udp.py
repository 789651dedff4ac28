"""The real time server and client over loopback, and both against chronyd (RFC 5905)."""

import asyncio
import random
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sync.clock import MICROSECOND, MILLISECOND, SECOND, Clock, RawMonotonic, SkewedClock
from sync.delays import Exchange
from sync.follower import Follower
from sync.ntp import auth, packet
from sync.ntp.client import Asker, TimeClient
from sync.ntp.packet import Packet
from sync.ntp.server import TimeServer
from sync.timebase import Timebase

pytestmark = pytest.mark.system

KEY = bytes(range(16))
RAW = RawMonotonic()
needs_chrony = pytest.mark.skipif(
    not (shutil.which("chronyd") and shutil.which("chronyc")),
    reason="chronyd is not installed (Debian package: chrony)",
)


def timebase(official_ns: int) -> Timebase:
    return Timebase(id=9, term=1, official_ns=official_ns, raw_ns=RAW.now_ns(), boot_id="here")


def udp_socket() -> socket.socket:
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.bind(("127.0.0.1", 0))
    return sock


@pytest.fixture
def server() -> Iterator[TimeServer]:
    made = TimeServer(udp_socket(), {1: KEY}, RAW, timebase(1_764_590_400 * SECOND), revision=4)
    made.start()
    yield made
    made.stop()


class Unit:
    """A real client with its own wrong clock."""

    def __init__(self, port: int, clock: Clock, key: bytes = KEY) -> None:
        self.clock = clock
        self.follower = Follower()
        self.asker = Asker(self.follower, 1, key)
        self.samples = 0
        address = ("127.0.0.1", port)
        self.client = TimeClient(self.asker, clock, address, random.Random(1), self._sampled)

    def _sampled(self) -> None:
        self.samples += 1

    def run(self, seconds: float) -> "Unit":
        async def for_a_while() -> None:
            task = asyncio.create_task(self.client.run())
            await asyncio.wait([task], timeout=seconds)
            assert not task.done(), "nothing may end the client"
            task.cancel()
            await asyncio.wait([task])

        asyncio.run(for_a_while())
        return self

    def official_ns(self) -> int:
        assert self.follower.mapping is not None
        return self.follower.mapping.official_ns(self.clock.now_ns())


def test_a_unit_hours_off_and_80_ppm_fast_locks_within_a_second(server: TimeServer) -> None:
    unit = Unit(server.port, SkewedClock(RAW, 7200 * SECOND, 80_000, RAW.now_ns())).run(1.5)
    state = unit.follower.state(unit.clock.now_ns())
    assert (state.state, state.base) == ("locked", packet.Base(9, 1, 4))
    error_ns = unit.official_ns() - server.timebase.at(RAW.now_ns())
    assert abs(error_ns) < MILLISECOND  # a busy machine; the simulation judges microseconds
    assert abs(error_ns) <= state.uncertainty_ns + 100 * MICROSECOND


def test_a_wrong_key_gets_silence(server: TimeServer) -> None:
    unit = Unit(server.port, RAW, key=bytes(16)).run(0.5)
    assert unit.follower.mapping is None
    assert server.answered == 0
    assert server.dropped["mac"] >= 1


def test_a_master_that_comes_later_is_found() -> None:
    sock = udp_socket()
    unit = Unit(sock.getsockname()[1], RAW)
    sock.close()
    unit.run(0.5)
    late = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    late.bind(("127.0.0.1", unit.client._address[1]))
    made = TimeServer(late, {1: KEY}, RAW, timebase(SECOND))
    made.start()
    unit.run(2.0)
    made.stop()
    assert unit.follower.state(RAW.now_ns()).state == "locked"


def test_s101_a_flood_of_bad_packets_gets_no_octet(server: TimeServer) -> None:
    with udp_socket() as flood:
        flood.setblocking(False)
        good = auth.signed(Packet(mode=packet.CLIENT, transmit=5).encode(), 1, bytes(16))
        for n in range(500):
            flood.sendto(good[: n % 80], ("127.0.0.1", server.port))
        unit = Unit(server.port, RAW).run(0.6)
        with pytest.raises(BlockingIOError):
            flood.recv(2048)
    assert unit.follower.mapping is not None


def offset_to_host_ns(server: TimeServer) -> int:
    return server.timebase.at(RAW.now_ns()) - time.time_ns()


class Chrony:
    """One chronyd in a directory of its own, ended with the test."""

    def __init__(self, folder: Path, lines: list[str]) -> None:
        folder.chmod(0o700)
        keys = folder / "keys"
        keys.write_text(f"1 AES128 HEX:{KEY.hex().upper()}\n", encoding="ascii")
        keys.chmod(0o640)
        self.control = folder / "c.sock"
        own = [f"keyfile {keys}", "cmdport 0", f"bindcmdaddress {self.control}"]
        own += [f"pidfile {folder / 'c.pid'}", f"driftfile {folder / 'c.drift'}"]
        conf = folder / "chrony.conf"
        conf.write_text("\n".join(lines + own) + "\n", encoding="ascii")
        command = ["chronyd", "-x", "-d", "-u", "root", "-f", str(conf)]
        self.process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def ask(self, *words: str) -> str:
        command = ["chronyc", "-h", str(self.control), "-n", "-c", *words]
        found = subprocess.run(command, capture_output=True, text=True, check=False, timeout=5)
        return found.stdout

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=5)


@needs_chrony
def test_chronyd_follows_our_server(server: TimeServer, tmp_path: Path) -> None:
    server.timebase = timebase(time.time_ns() + 37 * MILLISECOND)
    server_line = f"server 127.0.0.1 port {server.port} key 1 minpoll -4 maxpoll -4 noselect"
    chrony = Chrony(tmp_path, [server_line, "port 0"])
    try:
        deadline = time.monotonic() + 10
        while server.answered < 40 and time.monotonic() < deadline:
            time.sleep(0.1)
        fields = chrony.ask("sourcestats").strip().split(",")
        expected_ns = offset_to_host_ns(server)
    finally:
        chrony.end()
    offset_ns, deviation_ns = (float(field) * SECOND for field in fields[-2:])
    assert -offset_ns == pytest.approx(expected_ns, abs=150 * MICROSECOND)  # its sign is turned
    assert deviation_ns < 100 * MICROSECOND


@needs_chrony
def test_l082_chronyd_is_understood_but_not_followed_as_a_master(tmp_path: Path) -> None:
    with udp_socket() as sock:
        port = sock.getsockname()[1]
    lines = [f"port {port}", "bindaddress 127.0.0.1", "allow 127.0.0.0/8", "local stratum 1"]
    chrony = Chrony(tmp_path, lines)
    try:
        unit = Unit(port, RAW).run(3)
        exchange = exchanged(port)
        wall_ahead_ns = time.time_ns() - RAW.now_ns()
    finally:
        chrony.end()
    assert unit.asker.dropped["no_timebase"] >= 1
    assert unit.follower.mapping is None
    assert exchange.offset_ns == pytest.approx(wall_ahead_ns, abs=MILLISECOND)
    assert 0 <= exchange.delay_ns < 5 * MILLISECOND


def exchanged(port: int) -> Exchange:
    """Return one exchange with a plain NTP server."""
    with udp_socket() as sock:
        sock.settimeout(2)
        asked = auth.signed(Packet(mode=packet.CLIENT, transmit=77).encode(), 1, KEY)
        t1 = RAW.now_ns()
        sock.sendto(asked, ("127.0.0.1", port))
        wire = sock.recv(2048)
        t4 = RAW.now_ns()
    verified = auth.verified(wire, {1: KEY})
    assert not isinstance(verified, packet.Dropped)
    reply = packet.decode(verified[0])
    assert isinstance(reply, Packet)
    assert (reply.mode, reply.stratum, reply.origin) == (packet.SERVER, 1, 77)
    now_ns = time.time_ns()
    t2, t3 = (packet.from_stamp(stamp, now_ns) for stamp in (reply.receive, reply.transmit))
    return Exchange(t1, t2, t3, t4)
