"""What every journal promises, on disk or not."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware_py.journal import chain
from firmware_py.journal.memory import MemoryJournal
from firmware_py.journal.sqlite import SqliteJournal
from firmware_py.journal.store import Journal

NIGHT = ("tournament", 1)
EVENTS = [b"opened", b"started", b"paused"]


@pytest.fixture(params=["memory", "sqlite"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Journal]:
    made: dict[str, Callable[[], Journal]] = {
        "memory": MemoryJournal,
        "sqlite": lambda: SqliteJournal(tmp_path),
    }
    opened = made[request.param]()
    yield opened
    opened.close()


def test_what_was_appended_is_read_in_order(journal: Journal) -> None:
    assert journal.append(*NIGHT, 1, EVENTS[:2]) == 2
    assert journal.append(*NIGHT, 3, EVENTS[2:]) == 3
    records = journal.read(*NIGHT)
    assert [(r.stream, r.epoch, r.number) for r in records] == [(*NIGHT, n) for n in (1, 2, 3)]
    assert [r.payload for r in records] == EVENTS


def test_reading_begins_after_a_number_and_ends_at_the_limit(journal: Journal) -> None:
    journal.append(*NIGHT, 1, EVENTS)
    assert [r.number for r in journal.read(*NIGHT, after=1)] == [2, 3]
    assert [r.number for r in journal.read(*NIGHT, after=1, limit=1)] == [2]
    assert journal.read(*NIGHT, after=3) == []


def test_an_empty_stream_ends_at_zero(journal: Journal) -> None:
    assert journal.last(*NIGHT) == 0
    assert journal.read(*NIGHT) == []
    assert journal.streams() == {}
    assert journal.append(*NIGHT, 1, []) == 0


def test_what_is_heard_twice_is_stored_once(journal: Journal) -> None:
    journal.append(*NIGHT, 1, EVENTS[:2])
    assert journal.append(*NIGHT, 1, EVENTS) == 3
    assert journal.append(*NIGHT, 2, EVENTS[1:2]) == 3
    assert [r.payload for r in journal.read(*NIGHT)] == EVENTS


@pytest.mark.parametrize("first", [0, 3])
def test_a_gap_is_a_wrong_call(journal: Journal, first: int) -> None:
    journal.append(*NIGHT, 1, EVENTS[:1])
    with pytest.raises(ValueError, match="gap"):
        journal.append(*NIGHT, first, EVENTS[2:])
    assert journal.last(*NIGHT) == 1


def test_another_event_under_a_known_number_is_a_wrong_call(journal: Journal) -> None:
    journal.append(*NIGHT, 1, EVENTS)
    with pytest.raises(ValueError, match="number 2 is stored already"):
        journal.append(*NIGHT, 2, [b"resumed", b"skipped", b"ended"])
    assert [r.payload for r in journal.read(*NIGHT)] == EVENTS


def test_streams_and_epochs_are_numbered_apart(journal: Journal) -> None:
    journal.append("table/3", 1, 1, [b"blinds"])
    journal.append("table/3", 2, 1, [b"riffle", b"dealt"])
    journal.append(*NIGHT, 1, EVENTS)
    assert journal.streams() == {"table/3": 2, "tournament": 1}
    assert (journal.last("table/3", 1), journal.last("table/3", 2)) == (1, 2)
    assert [r.payload for r in journal.read("table/3", 1)] == [b"blinds"]


def test_f074_a_new_event_is_a_new_epoch_and_the_old_one_stays(journal: Journal) -> None:
    journal.append(*NIGHT, 1, EVENTS)
    journal.append("tournament", 2, 1, [b"opened anew"])
    assert [r.payload for r in journal.read(*NIGHT)] == EVENTS
    assert journal.streams() == {"tournament": 2}


def test_each_record_is_chained_to_the_one_before(journal: Journal) -> None:
    journal.append(*NIGHT, 1, EVENTS)
    head = chain.start(*NIGHT)
    for record in journal.read(*NIGHT):
        head = chain.link(head, *NIGHT, record.number, record.payload)
        assert record.chain == head


def test_a_note_is_kept_and_replaced(journal: Journal) -> None:
    assert journal.note("timebase") is None
    journal.note("timebase", b"one")
    journal.note("timebase", b"two")
    journal.note("empty", b"")
    assert journal.note("timebase") == b"two"
    assert journal.note("empty") == b""
