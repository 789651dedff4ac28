"""Whole evenings of trouble by chance: in the end both sides hold the same, each thing once."""

import random
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from sync.clock import MILLISECOND
from sync.links.memory import Faults
from sync.replication import AnswerArrived
from tests.unit.sync.conversation import EPOCH, Room, Unit

FAULTS = st.builds(
    Faults,
    loss=st.floats(0, 0.3),
    doubled=st.floats(0, 0.3),
    delay_ns=st.integers(0, 400).map(lambda most_ms: (0, most_ms * MILLISECOND)),
)


class Evening:
    """One table, one master, and what befalls them."""

    def __init__(self, seed: int, faults: Faults) -> None:
        self.room = Room(seed, faults)
        self.unit: Unit = self.room.add("table-1")
        self.rng = random.Random(seed)
        self.wishes = 0

    def press(self) -> None:
        self.unit.store.append("table/1", EPOCH, self.rng.randbytes(8))

    def direct(self) -> None:
        self.room.store.append("tournament", EPOCH, self.rng.randbytes(8))

    def wish(self) -> None:
        self.wishes += 1
        self.unit.end.command(f"wish {self.wishes}", b"floor")

    def cut(self) -> None:
        self.unit.wires.cut()

    def heal(self) -> None:
        self.unit.wires.cut(False)

    def transport_back(self) -> None:
        self.unit.end.restart()

    def wait(self) -> None:
        self.room.run(self.rng.choice([0.01, 0.1, 0.4, 6.0]))

    def settled(self) -> bool:
        stores = self.room.store.streams, self.unit.store.streams
        same = all(
            stores[0][stream, EPOCH] == stores[1][stream, EPOCH]
            for stream in ("table/1", "tournament")
        )
        return same and len(self.unit.of(AnswerArrived)) == self.wishes


ACTIONS: list[Callable[[Evening], None]] = [
    Evening.press,
    Evening.direct,
    Evening.wish,
    Evening.cut,
    Evening.heal,
    Evening.transport_back,
    Evening.wait,
]
DEEDS = st.lists(st.sampled_from(ACTIONS), min_size=5, max_size=40)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), FAULTS, DEEDS)
def test_both_sides_end_with_the_same_and_each_wish_is_done_once(
    seed: int, faults: Faults, deeds: list[Callable[[Evening], None]]
):
    evening = Evening(seed, faults)
    for deed in deeds:
        deed(evening)
    evening.heal()
    assert evening.room.run(120, evening.settled)
    requests = [request for _, request, _, _ in evening.room.done]
    assert sorted(requests) == sorted(f"wish {n}" for n in range(1, evening.wishes + 1))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), FAULTS, st.lists(DEEDS, min_size=2, max_size=3))
def test_a_master_that_is_killed_in_between_loses_nothing_that_it_stored(
    seed: int, faults: Faults, reigns: list[list[Callable[[Evening], None]]]
):
    evening = Evening(seed, faults)
    for deeds in reigns:
        for deed in deeds:
            deed(evening)
        evening.room.restart_master()
    evening.heal()
    assert evening.room.run(120, evening.settled)
