"""Owns a simulated dealer: which keys go down when, hand after hand, from one seed.

Pure: gives key movements at instants of the local clock; sim hardware or a real finger moves them.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from hardware.ports import Key
from sync.clock import MILLISECOND, SECOND


@dataclass(frozen=True, slots=True)
class Movement:
    """A key goes down or up at `at_ns`."""

    key: Key
    down: bool
    at_ns: int


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a dealer takes, in seconds from one key to the next: (least, most)."""

    blinds: tuple[float, float] = (0.4, 1.2)
    shuffle: tuple[float, float] = (0.3, 0.6)
    deal: tuple[float, float] = (0.6, 1.5)
    play: tuple[float, float] = (1.5, 5.0)


HAND = (
    (Key.BLINDS, "blinds"),
    (Key.SHUFFLE, "shuffle"),
    (Key.DEALT, "deal"),
    (Key.HAND_OVER, "play"),
)


def hands(
    rng: random.Random, start_ns: int, pace: Pace = Pace(), held_ms: int = 70
) -> Iterator[Movement]:
    """Yield the movements of hand after hand, without end, in order of time."""
    at_ns = start_ns
    while True:
        for key, part in HAND:
            at_ns += int(rng.uniform(*getattr(pace, part)) * SECOND)
            yield from pressed(key, at_ns, held_ms)
            at_ns += held_ms * MILLISECOND


def pressed(key: Key, at_ns: int, held_ms: int = 70) -> Iterator[Movement]:
    """Yield one clean press."""
    yield Movement(key, True, at_ns)
    yield Movement(key, False, at_ns + held_ms * MILLISECOND)


def bouncing(movement: Movement, rng: random.Random, within_ms: float = 8) -> Iterator[Movement]:
    """Yield `movement` with up to four bounces behind it, as a worn contact gives it."""
    edges = sorted(rng.uniform(0.2, within_ms) for _ in range(2 * rng.randint(0, 2)))
    yield movement
    for number, late_ms in enumerate(edges):
        down = movement.down if number % 2 else not movement.down
        yield Movement(movement.key, down, movement.at_ns + int(late_ms * MILLISECOND))
