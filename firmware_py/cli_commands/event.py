"""Owns `tableside event new|check|show`: making, checking and printing an event file."""

import argparse
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware_py.errors import UserError

if TYPE_CHECKING:
    from firmware_py.event.file import EventFile


def add_parser(subparsers: "argparse._SubParsersAction[Any]") -> None:
    """Add the command to the tree."""
    parser = subparsers.add_parser("event", help="make, check or print an event file")
    commands = parser.add_subparsers(metavar="new|check|show", required=True)
    new = commands.add_parser("new", help="write an event file to begin with")
    new.add_argument("file", type=Path, nargs="?", default=Path("event.toml"), metavar="FILE")
    new.add_argument("--structure", choices=("main", "sit_and_go"), default="main")
    new.add_argument("--force", action="store_true", help="replace a file that is there")
    new.set_defaults(run=_new)
    for name, run, words in (
        ("check", _check, "say what is wrong with an event file"),
        ("show", _show, "print the night's plan with clock times"),
    ):
        command = commands.add_parser(name, help=words)
        command.add_argument("file", type=Path, metavar="FILE")
        command.set_defaults(run=run)


def read_event(file: Path) -> "EventFile":
    """Return the event in `file`; UserError with a line for each mistake."""
    from firmware_py.event.file import EventFile, load

    event = load(file)
    if not isinstance(event, EventFile):
        raise UserError("\n".join(problem.words for problem in event))
    return event


def _new(args: argparse.Namespace) -> int:
    import datetime

    from firmware_py.event.template import system_zone, template

    file: Path = args.file
    today = datetime.datetime.now().astimezone().date()
    text = template(args.structure, today, system_zone(), shlex.quote(str(file)))
    try:
        with file.open("w" if args.force else "x", encoding="utf-8") as out:
            out.write(text)
    except FileExistsError as error:
        raise UserError(f"{file}: is there already; add --force to replace it") from error
    except OSError as error:
        raise UserError(f"{file}: cannot be written ({error.strerror})") from error
    print(f"{file} is written; edit it, then run: tableside event check {shlex.quote(str(file))}")
    return 0


def _check(args: argparse.Namespace) -> int:
    from firmware_py.core.structure import Break
    from firmware_py.event.plan import span

    event = read_event(args.file)
    segments = event.structure.segments
    breaks = sum(isinstance(segment, Break) for segment in segments)
    for warning in event.warnings:
        print(f"Worth a look: {warning.words}")
    print(
        f"{args.file} is in order: {len(segments) - breaks} levels, {breaks} breaks, "
        f"{span(event.structure.total_s)} in all"
    )
    return 0


def _show(args: argparse.Namespace) -> int:
    from firmware_py.event.plan import plan_lines

    event = read_event(args.file)
    for line in plan_lines(event):
        print(line)
    for warning in event.warnings:
        print(f"Worth a look: {warning.words}")
    return 0
