"""Owns the `tableside` command: one tree of sub-commands, one way to end for all of them.

Each module of cli_commands adds its own parser and imports its heavy parts only when it runs.
Exit codes: 0 fine, 1 the run's own checks failed, 2 wrong use or bad input, 130 Ctrl-C.
"""

import argparse
import importlib
import os
import pkgutil
import sys
from collections.abc import Sequence
from typing import NoReturn

from firmware_py import cli_commands
from firmware_py.errors import UserError

WRONG_USE = 2
INTERRUPTED = 128 + 2  # as a shell says of SIGINT
PIPE_CLOSED = 128 + 13  # and of SIGPIPE


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaint is one line."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and where to read more; exit code 2."""
        self.exit(WRONG_USE, f"{self.prog}: {message}; see {self.prog} --help\n")


def parser() -> argparse.ArgumentParser:
    """Return the whole tree; every leaf sets `run`, which takes the arguments."""
    tree = Parser(prog="tableside", description="One official clock for every poker table.")
    commands = tree.add_subparsers(metavar="COMMAND", required=True)
    for module in pkgutil.iter_modules(cli_commands.__path__):
        importlib.import_module(f"{cli_commands.__name__}.{module.name}").add_parser(commands)
    return tree


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    try:
        args = parser().parse_args(argv)
        code = int(args.run(args))
        sys.stdout.flush()
    except UserError as error:
        print(error, file=sys.stderr)
        return WRONG_USE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    return code


if __name__ == "__main__":
    sys.exit(main())
