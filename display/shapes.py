"""Owns the draw list: what a painted screen consists of, in pixels, as plain data."""

import enum
from dataclasses import dataclass

from display.theme import Colour

# B612's own proportions, as parts of the em; the same in the three files we ship.
CAP = 0.765
PLAIN_CAPITALS = frozenset("ABCDEFGHIJKLMNOPRSTUVWXYZ0123456789:+-./, ")  # without Q's tail


class Font(enum.Enum):
    """A role, and the file that plays it."""

    KEYS = "B612Mono-Bold.otf"
    STRONG = "B612-Bold.otf"
    PLAIN = "B612-Regular.otf"


class Sign(enum.Enum):
    """A small picture; each has an outline of its own."""

    INFO = "info"  # a ring with an i
    WARNING = "warning"  # a triangle with a stroke
    FAULT = "fault"  # a cross
    PAUSE = "pause"  # two bars
    ENDING = "ending"  # an hourglass
    YES = "yes"  # a tick


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of whole pixels."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        """The first column beyond."""
        return self.x + self.w

    @property
    def bottom(self) -> int:
        """The first row beyond."""
        return self.y + self.h

    def inset(self, dx: int, dy: int | None = None) -> "Box":
        """Return the box less a margin on each side; never less than one pixel."""
        dy = dx if dy is None else dy
        return Box(self.x + dx, self.y + dy, max(1, self.w - 2 * dx), max(1, self.h - 2 * dy))

    def left_part(self, w: int) -> "Box":
        """Return the leftmost `w` columns."""
        return Box(self.x, self.y, max(1, min(w, self.w)), self.h)

    def right_part(self, w: int) -> "Box":
        """Return the rightmost `w` columns."""
        w = max(1, min(w, self.w))
        return Box(self.right - w, self.y, w, self.h)

    def rows(self, *shares: float, gap: int = 0) -> list["Box"]:
        """Return the box cut into rows by `shares`, with `gap` between them."""
        free, total, y, cut = self.h - gap * (len(shares) - 1), sum(shares), self.y, []
        for share in shares:
            h = max(1, int(free * share / total))
            cut.append(Box(self.x, y, self.w, h))
            y += h + gap
        return cut

    def columns(self, count: int, gap: int = 0) -> list["Box"]:
        """Return the box cut into `count` equal columns."""
        w = max(1, (self.w - gap * (count - 1)) // count)
        return [Box(self.x + i * (w + gap), self.y, w, self.h) for i in range(count)]


@dataclass(frozen=True, slots=True)
class Fill:
    """A plain rectangle."""

    box: Box
    colour: Colour


@dataclass(frozen=True, slots=True)
class RoundRect:
    """A filled rectangle with round corners."""

    box: Box
    radius: int
    colour: Colour


@dataclass(frozen=True, slots=True)
class Hatch:
    """Slanted stripes, as on a road block."""

    box: Box
    colour: Colour
    ground: Colour


@dataclass(frozen=True, slots=True)
class Picture:
    """A sign in a square."""

    sign: Sign
    box: Box
    colour: Colour
    ground: Colour


@dataclass(frozen=True, slots=True)
class Text:
    """One line; `x` is its left end, `y` its base line, `width` as measured."""

    text: str
    font: Font
    px: int
    x: int
    y: int
    width: int
    colour: Colour
    ground: Colour

    @property
    def box(self) -> Box:
        """What the ink may cover."""
        rise, drop = extents(self.text)
        top, bottom = self.y - int(rise * self.px), self.y + int(drop * self.px)
        return Box(self.x, top, self.width, bottom - top)


Item = Fill | RoundRect | Hatch | Picture | Text


def extents(text: str) -> tuple[float, float]:
    """Return how far ink may go above and below the base line, in parts of the em."""
    letters = set(text)
    if not letters <= PLAIN_CAPITALS:
        return 0.97, 0.27
    return (0.81 if "/" in letters else 0.78), (
        0.19 if "," in letters else 0.06 if "/" in letters else 0.025
    )
