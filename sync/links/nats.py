"""Owns the LAN transport: frames as NATS messages, up on ts.up.PEER, down on ts.down.PEER.

Both ends reconnect for ever by themselves, each after a wait of its own, so that a hall full of
units does not come back in one instant. Network trouble never leaves this module as an exception.
"""

import asyncio
import contextlib
import logging
import random
import ssl
from collections import Counter
from collections.abc import Callable, Iterator

from nats.aio.client import Client
from nats.aio.msg import Msg

from sync.links.certificates import unit_context
from sync.links.nats_server import password

UP, DOWN = "ts.up.", "ts.down."
FIRST_S = 1.5  # between tries before the first connection
UNITS_AGAIN_S = 6.0  # after a loss: sixty units return over this long, not in one instant (F059)
HUB_AGAIN_S = 0.3
PING_S = 3
INBOX = 4096


def waits_s(rng: random.Random, spread_s: float) -> Iterator[float]:
    """Yield the waits before each try to reconnect: anywhere in the spread, then about one each.

    A first wait spread evenly and steady ones after it keep the units apart however long the
    server is away.
    """
    yield rng.uniform(0, spread_s)
    while True:
        yield spread_s * rng.uniform(0.9, 1.1)


class NatsLink:
    """A connection that keeps itself alive and hands over what comes in."""

    def __init__(
        self,
        *,
        event_key: bytes,
        user: str,
        address: tuple[str, int],
        subject: str,
        rng: random.Random,
        again_s: float,
        connected: Callable[[], None] = lambda: None,
    ) -> None:
        """`subject` is what to listen to; `connected` is called after each (re)connection.

        `again_s` is the time over which many such links come back after the server was lost.
        """
        self.counts: Counter[str] = Counter()
        self._user = user
        self._password = password(event_key, user)
        self._tls: ssl.SSLContext = unit_context(event_key)
        self._address = address
        self._subject = subject
        self._rng = rng
        self._again_s = again_s
        self._on_connected = connected
        self._inbox: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue(INBOX)
        self._client: Client | None = None
        self._task: asyncio.Task[None] | None = None
        self.refused = ""  # why the server will not have us, in words

    @property
    def connected(self) -> bool:
        """Whether a connection stands."""
        return self._client is not None and self._client.is_connected

    def start(self) -> None:
        """Begin to connect; call within the running loop."""
        logging.getLogger("asyncio").addFilter(_is_news)
        self._task = asyncio.create_task(self._keep())

    async def publish(self, subject: str, frame: bytes) -> None:
        """Hand over one frame; lost while there is no connection."""
        if self._client is None or not self._client.is_connected:
            self.counts["not_connected"] += 1
            return
        try:
            await self._client.publish(subject, frame)
        except Exception as error:  # any trouble of the library is a lost frame
            self.counts[type(error).__name__] += 1

    async def next(self) -> tuple[str, bytes]:
        """Wait for the next message: subject and frame."""
        return await self._inbox.get()

    async def close(self) -> None:
        """Let go of the connection."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        await self._drop()

    async def _keep(self) -> None:
        waits = waits_s(self._rng, min(FIRST_S, self._again_s))
        while True:
            lost = asyncio.Event()
            if await self._connect(lost):
                await lost.wait()
                waits = waits_s(self._rng, self._again_s)
            await self._drop()
            await asyncio.sleep(next(waits))

    async def _connect(self, lost: asyncio.Event) -> bool:
        host, port = self._address
        client = Client()

        async def gone() -> None:
            lost.set()

        async def trouble(error: Exception) -> None:
            self.counts[type(error).__name__] += 1

        try:
            await client.connect(
                servers=[f"tls://{host}:{port}"],
                user=self._user,
                password=self._password,
                tls=self._tls,
                tls_hostname="tableside-master",
                allow_reconnect=False,
                max_reconnect_attempts=1,  # else connect() itself tries for minutes, every 2 s
                reconnect_time_wait=0,
                connect_timeout=3,
                ping_interval=PING_S,
                max_outstanding_pings=2,
                disconnected_cb=gone,
                closed_cb=gone,
                error_cb=trouble,
                pending_size=1024 * 1024,
            )
            await client.subscribe(self._subject, cb=self._take)
            await client.flush(3)
        except Exception as error:  # refused, unreachable, wrong key: wait and try again
            self.counts[type(error).__name__] += 1
            self.refused = _refusal(error)
            await hang_up(client)
            return False
        except asyncio.CancelledError:
            await hang_up(client)
            raise
        self._client = client
        self.refused = ""
        self._on_connected()
        return True

    async def _drop(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await hang_up(client)

    async def _take(self, message: Msg) -> None:
        if self._inbox.full():
            self._inbox.get_nowait()
            self.counts["inbox_full"] += 1
        self._inbox.put_nowait((message.subject, message.data))


class NatsUnitLink:
    """UnitLink over NATS."""

    def __init__(
        self,
        event_key: bytes,
        address: tuple[str, int],
        peer: str,
        rng: random.Random,
        connected: Callable[[], None] = lambda: None,
    ) -> None:
        self._peer = peer
        self.link = NatsLink(
            event_key=event_key,
            user="unit",
            address=address,
            subject=DOWN + peer,
            rng=rng,
            again_s=UNITS_AGAIN_S,
            connected=connected,
        )

    @property
    def connected(self) -> bool:
        """Whether the server can be reached."""
        return self.link.connected

    def start(self) -> None:
        """Begin to connect."""
        self.link.start()

    async def send(self, frame: bytes) -> None:
        """Hand over one frame for the master."""
        await self.link.publish(UP + self._peer, frame)

    async def receive(self) -> bytes:
        """Wait for the next frame from the master."""
        return (await self.link.next())[1]

    async def close(self) -> None:
        """Let go."""
        await self.link.close()


class NatsHubLink:
    """HubLink over NATS."""

    def __init__(self, event_key: bytes, address: tuple[str, int], rng: random.Random) -> None:
        self.link = NatsLink(
            event_key=event_key,
            user="hub",
            address=address,
            subject=UP + "*",
            rng=rng,
            again_s=HUB_AGAIN_S,
        )

    def start(self) -> None:
        """Begin to connect."""
        self.link.start()

    async def send(self, peer: str, frame: bytes) -> None:
        """Hand over one frame for `peer`."""
        await self.link.publish(DOWN + peer, frame)

    async def receive(self) -> tuple[str, bytes]:
        """Wait for the next frame and who it is from."""
        subject, frame = await self.link.next()
        return subject.removeprefix(UP), frame

    async def close(self) -> None:
        """Let go."""
        await self.link.close()


async def hang_up(client: Client) -> None:
    """Close a client and its socket: nats-py leaves the socket of a failed handshake open."""
    with contextlib.suppress(Exception):
        await client.close()
    for name in ("_io_writer", "_bare_io_writer"):
        writer: asyncio.StreamWriter | None = getattr(client._transport, name, None)
        if writer is not None:
            writer.transport.abort()
    await asyncio.sleep(0)  # abort() closes in the next turn of the loop


def _is_news(record: logging.LogRecord) -> bool:
    """Drop asyncio's warning at each hang-up: nats-py forgets to tell its protocol about TLS."""
    return not record.getMessage().startswith("returning true from eof_received()")


def _refusal(error: Exception) -> str:
    """Return a word for people when it is the key that does not fit, "" for mere absence."""
    text = str(error).lower()
    if isinstance(error, ssl.SSLError) or "certificate" in text or "authorization" in text:
        return "WRONG KEY"
    return ""
