"""Owns the window or console that is drawn on, and all of pygame: nothing else imports it.

`prepare` paints ahead of time on a surface of its own; `show` only copies and flips, so the
instant of a flip is the caller's. Fonts come from display/fonts by path; SysFont would ask the
system, and each machine would look different.
"""

import os
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # else it greets on stdout
import pygame

from display.errors import NoDisplay
from display.inputs import Closed, Input, KeyTyped, Touched
from display.paint import paint
from display.shapes import Box, Fill, Font, Hatch, Item, Picture, RoundRect, Text
from display.signs import Stroke, strokes
from display.theme import Colour, theme_named
from display.views import View

SMALLEST = (320, 240)
DRIVERS = ("dummy", "x11", "kmsdrm", "wayland")
CACHED_PIXELS = 8_000_000  # of glyphs: 32 MB at most; a table's screens need a tenth
FINE = 4  # signs and stripes are drawn this much larger, then scaled down


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A painted screen, ready to show."""

    surface: pygame.Surface


class Screen:
    """One screen: window, console or, for tests and pictures, memory (driver "dummy")."""

    def __init__(
        self,
        size: tuple[int, int] = (800, 480),
        *,
        theme: str = "felt",
        driver: str | None = None,
        title: str = "",
        position: tuple[int, int] | None = None,
        fullscreen: bool = False,
    ) -> None:
        """Open the screen; NoDisplay if there is none, ValueError for a wrong size or theme."""
        if size[0] < SMALLEST[0] or size[1] < SMALLEST[1]:
            raise ValueError(f"a screen of {size[0]}x{size[1]} is too small; 320x240 is the least")
        self._theme = theme_named(theme)
        self._window = _open(size, chosen_driver(driver), position, fullscreen)
        pygame.display.set_caption(title)
        if fullscreen:
            pygame.mouse.set_visible(False)
        self.size: tuple[int, int] = self._window.get_size()
        self._brush = _Brush()
        self._shown = pygame.Surface(self.size)

    def measure(self, text: str, font: Font, px: int) -> int:
        """Return how wide `text` is drawn, in pixels."""
        return self._brush.measure(text, font, px)

    def prepare(self, view: View) -> Prepared:
        """Return the picture of `view`; it stays as it is, whatever is shown meanwhile."""
        surface = pygame.Surface(self.size)
        self._brush.draw(surface, paint(view, self.size, self._theme, self.measure))
        return Prepared(surface)

    def show(self, prepared: Prepared) -> None:
        """Put a prepared picture on the screen."""
        self._window.blit(prepared.surface, (0, 0))
        pygame.display.flip()
        self._shown = prepared.surface

    def draw(self, view: View) -> None:
        """Prepare and show."""
        self.show(self.prepare(view))

    def save(self, path: Path) -> None:
        """Write what was last shown as PNG; OSError if that is not possible."""
        try:
            pygame.image.save(self._shown, path, "png")
        except pygame.error as error:
            raise OSError(str(error)) from error

    def rgb(self) -> bytes:
        """Return what was last shown, three bytes a pixel, row by row from the top."""
        return pygame.image.tobytes(self._shown, "RGB")

    def inputs(self) -> list[Input]:
        """Return what was typed, touched or closed since the last call."""
        found = (_input(event, self.size) for event in pygame.event.get())
        return [one for one in found if one is not None]

    def close(self) -> None:
        """Give the display back; the fonts go with it."""
        pygame.display.quit()
        pygame.font.quit()


def chosen_driver(asked: str | None) -> str:
    """Return the SDL driver to use; NoDisplay if none was asked for and none is there.

    SDL itself would fall back to one that draws nowhere, and a table would stay black.
    """
    if asked is not None:
        if asked not in DRIVERS:
            raise ValueError(f"no driver is called {asked!r}; known are: {', '.join(DRIVERS)}")
        return asked
    if os.environ.get("WAYLAND_DISPLAY"):
        return "wayland"
    if os.environ.get("DISPLAY"):
        return "x11"
    if any(Path("/dev/dri").glob("card*")):
        return "kmsdrm"
    raise NoDisplay(
        "there is no display here: neither DISPLAY nor WAYLAND_DISPLAY is set and /dev/dri has no "
        "card; start it on a desktop or a console with a screen, or ask for the driver dummy"
    )


def _open(
    size: tuple[int, int], driver: str, position: tuple[int, int] | None, fullscreen: bool
) -> pygame.Surface:
    os.environ["SDL_VIDEODRIVER"] = driver
    os.environ["SDL_FRAMEBUFFER_ACCELERATION"] = "0"  # else a flip costs ten times as much
    if position is not None:
        os.environ["SDL_VIDEO_WINDOW_POS"] = f"{position[0]},{position[1]}"
    else:
        os.environ.pop("SDL_VIDEO_WINDOW_POS", None)
    try:
        pygame.display.init()
        pygame.font.init()
        window = pygame.display.set_mode(size, pygame.FULLSCREEN if fullscreen else 0)
    except pygame.error as error:
        pygame.display.quit()
        raise NoDisplay(
            f"the display driver {driver} does not work here ({error}); "
            "connect a screen, choose another driver, or see that this user may use it"
        ) from error
    if pygame.display.get_driver().lower() != driver:
        got = pygame.display.get_driver()
        pygame.display.quit()
        raise NoDisplay(f"SDL took the driver {got} instead of {driver}; choose another driver")
    return window


def _input(event: pygame.Event, size: tuple[int, int]) -> Input | None:
    if event.type in (pygame.KEYDOWN, pygame.KEYUP):
        return KeyTyped(pygame.key.name(event.key).lower(), event.type == pygame.KEYDOWN)
    if event.type == pygame.QUIT:
        return Closed()
    if event.type in (pygame.FINGERDOWN, pygame.FINGERUP):
        x, y = int(event.x * size[0]), int(event.y * size[1])
        return Touched(x, y, event.type == pygame.FINGERDOWN)
    if event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        if event.button != pygame.BUTTON_LEFT or getattr(event, "touch", False):
            return None  # SDL also tells each touch as a mouse
        x, y = event.pos
        return Touched(x, y, event.type == pygame.MOUSEBUTTONDOWN)
    return None


class _Brush:
    """Draws items; keeps fonts and glyphs, not whole texts, which would never end."""

    def __init__(self) -> None:
        self._fonts: dict[tuple[Font, int], pygame.Font] = {}
        self._advances: dict[tuple[Font, int], dict[str, tuple[int, int]]] = {}
        self._glyphs: dict[tuple[Font, int, Colour, str], pygame.Surface] = {}
        self._patches: dict[Picture | Hatch, pygame.Surface] = {}
        self._discs: dict[tuple[int, Colour], pygame.Surface] = {}
        self._pixels = 0

    def measure(self, text: str, font: Font, px: int) -> int:
        """Return the sum of the advances: glyphs are set one by one, without kerning."""
        known = self._advances.setdefault((font, px), {})
        return sum((known.get(c) or self._advance(c, font, px))[1] for c in text)

    def draw(self, surface: pygame.Surface, items: list[Item]) -> None:
        for item in items:
            match item:
                case Fill():
                    surface.fill(item.colour, _rect(item.box))
                case RoundRect():
                    self._round_rect(surface, item)
                case Text():
                    self._text(surface, item)
                case Picture() | Hatch():
                    surface.blit(self._patch(item), (item.box.x, item.box.y))

    def _round_rect(self, surface: pygame.Surface, item: RoundRect) -> None:
        box, colour = item.box, item.colour
        r = min(item.radius, box.w // 2, box.h // 2)
        surface.fill(colour, (box.x + r, box.y, box.w - 2 * r, box.h))
        surface.fill(colour, (box.x, box.y + r, box.w, box.h - 2 * r))
        if r < 1:
            return
        if (r, colour) not in self._discs:
            self._make_room(4 * r * r)
            self._discs[r, colour] = _disc(r, colour)
        for x, u in ((box.x, 0), (box.right - r, r)):
            for y, v in ((box.y, 0), (box.bottom - r, r)):
                surface.blit(self._discs[r, colour], (x, y), (u, v, r, r))

    def _font(self, font: Font, px: int) -> pygame.Font:
        if (font, px) not in self._fonts:
            with resources.as_file(resources.files("display") / "fonts" / font.value) as path:
                self._fonts[font, px] = pygame.Font(path, px)
        return self._fonts[font, px]

    def _advance(self, letter: str, font: Font, px: int) -> tuple[int, int]:
        """Return how far the ink begins left of the pen, and the width of a glyph."""
        metrics = self._font(font, px).metrics(letter)[0]
        found = (min(0, metrics[0]), metrics[4]) if metrics else (0, 0)
        self._advances.setdefault((font, px), {})[letter] = found
        return found

    def _text(self, surface: pygame.Surface, item: Text) -> None:
        top = item.y - self._font(item.font, item.px).get_ascent()
        known, x = self._advances.setdefault((item.font, item.px), {}), item.x
        blits = []
        for letter in item.text:
            bearing, advance = known.get(letter) or self._advance(letter, item.font, item.px)
            if not letter.isspace():
                blits.append((self._glyph(letter, item), (x + bearing, top)))
            x += advance
        surface.blits(blits, doreturn=False)

    def _glyph(self, letter: str, item: Text) -> pygame.Surface:
        key = (item.font, item.px, item.colour, letter)
        if key not in self._glyphs:
            try:
                glyph = self._font(item.font, item.px).render(letter, True, item.colour)
            except pygame.error:  # a variation selector and its like have no width
                glyph = pygame.Surface((0, 0))
            self._make_room(glyph.get_width() * glyph.get_height())
            self._glyphs[key] = glyph
        return self._glyphs[key]

    def _patch(self, item: Picture | Hatch) -> pygame.Surface:
        if item not in self._patches:
            self._make_room(item.box.w * item.box.h)
            self._patches[item] = _patch(item)
        return self._patches[item]

    def _make_room(self, pixels: int) -> None:
        self._pixels += pixels
        if self._pixels > CACHED_PIXELS:
            self._glyphs.clear()
            self._patches.clear()
            self._discs.clear()
            self._fonts.clear()
            self._pixels = pixels


def _rect(box: Box) -> tuple[int, int, int, int]:
    return box.x, box.y, box.w, box.h


def _disc(radius: int, colour: Colour) -> pygame.Surface:
    """Return a smooth disc on nothing; its four quarters are the corners of a round box."""
    side = 2 * radius
    large = pygame.Surface((side * FINE, side * FINE), pygame.SRCALPHA)
    large.fill((*colour, 0))  # the ink's own colour, so that edges do not darken
    pygame.draw.circle(large, colour, (radius * FINE, radius * FINE), radius * FINE)
    return pygame.transform.smoothscale(large, (side, side))


def _patch(item: Picture | Hatch) -> pygame.Surface:
    """Return a sign or stripes, drawn large and scaled down for smooth edges."""
    w, h = item.box.w, item.box.h
    large = pygame.Surface((w * FINE, h * FINE))
    large.fill(item.ground)
    for stroke in strokes(item):
        colour = item.colour if stroke.ink else item.ground
        _stroke(large, stroke, colour)
    return pygame.transform.smoothscale(large, (w, h))


def _stroke(large: pygame.Surface, stroke: Stroke, colour: Colour) -> None:
    unit = large.get_height()
    points = [(x * unit, y * unit) for x, y in stroke.points]
    if stroke.radius:
        pygame.draw.circle(large, colour, points[0], stroke.radius * unit)
    else:
        pygame.draw.polygon(large, colour, points)
