"""What a new session keeps, what it forgets, and which frames belong to it."""

import pytest

from sync.clock import MILLISECOND, SECOND
from sync.frames import Garbled
from sync.replication import AnswerArrived, BeatArrived, Fact
from sync.streams import EventsArrived
from tests.unit.sync.conversation import EPOCH, Room, Unit


def exchanged(room: Room, unit: Unit) -> list[Fact]:
    """Return what the unit is told in one exchange, without storing any of it."""
    facts: list[Fact] = []
    for _ in range(3):
        for frame in room.unit_frames(unit):
            for answer in room.master_takes(unit, frame):
                facts += unit.end.receive(answer, room.now_ns)
        for frame in room.master_frames(unit):
            facts += unit.end.receive(frame, room.now_ns)
    return facts


def test_a_unit_gets_again_what_it_had_not_stored():
    room = Room(1)
    unit = room.add("table-1")
    room.store.append("tournament", EPOCH, b"level 2")
    told = EventsArrived("tournament", EPOCH, 1, (b"level 2",))
    assert told in exchanged(room, unit)
    unit.end.restart()  # the unit's own store had failed
    assert told in exchanged(room, unit)


def test_what_was_on_its_way_is_sent_again_at_once():
    room = Room(1)
    unit = room.add("table-1")
    room.run(1)
    unit.store.append("table/1", EPOCH, b"pressed")
    unit.end.command("wish", b"floor")
    assert unit.end.to_send(room.now_ns)  # lost with the transport
    unit.end.restart()
    assert room.run(0.1, lambda: room.store.last("table/1", EPOCH) == 1)
    assert room.run(0.1, lambda: bool(unit.of(AnswerArrived)))


def test_a_frame_played_to_a_unit_again_is_counted_and_dropped():
    room = Room(1)
    unit = room.add("table-1")
    room.run(0.5)
    room.hub.peers["table-1"].beat_soon()
    [beat] = room.master_frames(unit)
    assert unit.end.receive(beat, room.now_ns) == [BeatArrived(b"")]
    assert unit.end.receive(beat, room.now_ns) == [Garbled("replay")]
    assert unit.end.counts["replay"] == 1


def test_a_welcome_of_an_earlier_session_opens_nothing():
    room = Room(1)
    unit = room.add("table-1")
    [hello] = room.unit_frames(unit)
    [welcome] = room.master_takes(unit, hello)
    unit.end.restart()
    assert unit.end.receive(welcome, room.now_ns) == [Garbled("session")]
    assert not unit.end.open


def test_a_second_welcome_changes_nothing():
    room = Room(1)
    unit = room.add("table-1")
    [hello] = room.unit_frames(unit)
    [first] = room.master_takes(unit, hello)
    [again] = room.master_takes(unit, hello)
    unit.end.receive(first, room.now_ns)
    assert unit.end.receive(again, room.now_ns) == [Garbled("second_welcome")]
    assert room.run(1, lambda: "table-1" in room.hub.peers)


def test_a_hello_is_repeated_with_growing_patience_and_never_in_step():
    room = Room(1)
    ends = [room.add(f"table-{number}").end for number in range(2)]
    waits: list[list[int]] = []
    for end in ends:
        at_ns, times = 0, []
        for _ in range(7):
            assert end.to_send(at_ns)
            assert not end.to_send(end.next_deadline_ns() - 1)
            times.append(end.next_deadline_ns() - at_ns)
            at_ns = end.next_deadline_ns()
        waits.append(times)
    assert waits[0] != waits[1]
    assert waits[0][0] <= 520 * MILLISECOND
    assert 3.5 * SECOND <= waits[0][-1] <= 6.5 * SECOND


def test_a_peer_that_left_is_forgotten_and_the_others_stay():
    room = Room(1)
    gone, here = room.add("table-1"), room.add("table-2", table=2)
    room.run(2)
    gone.wires.cut()
    room.run(6)
    assert room.hub.forget_silent(room.now_ns, 5 * SECOND) == ["table-1"]
    assert list(room.hub.peers) == [here.peer]


@pytest.mark.parametrize("epoch", [EPOCH - 1, EPOCH + 1, 2**60])
def test_a_unit_cannot_choose_its_epoch(epoch: int):
    room = Room(1)
    unit = room.add("table-1")
    room.run(1)
    unit.store.append("table/1", epoch, b"from another night")
    unit.end.writes(unit.store, "table/1", epoch)
    room.run(3)
    assert not [fact for _, fact in room.facts if isinstance(fact, EventsArrived)]
    assert room.hub.peers["table-1"].counts["epoch"]
