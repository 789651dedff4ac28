"""What the conversation promises over every link, whatever the link does to single frames."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sync.clock import MILLISECOND
from sync.frames import LONGEST
from sync.links.memory import PERFECT, Faults
from sync.relay import Plan
from sync.replication import AnswerArrived, BeatArrived
from tests.contract.halls import Hall, MemoryHall, NatsHall
from tests.unit.sync.conversation import EPOCH

BAD = Faults(loss=0.1, doubled=0.1, delay_ns=(0, 80 * MILLISECOND))


NEAR, FAR = Plan(0, 0.0, 0.0), Plan(120 * MILLISECOND, 0.5, 0.02)


@pytest.fixture(
    params=[
        "memory",
        "bad memory",
        pytest.param("nats", marks=pytest.mark.system),
        pytest.param("far nats", marks=pytest.mark.system),
    ]
)
def hall(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Hall]:
    made: Hall
    match request.param:
        case "memory":
            made = MemoryHall(PERFECT)
        case "bad memory":
            made = MemoryHall(BAD)
        case kind:
            made = NatsHall(tmp_path, FAR if kind == "far nats" else NEAR)
    yield made
    made.close()


def numbered(count: int) -> list[bytes]:
    return [b"event %d" % number for number in range(1, count + 1)]


def test_what_was_written_arrives_once_and_in_order_both_ways(hall: Hall):
    hall.unit.store.append("table/1", EPOCH, *numbered(500))
    hall.room.store.append("tournament", EPOCH, *numbered(500))
    assert hall.run(15, lambda: hall.room.store.last("table/1", EPOCH) == 500)
    assert hall.run(15, lambda: hall.unit.store.last("tournament", EPOCH) == 500)
    assert hall.room.store.streams["table/1", EPOCH] == numbered(500)
    assert hall.unit.store.streams["tournament", EPOCH] == numbered(500)


def test_a_wish_is_done_once_and_answered(hall: Hall):
    hall.unit.end.command("wish", b"pause")
    assert hall.run(15, lambda: bool(hall.unit.of(AnswerArrived)))
    assert hall.unit.of(AnswerArrived) == [AnswerArrived("wish", "", "done")]
    assert [(request, payload) for _, request, payload, _ in hall.room.done] == [("wish", b"pause")]


def test_after_an_interruption_both_go_on_where_they_were(hall: Hall):
    hall.unit.store.append("table/1", EPOCH, *numbered(10))
    assert hall.run(15, lambda: hall.room.store.last("table/1", EPOCH) == 10)
    hall.interrupt()
    hall.unit.store.append("table/1", EPOCH, b"event 11")
    hall.room.store.append("tournament", EPOCH, b"event 1")
    assert hall.run(20, lambda: hall.room.store.last("table/1", EPOCH) == 11)
    assert hall.run(20, lambda: hall.unit.store.last("tournament", EPOCH) == 1)
    assert hall.room.store.streams["table/1", EPOCH] == numbered(11)


def test_a_large_event_passes(hall: Hall):
    large = bytes(LONGEST - 1024)
    hall.room.store.append("tournament", EPOCH, large)
    assert hall.run(15, lambda: hall.unit.store.last("tournament", EPOCH) == 1)
    assert hall.unit.store.streams["tournament", EPOCH] == [large]


def test_beats_come_while_nothing_happens(hall: Hall):
    hall.unit.end.beat = b"warm"
    assert hall.run(15, lambda: ("table-1", BeatArrived(b"warm")) in hall.room.facts)
