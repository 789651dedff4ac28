"""Debounce, presence and seat chips: the pure parts, by field report where there is one."""

from hardware import seat_chip
from hardware.debounce import Debouncer, Held, Pressed, Released
from hardware.ports import Card, CardKind, Edge, Key, ReaderFault
from hardware.presence import CardGone, CardSeen, Presence, ReaderBack, ReaderFailed
from hardware.seat_chip import ChipProblem, SeatChip

MS = 1_000_000


def trace(key: Key, *edges: tuple[float, bool]) -> list[object]:
    keys, seen = Debouncer(), []
    for at_ms, down in edges:
        seen += keys.edge(Edge(key, down, int(at_ms * MS)))
    return [*seen, *keys.tick(10_000 * MS)]


def test_f082_eight_changes_in_12_ms_are_one_press_at_the_first_edge():
    edges = [(0, True), (1, False), (3, True), (4, False), (6, True), (8, False), (10, True)]
    seen = trace(Key.HAND_OVER, *edges, (12, True), (300, False))
    assert seen == [Pressed(Key.HAND_OVER, 0), Released(Key.HAND_OVER, 300 * MS, held=False)]


def test_f083_two_presses_with_a_gap_of_80_ms_are_two():
    seen = trace(Key.DEALT, (0, True), (60, False), (140, True), (200, False))
    assert [e.at_ns for e in seen if isinstance(e, Pressed)] == [0, 140 * MS]


def test_f085_a_long_press_is_held_once_and_released_once():
    seen = trace(Key.UNDO, (0, True), (1200, False), (1205, True), (1210, False))
    assert [type(e) for e in seen] == [Pressed, Held, Released]


def test_f091_a_bounce_at_release_is_no_press():
    seen = trace(Key.FLOOR, (0, True), (500, False), (507, True), (515, False))
    assert sum(isinstance(e, Pressed) for e in seen) == 1


def test_f092_a_worn_switch_that_clicks_twice_within_120_ms_gives_one_press():
    seen = trace(Key.OUT, (0, True), (40, False), (110, True), (150, False))
    assert sum(isinstance(e, Pressed) for e in seen) == 1


CHIP = Card(b"\x04\xa3\xc6\xca\xe2\x61\x80", CardKind.NTAG213)


def test_f100_one_miss_is_no_removal_and_half_a_second_is():
    lies = Presence()
    assert lies.polled((CHIP,), 0) == [CardSeen(CHIP, 0)]
    assert lies.polled((), 200 * MS) == []
    assert lies.polled((CHIP,), 400 * MS) == []
    assert lies.polled((), 900 * MS) == [CardGone(900 * MS)]


def test_f101_a_fault_is_told_once_and_the_return_too():
    lies = Presence()
    assert lies.polled(ReaderFault("unplugged"), 0) == [ReaderFailed("unplugged", 0)]
    assert lies.polled(ReaderFault("unplugged"), MS) == []
    assert lies.polled((), 2 * MS) == [ReaderBack(2 * MS)]


def test_a_hand_that_pulls_a_chip_away_is_no_broken_reader_but_three_bad_polls_are():
    lies, bad = Presence(), ReaderFault("bad_crc")
    assert lies.polled((CHIP,), 0) == [CardSeen(CHIP, 0)]
    assert lies.polled(bad, 200 * MS) == lies.polled(bad, 400 * MS) == []
    assert lies.polled((), 600 * MS) == []  # the first poll that finds nobody
    assert lies.polled((), 1000 * MS) == [CardGone(1000 * MS)]
    for at_ms in (1200, 1400):
        assert lies.polled(bad, at_ms * MS) == []
    assert lies.polled(bad, 1600 * MS) == [ReaderFailed("bad_crc", 1600 * MS)]


def test_a_copy_on_another_chip_is_forged_and_another_set_is_foreign():
    payload = seat_chip.encode(SeatChip(3, 7, b"EVNT"), CHIP.uid, b"k" * 32)
    assert seat_chip.decode(payload, CHIP.uid, b"k" * 32, b"EVNT") == SeatChip(3, 7, b"EVNT")
    assert seat_chip.decode(payload, b"\1\2\3\4", b"k" * 32, b"EVNT") is ChipProblem.FORGED
    assert seat_chip.decode(payload, CHIP.uid, b"k" * 32, b"ELSE") is ChipProblem.FOREIGN
