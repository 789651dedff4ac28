"""Owns the way from contact edges to finished presses, on the unit's local clock.

Debouncing and holding are hardware's and the panel's business; here they meet, and the instants
at which something is due by itself.
"""

from firmware_py.table.panel import Gestures, Press
from hardware.debounce import Debouncer, Held, KeyEvent, Pressed, Released
from hardware.ports import Edge


class Presses:
    """All keys of one panel."""

    def __init__(self) -> None:
        self._debouncer = Debouncer()
        self._gestures = Gestures()

    def edge(self, edge: Edge) -> list[Press]:
        """Take a raw edge; return the presses that are complete with it."""
        return self._presses(self._debouncer.edge(edge))

    def tick(self, now_ns: int) -> list[Press]:
        """Return the presses that have become complete by `now_ns`."""
        return self._presses(self._debouncer.tick(now_ns))

    def next_ns(self) -> int | None:
        """Return when `tick` has something to say; None when all is at rest."""
        return self._debouncer.next_ns()

    def _presses(self, events: list[KeyEvent]) -> list[Press]:
        return [press for event in events if (press := self._press(event)) is not None]

    def _press(self, event: KeyEvent) -> Press | None:
        match event:
            case Pressed(key, at_ns):
                return self._gestures.down(key, at_ns)
            case Held(key):
                return self._gestures.held(key)
            case Released(key):
                return self._gestures.up(key)
