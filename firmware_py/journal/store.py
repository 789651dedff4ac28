"""Owns the journal's contract: append, read, and small durable notes.

An append that returned survives kill -9 and power loss. Each stream has one writer; a stream's
events are numbered from 1 within an epoch without gaps. sqlite.py and memory.py stand behind it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Record:
    """One event as stored: opaque `payload`, and the chain's hash up to and with it."""

    stream: str
    epoch: int
    number: int
    payload: bytes
    chain: bytes


class Journal(Protocol):
    """The event store of one program; a single writer holds it."""

    def append(self, stream: str, epoch: int, first: int, payloads: Sequence[bytes]) -> int:
        """Store payloads as numbers `first`.. of (stream, epoch), return the last number.

        Numbers already stored with the same payload are skipped (a replica hears things twice);
        ValueError for a gap or for a different payload under a known number.
        """
        ...

    def read(
        self, stream: str, epoch: int, after: int = 0, limit: int | None = None
    ) -> list[Record]:
        """Return the records with number > `after`, in order."""
        ...

    def last(self, stream: str, epoch: int) -> int:
        """Return the last number of (stream, epoch); 0 when empty."""
        ...

    def streams(self) -> dict[str, int]:
        """Return each stream with its newest epoch."""
        ...

    def note(self, name: str, value: bytes | None = None) -> bytes | None:
        """Store `value` under `name` (durable), or return what is stored; None if nothing."""
        ...

    def close(self) -> None:
        """Let go of the file."""
        ...


def checked(
    last: int, first: int, payloads: Sequence[bytes], known: Sequence[bytes]
) -> Iterator[tuple[int, bytes]]:
    """Yield (number, payload) of what is new; ValueError for a gap or a contradiction.

    `last` is the last number stored, `known` the payloads stored from `first` on.
    """
    if first < 1 or first > last + 1:
        raise ValueError(f"number {first} would leave a gap after {last}")
    for number, (payload, stored) in enumerate(zip(payloads, known, strict=False), first):
        if payload != stored:
            raise ValueError(f"number {number} is stored already with another payload")
    yield from list(enumerate(payloads, first))[len(known) :]
