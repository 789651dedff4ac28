"""Reading rows from raw pages: no bytes raise, and nothing false is proved."""

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware_py.journal import chain, pages
from firmware_py.journal.repair import LOST, filled
from firmware_py.journal.salvage import whole_of
from firmware_py.journal.sqlite import FILE
from firmware_py.journal.store import Record
from tests.unit.journal.nights import EACH, TABLE, fill

NIGHT = ("tournament", 1)


def chained(count: int) -> list[Record]:
    head, records = chain.start(*NIGHT), []
    for number in range(1, count + 1):
        payload = b"%d" % number
        head = chain.link(head, *NIGHT, number, payload)
        records.append(Record(*NIGHT, number, payload, head))
    return records


def test_rows_are_read_as_sqlite_stored_them(tmp_path: Path) -> None:
    journal = fill(tmp_path)
    stored = journal.read(*TABLE)
    journal.close()
    rows = list(pages.rows((tmp_path / FILE).read_bytes()))
    mine = [row for row in rows if len(row) == 6 and row[1] == TABLE[0]]
    assert mine == [[None, *TABLE, r.number, r.payload, r.chain] for r in stored]
    assert len(mine) == EACH


@given(octets=st.binary(max_size=2048), wal=st.binary(max_size=2048))
@settings(max_examples=100)
def test_any_bytes_can_be_read(octets: bytes, wal: bytes) -> None:
    list(pages.rows(octets, wal))


@given(octets=st.binary(min_size=512, max_size=512), cells=st.integers(0, 100))
def test_any_leaf_page_can_be_read(octets: bytes, cells: int) -> None:
    header = bytes(16) + (512).to_bytes(2, "big") + bytes(82)
    leaf = bytes([pages.TABLE_LEAF, 0, 0]) + cells.to_bytes(2, "big") + octets[5:]
    list(pages.rows(header + bytes(412) + leaf))


@given(
    spoilt=st.sets(st.integers(1, 12)),
    gone=st.sets(st.integers(1, 12)),
    doubled=st.sets(st.integers(1, 12)),
)
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_exactly_what_the_chain_proves_is_kept(
    spoilt: set[int], gone: set[int], doubled: set[int]
) -> None:
    found: dict[int, set[Record]] = {}
    for r in chained(12):
        bad = Record(*NIGHT, r.number, b"forged", r.chain)
        if r.number not in gone:
            found[r.number] = {bad} if r.number in spoilt else {r}
            found[r.number] |= {r, bad} if r.number in doubled else set()
    kept = [r.number for r in whole_of(NIGHT, found)]
    sound = {n for n in range(1, 13) if n in doubled or n not in spoilt} - gone
    assert kept == [n for n in sorted(sound) if n - 1 not in gone]


def test_a_filled_gap_keeps_the_numbers_and_has_a_sound_chain() -> None:
    records = chained(5)
    rows = filled(NIGHT, [records[0], *records[3:]])
    assert [r.payload for r in rows] == [b"1", LOST, LOST, b"4", b"5"]
    head = chain.start(*NIGHT)
    for row in rows:
        head = chain.link(head, *NIGHT, row.number, row.payload)
        assert row.chain == head
    assert rows[0] == records[0]


def test_an_unbroken_stream_keeps_its_chain() -> None:
    records = chained(5)
    assert filled(NIGHT, records) == records
