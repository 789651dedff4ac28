"""Owns what these tests ask of a draw list: its texts, and a measure that needs no fonts."""

from itertools import combinations

from display.paint import paint
from display.shapes import Box, Font, Text
from display.theme import Colour, theme_named
from display.typeset import Measure
from display.views import View

SIZES = [(800, 480), (1024, 600), (1280, 720), (1920, 1080), (480, 800), (320, 240)]


def measure(text: str, font: Font, px: int) -> int:
    """A text somewhat wider than B612's."""
    return round(sum(0.35 if c in " :.,il" else 1.0 if c in "mwMW" else 0.7 for c in text) * px)


def texts(
    view: View, size: tuple[int, int] = (800, 480), theme: str = "felt", by: Measure = measure
) -> list[Text]:
    items = paint(view, size, theme_named(theme), by)
    return [item for item in items if isinstance(item, Text)]


def apart(one: Box, other: Box) -> bool:
    beside = one.right <= other.x or other.right <= one.x
    return beside or one.bottom <= other.y or other.bottom <= one.y


def faults(view: View, size: tuple[int, int], by: Measure = measure) -> list[object]:
    """Return the texts that leave the screen, and the pairs that lie on one another."""
    found: list[object] = []
    shown = texts(view, size, by=by)
    for text in shown:
        box = text.box
        if box.x < 0 or box.y < 0 or box.right > size[0] or box.bottom > size[1]:
            found.append(text)
    found += [pair for pair in combinations(shown, 2) if not apart(pair[0].box, pair[1].box)]
    return found


def contrast(one: Colour, other: Colour) -> float:
    """Return the ratio of WCAG 2.1, 1 to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Colour) -> float:
    parts = [c / 255 for c in colour]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
