"""Owns the refusal mechanism: a guard, its reason code and its words stand together.

A lamp or a web button that is off is off because `refusal(state, command)` says so, and the
decision asks the same table. The tables themselves stand beside their state, in tournament.py's
and table.py's guards.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from firmware_py.core.events import Event

State = TypeVar("State")
Wish = TypeVar("Wish")


@dataclass(frozen=True, slots=True)
class Refused:
    """An expected no: `code` for programs, `words` for the dealer or the TD."""

    code: str
    words: str
    record: tuple[Event, ...] = ()  # what goes into the stream all the same (rule 8)


@dataclass(frozen=True, slots=True)
class Guard(Generic[State, Wish]):
    """One reason to refuse: `fails(state, command, at_ns)` is true when it applies."""

    code: str
    fails: Callable[[State, Wish, int], bool]
    words: Callable[[State, Wish, int], str] | str

    def refused(self, state: State, command: Wish, at_ns: int) -> Refused | None:
        """Return the refusal, or None when this guard has nothing against it."""
        if not self.fails(state, command, at_ns):
            return None
        words = self.words if isinstance(self.words, str) else self.words(state, command, at_ns)
        return Refused(self.code, words)


def first_refusal(
    guards: Iterable[Guard[State, Wish]], state: State, command: Wish, at_ns: int
) -> Refused | None:
    """Return the first reason against `command`, or None."""
    return next((r for g in guards if (r := g.refused(state, command, at_ns))), None)
