"""Owns telling which events of a damaged journal are whole; reads only.

An event is whole when the chain proves it: its hash follows from the one before it, or the next
one's hash follows from it. Rows come from the pages themselves (pages.py), so that a file which
SQLite refuses still gives up what it has, and older copies of a page help out for a spoilt one. The
first event behind a lost one has nothing to prove it by and is lost too.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from firmware_py.journal import chain, pages
from firmware_py.journal.lock import read_witness
from firmware_py.journal.store import Record

NAMED = 3  # streams named in one sentence; `journal verify` lists them all

Found = dict[int, set[Record]]  # by number: what stands for it anywhere in the file


@dataclass(slots=True)
class Salvage:
    """What was found: whole records per stream in order, maybe with gaps; how many are lost."""

    whole: dict[tuple[str, int], list[Record]] = field(default_factory=dict)
    gaps: dict[tuple[str, int], list[int]] = field(default_factory=dict)  # numbers lost between
    notes: dict[str, tuple[int, bytes]] = field(default_factory=dict)  # name: revision, value
    dropped: int = 0

    @property
    def kept(self) -> int:
        """How many whole events there are."""
        return sum(len(records) for records in self.whole.values())

    def last_good(self, key: tuple[str, int]) -> int:
        """Return the last number up to which the stream is whole from its beginning."""
        gaps = self.gaps.get(key)
        return gaps[0] - 1 if gaps else self.whole[key][-1].number

    def good_words(self) -> str:
        """Return which event is the last good one, the tournament's before the tables'."""
        keys = sorted(self.whole, key=lambda key: (key[0] != "tournament", key[0], -key[1]))
        ends = [f"{name}, epoch {n}, number {self.last_good((name, n))}" for name, n in keys]
        more = f"; and {len(ends) - NAMED} more streams" if len(ends) > NAMED else ""
        return f"the last good event is {'; '.join(ends[:NAMED])}{more}" if ends else NOTHING


NOTHING = "no event in it can be read"


def salvage(path: Path) -> Salvage:
    """Return what can be read of the journal at `path` and its log; touches neither."""
    result = Salvage()
    found: dict[tuple[str, int], Found] = {}
    for row in pages.rows(_octets(path), _octets(path.with_name(path.name + "-wal"))):
        _sort(row, found, result)
    for key in sorted(found):
        if whole := whole_of(key, found[key]):
            result.whole[key] = whole
            gaps = sorted(set(range(1, whole[-1].number)) - {record.number for record in whole})
            result.gaps |= {key: gaps} if gaps else {}
    result.dropped = _dropped(path, result, found)
    return result


def _sort(row: list[pages.Value], found: dict[tuple[str, int], Found], result: Salvage) -> None:
    """Put a row where it belongs; what is neither an event nor a proved note is left."""
    match row:
        case [None, str(stream), int(epoch), int(number), bytes(payload), bytes(linked)]:
            if epoch >= 0 and number >= 1:
                record = Record(stream, epoch, number, payload, linked)
                found.setdefault((stream, epoch), {}).setdefault(number, set()).add(record)
        case [str(name), int(revision), bytes(value), bytes(proof)]:
            if revision > 0 and chain.note(name, revision, value) == proof:
                known = result.notes.get(name, (0, b""))
                result.notes[name] = max(known, (revision, value))
        case _:
            pass


def whole_of(key: tuple[str, int], found: Found) -> list[Record]:
    """Return the records of a stream that the chain proves, in order."""
    proved: dict[int, Record] = {}
    hashes = {chain.start(*key)}  # any of which may stand before the next record
    guesses: dict[bytes, Record] = {}  # hashes that would prove a record whose own is spoilt
    last = 0
    for number in sorted(found):
        if number != last + 1:
            hashes, guesses = set(), {}
        good = None
        for record in found[number]:
            for before in hashes | guesses.keys():
                if chain.link(before, *key, number, record.payload) == record.chain:
                    good = record
                    if before in guesses:
                        proved[number - 1] = guesses[before]
        guesses = {} if good else _guesses(key, proved.get(number - 1), found[number])
        hashes = {good.chain} if good else {record.chain for record in found[number]}
        if good:
            proved[number] = good
        last = number
    return [proved[number] for number in sorted(proved)]


def _guesses(
    key: tuple[str, int], before: Record | None, found: Iterable[Record]
) -> dict[bytes, Record]:
    """Return, by the hash they ought to have, records whose own hash does not fit."""
    guesses = {}
    for record in found:
        head = before.chain if before else chain.start(*key)
        if before or record.number == 1:
            ought = chain.link(head, *key, record.number, record.payload)
            guesses[ought] = Record(*key, record.number, record.payload, ought)
    return guesses


def _dropped(path: Path, result: Salvage, found: dict[tuple[str, int], Found]) -> int:
    """Return how many events are lost: by the witness where there is one, else by what is seen."""
    between = sum(len(numbers) for numbers in result.gaps.values())
    if witnessed := read_witness(path.parent).events:
        return max(witnessed - result.kept, between)
    ends = {key: whole[-1].number for key, whole in result.whole.items()}
    return between + sum(n > ends.get(key, 0) for key in found for n in found[key])


def _octets(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""
