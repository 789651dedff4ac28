"""Owns the sealed frame that every link carries: header, body, keyed BLAKE2s tag.

A frame names the session it comes from, the session it is meant for, and a counter, all under the
tag, so that a recorded frame is worth nothing later or elsewhere. A frame that cannot be believed
is a value, `Garbled(reason)`, never an exception.
"""

import hmac
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2s

MAGIC = b"TS"
VERSION = 1
TAG_BYTES = 16
LONGEST = 512 * 1024
_HEADER = struct.Struct("!2sBBQQQ")
WINDOW = 1024  # how far frames may overtake one another


@dataclass(frozen=True, slots=True)
class Frame:
    """An authentic frame."""

    key_id: int
    session: int  # the sender's
    to: int  # the receiver's, 0 while it is not known
    counter: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Garbled:
    """Something that is not used, and why."""

    reason: str


def seal(frame: Frame, key: bytes) -> bytes:
    """Return the frame's bytes; ValueError when the body is too long."""
    if len(frame.body) > LONGEST:
        raise ValueError(f"{len(frame.body)} octets; a frame holds {LONGEST}")
    head = _HEADER.pack(MAGIC, VERSION, frame.key_id, frame.session, frame.to, frame.counter)
    return head + frame.body + _tag(key, head + frame.body)


def unseal(data: bytes, keys: Mapping[int, bytes]) -> Frame | Garbled:
    """Return the frame in `data` when a known key sealed it."""
    if not _HEADER.size + TAG_BYTES <= len(data) <= _HEADER.size + LONGEST + TAG_BYTES:
        return Garbled("length")
    magic, version, key_id, session, to, counter = _HEADER.unpack_from(data)
    if magic != MAGIC:
        return Garbled("magic")
    if version != VERSION:
        return Garbled("version")
    key = keys.get(key_id)
    if key is None:
        return Garbled("key_id")
    if not hmac.compare_digest(_tag(key, data[:-TAG_BYTES]), data[-TAG_BYTES:]):
        return Garbled("tag")
    return Frame(key_id, session, to, counter, data[_HEADER.size : -TAG_BYTES])


def _tag(key: bytes, data: bytes) -> bytes:
    return blake2s(data, key=key, digest_size=TAG_BYTES).digest()


class Window:
    """Which counters of a session have been seen; each is accepted once."""

    def __init__(self) -> None:
        self._highest = -1
        self._seen = 0  # bit n: highest - n

    def fresh(self, counter: int) -> bool:
        """Return whether `counter` is new, and remember it."""
        ahead = counter - self._highest
        if ahead > 0:
            self._seen = (self._seen << min(ahead, WINDOW) | 1) & ((1 << WINDOW) - 1)
            self._highest = counter
            return True
        if -ahead >= WINDOW or self._seen >> -ahead & 1:
            return False
        self._seen |= 1 << -ahead
        return True
