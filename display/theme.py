"""Owns the colours: for each thing on a screen an ink and the ground it stands on.

Every ink has at least 7:1 on its ground (WCAG 2.1, 1.4.6); a test measures it on painted screens.
"""

from dataclasses import dataclass

from display.views import Severity, Tone

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Pair:
    """An ink and its ground; `edge` is the frame, bar or hatch that goes with them."""

    ink: Colour
    ground: Colour
    edge: Colour


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """All colours of one look."""

    base: Pair  # the bare screen; the edge is the track of the bar
    soft: Pair  # lesser words on the bare screen
    place: Pair
    tones: dict[Tone, Pair]  # the card of the clock
    badges: dict[Tone, Pair]
    marks: dict[Severity, Pair]
    this_hand: Pair
    next_hand: Pair
    notice: Pair
    welcome: Pair
    wrong: Pair


def _rgb(hexed: str) -> Colour:
    return int(hexed[0:2], 16), int(hexed[2:4], 16), int(hexed[4:6], 16)


def _pair(ink: str, ground: str, edge: str) -> Pair:
    return Pair(_rgb(ink), _rgb(ground), _rgb(edge))


FELT = Theme(
    base=_pair("FBF6E6", "0B211A", "2B5243"),
    soft=_pair("C9DACF", "0B211A", "2B5243"),
    place=_pair("0B211A", "F2C750", "F2C750"),
    tones={
        Tone.NORMAL: _pair("FBF6E6", "12352A", "12352A"),
        Tone.URGENT: _pair("FFD27A", "2A1E06", "FFAE1F"),
        Tone.CALM: _pair("DDEFFF", "12304F", "6FB4EE"),
        Tone.HALTED: _pair("FFFFFF", "4A0D16", "E8505B"),
        Tone.WAITING: _pair("E4ECE7", "0B211A", "8FB3A3"),
    },
    badges={
        Tone.NORMAL: _pair("0B211A", "F2C750", "F2C750"),
        Tone.URGENT: _pair("1C1300", "FFB93D", "FFB93D"),
        Tone.CALM: _pair("0B2036", "A9D4F8", "A9D4F8"),
        Tone.HALTED: _pair("4A0D16", "FFFFFF", "E8505B"),
        Tone.WAITING: _pair("0B211A", "C9DACF", "C9DACF"),
    },
    marks={
        Severity.INFO: _pair("DCEBE2", "0B211A", "7FA895"),
        Severity.WARNING: _pair("1C1300", "FFB93D", "FFB93D"),
        Severity.FAULT: _pair("FFFFFF", "9B1421", "FF8A92"),
    },
    this_hand=_pair("0B211A", "FBF6E6", "F2C750"),
    next_hand=_pair("FBF6E6", "0B211A", "7FA895"),
    notice=_pair("0B211A", "CFE3F5", "2470B3"),
    welcome=_pair("0B211A", "8FE0AE", "8FE0AE"),
    wrong=_pair("1C1300", "FFB93D", "1C1300"),
)

LIGHT = Theme(
    base=_pair("10241C", "F6F3EA", "CFD6CD"),
    soft=_pair("31483E", "F6F3EA", "CFD6CD"),
    place=_pair("FFFFFF", "0E4A36", "0E4A36"),
    tones={
        Tone.NORMAL: _pair("10241C", "FFFFFF", "FFFFFF"),
        Tone.URGENT: _pair("4A2B00", "FFF0CE", "D98200"),
        Tone.CALM: _pair("0B2E52", "DCEBFA", "3B82C4"),
        Tone.HALTED: _pair("5C0A14", "FBE3E3", "B8202E"),
        Tone.WAITING: _pair("24382F", "F6F3EA", "5C7A6D"),
    },
    badges={
        Tone.NORMAL: _pair("FFFFFF", "0E4A36", "0E4A36"),
        Tone.URGENT: _pair("1C1300", "FFB02E", "FFB02E"),
        Tone.CALM: _pair("FFFFFF", "164E86", "164E86"),
        Tone.HALTED: _pair("FFFFFF", "8E1420", "8E1420"),
        Tone.WAITING: _pair("FFFFFF", "31483E", "31483E"),
    },
    marks={
        Severity.INFO: _pair("24382F", "F6F3EA", "5C7A6D"),
        Severity.WARNING: _pair("1C1300", "FFB02E", "FFB02E"),
        Severity.FAULT: _pair("FFFFFF", "9B1421", "9B1421"),
    },
    this_hand=_pair("FFFFFF", "0E4A36", "0E4A36"),
    next_hand=_pair("10241C", "F6F3EA", "5C7A6D"),
    notice=_pair("FFFFFF", "164E86", "8FC4F2"),
    welcome=_pair("FFFFFF", "0E5A36", "0E5A36"),
    wrong=_pair("1C1300", "FFB02E", "1C1300"),
)

THEMES = {"felt": FELT, "light": LIGHT}


def theme_named(name: str) -> Theme:
    """Return the theme; ValueError naming the known ones."""
    if name not in THEMES:
        raise ValueError(f"no theme is called {name!r}; known are: {', '.join(sorted(THEMES))}")
    return THEMES[name]
