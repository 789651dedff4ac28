"""One stream from a writer to a reader: batches, windows, back-off, gaps."""

from sync.clock import MILLISECOND
from sync.messages import Ack, Events
from sync.streams import (
    BATCH,
    BATCH_BYTES,
    RESEND_FIRST_NS,
    RESEND_MOST_NS,
    WINDOW,
    EventsArrived,
    Incoming,
    Outgoing,
)
from tests.unit.sync.conversation import Store


def outgoing(count: int, size: int = 4) -> Outgoing:
    store = Store()
    store.append("table/1", 1, *(number.to_bytes(size, "big") for number in range(1, count + 1)))
    return Outgoing(store, "table/1", 1)


def firsts(out: Outgoing, now_ns: int, most: int = 20) -> list[int]:
    sent: list[int] = []
    for _ in range(most):
        sent += [events.first for events in out.due(now_ns)]
    return sent


def events(first: int, *payloads: bytes, epoch: int = 1, stream: str = "table/1") -> Events:
    return Events(stream, epoch, first, payloads, first + len(payloads) - 1)


def test_only_a_window_is_on_its_way():
    out = outgoing(10 * BATCH)
    assert firsts(out, 0) == [1, 1 + BATCH, 1 + 2 * BATCH, 1 + 3 * BATCH]
    out.stored(BATCH)
    assert firsts(out, 1) == [1 + WINDOW]


def test_a_batch_is_bounded_in_octets_but_holds_one_event_at_least():
    [batch] = outgoing(10, size=BATCH_BYTES // 3).due(0)
    assert len(batch.payloads) == 3
    [single] = outgoing(2, size=2 * BATCH_BYTES).due(0)
    assert len(single.payloads) == 1


def test_silence_is_answered_with_growing_patience():
    out, now_ns, waits = outgoing(1), 0, []
    assert firsts(out, now_ns) == [1]
    for _ in range(6):
        deadline_ns = out.deadline_ns()
        assert deadline_ns is not None
        assert firsts(out, deadline_ns - 1) == []
        assert firsts(out, deadline_ns) == [1]
        waits.append(deadline_ns - now_ns)
        now_ns = deadline_ns
    assert waits[0] == RESEND_FIRST_NS
    assert waits == sorted(waits)
    assert waits[-1] == RESEND_MOST_NS


def test_a_gap_is_filled_at_once_and_once():
    out = outgoing(3 * BATCH)
    firsts(out, 0)
    out.stored(BATCH)
    out.gap(BATCH)
    assert firsts(out, 1) == [1 + BATCH, 1 + 2 * BATCH]
    out.gap(BATCH)
    assert firsts(out, 2) == []


def test_an_acknowledgement_sends_nothing_again():
    out = outgoing(3 * BATCH)
    firsts(out, 0)
    out.stored(BATCH)
    assert firsts(out, 1) == []


def test_all_acknowledged_means_nothing_to_wait_for():
    out = outgoing(2)
    firsts(out, 0)
    out.stored(2)
    assert out.deadline_ns() is None
    assert not out.behind


def test_a_new_session_sends_again_at_once():
    out = outgoing(2)
    firsts(out, 0)
    out.rewind()
    assert firsts(out, 1 * MILLISECOND) == [1]


def test_overlapping_batches_give_only_what_is_new():
    incoming = Incoming("table/1", 1, 0)
    assert incoming.take(events(1, b"a", b"b")) == EventsArrived("table/1", 1, 1, (b"a", b"b"))
    assert incoming.take(events(2, b"b", b"c")) == EventsArrived("table/1", 1, 3, (b"c",))
    assert incoming.take(events(1, b"a", b"b", b"c")) is None


def test_a_gap_gives_nothing_and_is_told():
    incoming = Incoming("table/1", 1, 2)
    late = events(4, b"d")
    assert incoming.take(late) is None
    assert incoming.lacks(late)
    assert incoming.ack(gap=True) == Ack("table/1", 1, 2, True)
    assert not incoming.lacks(events(1, b"a"))


def test_another_stream_and_an_older_epoch_are_nothing():
    incoming = Incoming("table/1", 2, 0)
    assert incoming.take(events(1, b"a", epoch=2, stream="table/2")) is None
    assert incoming.take(events(1, b"a", epoch=1)) is None


def test_the_acknowledgement_never_falls_back():
    incoming = Incoming("table/1", 1, 0)
    incoming.take(events(1, b"a", b"b"))
    assert incoming.ack().number == 0
    assert incoming.durable(2).number == 2
    assert incoming.durable(1).number == 2
