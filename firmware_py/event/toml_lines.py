"""Owns finding the line of each key in a TOML text, which the standard library's reader forgets.

Takes a text that tomllib has accepted, gives {key: line}. It walks over values without judging
them; what a value means is tomllib's business.
"""

import re
import tomllib
from bisect import bisect_right

from firmware_py.event.problems import Key

_IDLE = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_BLANK = re.compile(r"[ \t]*")
_KEY = re.compile(r"""[A-Za-z0-9_-]+|"(?:\\.|[^"\\\n])*"|'[^'\n]*'""")
_SCALAR = re.compile(
    r'''"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|[^,\]}\n#]+''',
    re.DOTALL,
)


def lines(text: str) -> dict[Key, int]:
    """Return the line, from 1, of every key, table and array element of a valid TOML text."""
    return _Walk(text.replace("\r\n", "\n")).found_lines()


def line_of(found: dict[Key, int], key: Key) -> int:
    """Return the line of `key`, or of the nearest thing around it that has one."""
    while key and key not in found:
        key = key[:-1]
    return found.get(key, 1)


class _Walk:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._found: dict[Key, int] = {}
        self._rows: dict[Key, int] = {}  # how many [[...]] of each name so far
        self._breaks = [n for n, sign in enumerate(text) if sign == "\n"]

    def found_lines(self) -> dict[Key, int]:
        table: Key = ()
        self._skip(_IDLE)
        while self._at < len(self._text):
            if self._text[self._at] == "[":
                table = self._header()
            else:
                self._pair(table)
            self._skip(_IDLE)
        return self._found

    def _header(self) -> Key:
        row = self._text.startswith("[[", self._at)
        line = self._line()
        self._at += 2 if row else 1
        *outer, last = self._keys()
        self._at += 2 if row else 1
        key: Key = ()
        for name in outer:
            key = self._newest((*key, name))
        key = (*key, last)
        if row:
            self._rows[key] = self._rows.get(key, 0) + 1
        for found in (key, self._newest(key)):
            self._found.setdefault(found, line)
        return self._newest(key)

    def _newest(self, key: Key) -> Key:
        return (*key, self._rows[key] - 1) if key in self._rows else key

    def _keys(self) -> list[str]:
        """Take a dotted key, and the blanks around it."""
        names = []
        while True:
            self._skip(_BLANK)
            raw = self._skip(_KEY)
            names.append(_unquoted(raw))
            self._skip(_BLANK)
            if self._text[self._at : self._at + 1] != ".":
                return names
            self._at += 1

    def _pair(self, table: Key) -> None:
        line = self._line()
        key = table
        for name in self._keys():
            key = (*key, name)
            self._found.setdefault(key, line)
        self._at += 1  # the equals sign
        self._value(key)

    def _value(self, key: Key) -> None:
        self._skip(_BLANK)
        match self._text[self._at]:
            case "[":
                self._array(key)
            case "{":
                self._inline(key)
            case _:
                self._skip(_SCALAR)

    def _array(self, key: Key) -> None:
        row = 0
        while not self._ended("]"):
            self._found[(*key, row)] = self._line()
            self._value((*key, row))
            row += 1

    def _inline(self, key: Key) -> None:
        while not self._ended("}"):
            self._pair(key)

    def _ended(self, closing: str) -> bool:
        """Step over the opening sign or a comma; True after the closing one."""
        self._skip(_IDLE)
        if self._text[self._at] in "[{,":
            self._at += 1
            self._skip(_IDLE)
        if self._text[self._at] != closing:
            return False
        self._at += 1
        return True

    def _skip(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._at)
        if match is None:
            raise ValueError(f"no TOML at {self._at}")
        self._at = match.end()
        return match.group()

    def _line(self) -> int:
        return bisect_right(self._breaks, self._at) + 1


def _unquoted(raw: str) -> str:
    return str(tomllib.loads(f"k = {raw}")["k"]) if raw[0] in "\"'" else raw
