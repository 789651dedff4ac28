"""Owns the master's side of all conversations: which session is whose.

A HELLO makes a candidate; only a frame that answers our WELCOME proves that the peer is there now
and was not recorded earlier, and then the candidate takes the place of the session before it.
"""

import random
from collections import Counter
from collections.abc import Mapping

from sync.frames import Frame, Garbled, unseal
from sync.messages import PROTOCOL, Events, Hello, Welcome, decode
from sync.replication import End, Fact, Opened, Session
from sync.streams import Incoming

CANDIDATES_KEPT = 1024


class PeerEnd(End):
    """The hub's side of one peer's session."""

    def __init__(self, hello: Hello, session: Session) -> None:
        super().__init__(session, incoming=None)
        self.hello = hello
        self.proved = False  # the peer has shown that it got our WELCOME

    @property
    def theirs(self) -> int:
        """The peer's session."""
        return self._session.theirs

    def welcome(self) -> bytes:
        """Return the sealed WELCOME."""
        return self._session.sealed(Welcome(PROTOCOL))

    def follows(self, stream: str, epoch: int, number: int) -> None:
        """Take in (stream, epoch) from the peer, of which `number` events are stored."""
        if self.incoming is None or (self.incoming.stream, self.incoming.epoch) != (stream, epoch):
            self.incoming = Incoming(stream, epoch, number)

    def succeeds(self, before: "PeerEnd") -> None:
        """Remember what was asked in the session before, so that no wish is done twice."""
        self._answers = before._answers

    def belongs(self, frame: Frame) -> bool:
        """Return whether a frame is of this session."""
        return (frame.to, frame.session) == (self._session.ours, self._session.theirs)

    def take(self, frame: Frame, now_ns: int) -> list[Fact]:
        """Return the facts in a frame that belongs here."""
        if not self._session.window.fresh(frame.counter):
            return self._garbled("replay")
        message = decode(frame.body)
        if isinstance(message, Garbled):
            return self._garbled(message.reason)
        return self._taken(frame, message, now_ns)

    def _events(self, events: Events) -> list[Fact]:
        """Take in the granted epoch only: here the master says which one runs, not the peer."""
        if self.incoming is not None and events.epoch != self.incoming.epoch:
            return self._garbled("epoch")
        return super()._events(events)

    def to_send(self, now_ns: int) -> list[bytes]:
        """Return the frames to send now."""
        return [self._session.sealed(message) for message in self._messages(now_ns)]

    def next_deadline_ns(self) -> int:
        """Return when `to_send` has something to say again."""
        return self._deadline_ns()


class Hub:
    """All peers of the master: which session is whose."""

    def __init__(self, keys: Mapping[int, bytes], rng: random.Random) -> None:
        self.peers: dict[str, PeerEnd] = {}
        self.counts: Counter[str] = Counter()
        self._keys = keys
        self._rng = rng
        self._candidates: dict[str, PeerEnd] = {}

    def receive(self, peer: str, data: bytes, now_ns: int) -> tuple[list[Fact], list[bytes]]:
        """Return the facts in a frame from `peer`, and what to send back at once."""
        frame = unseal(data, self._keys)
        if isinstance(frame, Garbled):
            return self._garbled(frame.reason), []
        for end in (self.peers.get(peer), self._candidates.get(peer)):
            if end is not None and end.belongs(frame):
                return self._of_session(peer, end, frame, now_ns), []
        message = decode(frame.body)
        if not isinstance(message, Hello):
            return self._garbled("session"), []
        if message.peer != peer:
            return self._garbled("hello"), []
        if message.protocol != PROTOCOL:  # it learns ours from the WELCOME, and opens nothing
            welcome = self._made(message, frame).welcome()
            return self._garbled("protocol"), [welcome]
        return [], [self._candidate(peer, message, frame).welcome()]

    def forget_silent(self, now_ns: int, silence_ns: int) -> list[str]:
        """Drop peers that were not heard for `silence_ns`; return their names."""
        gone = [
            name
            for name, end in self.peers.items()
            if end.heard_ns is not None and now_ns - end.heard_ns > silence_ns
        ]
        for name in gone:
            del self.peers[name]
        return gone

    def _of_session(self, peer: str, end: PeerEnd, frame: Frame, now_ns: int) -> list[Fact]:
        if end.proved:
            return end.take(frame, now_ns)
        end.proved = True
        if peer in self.peers:
            end.succeeds(self.peers[peer])
        self.peers[peer] = self._candidates.pop(peer)
        return [Opened(end.hello, frame.key_id), *end.take(frame, now_ns)]

    def _candidate(self, peer: str, hello: Hello, frame: Frame) -> PeerEnd:
        known = self._candidates.get(peer)
        if known is not None and known.theirs == frame.session:
            return known
        end = self._made(hello, frame)
        self._candidates[peer] = end
        while len(self._candidates) > CANDIDATES_KEPT:
            self._candidates.pop(next(iter(self._candidates)))
        return end

    def _made(self, hello: Hello, frame: Frame) -> PeerEnd:
        ours = self._rng.getrandbits(64) or 1
        session = Session(ours, frame.key_id, self._keys[frame.key_id], frame.session)
        return PeerEnd(hello, session)

    def _garbled(self, reason: str) -> list[Fact]:
        self.counts[reason] += 1
        return [Garbled(reason)]
