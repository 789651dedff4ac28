"""The simulated wire: chance by seed, time as told."""

import random

from sync.clock import MILLISECOND
from sync.links.memory import Faults, Pair, Wire


def numbered(wire: Wire, count: int) -> list[int]:
    for number in range(count):
        wire.send(number.to_bytes(2, "big"), 0)
    return [int.from_bytes(frame, "big") for frame in wire.receive(1000 * MILLISECOND)]


def test_a_perfect_wire_keeps_all_in_order():
    assert numbered(Wire(random.Random(1)), 100) == list(range(100))


def test_nothing_arrives_before_its_time():
    wire = Wire(random.Random(1), Faults(delay_ns=(5, 5)))
    wire.send(b"x", 10)
    assert wire.next_ns() == 15
    assert wire.receive(14) == []
    assert wire.receive(15) == [b"x"]
    assert wire.next_ns() is None


def test_loss_doubling_and_overtaking_are_as_ordered():
    got = numbered(Wire(random.Random(3), Faults(0.2, 0.1, (0, 100 * MILLISECOND))), 2000)
    assert got != sorted(got)
    assert abs(len(set(got)) / 2000 - 0.82) < 0.03  # a doublet's second chance
    assert len(got) > len(set(got))


def test_the_same_seed_gives_the_same_wire():
    faults = Faults(0.3, 0.3, (0, 100))
    assert numbered(Wire(random.Random(4), faults), 50) == numbered(
        Wire(random.Random(4), faults), 50
    )


def test_a_cut_pair_is_silent_both_ways_but_what_was_sent_arrives():
    pair = Pair.made(random.Random(1), Faults(delay_ns=(10, 10)))
    pair.up.send(b"before", 0)
    pair.cut()
    pair.up.send(b"lost", 1)
    pair.down.send(b"lost", 1)
    assert pair.up.receive(100) == [b"before"]
    assert pair.down.receive(100) == []
    pair.cut(False)
    pair.down.send(b"after", 100)
    assert pair.down.receive(110) == [b"after"]
