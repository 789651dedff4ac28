"""Owns how units find their master on the LAN: a DNS-SD service (RFC 6763) over multicast DNS.

The record names the event by a fingerprint of its key, so that two charity nights in one building
do not mix; it proves nothing, the link's TLS does. Every master of the event that is heard is
listed, since two of them are an alarm.
"""

import asyncio
import contextlib
import ipaddress
import re
import socket
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from zeroconf import InterfaceChoice, ServiceInfo, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from sync.frames import Garbled
from sync.keys import derive

SERVICE = "_tableside._tcp.local."
ASK_MS = 3000

Interfaces = Sequence[str] | InterfaceChoice


@dataclass(frozen=True, slots=True)
class Master:
    """A master as announced: its name and where its link and time ports are."""

    name: str
    event: str  # fingerprint of the event's key
    host: str
    link_port: int
    time_port: int


def fingerprint(event_key: bytes) -> str:
    """Return what may be shown of the event's key: 16 hexadecimal digits."""
    return derive(event_key, "discovery", 8).hex()


def record(master: Master) -> ServiceInfo:
    """Return the service record that announces `master`; ValueError if host is no IP address."""
    return ServiceInfo(
        SERVICE,
        f"{master.name}.{SERVICE}",
        port=master.link_port,
        addresses=[ipaddress.ip_address(master.host).packed],
        properties={"event": master.event, "time": str(master.time_port)},
        server=f"{master.name}.local.",
    )


def read(info: ServiceInfo) -> Master | Garbled:
    """Return the master in a record; whatever stands on the network is a value."""
    properties = info.decoded_properties
    addresses = info.parsed_addresses()
    time_port = properties.get("time") or ""
    if not addresses or not info.port:
        return Garbled("address")
    if not (re.fullmatch("[1-9][0-9]{0,4}", time_port) and int(time_port) < 65536):
        return Garbled("time_port")
    name = info.name.removesuffix("." + SERVICE)
    return Master(name, properties.get("event") or "", addresses[0], info.port, int(time_port))


@contextlib.asynccontextmanager
async def announced(
    master: Master, interfaces: Interfaces = InterfaceChoice.Default
) -> AsyncIterator[None]:
    """Announce `master` within the block; a taken name gets a number."""
    zeroconf = AsyncZeroconf(interfaces=interfaces)
    try:
        await (await zeroconf.async_register_service(record(master), allow_name_change=True))
        yield
    finally:
        await zeroconf.async_unregister_all_services()
        await zeroconf.async_close()


class Masters:
    """The masters of one event that can be heard now; use as an asynchronous context."""

    def __init__(self, event_key: bytes, interfaces: Interfaces = InterfaceChoice.Default) -> None:
        self.here: dict[str, Master] = {}
        self._event = fingerprint(event_key)
        self._interfaces = interfaces
        self._changed = asyncio.Event()
        self._asking: set[asyncio.Task[None]] = set()
        self._zeroconf: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None

    async def __aenter__(self) -> "Masters":
        """Begin to listen."""
        self._zeroconf = AsyncZeroconf(interfaces=self._interfaces)
        self._browser = AsyncServiceBrowser(
            self._zeroconf.zeroconf, SERVICE, handlers=[self._heard]
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        """Let go of the network."""
        for task in self._asking:
            task.cancel()
        await asyncio.gather(*self._asking, return_exceptions=True)
        if self._browser is not None:
            await self._browser.async_cancel()
        if self._zeroconf is not None:
            await self._zeroconf.async_close()

    async def first(self, seconds: float) -> Master | None:
        """Return a master of the event, None when none was heard for `seconds`."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not self.here:
                    self._changed.clear()
                    await self._changed.wait()
        return min(self.here.values(), key=lambda master: master.name, default=None)

    def _heard(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        if state_change is ServiceStateChange.Removed:
            self.here.pop(name, None)
            self._changed.set()
            return
        task = asyncio.get_running_loop().create_task(self._ask(zeroconf, service_type, name))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def _ask(self, zeroconf: Zeroconf, service_type: str, name: str) -> None:
        info = AsyncServiceInfo(service_type, name)
        if not await info.async_request(zeroconf, ASK_MS):
            return
        master = read(info)
        if isinstance(master, Master) and master.event == self._event:
            self.here[name] = master
            self._changed.set()


def own_address() -> str:
    """Return the address to announce: this host's own on the LAN, loopback without a network.

    No packet is sent: connecting a datagram socket only asks the routing table. The target is a
    documentation address (RFC 5737), so the default route decides.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])
