"""Owns `tableside journal verify|export|replay|repair DIR`.

The first three only read, also while a master is at work in DIR. No command deletes anything.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware_py.errors import UserError

if TYPE_CHECKING:
    from firmware_py.journal.proof import Proof
    from firmware_py.journal.salvage import Salvage
    from firmware_py.journal.store import Record

BROKEN_CHAIN = 1


def add_parser(subparsers: "argparse._SubParsersAction[Any]") -> None:
    """Add the command to the tree."""
    parser = subparsers.add_parser("journal", help="check, print or repair a journal")
    commands = parser.add_subparsers(metavar="verify|export|replay|repair", required=True)
    export = _command(commands, "export", _export, "print all events, as JSON lines or CSV")
    export.add_argument("--csv", action="store_true", help="for a spreadsheet")
    export.add_argument("--out", type=Path, metavar="FOLDER", help="into a file named by the event")
    _command(commands, "verify", _verify, "prove every event; exit code 1 on a break")
    _command(commands, "replay", _replay, "tell the night event by event")
    repair = _command(commands, "repair", _repair, "write a sound copy of a damaged journal")
    repair.add_argument(
        "--use", action="store_true", help="put the copy in place; the original stays, renamed"
    )


def _command(commands: Any, name: str, run: Any, words: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(name, help=words, description=words)
    parser.add_argument("directory", type=Path, metavar="DIR", help="the state directory")
    parser.set_defaults(run=run)
    return parser


def _path(directory: Path) -> Path:
    from firmware_py.journal.rows import FILE

    path = directory / FILE
    if not path.exists() and not (directory / "journal.lock").exists():
        raise UserError(f"{directory}: holds no journal; name a tableside state directory")
    return path


def _proved(directory: Path) -> "Proof":
    from firmware_py.journal.lock import read_witness
    from firmware_py.journal.proof import prove

    return prove(_path(directory), read_witness(directory))


def _verify(args: argparse.Namespace) -> int:
    from firmware_py.journal.proof import JournalDamaged

    try:
        proof = _proved(args.directory)
    except JournalDamaged as error:
        _say_damage(_path(args.directory))
        print(error, file=sys.stderr)
        return BROKEN_CHAIN
    for (stream, epoch), (last, head) in sorted(proof.heads.items()):
        print(f"{stream}, epoch {epoch}: {last:,} events, chain {head.hex()[:16]}, sound")
    print(f"{proof.held.events:,} events in {len(proof.heads)} streams: all sound")
    return 0


def _say_damage(path: Path) -> None:
    from firmware_py.journal.salvage import salvage

    found = salvage(path)
    for (stream, epoch), whole in sorted(found.whole.items()):
        gaps = _gap_words(found, stream, epoch)
        print(f"{stream}, epoch {epoch}: {len(whole):,} whole events{gaps}")


def _gap_words(found: "Salvage", stream: str, epoch: int) -> str:
    numbers = found.gaps.get((stream, epoch), [])
    named = ", ".join(str(number) for number in numbers[:10])
    more = f" and {len(numbers) - 10:,} more" if len(numbers) > 10 else ""
    return f"; damaged or missing: number {named}{more}" if numbers else ""


def _records(directory: Path) -> "Iterator[Record]":
    """Yield all records of a sound journal; JournalDamaged before the first one otherwise."""
    from firmware_py.journal.rows import all_records, reading

    if not _proved(directory).heads:
        return
    with reading(_path(directory)) as db:
        yield from all_records(db)


def _export(args: argparse.Namespace) -> int:
    records = _records(args.directory)
    if args.out is None:
        if args.csv:
            sys.stdout.reconfigure(newline="")  # type: ignore[union-attr]
        _write(args.csv, records, sys.stdout)
        return 0
    file = _file_for(args.out, args.directory, "csv" if args.csv else "jsonl")
    try:
        with file.open("x", encoding="utf-8-sig" if args.csv else "utf-8", newline="") as out:
            _write(args.csv, records, out)
    except OSError as error:
        raise UserError(f"{file}: cannot be written ({error.strerror})") from error
    print(file)
    return 0


def _write(as_csv: bool, records: "Iterator[Record]", out: Any) -> None:
    from firmware_py.journal.export import json_lines, write_csv

    if as_csv:
        write_csv(records, out)
        return
    for line in json_lines(records):
        out.write(line + "\n")


def _file_for(folder: Path, directory: Path, ending: str) -> Path:
    """Return a name by the newest event in the journal that is not taken in `folder`."""
    from firmware_py.core.codec import decode
    from firmware_py.core.events import TournamentOpened
    from firmware_py.journal.export import safe_name, time_words

    name, day = "event", "undated"
    for record in _records(directory):
        if record.stream == "tournament" and record.number == 1:
            event = decode(record.payload)
            if isinstance(event, TournamentOpened):
                name, day = event.name, time_words(event.at_ns)[:10] or day
    file = folder / safe_name(name, day, ending)
    n = 2
    while file.exists():
        file = folder / safe_name(name, f"{day}-{n}", ending)
        n += 1
    return file


def _replay(args: argparse.Namespace) -> int:
    from firmware_py.journal.replay import story

    for line in story(_records(args.directory)):
        print(line)
    return 0


def _repair(args: argparse.Namespace) -> int:
    from firmware_py.journal.lock import WriterLock, read_witness
    from firmware_py.journal.proof import JournalDamaged, prove

    path = _path(args.directory)
    lock = WriterLock(args.directory)
    try:
        proof = prove(path, read_witness(args.directory))
        print(f"{path}: all {proof.held.events:,} events are sound, nothing to repair")
    except JournalDamaged:
        _repaired(path, lock, use=args.use)
    finally:
        lock.close()
    return 0


def _repaired(path: Path, lock: Any, *, use: bool) -> None:
    from firmware_py.journal.lock import Witness
    from firmware_py.journal.proof import prove
    from firmware_py.journal.repair import fresh_name, put_in_place, write_copy
    from firmware_py.journal.salvage import salvage

    found = salvage(path)
    copy = fresh_name(path.parent, "journal-repaired")
    write_copy(found, copy)
    held = prove(copy, Witness()).held
    _say_damage(path)
    print(f"{copy}: {found.kept:,} whole events kept, {found.dropped:,} dropped")
    if found.gaps:
        print("Where an event was lost between others, its number is kept and stands for nothing")
    if not use:
        print(f"To go on with the copy: tableside journal repair --use {path.parent}")
        return
    aside = fresh_name(path.parent, "journal-damaged")
    put_in_place(copy, path, aside, lock, held)
    print(f"The copy is in use now as {path}; the original is kept as {aside}")
