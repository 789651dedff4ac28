"""Owns what two ends say to one another inside a frame; payloads are opaque here."""

import msgspec

from sync.frames import Garbled

PROTOCOL = 1


class Message(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """What all messages share."""


class Hello(Message, frozen=True):
    """A unit opens a session: who it is, for which table it speaks, what it has."""

    protocol: int
    peer: str
    kind: str  # "table", "hall", "desk"
    table: int
    follows: tuple[str, int, int]  # stream, epoch, last number stored


class Welcome(Message, frozen=True):
    """The hub accepts the session."""

    protocol: int


class Events(Message, frozen=True):
    """Payloads `first`, `first`+1 ... of a stream; `tip` is the last number there is."""

    stream: str
    epoch: int
    first: int
    payloads: tuple[bytes, ...]
    tip: int


class Ack(Message, frozen=True):
    """Everything up to `number` is stored durably; `gap`: something after it did not come."""

    stream: str
    epoch: int
    number: int
    gap: bool = False


class Command(Message, frozen=True):
    """A wish; repeated under the same request id until answered."""

    request: str
    payload: bytes


class Answer(Message, frozen=True):
    """What became of a wish: an empty code means done."""

    request: str
    code: str
    words: str


class Beat(Message, frozen=True):
    """A sign of life with a word on one's health."""

    payload: bytes


AnyMessage = Hello | Welcome | Events | Ack | Command | Answer | Beat

_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(AnyMessage)


def encode(message: Message) -> bytes:
    """Return the message's bytes."""
    return _ENCODER.encode(message)


def decode(body: bytes) -> AnyMessage | Garbled:
    """Return the message; one of another version or damaged is a value."""
    try:
        return _DECODER.decode(body)
    except msgspec.DecodeError:
        return Garbled("message")
