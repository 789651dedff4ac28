"""Owns the look: from a view, a size and a theme to the draw list, back to front.

Pure; no rule of the game is known here. What surrounds each screen: frame_paint.py.
"""

from dataclasses import replace

from display import layout as scale
from display.frame_paint import edged, foot_lines, frame_items, pill
from display.layout import Layout, layout
from display.shapes import Box, Fill, Font, Hatch, Item, RoundRect, Sign, Text
from display.theme import Pair, Theme
from display.typeset import Anchor, Measure, Typesetter, clean
from display.views import ChipView, ClockView, HandBox, MessageView, Tone, View

WALL = "HALL"  # a screen read from 12 m: its seconds step back (F121)
BADGE_SIGNS = {Tone.HALTED: Sign.PAUSE, Tone.URGENT: Sign.ENDING}
HANDS = 2
LINES = 3


def paint(view: View, size: tuple[int, int], theme: Theme, measure: Measure) -> list[Item]:
    """Return what to draw for `view`."""
    page = _Page(layout(size), theme, Typesetter(measure))
    items: list[Item] = [Fill(page.at.screen, theme.base.ground)]
    match view:
        case ClockView():
            items += page.clock(view)
        case MessageView():
            items += page.message(view)
        case ChipView():
            items += page.chip(view)
    return items


class _Page:
    """One screen being painted: its boxes, its colours, its typesetter."""

    def __init__(self, at: Layout, theme: Theme, typesetter: Typesetter) -> None:
        self.at, self.theme, self.type = at, theme, typesetter

    # ---- the clock

    def clock(self, view: ClockView) -> list[Item]:
        at = self.at
        items = frame_items(view.frame, at, self.theme, self.type)
        items += self._card(view)
        items += self._title(view)
        items += self._bar(view)
        foot = at.foot
        if view.hands:
            items += self._hands(view.hands[:HANDS], at.price)
        elif view.blinds:
            items += self._blinds(view.blinds, at.price)
        else:  # a break: what comes next may have all the room
            foot = Box(foot.x, at.price.y, foot.w, foot.bottom - at.price.y)
            if view.frame.notice:
                foot = at.price
        if not view.frame.notice or foot is not at.foot:
            texts = [view.next_line, *view.lines[:LINES]]
            items += foot_lines(texts, foot, at, self.theme, self.type)
        return items

    def _card(self, view: ClockView) -> list[Item]:
        card, pair = self.at.card, self.theme.tones[view.tone]
        items = self._ground(view.tone, card, pair)
        room = card.inset(self.at.px(16), self.at.px(15))
        return [*items, *self._time(view, room, pair)]

    def _ground(self, tone: Tone, card: Box, pair: Pair) -> list[Item]:
        """Return the card without its digits; each tone has a shape of its own."""
        px = self.at.px
        match tone:
            case Tone.NORMAL:
                return [RoundRect(card, px(14), pair.ground)]
            case Tone.URGENT:
                return edged(card, px(14), px(8), pair)
            case Tone.CALM:
                side = card.h // 2  # round ends
                return edged(card, side, px(4), pair)
            case Tone.HALTED:
                top, _, low = card.rows(px(14), card.h - 2 * px(14), px(14))
                low = Box(low.x, card.bottom - top.h, low.w, top.h)
                bands = [Hatch(band, pair.edge, pair.ground) for band in (top, low)]
                return [Fill(card, pair.ground), *bands]
            case Tone.WAITING:
                return self._dots(card, pair)

    def _dots(self, card: Box, pair: Pair) -> list[Item]:
        """Return a dotted frame: nothing is running yet."""
        dot = self.at.px(6)
        across, down = max(2, card.w // (dot * 3)), max(2, card.h // (dot * 3))
        xs = [card.x + round(i * (card.w - dot) / across) for i in range(across + 1)]
        ys = [card.y + round(i * (card.h - dot) / down) for i in range(down + 1)]
        spots = [(x, y) for x in xs for y in (ys[0], ys[-1])]
        spots += [(x, y) for y in ys[1:-1] for x in (xs[0], xs[-1])]
        return [RoundRect(Box(x, y, dot, dot), dot // 2, pair.edge) for x, y in spots]

    def _time(self, view: ClockView, room: Box, pair: Pair) -> list[Text]:
        """Return the digits; an hour, and every time on a wall, has small seconds."""
        text, font = clean(view.clock), Font.STRONG
        head, _, seconds = text.rpartition(":")
        wall = view.frame.place == WALL and head.strip("+0:") != ""
        if not (text.count(":") == 2 or wall) or not seconds.isdecimal():
            return self.type.line(text, font, room, pair)
        probe = 100
        main = self.type.measure(head, font, probe)
        tail = self.type.measure(f":{seconds}", font, probe // 2)
        head_room = room.left_part(room.w * main // (main + tail))
        lines = self.type.line(head, font, head_room, pair, anchor="left")
        if not lines:
            return []
        line = lines[0]
        small = line.px // 2
        width = self.type.measure(f":{seconds}", font, small)
        x = room.x + max(0, room.w - line.width - width) // 2
        end = x + line.width
        return [
            replace(line, x=x),
            Text(f":{seconds}", font, small, end, line.y, width, pair.ink, pair.ground),
        ]

    def _title(self, view: ClockView) -> list[Item]:
        box, badge = self.at.title, self.at.badge
        items: list[Item] = []
        beside = badge.y < box.y + box.h // 2
        if view.badge:
            pair, sign = self.theme.badges[view.tone], BADGE_SIGNS.get(view.tone)
            items += pill(view.badge, badge, pair, sign, self.at, self.type)
            gap = self.at.px(8)
            if beside:
                box = box.left_part(badge.x - gap - box.x)
            else:
                box = Box(box.x, box.y, box.w, badge.y - gap - box.y)
        return [*items, *self._title_text(view.title, box, tall=not beside)]

    def _title_text(self, title: str, box: Box, *, tall: bool) -> list[Text]:
        """Return the title; in a tall box a level's number stands large below its word."""
        word, _, number = clean(title).rpartition(" ")
        base, strong = self.theme.base, Font.STRONG
        if tall and word and number.isdecimal():
            upper, lower = box.rows(30, 70, gap=self.at.px(4))
            most = self.at.px(scale.TITLE_WORD)
            first = self.type.line(word, strong, upper, base, most=most)
            return [*first, *self.type.line(number, strong, lower, base)]
        most = self.at.px(scale.TITLE_WORD * 1.5)
        lines = self.type.wrapped(title, strong, box, most=most, lines=2)
        anchor: Anchor = "centre" if tall else "left"
        return self.type.block(lines, strong, box, base, most=most, anchor=anchor)

    def _bar(self, view: ClockView) -> list[Item]:
        bar, pair = self.at.bar, self.theme.tones[view.tone]
        radius = bar.h // 2
        done = bar.w * max(0, min(1000, view.progress_permille)) // 1000
        items: list[Item] = [RoundRect(bar, radius, self.theme.base.edge)]
        if done >= bar.h:
            colour = self.theme.place.edge if view.tone is Tone.NORMAL else pair.edge
            items.append(RoundRect(bar.left_part(done), radius, colour))
        return items

    # ---- prices

    def _blinds(self, blinds: str, box: Box) -> list[Text]:
        """Return the blinds as large as they go; what follows them, an ante, below."""
        head, _, tail = clean(blinds).partition(" ")
        box = box.inset(0, self.at.px(4))
        upper, lower = box.rows(68, 32) if tail else (box, box)
        lines = self.type.line(head, Font.STRONG, upper, self.theme.base)
        return lines + (self.type.line(tail, Font.STRONG, lower, self.theme.base) if tail else [])

    def _hands(self, hands: tuple[HandBox, ...], box: Box) -> list[Item]:
        """Return this hand in a filled box and the next one, smaller, in a drawn one."""
        rows = box.rows(58, 42, gap=self.at.px(8)) if len(hands) > 1 else [box]
        items: list[Item] = []
        for number, (hand, row) in enumerate(zip(hands, rows, strict=True)):
            radius, pair = self.at.px(10), self.theme.this_hand
            if number == 0:
                items.append(RoundRect(row, radius, pair.ground))
            else:
                pair = self.theme.next_hand
                items += edged(row, radius, self.at.px(2), pair)
            items += self._hand(hand, row.inset(self.at.px(14), self.at.px(5)), pair)
        return items

    def _hand(self, hand: HandBox, box: Box, pair: Pair) -> list[Text]:
        gap = self.at.px(10)
        anchor: Anchor
        if box.w > 5 * box.h:
            words = box.left_part(box.w * 27 // 100)
            label, detail = words.rows(56, 44) if hand.detail else (words, words)
            price = box.right_part(box.w - words.w - gap)
            anchor = "left"
        else:
            words, price = box.rows(28, 72, gap=self.at.px(5))
            label, detail = words.columns(2, gap)
            anchor = "right"
        most = self.at.px(scale.LABEL)
        lines = self.type.line(
            hand.label, Font.STRONG, label, pair, most=most, anchor="left"
        ) + self._amount(hand.blinds, price, pair)
        if hand.detail:
            most = self.at.px(scale.DETAIL)
            lines += self.type.line(hand.detail, Font.PLAIN, detail, pair, most=most, anchor=anchor)
        return lines

    def _amount(self, blinds: str, box: Box, pair: Pair) -> list[Text]:
        """Return a price in one row, an ante at its right in two short lines."""
        head, _, tail = clean(blinds).partition(" ")
        if not tail:
            return self.type.line(head, Font.STRONG, box, pair)
        gap = self.at.px(10)
        side = box.right_part(box.w * 26 // 100)
        main = box.left_part(box.w - side.w - gap)
        short = self.type.wrapped(tail, Font.STRONG, side, most=main.h, lines=2)
        return [
            *self.type.line(head, Font.STRONG, main, pair),
            *self.type.block(short, Font.STRONG, side, pair),
        ]

    # ---- messages and chips

    def message(self, view: MessageView) -> list[Item]:
        at, base = self.at, self.theme.base
        items = frame_items(view.frame, at, self.theme, self.type)
        body = at.body_above(view.frame.notice)
        items += self._dots(body, self.theme.tones[Tone.WAITING])
        room = body.inset(at.px(30), at.px(24))
        texts = [clean(line) for line in view.lines if clean(line)][: LINES + 1]
        upper, lower = room.rows(55, 45) if texts else (room, room)
        most = at.px(scale.MESSAGE_TITLE)
        title = self.type.wrapped(view.title, Font.STRONG, upper, most=most, lines=2)
        items += self.type.block(title, Font.STRONG, upper, base, most=most)
        most = at.px(scale.MESSAGE_LINE)
        if len(texts) == 1:
            texts = self.type.wrapped(texts[0], Font.PLAIN, lower, most=most, lines=2)
        items += self.type.block(texts, Font.PLAIN, lower, self.theme.soft, most=most)
        return items

    def chip(self, view: ChipView) -> list[Item]:
        at = self.at
        items = frame_items(view.frame, at, self.theme, self.type, corner=bool(view.clock))
        items += self.type.line(view.clock, Font.STRONG, at.corner, self.theme.base, anchor="right")
        title, seat, line = at.body_above(view.frame.notice).rows(40, 40, 20, gap=at.px(10))
        if not view.seat:
            title = Box(title.x, title.y, title.w, seat.bottom - title.y)
        lines = self.type.wrapped(view.title, Font.STRONG, title, most=title.h, lines=2)
        items += self.type.block(lines, Font.STRONG, title, self.theme.base)
        items += self.type.line(view.seat, Font.STRONG, seat, self.theme.base)
        return [*items, *self._verdict(view, line)]

    def _verdict(self, view: ChipView, box: Box) -> list[Item]:
        """Return the line below the seat: a round welcome, or a road block."""
        if not clean(view.line):
            return []
        if view.good:
            pair, sign = self.theme.welcome, Sign.YES
            return pill(view.line, box, pair, sign, self.at, self.type, radius=box.h // 2)
        pair, side = self.theme.wrong, self.at.px(70)
        ends = (box.left_part(side), box.right_part(side))
        bands = [Hatch(end, pair.edge, pair.ground) for end in ends]
        middle = Box(box.x + side, box.y, box.w - 2 * side, box.h)
        words = pill(view.line, middle, pair, Sign.WARNING, self.at, self.type, radius=0)
        return [*bands, *words]
