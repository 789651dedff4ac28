"""A process that appends events until it is killed, and says each number once it is stored."""

import sys
from pathlib import Path

from firmware_py.journal.sqlite import SqliteJournal


def main(directory: Path) -> None:
    """Append without end."""
    journal = SqliteJournal(directory)
    while True:
        number = journal.last("tournament", 1) + 1
        journal.append("tournament", 1, number, [f"event {number}".encode() * (number % 200 + 1)])
        print(number, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
