"""Owns reading rows straight from the pages of an SQLite file that SQLite itself refuses.

Follows the public file format: table leaf pages (type 0x0D), their cells, record headers, overflow
chains, and the frames of a write-ahead log. Yields whatever parses; what is true among it, the hash
chain proves. Any bytes at all may come in; none raise.
"""

import struct
from collections.abc import Iterator

Value = int | str | bytes | None
TABLE_LEAF = 0x0D
WAL_HEADER, FRAME_HEADER = 32, 24
PAGE_SIZES = frozenset(512 << n for n in range(8))


def rows(main: bytes, wal: bytes = b"") -> Iterator[list[Value]]:
    """Yield the values of every row found on any leaf page of the file and its log."""
    size = _page_size(main, wal)
    pages = {
        number + 1: main[number * size : (number + 1) * size]
        for number in range(-(-len(main) // size))
    }
    logged = list(_frames(wal, size))
    newest = pages | dict(logged)
    for number, page in [*pages.items(), *logged]:
        yield from _leaf(page, 100 if number == 1 else 0, size, newest)


def _page_size(main: bytes, wal: bytes) -> int:
    """Return the page size by the file's header, else by its log's, else SQLite's usual one."""
    size = int.from_bytes(main[16:18], "big")
    logged = int.from_bytes(wal[8:12], "big")
    said = (65536 if size == 1 else size, logged)
    return next((size for size in said if size in PAGE_SIZES), 4096)


def _frames(wal: bytes, size: int) -> Iterator[tuple[int, bytes]]:
    at = WAL_HEADER
    while at + FRAME_HEADER + size <= len(wal):
        number = int.from_bytes(wal[at : at + 4], "big")
        yield number, wal[at + FRAME_HEADER : at + FRAME_HEADER + size]
        at += FRAME_HEADER + size


def _leaf(page: bytes, at: int, size: int, pages: dict[int, bytes]) -> Iterator[list[Value]]:
    if len(page) < at + 8 or page[at] != TABLE_LEAF:
        return
    cells = int.from_bytes(page[at + 3 : at + 5], "big")
    for n in range(min(cells, size // 4)):
        pointer = page[at + 8 + 2 * n : at + 10 + 2 * n]
        try:
            yield _record(_payload(page, int.from_bytes(pointer, "big"), size, pages))
        except (IndexError, ValueError, struct.error):
            continue


def _payload(page: bytes, at: int, size: int, pages: dict[int, bytes]) -> bytes:
    length, at = _varint(page, at)
    _, at = _varint(page, at)  # the row's number
    if length > 1 << 24:
        raise ValueError("no record of ours is that long")
    most = size - 35
    if length <= most:
        return _exactly(page[at : at + length], length)
    least = (size - 12) * 32 // 255 - 23
    local = least + (length - least) % (size - 4)
    local = local if local <= most else least
    payload = page[at : at + local]
    following = int.from_bytes(_exactly(page[at + local : at + local + 4], 4), "big")
    while following and len(payload) < length:
        page = pages.get(following, b"")
        payload += page[4:size]
        following = int.from_bytes(_exactly(page[:4], 4), "big")
    return _exactly(payload[:length], length)


def _record(payload: bytes) -> list[Value]:
    header, at = _varint(payload, 0)
    kinds = []
    while at < header:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    values: list[Value] = []
    for kind in kinds:
        width = _width(kind)
        raw = _exactly(payload[at : at + width], width)
        values.append(_value(kind, raw))
        at += width
    return values


def _width(kind: int) -> int:
    if kind >= 12:
        return (kind - 12) // 2
    return (0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0)[kind]


def _value(kind: int, raw: bytes) -> Value:
    if kind == 0:
        return None
    if kind in (8, 9):
        return kind - 8
    if kind < 7:
        return int.from_bytes(raw, "big", signed=True)
    if kind < 12:
        raise ValueError("no row of ours holds such a value")
    return raw.decode() if kind % 2 else raw


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for n in range(9):
        octet = data[at + n]
        if n == 8:
            return value << 8 | octet, at + 9
        value = value << 7 | octet & 0x7F
        if octet < 0x80:
            return value, at + n + 1
    raise AssertionError("a varint ends with its ninth octet")


def _exactly(data: bytes, length: int) -> bytes:
    if len(data) != length:
        raise ValueError("cut short")
    return data
