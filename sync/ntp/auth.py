"""Owns the MAC of a time packet: AES-128-CMAC behind a 4-octet key id (RFC 8573).

Twenty octets at the end of the packet: key id, then the tag over all before the key id.
"""

import struct
from collections.abc import Mapping

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.cmac import CMAC

from sync.ntp.packet import Dropped

KEY_BYTES = 16
MAC_BYTES = 20
_KEY_ID = struct.Struct("!I")


def signed(packet: bytes, key_id: int, key: bytes) -> bytes:
    """Return the packet with its MAC."""
    return packet + _KEY_ID.pack(key_id) + _cmac(key, packet).finalize()


def verified(data: bytes, keys: Mapping[int, bytes]) -> tuple[bytes, int] | Dropped:
    """Return the packet without its MAC and the key id, or why it is not believed."""
    if len(data) < 48 + MAC_BYTES or len(data) % 4:
        return Dropped("no_mac" if len(data) == 48 else "mac_length")
    packet, mac = data[:-MAC_BYTES], data[-MAC_BYTES:]
    (key_id,) = _KEY_ID.unpack_from(mac)
    key = keys.get(key_id)
    if key is None:
        return Dropped("key_id")
    try:
        _cmac(key, packet).verify(mac[4:])
    except InvalidSignature:
        return Dropped("mac")
    return packet, key_id


def _cmac(key: bytes, data: bytes) -> CMAC:
    cmac = CMAC(AES(key))
    cmac.update(data)
    return cmac
