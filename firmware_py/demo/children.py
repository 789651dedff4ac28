"""Owns the demo's processes: starting them so that none outlives the demo, and ending them.

Each child gets the death signal of its parent from the kernel (sync.links.child), so that even a
kill -9 of the demo leaves nothing behind.
"""

import contextlib
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sync.links import child

GRACE_S = 3.0


@dataclass(frozen=True, slots=True)
class Child:
    """A running program and where its words go."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path

    def last_words(self, lines: int = 5) -> str:
        """Return the end of what it wrote."""
        text = self.log.read_text(encoding="utf-8", errors="replace")
        return "\n".join(text.strip().splitlines()[-lines:])


class Children:
    """The set of processes of one demo."""

    def __init__(self, logs: Path) -> None:
        self._logs = logs
        self._children: list[Child] = []

    def start(self, name: str, arguments: Sequence[str]) -> Child:
        """Start `tableside ARGUMENTS` as a child that dies with this process."""
        log = self._logs / f"{name}.log"
        command = child.command([sys.executable, "-m", "firmware_py.cli", *arguments])
        with log.open("ab") as out:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        started = Child(name, process, log)
        self._children.append(started)
        return started

    def ended(self) -> Child | None:
        """Return a child that has ended though nobody asked it to, if any."""
        return next((c for c in self._children if c.process.poll() is not None), None)

    def stop(self) -> None:
        """End them all: politely, then after a grace by force."""
        for one in self._children:
            with contextlib.suppress(ProcessLookupError):
                one.process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + GRACE_S
        for one in self._children:
            try:
                one.process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                one.process.kill()
                one.process.wait()
        self._children.clear()
