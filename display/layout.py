"""Owns where things stand and how large words may be: the grid and the type scale.

Both grids are drawn for one size (800x480 lying, 480x800 standing) and stretch to any other, so
the boxes grow with their own direction and the type with the smaller of both.
"""

from dataclasses import dataclass

from display.shapes import Box

LYING = (800, 480)
STANDING = (480, 800)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The boxes of one screen size, and `unit`: pixels per pixel of the drawn grid."""

    unit: float
    screen: Box
    place: Box
    event: Box  # the event's name; beside or above the marks
    marks: Box
    card: Box  # the clock's
    title: Box
    badge: Box
    bar: Box
    price: Box  # blinds or hand boxes
    foot: Box  # what comes next; a notice covers it
    help: Box
    body: Box  # all below the top strip, for messages and chips
    corner: Box  # the clock of a chip screen

    def px(self, drawn: float) -> int:
        """Return a length or type size of the drawn grid on this screen, at least 1."""
        return max(1, round(drawn * self.unit))

    def body_above(self, notice: str) -> Box:
        """Return the body; without a notice it reaches down over the foot."""
        bottom = self.body.bottom if notice else self.foot.bottom
        return Box(self.body.x, self.body.y, self.body.w, bottom - self.body.y)


# name: x, y, w, h on the drawn grid
_LYING = {
    "place": (16, 10, 176, 48),
    "event": (208, 8, 576, 24),
    "marks": (208, 34, 576, 26),
    "card": (16, 68, 572, 168),
    "title": (600, 68, 184, 168),
    "badge": (600, 184, 184, 52),
    "bar": (16, 245, 768, 10),
    "price": (16, 266, 768, 138),
    "foot": (16, 412, 768, 48),
    "help": (16, 461, 768, 15),
    "body": (16, 70, 768, 334),
    "corner": (664, 8, 120, 50),
}
_STANDING = {
    "place": (16, 12, 150, 44),
    "event": (182, 12, 282, 44),
    "marks": (16, 62, 448, 26),
    "card": (16, 182, 448, 150),
    "title": (16, 96, 448, 78),
    "badge": (274, 106, 190, 58),
    "bar": (16, 342, 448, 12),
    "price": (16, 368, 448, 236),
    "foot": (16, 616, 448, 152),
    "help": (16, 774, 448, 18),
    "body": (16, 96, 448, 508),
    "corner": (334, 12, 130, 44),
}

# Type sizes on the drawn grid: the most a line may have where its box would allow more.
EVENT = 20
MARK = 16
TITLE_WORD = 52
BADGE = 30
LABEL = 30
DETAIL = 20
FOOT = 28
NOTICE = 24
HELP = 13
MESSAGE_TITLE = 84
MESSAGE_LINE = 32


def layout(size: tuple[int, int]) -> Layout:
    """Return the boxes for a screen of `size`."""
    w, h = size
    grid, drawn = (_LYING, LYING) if w >= h else (_STANDING, STANDING)
    boxes = {name: _stretched(box, w / drawn[0], h / drawn[1]) for name, box in grid.items()}
    unit = min(w / drawn[0], h / drawn[1])
    return Layout(unit=unit, screen=Box(0, 0, w, h), **boxes)


def _stretched(box: tuple[int, int, int, int], sx: float, sy: float) -> Box:
    """Return the box on the real screen; edges are rounded, so neighbours stay apart."""
    x, y, w, h = box
    left, top = round(x * sx), round(y * sy)
    return Box(left, top, int((x + w) * sx) - left, int((y + h) * sy) - top)
