"""What a unit and the master make of one another's frames, on good wires and bad."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sync.clock import MILLISECOND, SECOND
from sync.frames import Frame, Garbled, seal, unseal
from sync.hub import Hub
from sync.links.memory import Faults
from sync.messages import PROTOCOL, Hello
from sync.replication import AnswerArrived, BeatArrived, CommandArrived, Opened, UnitEnd
from sync.streams import BATCH, EventsArrived
from tests.unit.sync.conversation import EPOCH, KEYS, Room

FAR = Faults(delay_ns=(40 * MILLISECOND, 40 * MILLISECOND))
BAD = Faults(loss=0.1, doubled=0.1, delay_ns=(0, 120 * MILLISECOND))


def numbered(count: int) -> list[bytes]:
    return [b"event %d" % number for number in range(1, count + 1)]


def test_events_go_up_and_come_down():
    room = Room(1)
    unit = room.add("table-1")
    unit.store.append("table/1", EPOCH, *numbered(3))
    room.store.append("tournament", EPOCH, *numbered(5))
    assert room.run(2, lambda: room.store.last("table/1", EPOCH) == 3)
    assert room.run(2, lambda: unit.store.last("tournament", EPOCH) == 5)
    assert room.store.streams["table/1", EPOCH] == numbered(3)
    assert unit.store.streams["tournament", EPOCH] == numbered(5)


def test_a_long_stream_is_sent_once_on_a_good_line():
    room = Room(1, FAR)
    unit = room.add("table-1")
    unit.store.append("table/1", EPOCH, *numbered(50 * BATCH))
    assert room.run(5, lambda: room.store.last("table/1", EPOCH) == 50 * BATCH)
    assert unit.sent <= 50 + 10  # batches, and what a conversation says besides


@pytest.mark.parametrize("seed", range(5))
def test_loss_doubling_and_reordering_leave_no_gap_and_no_storm(seed: int):
    room = Room(seed, BAD)
    unit = room.add("table-1")
    unit.store.append("table/1", EPOCH, *numbered(10 * BATCH))
    room.store.append("tournament", EPOCH, *numbered(10 * BATCH))
    both = ("table/1", room.store), ("tournament", unit.store)
    assert room.run(
        30, lambda: all(store.last(stream, EPOCH) == 10 * BATCH for stream, store in both)
    )
    assert room.store.streams["table/1", EPOCH] == numbered(10 * BATCH)
    assert unit.store.streams["tournament", EPOCH] == numbered(10 * BATCH)
    assert unit.sent < 150
    assert room.sent["table-1"] < 150


def test_only_what_is_durable_is_acknowledged():
    room = Room(1)
    unit = room.add("table-1")
    room.run(1)
    before = unit.store.last("table/1", EPOCH)
    unit.store.append("table/1", EPOCH, b"pressed")
    assert unit.end.outgoing is not None
    assert unit.end.outgoing.behind
    room.run(0.1)
    assert not unit.end.outgoing.behind
    assert room.store.last("table/1", EPOCH) == before + 1


def test_what_was_not_stored_comes_again_in_the_next_session():
    room = Room(1)
    unit = room.add("table-1")
    room.run(1)
    peer = room.hub.peers["table-1"]
    arrived = []
    unit.store.append("table/1", EPOCH, *numbered(4))
    for frame in unit.end.to_send(room.now_ns):  # the master dies before it has stored
        opened = unseal(frame, KEYS)
        assert isinstance(opened, Frame)
        arrived += peer.take(opened, room.now_ns)
    assert [fact.last for fact in arrived if isinstance(fact, EventsArrived)] == [4]
    room.restart_master()
    assert room.run(8, lambda: room.store.last("table/1", EPOCH) == 4)


def test_a_unit_back_after_an_outage_catches_up_from_its_last_number():
    room = Room(3, FAR)
    unit = room.add("table-1")
    room.store.append("tournament", EPOCH, *numbered(200))
    assert room.run(5, lambda: unit.store.last("tournament", EPOCH) == 200)
    unit.wires.cut()
    room.store.append("tournament", EPOCH, *numbered(10))
    room.run(45)
    assert unit.store.last("tournament", EPOCH) == 200
    unit.wires.cut(False)
    sent = room.sent["table-1"]
    assert room.run(5, lambda: unit.store.last("tournament", EPOCH) == 210)
    assert room.sent["table-1"] - sent < 10  # the ten, not the two hundred


def test_a_master_with_an_older_journal_gets_what_it_lacks():
    room = Room(1)
    unit = room.add("table-1")
    unit.store.append("table/1", EPOCH, *numbered(300))
    assert room.run(5, lambda: room.store.last("table/1", EPOCH) == 300)
    del room.store.streams["table/1", EPOCH][100:]
    room.restart_master()
    unit.store.append("table/1", EPOCH, b"event 301")
    assert room.run(10, lambda: room.store.last("table/1", EPOCH) == 301)
    assert room.store.streams["table/1", EPOCH] == numbered(301)


def test_a_higher_epoch_begins_anew_and_a_lower_one_is_nothing():
    room = Room(1)
    unit = room.add("table-1")
    room.store.append("tournament", EPOCH, b"old night")
    room.run(1)
    room.store.append("tournament", EPOCH + 1, b"new night")
    peer = room.hub.peers["table-1"]
    peer.writes(room.store, "tournament", EPOCH + 1)
    room.run(1)
    assert unit.store.streams["tournament", EPOCH + 1] == [b"new night"]
    room.store.append("tournament", EPOCH, b"ghost")
    peer.writes(room.store, "tournament", EPOCH, 1)
    room.run(1)
    assert unit.store.streams["tournament", EPOCH] == [b"old night"]


@pytest.mark.parametrize("seed", range(5))
def test_a_wish_is_done_once_and_answered(seed: int):
    room = Room(seed, Faults(loss=0.3, doubled=0.3, delay_ns=(0, 900 * MILLISECOND)))
    desk = room.add("desk-1", key_id=2, kind="desk")
    for number in range(10):
        desk.end.command(f"wish {number}", b"pause")
    assert room.run(60, lambda: len(desk.of(AnswerArrived)) == 10)
    assert sorted(request for _, request, _, _ in room.done) == [f"wish {n}" for n in range(10)]
    assert {key_id for *_, key_id in room.done} == {2}


def test_a_wish_that_takes_long_is_handed_over_once():
    room = Room(1)
    room.answers_at_once = False
    unit = room.add("table-1")
    unit.end.command("wish", b"pause")
    room.run(5)
    assert len(room.done) == 1
    room.hub.peers["table-1"].answer("wish", "paused", "The clock stands already")
    assert room.run(1, lambda: bool(unit.of(AnswerArrived)))
    assert unit.of(AnswerArrived) == [AnswerArrived("wish", "paused", "The clock stands already")]


def test_a_wish_repeated_in_a_new_session_is_not_done_again():
    room = Room(1)
    unit = room.add("table-1")
    room.run(1)
    unit.end.command("wish", b"next level")
    unit.wires.down.cut = True  # done, but the answer is lost
    room.run(1)
    assert len(room.done) == 1
    unit.wires.down.cut = False
    unit.end.restart()
    assert room.run(5, lambda: bool(unit.of(AnswerArrived)))
    assert len(room.done) == 1


def test_a_wish_that_proves_the_new_session_is_not_done_again():
    room = Room(1)
    unit = room.add("table-1")
    unit.end.command("wish", b"next level")
    room.run(1, lambda: bool(room.done))
    unit.end.restart()
    unit.end.receive(room.master_takes(unit, *room.unit_frames(unit))[0], room.now_ns)
    for frame in reversed(room.unit_frames(unit)):  # the wish overtakes the beat
        room.master_takes(unit, frame)
    assert len(room.done) == 1


def test_f058_a_table_that_drops_five_times_is_one_table():
    room = Room(4, FAR)
    unit = room.add("table-7", table=7)
    for number in range(5):
        unit.store.append("table/7", EPOCH, b"event %d" % number)
        unit.wires.cut()
        room.run(6)
        unit.wires.cut(False)
        room.run(6)
    assert list(room.hub.peers) == ["table-7"]
    assert len(room.store.streams["table/7", EPOCH]) == 5


def test_f056_a_silent_line_is_seen_and_mends_by_itself():
    room = Room(2)
    unit = room.add("table-1")
    room.run(3)
    assert unit.end.open
    unit.wires.cut()
    assert room.run(10, lambda: not unit.end.open)
    assert room.run(10, lambda: room.hub.forget_silent(room.now_ns, 5 * SECOND) == ["table-1"])
    room.run(30)
    unit.wires.cut(False)
    assert room.run(7, lambda: unit.end.open and "table-1" in room.hub.peers)


def test_f059_sixty_units_return_spread_out():
    room = Room(5)
    for table in range(1, 61):
        room.add(f"table-{table}", table=table)
    room.run(3)
    assert len(room.hub.peers) == 60
    room.restart_master()
    killed_ns, back_ns = room.now_ns, []

    def all_back() -> bool:
        back_ns.extend([room.now_ns] * (len(room.hub.peers) - len(back_ns)))
        return len(back_ns) == 60

    assert room.run(15, all_back)
    assert back_ns[-1] - killed_ns < 15 * SECOND
    busiest = max(sum(ns <= at < ns + SECOND // 2 for at in back_ns) for ns in back_ns)
    assert busiest <= 12


def test_beats_carry_health_both_ways():
    room = Room(1)
    unit = room.add("table-1")
    unit.end.beat = b"warm"
    room.run(0.1)
    room.hub.peers["table-1"].beat = b"reigning"
    room.run(2)
    assert ("table-1", BeatArrived(b"warm")) in room.facts
    assert BeatArrived(b"reigning") in unit.facts


def test_another_version_is_said_by_name_on_both_sides():
    rng = random.Random(1)
    hub = Hub(KEYS, rng)
    hello = Hello(PROTOCOL + 1, "table-1", "table", 1, ("tournament", EPOCH, 0))
    unit = UnitEnd(hello, 1, KEYS[1], rng)
    [frame] = unit.to_send(0)
    facts, [welcome] = hub.receive("table-1", frame, 0)
    assert facts == [Garbled("protocol")]
    assert hub.peers == {}
    assert unit.receive(welcome, 0) == [Garbled("protocol")]
    assert not unit.open


def test_a_unit_with_a_wrong_key_is_never_opened():
    room = Room(1)
    hello = Hello(PROTOCOL, "table-1", "table", 1, ("tournament", EPOCH, 0))
    stranger = UnitEnd(hello, 1, b"x" * 32, random.Random(1))
    for frame in stranger.to_send(room.now_ns):
        assert room.hub.receive("table-1", frame, room.now_ns) == ([Garbled("tag")], [])
    assert room.hub.peers == {}


def test_a_recorded_evening_is_worth_nothing():
    room = Room(1)
    unit = room.add("table-1")
    recorded: list[bytes] = []
    take = room.hub.receive

    def recording(peer: str, data: bytes, now_ns: int):
        recorded.append(data)
        return take(peer, data, now_ns)

    room.hub.receive = recording  # type: ignore[method-assign]
    unit.end.command("wish", b"next level")
    room.run(2)
    later = Hub(KEYS, random.Random(99))
    for hub in (room.hub, later):
        facts = [fact for data in list(recorded) for fact in hub.receive("table-1", data, 0)[0]]
        assert {type(fact) for fact in facts} <= {Garbled}
    assert later.peers == {}
    assert len(room.done) == 1


def test_a_frame_under_another_name_is_not_believed():
    room = Room(1)
    unit = room.add("table-1")
    [hello] = unit.end.to_send(room.now_ns)
    assert room.hub.receive("table-2", hello, room.now_ns) == ([Garbled("hello")], [])


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_make_an_end_raise(data: bytes):
    room = Room(1)
    unit = room.add("table-1")
    room.run(0.1)
    assert all(isinstance(f, Garbled) for f in room.hub.receive("table-1", data, 0)[0])
    assert all(isinstance(fact, Garbled) for fact in unit.end.receive(data, 0))


TAGS = (b"Hello", b"Welcome", b"Events", b"Ack", b"Command", b"Answer", b"Beat")
ITEMS = (b"\x01", b"\xa1x", b"\xa1\xff", b"\xc4\x01x", b"\x90", b"\xcf" + b"\xff" * 8, b"\xc3")
BODIES = st.binary(max_size=80) | st.builds(
    lambda tag, rest: bytes([0x91 + len(rest), 0xA0 + len(tag)]) + tag + b"".join(rest),
    st.sampled_from(TAGS),
    st.lists(st.sampled_from(ITEMS), max_size=6),
)


@settings(max_examples=200, deadline=None)
@given(BODIES)
def test_no_authentic_body_makes_the_hub_raise(body: bytes):
    room = Room(1)
    unit = room.add("table-1")
    room.run(0.1)
    session = unit.end._session
    frame = seal(Frame(1, session.ours, session.theirs, 10_000, body), KEYS[1])
    room.hub.receive("table-1", frame, room.now_ns)
    room.hub.peers["table-1"].to_send(room.now_ns)


def test_opened_names_key_and_hello():
    room = Room(1)
    room.add("desk-1", key_id=2, kind="desk")
    room.run(0.1)
    opened = [fact for _, fact in room.facts if isinstance(fact, Opened)]
    assert [(fact.key_id, fact.hello.kind) for fact in opened] == [(2, "desk")]
    assert not [fact for _, fact in room.facts if isinstance(fact, CommandArrived)]
