"""Decides what lies on the reader from poll to poll: one tap is one report, one miss is nothing.

Pure, on injected times. A chip counts as taken away after 500 ms without it. A fault of the
air (a chip half in the field, a hand that pulls it away) counts from the third poll in a row, one
of the reader at once; then the reader is tried again with growing pauses.
"""

from dataclasses import dataclass

from hardware.ports import Card, ReaderFault

MILLISECOND = 1_000_000
GONE_NS = 500 * MILLISECOND
POLL_NS = 200 * MILLISECOND
RETRY_FIRST_NS = 500 * MILLISECOND
RETRY_MOST_NS = 2_000 * MILLISECOND
OF_THE_AIR = frozenset(
    ("bad_frame", "bad_crc", "bad_check_byte", "collision", "no_answer", "timeout")
)
AIR_FAULTS = 3


@dataclass(frozen=True, slots=True)
class CardSeen:
    """A single chip was laid down."""

    card: Card
    at_ns: int


@dataclass(frozen=True, slots=True)
class SeveralCards:
    """More than one chip lies in the field: none counts."""

    count: int
    at_ns: int


@dataclass(frozen=True, slots=True)
class CardGone:
    """The field is empty again."""

    at_ns: int


@dataclass(frozen=True, slots=True)
class ReaderFailed:
    """The reader has stopped working."""

    reason: str
    at_ns: int


@dataclass(frozen=True, slots=True)
class ReaderBack:
    """The reader works again."""

    at_ns: int


Report = CardSeen | SeveralCards | CardGone | ReaderFailed | ReaderBack


class Presence:
    """What has been reported so far."""

    def __init__(self) -> None:
        self._lying: frozenset[bytes] = frozenset()
        self._seen_ns = 0
        self._failed = ""
        self._faults = 0  # in a row
        self._retry_ns = RETRY_FIRST_NS

    def polled(self, found: tuple[Card, ...] | ReaderFault, now_ns: int) -> list[Report]:
        """Take one poll's outcome; return what is new."""
        if isinstance(found, ReaderFault):
            return self._fault(found, now_ns)
        reports: list[Report] = []
        self._faults = 0
        if self._failed:
            self._failed, self._retry_ns = "", RETRY_FIRST_NS
            reports.append(ReaderBack(now_ns))
        return reports + self._cards(found, now_ns)

    def next_poll_ns(self, now_ns: int) -> int:
        """Return when to poll again."""
        return now_ns + (self._retry_ns if self._failed else POLL_NS)

    def _fault(self, fault: ReaderFault, now_ns: int) -> list[Report]:
        if self._failed:
            self._retry_ns = min(RETRY_MOST_NS, 2 * self._retry_ns)
            return []
        self._faults += 1
        if fault.reason in OF_THE_AIR and self._faults < AIR_FAULTS:
            self._seen_ns = now_ns  # somebody was there, if hard to understand
            return []
        self._failed = fault.reason
        return [ReaderFailed(fault.reason, now_ns)]

    def _cards(self, found: tuple[Card, ...], now_ns: int) -> list[Report]:
        uids = frozenset(card.uid for card in found)
        if not uids:
            if not self._lying or now_ns - self._seen_ns < GONE_NS:
                return []
            self._lying = frozenset()
            return [CardGone(now_ns)]
        self._seen_ns = now_ns
        if uids <= self._lying:  # the same, or one of them missed once
            return []
        self._lying = uids
        if len(uids) > 1:
            return [SeveralCards(len(uids), now_ns)]
        return [CardSeen(found[0], now_ns)]
