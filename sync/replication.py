"""Owns the conversation of a unit with the master, without I/O: sessions, streams, wishes, beats.

One `End` on each side of a link. Frames may be lost, doubled, delayed, reordered or forged; what
comes out are facts, each at most once and in order. The application stores events and then calls
`durable`; only then they are acknowledged. A session begins with a HELLO and its WELCOME, and every
later frame names both sessions, so that nothing recorded elsewhere is believed here.
"""

import random
from collections import Counter, OrderedDict
from dataclasses import dataclass, field

import msgspec

from sync.clock import MILLISECOND, SECOND
from sync.frames import Frame, Garbled, Window, seal, unseal
from sync.messages import (
    Ack,
    Answer,
    AnyMessage,
    Beat,
    Command,
    Events,
    Hello,
    Message,
    Welcome,
    decode,
    encode,
)
from sync.streams import EventsArrived, Incoming, Outgoing, Source

BEAT_NS = SECOND
SILENCE_NS = 4 * SECOND  # after this a unit opens a new session
HELLO_FIRST_NS = 400 * MILLISECOND
HELLO_MOST_NS = 5 * SECOND  # sixty units of a silent master return over this long
COMMAND_AGAIN_NS = 700 * MILLISECOND
ANSWERS_KEPT = 256


@dataclass(frozen=True, slots=True)
class Opened:
    """A session stands."""

    hello: Hello
    key_id: int


@dataclass(frozen=True, slots=True)
class CommandArrived:
    """The peer wishes something; answer it with `answer`."""

    request: str
    payload: bytes
    key_id: int


@dataclass(frozen=True, slots=True)
class AnswerArrived:
    """Our wish was answered; an empty code means done."""

    request: str
    code: str
    words: str


@dataclass(frozen=True, slots=True)
class BeatArrived:
    """The peer lives and says how it is."""

    payload: bytes


Fact = Opened | EventsArrived | CommandArrived | AnswerArrived | BeatArrived | Garbled


@dataclass(slots=True)
class _Wish:
    payload: bytes
    again_ns: int = 0


@dataclass(slots=True)
class Session:
    """The sealed channel: our session, theirs, counters."""

    ours: int
    key_id: int
    key: bytes
    theirs: int = 0
    counter: int = 0
    window: Window = field(default_factory=Window)

    def sealed(self, message: Message) -> bytes:
        """Return the next frame of the session."""
        self.counter += 1
        frame = Frame(self.key_id, self.ours, self.theirs, self.counter, encode(message))
        return seal(frame, self.key)


class End:
    """What both sides share once a session stands."""

    def __init__(self, session: Session, incoming: Incoming | None) -> None:
        self.incoming = incoming
        self.outgoing: Outgoing | None = None
        self.heard_ns: int | None = None
        self.beat = b""
        self.counts: Counter[str] = Counter()
        self._session = session
        self._queue: list[Message] = []
        self._wishes: OrderedDict[str, _Wish] = OrderedDict()
        self._answers: OrderedDict[str, Answer | None] = OrderedDict()  # None: being decided
        self._beat_at_ns = 0

    def writes(self, source: Source, stream: str, epoch: int, stored: int = 0) -> None:
        """Send (stream, epoch) to the peer, who has it up to `stored`."""
        if self.outgoing and (self.outgoing.stream, self.outgoing.epoch) == (stream, epoch):
            self.outgoing.stored(stored)
            return
        self.outgoing = Outgoing(source, stream, epoch)
        self.outgoing.stored(stored)

    def durable(self, number: int) -> None:
        """Acknowledge the followed stream up to `number`."""
        if self.incoming is not None:
            self._queue.append(self.incoming.durable(number))

    def command(self, request: str, payload: bytes) -> None:
        """Wish something; it is repeated until the answer comes."""
        self._wishes.setdefault(request, _Wish(payload))

    def answer(self, request: str, code: str, words: str) -> None:
        """Answer a wish; the same wish is answered alike later."""
        answer = Answer(request, code, words)
        self._answers[request] = answer
        self._queue.append(answer)

    def beat_soon(self) -> None:
        """Send the beat with the next frames."""
        self._beat_at_ns = 0

    def _messages(self, now_ns: int) -> list[Message]:
        """Return what an open session has to say now.

        The beat goes first: a unit's first frame proves the session, and the hub knows only then
        which stream it is to take in.
        """
        messages: list[Message] = []
        if now_ns >= self._beat_at_ns:
            self._beat_at_ns = now_ns + BEAT_NS
            messages.append(Beat(self.beat))
        messages += self._queue
        self._queue = []
        if self.outgoing is not None:
            messages += self.outgoing.due(now_ns)
        for request, wish in self._wishes.items():
            if now_ns >= wish.again_ns:
                wish.again_ns = now_ns + COMMAND_AGAIN_NS
                messages.append(Command(request, wish.payload))
        return messages

    def _deadline_ns(self) -> int:
        deadlines = [self._beat_at_ns, *(wish.again_ns for wish in self._wishes.values())]
        if self._queue:
            return 0
        outgoing_ns = self.outgoing.deadline_ns() if self.outgoing else None
        return min([*deadlines, *([] if outgoing_ns is None else [outgoing_ns])])

    def _taken(self, frame: Frame, message: AnyMessage, now_ns: int) -> list[Fact]:
        """Return the facts in a message of the open session."""
        self.heard_ns = now_ns
        match message:
            case Events():
                return self._events(message)
            case Ack():
                self._acked(message)
            case Command():
                return self._wished(frame, message)
            case Answer():
                if self._wishes.pop(message.request, None) is not None:
                    return [AnswerArrived(message.request, message.code, message.words)]
            case Beat():
                return [BeatArrived(message.payload)]
            case Hello() | Welcome():
                return self._garbled("out_of_place")
        return []

    def _events(self, events: Events) -> list[Fact]:
        if self.incoming is None:
            return self._garbled("unwanted_stream")
        arrived = self.incoming.take(events)
        if arrived is not None:
            return [arrived]
        gap = self.incoming.lacks(events)
        self.counts["gap" if gap else "known_events"] += 1
        self._queue.append(self.incoming.ack(gap))
        return []

    def _wished(self, frame: Frame, command: Command) -> list[Fact]:
        """Return a wish that is new; a repeated one gets its answer again, if there is one."""
        if command.request not in self._answers:
            self._answers[command.request] = None
            while len(self._answers) > ANSWERS_KEPT:
                self._answers.popitem(last=False)
            return [CommandArrived(command.request, command.payload, frame.key_id)]
        known = self._answers[command.request]
        if known is not None:
            self._queue.append(known)
        return []

    def _acked(self, ack: Ack) -> None:
        out = self.outgoing
        if out is None or (out.stream, out.epoch) != (ack.stream, ack.epoch):
            self.counts["ack_of_other"] += 1
            return
        if ack.gap:
            out.gap(ack.number)
        else:
            out.stored(ack.number)

    def _garbled(self, reason: str) -> list[Fact]:
        self.counts[reason] += 1
        return [Garbled(reason)]


class UnitEnd(End):
    """The unit's side: opens sessions, again and again if need be."""

    def __init__(
        self,
        hello: Hello,
        key_id: int,
        key: bytes,
        rng: random.Random,
    ) -> None:
        """`hello` says who this is; `rng` gives session numbers and spreads retries."""
        stream, epoch, number = hello.follows
        self._hello = hello
        self._rng = rng
        self._key_id, self._key = key_id, key
        self._open = False
        self._hello_at_ns = 0
        self._hello_ns = HELLO_FIRST_NS
        super().__init__(self._fresh(), Incoming(stream, epoch, number))

    @property
    def open(self) -> bool:
        """Whether a session stands."""
        return self._open

    def restart(self) -> None:
        """Open a new session: the transport came back, or the master fell silent."""
        self._open = False
        self._session = self._fresh()
        self._hello_at_ns = 0
        self._hello_ns = HELLO_FIRST_NS

    def receive(self, data: bytes, now_ns: int) -> list[Fact]:
        """Return the facts in one frame; never raises."""
        frame = unseal(data, {self._key_id: self._key})
        if isinstance(frame, Garbled):
            return self._garbled(frame.reason)
        if frame.to != self._session.ours or (self._open and frame.session != self._session.theirs):
            return self._garbled("session")
        message = decode(frame.body)
        if isinstance(message, Garbled):
            return self._garbled(message.reason)
        if isinstance(message, Welcome):
            return self._welcomed(frame, message, now_ns)
        if not self._open:
            return self._garbled("not_open")
        if not self._session.window.fresh(frame.counter):
            return self._garbled("replay")
        return self._taken(frame, message, now_ns)

    def to_send(self, now_ns: int) -> list[bytes]:
        """Return the frames to send now."""
        if self._open and self.heard_ns is not None and now_ns - self.heard_ns >= SILENCE_NS:
            self.restart()
            self._hello_at_ns = now_ns + int(self._rng.uniform(0, 1) * HELLO_MOST_NS)
        if self._open:
            return [self._session.sealed(message) for message in self._messages(now_ns)]
        if now_ns < self._hello_at_ns:
            return []
        self._hello_at_ns = now_ns + int(self._hello_ns * self._rng.uniform(0.7, 1.3))
        self._hello_ns = min(HELLO_MOST_NS, 2 * self._hello_ns)
        assert self.incoming is not None
        have = (self.incoming.stream, self.incoming.epoch, self.incoming.ack().number)
        return [self._session.sealed(msgspec.structs.replace(self._hello, follows=have))]

    def next_deadline_ns(self) -> int:
        """Return when `to_send` has something to say again."""
        if not self._open:
            return self._hello_at_ns
        return min(self._deadline_ns(), (self.heard_ns or 0) + SILENCE_NS)

    def _fresh(self) -> Session:
        return Session(self._rng.getrandbits(64) or 1, self._key_id, self._key)

    def _welcomed(self, frame: Frame, welcome: Welcome, now_ns: int) -> list[Fact]:
        if self._open:
            return self._garbled("second_welcome")
        if welcome.protocol != self._hello.protocol:
            return self._garbled("protocol")
        self._open = True
        self._session.theirs = frame.session
        self.heard_ns = now_ns
        self._beat_at_ns = 0
        for wish in self._wishes.values():
            wish.again_ns = 0
        assert self.incoming is not None
        self.incoming.number = self.incoming.ack().number  # what was not stored comes again
        if self.outgoing is not None:
            self.outgoing.rewind()
        return [Opened(self._hello, frame.key_id)]
