"""Owns how one secret becomes many keys: HKDF-SHA256 (RFC 5869) with a label for each use."""

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


def derive(secret: bytes, label: str, length: int = 32) -> bytes:
    """Return `length` bytes that belong to `label`; other labels tell nothing about them."""
    info = f"tableside/{label}".encode()
    return HKDF(algorithm=SHA256(), length=length, salt=None, info=info).derive(secret)
