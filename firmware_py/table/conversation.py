"""Owns a unit's talk with the master: the session, the wish to speak for a table, the own stream.

Sans-IO. The unit asks to join whenever the copy of the tournament does not say that it holds its
table; a no is shown and asked again, since the unit before it may fall silent.
"""

import random
from dataclasses import dataclass

from firmware_py.core import wishes
from firmware_py.core.commands import JoinTable
from firmware_py.core.roles import Role
from firmware_py.journal.source import JournalSource
from firmware_py.journal.store import Journal
from firmware_py.table.replica import STREAM, Replica
from firmware_py.table.unit_state import HALL
from sync.clock import SECOND
from sync.messages import PROTOCOL, Hello
from sync.replication import AnswerArrived, Fact, UnitEnd

ASK_AGAIN_NS = 5 * SECOND
UNIT_KEY = 1  # key id of units, sync/README.md


@dataclass(frozen=True, slots=True)
class Who:
    """A unit and the place it stands at; `unit` is random and stays with the unit."""

    place: int
    unit: str

    @property
    def kind(self) -> str:
        """What the master calls it."""
        return "hall" if self.place == HALL else "table"

    @property
    def peer(self) -> str:
        """Its name on the link; carries the unit, so that two never mix."""
        return f"{self.kind}{self.place}-{self.unit}"


class Conversation:
    """One unit's session."""

    def __init__(
        self, who: Who, journal: Journal, replica: Replica, key: bytes, rng: random.Random
    ) -> None:
        follows = (STREAM, replica.epoch, replica.last)
        hello = Hello(PROTOCOL, who.peer, who.kind, who.place, follows)
        self._who = who
        self._source = JournalSource(journal)
        self._rng = rng
        self._request = ""
        self._ask_ns = 0
        self.end = UnitEnd(hello, UNIT_KEY, key, rng)
        self.refused = ""  # why the unit may not speak for its table, in the master's words

    def receive(self, data: bytes, now_ns: int) -> list[Fact]:
        """Return the facts in a frame that are the unit's business."""
        return [f for f in self.end.receive(data, now_ns) if not self._answered(f, now_ns)]

    def speak(self, epoch: int, now_ns: int) -> None:
        """Send the table's stream in `epoch`; with epoch 0 ask to join."""
        if self._who.kind == "hall":
            return
        if epoch:
            self.refused = ""
            self.end.writes(self._source, f"table/{self._who.place}", epoch)
        elif self.end.open and not self._request and now_ns >= self._ask_ns:
            self._request = f"{self._who.unit}-{self._rng.getrandbits(64):x}"
            self.end.command(self._request, wishes.encode(self._wish()))

    def next_ns(self) -> int:
        """Return when there is something to send, or to ask again."""
        waits = self.refused and self.end.open and not self._request
        deadline_ns = self.end.next_deadline_ns()
        return min(deadline_ns, self._ask_ns) if waits else deadline_ns

    def _wish(self) -> JoinTable:
        unit = self._who.unit
        return JoinTable(actor=unit, role=Role.UNIT, table=self._who.place, unit=unit)

    def _answered(self, fact: Fact, now_ns: int) -> bool:
        if not isinstance(fact, AnswerArrived) or fact.request != self._request:
            return False
        self._request = ""
        self._ask_ns = now_ns + ASK_AGAIN_NS
        self.refused = fact.words if fact.code else ""
        return True
