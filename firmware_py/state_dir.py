"""Owns the one directory in which a program keeps its state: journal, keys, learned frequency.

Keys are 32 random bytes in hex, readable by the owner only. The event's key lets a unit take part;
the desk's key lets its holder give the TD's commands.
"""

import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from firmware_py.errors import UserError

KEY_BYTES = 32


def default_state_dir() -> Path:
    """Return $TABLESIDE_STATE, or the user's state directory (XDG base directory)."""
    if named := os.environ.get("TABLESIDE_STATE"):
        return Path(named)
    base = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(base) / "tableside"


@dataclass(frozen=True, slots=True)
class StateDir:
    """The directory `path`, made on first use."""

    path: Path

    @classmethod
    def opened(cls, path: Path) -> "StateDir":
        """Make the directory if need be; UserError when that is not allowed."""
        try:
            path.mkdir(parents=True, exist_ok=True, mode=0o700)
            (path / "keys").mkdir(exist_ok=True, mode=0o700)
        except OSError as error:
            raise UserError(
                f"{path}: cannot keep state here ({error.strerror}); name another with --state"
            ) from error
        return cls(path)

    @property
    def event_key_file(self) -> Path:
        """Where the event's key lies."""
        return self.path / "keys" / "event.key"

    @property
    def desk_key_file(self) -> Path:
        """Where the desk's key lies."""
        return self.path / "keys" / "desk.key"

    @property
    def frequency_file(self) -> Path:
        """Where the follower remembers this board's frequency."""
        return self.path / "frequency"

    @property
    def address_file(self) -> Path:
        """Where a running master leaves its addresses for programs on the same machine."""
        return self.path / "master.json"


def made_key(file: Path) -> bytes:
    """Return the key in `file`, made first if there is none."""
    if not file.exists():
        write_private(file, secrets.token_bytes(KEY_BYTES).hex() + "\n")
    return read_key(file)


def read_key(file: Path) -> bytes:
    """Return the key in `file`; UserError says what is wrong with it and what to do."""
    try:
        key = bytes.fromhex(file.read_text(encoding="ascii").strip())
    except FileNotFoundError as error:
        raise UserError(
            f"{file}: no key here; copy keys/event.key from the master's state directory"
        ) from error
    except (OSError, ValueError) as error:
        raise UserError(f"{file}: not a readable key file ({error}); copy it again") from error
    if len(key) != KEY_BYTES:
        raise UserError(f"{file}: {len(key)} bytes; a key has {KEY_BYTES}; copy the file again")
    return key


def write_private(file: Path, text: str) -> None:
    """Write `text` whole or not at all, readable by the owner only."""
    fresh = file.with_name(file.name + ".new")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    fresh.replace(file)
