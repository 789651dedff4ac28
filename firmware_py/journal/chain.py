"""Owns the hash chain: each record's hash covers the one before it and all of its own fields."""

import struct
from hashlib import blake2b

HASH_BYTES = 32
_NUMBERS = struct.Struct("!QQ")


def start(stream: str, epoch: int) -> bytes:
    """Return the hash before the first record of (stream, epoch)."""
    return blake2b(f"{stream}\0{epoch}".encode(), digest_size=HASH_BYTES).digest()


def link(before: bytes, stream: str, epoch: int, number: int, payload: bytes) -> bytes:
    """Return the chain's hash up to and with this record."""
    digest = blake2b(before, digest_size=HASH_BYTES)
    digest.update(stream.encode() + b"\0" + _NUMBERS.pack(epoch, number) + payload)
    return digest.digest()


def note(name: str, value: bytes) -> bytes:
    """Return the hash that proves a note."""
    return blake2b(name.encode() + b"\0" + value, digest_size=HASH_BYTES).digest()
