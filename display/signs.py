"""Owns the outlines of the signs and stripes; one unit is the height of their box."""

from dataclasses import dataclass

from display.shapes import Hatch, Picture, Sign

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Stroke:
    """A filled outline, or a disc if it has a radius; `ink` False takes ink away again."""

    points: tuple[Point, ...]
    radius: float = 0
    ink: bool = True


def strokes(item: Picture | Hatch) -> list[Stroke]:
    """Return what to fill, one after the other."""
    if isinstance(item, Picture):
        return SIGNS[item.sign]
    across = item.box.w / item.box.h
    pitch = 1.6 if across > 4 else 0.6  # about square bands on a strip, narrow ones on a block
    return [
        _shape((x, 1), (x + 1, 0), (x + 1 + pitch / 2, 0), (x + pitch / 2, 1))
        for x in (number * pitch - 1.2 for number in range(int((across + 1.2) / pitch) + 1))
    ]


def _shape(*points: Point, ink: bool = True) -> Stroke:
    return Stroke(points, ink=ink)


def _block(x: float, y: float, w: float, h: float, *, ink: bool = True) -> Stroke:
    return _shape((x, y), (x + w, y), (x + w, y + h), (x, y + h), ink=ink)


def _disc(x: float, y: float, radius: float, *, ink: bool = True) -> Stroke:
    return Stroke(((x, y),), radius, ink)


SIGNS: dict[Sign, list[Stroke]] = {
    Sign.INFO: [
        _disc(0.5, 0.5, 0.5),
        _disc(0.5, 0.5, 0.39, ink=False),
        _block(0.43, 0.43, 0.14, 0.33),
        _block(0.43, 0.22, 0.14, 0.14),
    ],
    Sign.WARNING: [
        _shape((0.5, 0.0), (1.0, 0.96), (0.0, 0.96)),
        _block(0.435, 0.34, 0.13, 0.32, ink=False),
        _block(0.435, 0.72, 0.13, 0.13, ink=False),
    ],
    Sign.FAULT: [
        _shape((0.0, 0.17), (0.17, 0.0), (1.0, 0.83), (0.83, 1.0)),
        _shape((0.83, 0.0), (1.0, 0.17), (0.17, 1.0), (0.0, 0.83)),
    ],
    Sign.PAUSE: [_block(0.12, 0.04, 0.27, 0.92), _block(0.61, 0.04, 0.27, 0.92)],
    Sign.ENDING: [
        _block(0.08, 0.0, 0.84, 0.13),
        _block(0.08, 0.87, 0.84, 0.13),
        _shape((0.18, 0.13), (0.82, 0.13), (0.5, 0.54)),
        _shape((0.18, 0.87), (0.82, 0.87), (0.5, 0.46)),
    ],
    Sign.YES: [
        _shape((0.02, 0.55), (0.17, 0.39), (0.4, 0.62), (0.84, 0.13), (1.0, 0.27), (0.4, 0.92)),
    ],
}
