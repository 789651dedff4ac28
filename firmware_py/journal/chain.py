"""Owns the hash chain: each record's hash covers the one before it and all of its own fields.

Notes stand outside the chain, for they are replaced; each has a hash of its own.
"""

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


def note(name: str, revision: int, value: bytes) -> bytes:
    """Return the hash that proves a note and how often it was written."""
    return blake2b(f"{name}\0{revision}\0".encode() + value, digest_size=HASH_BYTES).digest()
