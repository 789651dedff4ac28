"""Owns what surrounds each screen: place, event, marks, notice, help; and pills, its small parts.

Pure, as paint.py, which puts this around the views.
"""

from display import layout as scale
from display.layout import Layout
from display.shapes import Box, Fill, Font, Item, Picture, RoundRect, Sign
from display.theme import Pair, Theme
from display.typeset import Typesetter, clean
from display.views import Frame, Mark, Severity

MARK_LEAST = 11  # px
MARKS = 4  # more are counted: +2
SIGNS = {Severity.INFO: Sign.INFO, Severity.WARNING: Sign.WARNING, Severity.FAULT: Sign.FAULT}


def frame_items(
    frame: Frame, at: Layout, theme: Theme, typesetter: Typesetter, *, corner: bool = False
) -> list[Item]:
    """Return all of the frame; `corner` keeps the top right free for a small clock."""
    place, gap = at.place, at.px(10)
    items: list[Item] = []
    if clean(frame.place):
        items.append(RoundRect(place, at.px(8), theme.place.ground))
        room = place.inset(at.px(10), at.px(4))
        items += typesetter.line(frame.place, Font.STRONG, room, theme.place)
    event, marks = at.event, at.marks
    if corner:
        event = event.left_part(at.corner.x - gap - event.x)
        marks = marks if marks.y > at.corner.bottom else marks.left_part(event.w)
    if not frame.marks and event.bottom < marks.y and marks.x == event.x:
        event = Box(event.x, event.y, event.w, marks.bottom - event.y)  # alone in the strip
    most = at.px(scale.EVENT)
    plain, soft = Font.PLAIN, theme.soft
    name = typesetter.wrapped(frame.event, plain, event, most=most, lines=2)
    items += typesetter.block(name, plain, event, soft, most=most, anchor="left")
    items += _marks(frame.marks, marks, at, theme, typesetter)
    items += _notice(frame.notice, at, theme, typesetter)
    most = at.px(scale.HELP)
    return [*items, *typesetter.line(frame.help, Font.KEYS, at.help, theme.soft, most=most)]


def edged(box: Box, radius: int, width: int, pair: Pair) -> list[Item]:
    """Return a round box with a frame of `width`."""
    inner = box.inset(width)
    return [
        RoundRect(box, radius, pair.edge),
        RoundRect(inner, max(0, radius - width), pair.ground),
    ]


def pill(
    text: str,
    box: Box,
    pair: Pair,
    sign: Sign | None,
    at: Layout,
    typesetter: Typesetter,
    *,
    radius: int | None = None,
) -> list[Item]:
    """Return words on a filled box, with a sign before them; two lines if they gain by it."""
    items: list[Item] = [RoundRect(box, at.px(8) if radius is None else radius, pair.ground)]
    room = box.inset(at.px(10), at.px(3))
    if sign is not None:
        side = min(room.h * 7 // 10, room.w // 4)
        spot = Box(room.x, box.y + (box.h - side) // 2, side, side)
        items.append(Picture(sign, spot, pair.ink, pair.ground))
        room = room.right_part(room.w - side - at.px(8))
    most = at.px(scale.BADGE) if radius is None else room.h
    lines = typesetter.wrapped(text, Font.STRONG, room, most=most, lines=2)
    return [*items, *typesetter.block(lines, Font.STRONG, room, pair, most=most)]


def foot_lines(
    texts: list[str], box: Box, at: Layout, theme: Theme, typesetter: Typesetter
) -> list[Item]:
    """Return the lines at the bottom: the first is the strongest; many stand in two columns."""
    told = [clean(text) for text in texts if clean(text)]
    if not told:
        return []
    tall = box.h > box.w / 6
    count = len(told) if tall or len(told) < 3 else 2
    rows = box.rows(1.15, *[1] * (count - 1), gap=at.px(5))
    cells = rows if len(told) <= count else [c for row in rows for c in row.columns(2, at.px(16))]
    roomy = 2.0 if len(told) == 1 else 1.6
    most = at.px(scale.FOOT * (roomy if box.h > at.foot.h * 1.5 else 1))
    items: list[Item] = []
    for number, (text, cell) in enumerate(zip(told, cells, strict=False)):
        font, pair = (Font.PLAIN, theme.soft) if number else (Font.STRONG, theme.base)
        items += typesetter.line(text, font, cell, pair, most=most, anchor="left")
    return items


def _marks(
    marks: tuple[Mark, ...], row: Box, at: Layout, theme: Theme, typesetter: Typesetter
) -> list[Item]:
    """Return the marks side by side, each as wide as its words, all together within the row."""
    shown = [mark for mark in marks if clean(mark.text)]
    told = [(clean(mark.text), mark.severity) for mark in shown[:MARKS]]
    more = f"+{len(shown) - MARKS}" if len(shown) > MARKS else ""
    px, gap, pad = at.px(scale.MARK), at.px(6), at.px(6)
    tail = typesetter.measure(more, Font.STRONG, px) + pad if more else 0
    extra = row.h + 2 * pad  # the sign and the margins
    free = row.w - tail - gap * len(told)
    wide = _widths(told, extra, px, typesetter)
    while sum(wide) > free and px > MARK_LEAST:  # all a little smaller before one is squeezed
        px -= 1
        wide = _widths(told, extra, px, typesetter)
    items, x = [], row.x
    for (text, severity), w in zip(told, _shared(wide, free), strict=True):
        items += _mark(text, severity, Box(x, row.y, w, row.h), at, theme, typesetter)
        x += w + gap
    rest = Box(x, row.y, max(1, row.right - x), row.h)
    soft = theme.soft
    return [*items, *typesetter.line(more, Font.STRONG, rest, soft, most=px, anchor="left")]


def _widths(
    told: list[tuple[str, Severity]], extra: int, px: int, typesetter: Typesetter
) -> list[int]:
    return [typesetter.measure(text, Font.STRONG, px) + extra for text, _ in told]


def _shared(wide: list[int], free: int) -> list[int]:
    """Return the widths cut down to `free` in all, the widest first."""
    limit = max(wide, default=0)
    while limit > 1 and sum(min(w, limit) for w in wide) > free:
        limit -= 1
    return [min(w, limit) for w in wide]


def _mark(
    text: str, severity: Severity, box: Box, at: Layout, theme: Theme, typesetter: Typesetter
) -> list[Item]:
    """Return one mark: a drawn round one, a filled one, or a square one for a fault."""
    pair, px = theme.marks[severity], at.px
    radius = 0 if severity is Severity.FAULT else box.h // 2
    items = edged(box, radius, max(1, px(1.6)), pair)
    side = box.h * 6 // 10
    spot = Box(box.x + px(7), box.y + (box.h - side) // 2, side, side)
    items.append(Picture(SIGNS[severity], spot, pair.ink, pair.ground))
    left = spot.right + px(4)
    room = Box(left, box.y, max(1, box.right - px(7) - left), box.h)
    most = px(scale.MARK)
    return [*items, *typesetter.line(text, Font.STRONG, room, pair, most=most, anchor="left")]


def _notice(text: str, at: Layout, theme: Theme, typesetter: Typesetter) -> list[Item]:
    """Return the strip at the bottom that says one sentence."""
    if not clean(text):
        return []
    foot, pair = at.foot, theme.notice
    bar = foot.left_part(at.px(10))
    room = Box(bar.right, foot.y, foot.w - bar.w, foot.h).inset(at.px(12), at.px(1))
    most = at.px(scale.NOTICE)
    lines = typesetter.wrapped(text, Font.STRONG, room, most=most, lines=2)
    return [
        Fill(foot, pair.ground),
        Fill(bar, pair.edge),
        *typesetter.block(lines, Font.STRONG, room, pair, most=most, anchor="left"),
    ]
