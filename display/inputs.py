"""Owns what a screen gives back, as plain data: keys, touches, and its closing."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KeyTyped:
    """A key of the keyboard: a lower-case letter, or a name such as "escape"."""

    name: str
    down: bool


@dataclass(frozen=True, slots=True)
class Closed:
    """The window was closed."""


@dataclass(frozen=True, slots=True)
class Touched:
    """A finger or the left mouse button, in pixels of the screen."""

    x: int
    y: int
    down: bool


Input = KeyTyped | Closed | Touched
