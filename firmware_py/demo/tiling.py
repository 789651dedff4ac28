"""Owns where the demo's windows stand on a desktop."""

import math


def tiles(
    count: int, desktop: tuple[int, int], *, ratio: float = 800 / 480, gap: int = 8
) -> list[tuple[int, int, int, int]]:
    """Return (left, top, width, height) for `count` windows, as large as fits, row by row."""
    columns = max(range(1, count + 1), key=lambda c: _width(count, c, desktop, ratio, gap))
    width = max(160, _width(count, columns, desktop, ratio, gap))
    height = int(width / ratio)
    return [
        (
            gap + (number % columns) * (width + gap),
            gap + (number // columns) * (height + gap),
            width,
            height,
        )
        for number in range(count)
    ]


def _width(count: int, columns: int, desktop: tuple[int, int], ratio: float, gap: int) -> int:
    rows = math.ceil(count / columns)
    by_width = (desktop[0] - gap * (columns + 1)) // columns
    by_height = (desktop[1] - gap * (rows + 1)) // rows
    return int(min(by_width, by_height * ratio, 800))
