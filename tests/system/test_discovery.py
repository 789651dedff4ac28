"""Masters announced and found over multicast DNS on loopback."""

import asyncio
from dataclasses import replace

import pytest

from sync.links.discovery import Master, Masters, announced, fingerprint

pytestmark = pytest.mark.system
KEY = b"an event's key of 32 octets long"
LOOPBACK = ["127.0.0.1"]
MASTER = Master("td-station", fingerprint(KEY), "127.0.0.1", 11124, 11123)


def test_a_unit_finds_the_master_of_its_event_only():
    async def main() -> tuple[Master | None, Master | None]:
        async with (
            announced(MASTER, LOOPBACK),
            Masters(KEY, LOOPBACK) as ours,
            Masters(b"x" * 32, LOOPBACK) as others,
        ):
            return await ours.first(5), await others.first(0.5)

    assert asyncio.run(main()) == (MASTER, None)


def test_a_second_master_of_the_event_is_seen():
    async def main() -> set[str]:
        second = replace(MASTER, name="laptop")
        async with (
            announced(MASTER, LOOPBACK),
            announced(second, LOOPBACK),
            Masters(KEY, LOOPBACK) as masters,
        ):
            for _ in range(100):
                if len(masters.here) == 2:
                    break
                await asyncio.sleep(0.05)
            return {master.name for master in masters.here.values()}

    assert asyncio.run(main()) == {"td-station", "laptop"}
