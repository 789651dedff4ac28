"""A master and one table over each transport, driven alike by the contract tests."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Protocol

from sync.clock import RawMonotonic
from sync.links.memory import Faults
from sync.links.nats import NatsHubLink, NatsUnitLink
from sync.links.nats_server import NatsServer
from sync.relay import Plan, Relay
from tests.unit.sync.conversation import Room, Unit

EVENT_KEY = b"an event's key of 32 octets long"
TURN_S = 0.01


class Hall(Protocol):
    """What the contract tests need of a transport."""

    room: Room
    unit: Unit

    def run(self, seconds: float, until: Callable[[], bool]) -> bool:
        """Let time pass until `until`; return whether it came true within `seconds`."""
        ...

    def interrupt(self) -> None:
        """Break the link and mend it."""
        ...

    def close(self) -> None: ...


class MemoryHall:
    """In-process wires, simulated time."""

    def __init__(self, faults: Faults) -> None:
        self.room = Room(11, faults)
        self.unit = self.room.add("table-1")

    def run(self, seconds: float, until: Callable[[], bool]) -> bool:
        return self.room.run(seconds, until)

    def interrupt(self) -> None:
        self.unit.wires.cut()
        self.room.run(6)
        self.unit.wires.cut(False)

    def close(self) -> None:
        pass


class NatsHall:
    """A real nats-server child behind TLS, real time, the table behind a relay."""

    def __init__(self, directory: Path, plan: Plan) -> None:
        self.room = Room(12)
        self.unit = self.room.add("table-1")
        self.server = NatsServer.started(EVENT_KEY, directory, "127.0.0.1", 0)
        self._loop = asyncio.Runner()
        address = ("127.0.0.1", self.server.port)
        self.relay = Relay(
            [plan], time_to=address, link_to=address, rng=random.Random(3), clock=RawMonotonic()
        )
        self.relay.start()
        near = ("127.0.0.1", self.relay.ports(1)[1])
        self.hub = NatsHubLink(EVENT_KEY, address, random.Random(1))
        self.table = NatsUnitLink(
            EVENT_KEY, near, "table-1", random.Random(2), connected=self.unit.end.restart
        )
        self._loop.run(self._start())

    def run(self, seconds: float, until: Callable[[], bool]) -> bool:
        return self._loop.run(self._run(seconds, until))

    def interrupt(self) -> None:
        self.server.process.kill()
        self.server.process.wait()
        assert self.server.restart_if_dead()

    def close(self) -> None:
        self._loop.run(self._stop())
        self._loop.close()
        self.relay.stop()
        self.server.stop()

    async def _start(self) -> None:
        self.hub.start()
        self.table.start()

    async def _stop(self) -> None:
        await self.table.close()
        await self.hub.close()

    async def _run(self, seconds: float, until: Callable[[], bool]) -> bool:
        clock = RawMonotonic()
        async with self._pumps():
            end_ns = clock.now_ns() + int(seconds * 1e9)
            while clock.now_ns() < end_ns and not until():
                self.room.now_ns = clock.now_ns()
                for frame in self.room.unit_frames(self.unit):
                    await self.table.send(frame)
                for frame in self.room.master_frames(self.unit):
                    await self.hub.send("table-1", frame)
                await asyncio.sleep(TURN_S)
        return until()

    @contextlib.asynccontextmanager
    async def _pumps(self) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(self._up()), asyncio.create_task(self._down())]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _up(self) -> None:
        while True:
            peer, frame = await self.hub.receive()
            assert peer == "table-1"
            for answer in self.room.master_takes(self.unit, frame):
                await self.hub.send(peer, answer)

    async def _down(self) -> None:
        while True:
            self.room.unit_takes(self.unit, await self.table.receive())
