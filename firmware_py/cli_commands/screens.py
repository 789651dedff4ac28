"""Owns `tableside screens`: a picture of every kind of screen, drawn without a display."""

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware_py.errors import UserError

if TYPE_CHECKING:
    from display.screen import Screen


def add_parser(subparsers: "argparse._SubParsersAction[Any]") -> None:
    """Add the command to the tree."""
    parser = subparsers.add_parser("screens", help="write a picture of every kind of screen")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--size", default="800x480", metavar="WxH")
    parser.add_argument("--theme", default="felt", metavar="NAME", help="felt or light")
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    from display.samples import SAMPLES

    out: Path = args.out
    screen = _screen(_size(args.size), args.theme)
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, view in SAMPLES.items():
            screen.draw(view)
            screen.save(out / f"{name}.png")
            print(out / f"{name}.png")
    except OSError as error:
        raise UserError(f"{out}: cannot be written ({error.strerror or error})") from error
    finally:
        screen.close()
    return 0


def _size(text: str) -> tuple[int, int]:
    """Return width and height; UserError unless both are numbers of up to four digits."""
    found = re.fullmatch(r"([1-9]\d{0,3})x([1-9]\d{0,3})", text, re.ASCII)
    if found is None:
        raise UserError(f"--size: {text!r} is no size; give width and height as in 800x480")
    return int(found[1]), int(found[2])


def _screen(size: tuple[int, int], theme: str) -> "Screen":
    from display.screen import Screen

    try:
        return Screen(size, theme=theme, driver="dummy")
    except ValueError as error:
        raise UserError(f"tableside screens: {error}") from error
