"""Owns how words come into a box: cleaned, shrunk until they fit, wrapped, cut off at last.

Pure: how wide a text is comes from the `measure` it is given, so a test can bring its own.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from display.shapes import CAP, Box, Font, Text, extents
from display.theme import Pair

Measure = Callable[[str, Font, int], int]
Anchor = Literal["left", "centre", "right"]

LONGEST = 300  # letters; nothing longer could be read
SMALLEST = 6  # px; below it B612 is no text any more
ELLIPSIS = "…"
# B612 has no stroked L; the bare letter is read more easily than an empty box.
STAND_INS = str.maketrans({"Ł": "L", "ł": "l", "Đ": "D", "đ": "d"})


def clean(text: str) -> str:
    """Return `text` on one line, without what cannot be printed."""
    spaced = "".join(" " if letter.isspace() else letter for letter in text[:LONGEST])
    return "".join(c for c in spaced.translate(STAND_INS) if c.isprintable()).strip()


def snapped(px: float) -> int:
    """Return the next smaller size in use: few sizes keep the glyph cache small."""
    whole = int(px)
    step = 1 if whole < 24 else 2 if whole < 64 else 4
    return max(SMALLEST, whole - whole % step)


def tallest(text: str, height: int) -> float:
    """Return the px at which `text`, its capitals centred, just fills `height`."""
    rise, drop = extents(text)
    return height / 2 / (CAP / 2 + max(rise - CAP, drop))


@dataclass(frozen=True, slots=True)
class Typesetter:
    """Puts words into boxes."""

    measure: Measure

    def size(self, text: str, font: Font, box: Box, most: float = math.inf) -> int:
        """Return the greatest px up to `most` at which `text` fits the box."""
        px = snapped(min(most, tallest(text, box.h)))
        while px > SMALLEST and (wide := self.measure(text, font, px)) > box.w:
            px = min(snapped(px * box.w / wide), snapped(px - 1))
        return px

    def line(
        self,
        text: str,
        font: Font,
        box: Box,
        pair: Pair,
        *,
        most: float = math.inf,
        anchor: Anchor = "centre",
    ) -> list[Text]:
        """Return `text` in one line, capitals centred in height; nothing for no text."""
        text = clean(text)
        px = self.size(text, font, box, most)
        text, width = self._cut(text, font, px, box.w)
        if not text or px > tallest(text, box.h) + 1:
            return []  # no room for even the smallest
        spare = box.w - width
        x = box.x + {"left": 0, "centre": spare // 2, "right": spare}[anchor]
        y = box.y + round((box.h + CAP * px) / 2)
        return [Text(text, font, px, x, y, width, pair.ink, pair.ground)]

    def block(
        self,
        texts: list[str],
        font: Font,
        box: Box,
        pair: Pair,
        *,
        most: float = math.inf,
        anchor: Anchor = "centre",
    ) -> list[Text]:
        """Return several lines of one size, one below the other, centred in the box."""
        if not texts:
            return []
        pitch = box.h // len(texts)
        air = 0.9 if len(texts) > 1 else 1  # capitals would else touch those above
        rows = [Box(box.x, 0, box.w, int(pitch * air)) for _ in texts]
        px = min(self.size(clean(t), font, row, most) for t, row in zip(texts, rows, strict=True))
        pitch = min(pitch, math.ceil(px * 1.4))
        top = box.y + (box.h - pitch * len(texts)) // 2
        set_lines: list[Text] = []
        for number, text in enumerate(texts):
            row = Box(box.x, top + number * pitch, box.w, pitch)
            set_lines += self.line(text, font, row, pair, most=px, anchor=anchor)
        return set_lines

    def wrapped(self, text: str, font: Font, box: Box, *, most: float, lines: int) -> list[str]:
        """Return `text` in the fewest lines, up to `lines`, that reach the greatest size."""
        best, best_px = [text], 0
        for count in range(1, lines + 1):
            cut = self._balanced(clean(text).split(), font, count)
            row = Box(0, 0, box.w, max(1, box.h // count))
            px = min((self.size(line, font, row, most) for line in cut), default=0)
            if px > best_px * 1.05:
                best, best_px = cut, px
        return best

    def _balanced(self, words: list[str], font: Font, count: int) -> list[str]:
        """Return the words in `count` lines of about equal width."""
        if count == 1 or len(words) < count:
            return [" ".join(words)]
        target = self.measure(" ".join(words), font, 20) / count
        lines: list[str] = [words[0]]
        for word in words[1:]:
            grown = f"{lines[-1]} {word}"
            over = self.measure(grown, font, 20) - target
            under = target - self.measure(lines[-1], font, 20)
            if len(lines) < count and over > under:
                lines.append(word)
            else:
                lines[-1] = grown
        return lines

    def _cut(self, text: str, font: Font, px: int, width: int) -> tuple[str, int]:
        """Return as much of `text` as fits `width`, with an ellipsis if that is not all."""
        wide = self.measure(text, font, px)
        kept = text
        while kept and wide > width:
            kept = kept[:-1].rstrip()
            text = kept + ELLIPSIS if kept else ""
            wide = self.measure(text, font, px) if text else 0
        return text, wide
