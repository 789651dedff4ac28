"""Owns starting a program that dies with its parent: `python -m sync.links.child PARENT CMD ...`.

The kernel sends SIGKILL when the thread that started the child is gone (PR_SET_PDEATHSIG), so a
crash or kill -9 of the parent leaves no orphan. Start children from a thread that lives as long as
the process: the main thread.
"""

import ctypes
import os
import signal
import sys
from collections.abc import Sequence

PR_SET_PDEATHSIG = 1  # linux/prctl.h


def command(arguments: Sequence[str]) -> list[str]:
    """Return the command line that runs `arguments` bound to this process."""
    return [sys.executable, "-m", "sync.links.child", str(os.getpid()), *arguments]


def main(arguments: Sequence[str]) -> None:
    """Bind this process to its parent, then become the program."""
    parent, program = int(arguments[0]), list(arguments[1:])
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it died before the kernel knew
        sys.exit(1)
    os.execvp(program[0], program)


if __name__ == "__main__":
    main(sys.argv[1:])
