"""Owns the check sums of ISO 14443-3 type A frames."""


def crc_a(data: bytes) -> bytes:
    """Return CRC_A, low octet first (polynomial 8408 reflected, start 6363)."""
    crc = 0x6363
    for octet in data:
        crc ^= octet
        for _ in range(8):
            crc = crc >> 1 ^ (0x8408 if crc & 1 else 0)
    return crc.to_bytes(2, "little")


def with_crc(data: bytes) -> bytes:
    """Return `data` with its CRC_A."""
    return data + crc_a(data)


def check_byte(uid_part: bytes) -> int:
    """Return the block check character of four UID octets."""
    check = 0
    for octet in uid_part:
        check ^= octet
    return check
