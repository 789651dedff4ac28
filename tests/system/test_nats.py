"""The private nats-server: who gets in, what dies with whom, how a dead line is seen."""

import asyncio
import contextlib
import os
import random
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from nats.aio.client import Client

from sync.clock import RawMonotonic
from sync.links.certificates import unit_context
from sync.links.nats import NatsUnitLink, hang_up
from sync.links.nats_server import LinkServerError, NatsServer, password
from sync.relay import Plan, Relay

pytestmark = pytest.mark.system
KEY = b"an event's key of 32 octets long"
OTHER = b"the key of quite another evening"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[NatsServer]:
    started = NatsServer.started(KEY, tmp_path / "link", "127.0.0.1", 0)
    yield started
    started.stop()


async def soon(condition: Callable[[], bool], seconds: float = 5.0) -> bool:
    """Return whether `condition` comes true within `seconds`; asked every 20 ms."""
    for _ in range(int(seconds / 0.02)):
        if condition():
            return True
        await asyncio.sleep(0.02)
    return condition()


def unit_link(port: int, key: bytes = KEY) -> NatsUnitLink:
    return NatsUnitLink(key, ("127.0.0.1", port), "table-1", random.Random(1))


def with_link(port: int, key: bytes, condition: Callable[[NatsUnitLink], bool]) -> bool:
    async def main() -> bool:
        link = unit_link(port, key)
        link.start()
        try:
            return await soon(lambda: condition(link))
        finally:
            await link.close()

    return asyncio.run(main())


def test_a_unit_of_the_event_gets_in(server: NatsServer):
    assert with_link(server.port, KEY, lambda link: link.connected)


def test_a_unit_of_another_event_is_told_that_its_key_is_wrong(server: NatsServer):
    assert with_link(server.port, OTHER, lambda link: link.link.refused == "WRONG KEY")


def test_an_absent_master_is_not_called_a_wrong_key(server: NatsServer):
    server.stop()
    assert with_link(
        server.port, KEY, lambda link: bool(link.link.counts) and not link.link.refused
    )


async def connected(server: NatsServer, **options: object) -> Client:
    client = Client()
    defaults: dict[str, object] = {
        "user": "unit",
        "password": password(KEY, "unit"),
        "tls": unit_context(KEY),
        "tls_hostname": "tableside-master",
    }
    try:
        await client.connect(
            f"tls://127.0.0.1:{server.port}",
            allow_reconnect=False,
            connect_timeout=2,
            **{**defaults, **options},  # type: ignore[arg-type]
        )
    except Exception:
        await hang_up(client)
        raise
    return client


@pytest.mark.parametrize("secret", ["", "guess", password(OTHER, "unit"), password(KEY, "hub")])
def test_who_trusts_us_but_lacks_the_password_stays_out(server: NatsServer, secret: str):
    async def main() -> None:
        with pytest.raises(Exception, match=r"(?i)authorization"):
            await connected(server, password=secret)

    asyncio.run(main())


def test_nothing_is_said_without_tls(server: NatsServer):
    with socket.create_connection(("127.0.0.1", server.port), timeout=2) as sock:
        assert b'"tls_required":true' in sock.recv(4096)
        user = f'{{"user":"unit","pass":"{password(KEY, "unit")}"}}'
        sock.sendall(f"CONNECT {user}\r\nPING\r\n".encode())
        with contextlib.suppress(ConnectionError):
            assert b"PONG" not in b"".join(iter(lambda: sock.recv(4096), b""))


def test_a_master_of_another_event_is_not_believed(server: NatsServer):
    context = unit_context(OTHER)
    with socket.create_connection(("127.0.0.1", server.port), timeout=2) as sock:
        sock.recv(4096)
        with pytest.raises(ssl.SSLError):
            context.wrap_socket(sock, server_hostname="tableside-master")


def test_a_unit_may_not_speak_for_the_master_nor_hear_other_units(server: NatsServer):
    async def main() -> None:
        denied: list[str] = []

        async def trouble(error: Exception) -> None:
            denied.append(str(error))

        async def nothing(_: object) -> None:
            """Take no message."""

        client = await connected(server, error_cb=trouble)
        await client.publish("ts.down.table-2", b"forged")
        await client.subscribe("ts.up.>", cb=nothing)
        await client.flush()
        assert await soon(lambda: len(denied) == 2)
        assert all("ermission" in text for text in denied)
        await client.close()

    asyncio.run(main())


def test_secrets_lie_in_files_that_only_the_owner_reads(server: NatsServer):
    modes = {file.name: file.stat().st_mode & 0o777 for file in server.directory.iterdir()}
    assert modes["nats.conf"] == 0o600
    assert modes["server.key"] == 0o600
    assert server.directory.stat().st_mode & 0o077 == 0


def test_it_listens_on_the_given_address_only(server: NatsServer):
    listening = [
        connection.laddr
        for connection in psutil.Process(server.process.pid).net_connections("tcp")
        if connection.status == psutil.CONN_LISTEN
    ]
    assert [(address.ip, address.port) for address in listening] == [("127.0.0.1", server.port)]


def test_a_busy_port_is_one_sentence(tmp_path: Path):
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(LinkServerError, match="is in use; is another master running here"),
    ):
        NatsServer.started(KEY, tmp_path, "127.0.0.1", taken.getsockname()[1])


def test_an_address_of_another_computer_is_one_sentence(tmp_path: Path):
    with pytest.raises(LinkServerError, match=r"cannot listen on 192\.0\.2\.1 port 11124"):
        NatsServer.started(KEY, tmp_path, "192.0.2.1", 11124)


def test_a_dead_server_comes_back_on_its_port(server: NatsServer):
    assert not server.restart_if_dead()
    server.process.kill()
    server.process.wait()
    assert server.restart_if_dead()
    assert with_link(server.port, KEY, lambda link: link.connected)


PARENT = """
import sys, time
from pathlib import Path
from sync.links.nats_server import NatsServer
server = NatsServer.started(b"k" * 32, Path(sys.argv[1]), "127.0.0.1", 0)
print(server.process.pid, flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_it_dies_with_its_parent(tmp_path: Path, blow: signal.Signals):
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as parent:
        assert parent.stdout is not None
        child = psutil.Process(int(parent.stdout.readline()))
        assert child.name() == "nats-server"
        os.kill(parent.pid, blow)
        parent.wait(5)
    gone, _ = psutil.wait_procs([child], timeout=5)
    assert gone == [child]


def test_f056_a_half_open_line_is_seen_within_ten_seconds_and_mends(server: NatsServer):
    relay = Relay(
        [Plan(0, 0.0, 0.0)],
        time_to=("127.0.0.1", 9),
        link_to=("127.0.0.1", server.port),
        rng=random.Random(1),
        clock=RawMonotonic(),
    )

    async def main() -> float:
        link = unit_link(relay.ports(1)[1])
        link.start()
        assert await soon(lambda: link.connected)
        relay.cut(1)
        began_s = time.monotonic()
        assert await soon(lambda: not link.connected, 11)
        seen_s = time.monotonic() - began_s
        relay.cut(1, False)
        assert await soon(lambda: link.connected, 12)
        await link.close()
        return seen_s

    relay.start()
    try:
        assert asyncio.run(main()) <= 10
    finally:
        relay.stop()


def test_f059_units_keep_apart_while_the_server_is_away(server: NatsServer):
    """nats-py's own retries, every 2 s for all alike, must not come through."""

    async def main() -> list[float]:
        back_s: list[float] = []
        links = [
            NatsUnitLink(
                KEY,
                ("127.0.0.1", server.port),
                f"table-{number}",
                random.Random(number),
                connected=lambda: back_s.append(time.monotonic()),
            )
            for number in range(20)
        ]
        for link in links:
            link.start()
        assert await soon(lambda: len(back_s) == 20)
        back_s.clear()
        server.process.kill()
        server.process.wait()
        await asyncio.sleep(4)
        server.restart_if_dead()
        assert await soon(lambda: len(back_s) == 20, 10)
        for link in links:
            await link.close()
        return back_s

    back_s = asyncio.run(main())
    assert max(back_s) - min(back_s) > 3


def test_hanging_up_says_nothing(server: NatsServer, caplog: pytest.LogCaptureFixture):
    async def main() -> None:
        link = unit_link(server.port)
        link.start()
        assert await soon(lambda: link.connected)
        server.stop()
        assert await soon(lambda: not link.connected)
        await link.close()

    asyncio.run(main())
    assert caplog.records == []
