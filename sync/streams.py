"""Owns the two halves of copying one stream: sending until acknowledged, taking in without gaps."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from sync.clock import MILLISECOND
from sync.messages import Ack, Events

BATCH = 64
WINDOW = 4 * BATCH  # most events on their way
BATCH_BYTES = 128 * 1024
RESEND_FIRST_NS = 400 * MILLISECOND
RESEND_MOST_NS = 3_000 * MILLISECOND


class Source(Protocol):
    """Where the events to send are read from."""

    def last(self, stream: str, epoch: int) -> int:
        """Return the last number of (stream, epoch)."""
        ...

    def payloads(self, stream: str, epoch: int, after: int, limit: int) -> Sequence[bytes]:
        """Return up to `limit` payloads with number > `after`."""
        ...


@dataclass(frozen=True, slots=True)
class EventsArrived:
    """New events, in order and without a gap; store them, then call `durable`."""

    stream: str
    epoch: int
    first: int
    payloads: tuple[bytes, ...]

    @property
    def last(self) -> int:
        """The number of the last one."""
        return self.first + len(self.payloads) - 1


class Outgoing:
    """Our own stream on its way to one peer."""

    def __init__(self, source: Source, stream: str, epoch: int) -> None:
        self.stream = stream
        self.epoch = epoch
        self._source = source
        self._acked = 0
        self._sent = 0
        self._resend_at_ns = 0
        self._resend_ns = RESEND_FIRST_NS
        self._gap: int | None = None  # the gap that was answered last

    def stored(self, number: int) -> None:
        """The peer has everything up to `number`."""
        if number > self._acked:
            self._acked = number
            self._resend_ns = RESEND_FIRST_NS
        self._sent = max(self._sent, self._acked)

    def gap(self, number: int) -> None:
        """The peer lacks what follows `number`: send from there.

        Once for each gap, since all that was on its way behind the lost frame reports it again;
        should the repetition be lost too, the timer sends it. The number may be lower than what
        was acknowledged before: a master that came back with an older journal.
        """
        if number != self._gap:
            self._gap = self._acked = self._sent = number

    def rewind(self) -> None:
        """A new session: what was on its way is gone, send it again at once."""
        self._gap = None
        self._sent = self._acked
        self._resend_ns = RESEND_FIRST_NS

    @property
    def behind(self) -> bool:
        """Whether the peer lacks something."""
        return self._acked < self._source.last(self.stream, self.epoch)

    def due(self, now_ns: int) -> list[Events]:
        """Return the batches to send now."""
        last = self._source.last(self.stream, self.epoch)
        if self._acked >= last:
            return []
        if self._sent > self._acked and now_ns >= self._resend_at_ns:
            self._sent = self._acked
            self._resend_ns = min(RESEND_MOST_NS, 2 * self._resend_ns)
        if self._sent >= last or self._sent - self._acked >= WINDOW:
            return []
        payloads = self._source.payloads(self.stream, self.epoch, self._sent, BATCH)
        batch = tuple(_within(payloads, BATCH_BYTES))
        events = Events(self.stream, self.epoch, self._sent + 1, batch, last)
        self._sent += len(batch)
        self._resend_at_ns = now_ns + self._resend_ns
        return [events]

    def deadline_ns(self) -> int | None:
        """Return when `due` has something to say again, None if nothing is on its way."""
        last = self._source.last(self.stream, self.epoch)
        if self._acked >= last:
            return None
        if self._sent < last and self._sent - self._acked < WINDOW:
            return 0
        return self._resend_at_ns


class Incoming:
    """The peer's stream as far as we have it."""

    def __init__(self, stream: str, epoch: int, number: int) -> None:
        self.stream = stream
        self.epoch = epoch
        self.number = number  # handed to the application
        self.tip = number
        self._stored = number

    def take(self, events: Events) -> EventsArrived | None:
        """Return what is new in `events`; None for a doublet, a gap or another stream."""
        if events.stream != self.stream or events.epoch < self.epoch:
            return None
        if events.epoch > self.epoch:  # a new night or a new unit: from the beginning
            self.epoch, self.number, self._stored = events.epoch, 0, 0
        self.tip = max(self.tip, events.tip) if events.epoch == self.epoch else events.tip
        known = self.number + 1 - events.first
        if known < 0 or known >= len(events.payloads):
            return None
        arrived = EventsArrived(
            events.stream, events.epoch, self.number + 1, events.payloads[known:]
        )
        self.number = arrived.last
        return arrived

    def lacks(self, events: Events) -> bool:
        """Return whether something between what we have and `events` did not come."""
        return events.stream == self.stream and events.first > self.number + 1

    def durable(self, number: int) -> Ack:
        """Return the acknowledgement for everything up to `number`."""
        self._stored = max(self._stored, number)
        return self.ack()

    def ack(self, gap: bool = False) -> Ack:
        """Return the acknowledgement for what is stored."""
        return Ack(self.stream, self.epoch, self._stored, gap)


def _within(payloads: Sequence[bytes], most: int) -> list[bytes]:
    """Return the first payloads that fit into `most` octets, at least one."""
    batch: list[bytes] = []
    size = 0
    for payload in payloads:
        size += len(payload)
        if batch and size > most:
            break
        batch.append(payload)
    return batch
