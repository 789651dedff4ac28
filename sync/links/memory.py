"""Owns the in-process transport: for the satellite, and with seeded faults for tests.

Loss, doubling and delay (hence reordering) follow from one `random.Random`; time is told by the
caller, so that whole evenings run without waiting.
"""

import heapq
import random
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Faults:
    """What a link does to a frame, each way."""

    loss: float = 0.0
    doubled: float = 0.0
    delay_ns: tuple[int, int] = (0, 0)  # least and most


PERFECT = Faults()


class Wire:
    """One direction between two ends; frames come out when their time has come."""

    def __init__(self, rng: random.Random, faults: Faults = PERFECT) -> None:
        self._rng = rng
        self._faults = faults
        self._due: list[tuple[int, int, bytes]] = []
        self._sent = 0
        self.cut = False

    def send(self, frame: bytes, now_ns: int) -> None:
        """Put a frame on the wire."""
        faults = self._faults
        copies = 2 if self._rng.random() < faults.doubled else 1
        for _ in range(copies):
            if self.cut or self._rng.random() < faults.loss:
                continue
            self._sent += 1
            late_ns = self._rng.randint(*faults.delay_ns)
            heapq.heappush(self._due, (now_ns + late_ns, self._sent, frame))

    def receive(self, now_ns: int) -> list[bytes]:
        """Return the frames that have arrived by `now_ns`."""
        frames = []
        while self._due and self._due[0][0] <= now_ns:
            frames.append(heapq.heappop(self._due)[2])
        return frames

    def next_ns(self) -> int | None:
        """Return when the next frame arrives, None when the wire is empty."""
        return self._due[0][0] if self._due else None


@dataclass(frozen=True, slots=True)
class Pair:
    """Both directions of one link."""

    up: Wire
    down: Wire

    @classmethod
    def made(cls, rng: random.Random, faults: Faults = PERFECT) -> "Pair":
        """Return a pair with its own chance."""
        return cls(
            Wire(random.Random(rng.getrandbits(64)), faults),
            Wire(random.Random(rng.getrandbits(64)), faults),
        )

    def cut(self, is_cut: bool = True) -> None:
        """Cut or mend both directions; what is on its way still arrives."""
        self.up.cut = self.down.cut = is_cut
