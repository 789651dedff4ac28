"""Decides which contact changes are presses: the first edge counts at once, bounces do not.

Pure, on injected times. After an accepted edge the key is quiet until it has not bounced for
`quiet_ns`; what it rests at then is the truth. A worn switch that clicks twice within 120 ms gives
one press. Whether a press acts when it begins or ends is the panel's choice.
"""

from dataclasses import dataclass

from hardware.ports import Edge, Key

MILLISECOND = 1_000_000
QUIET_NS = 25 * MILLISECOND
HOLD_NS = 1_000 * MILLISECOND
DOUBLE_NS = 120 * MILLISECOND


@dataclass(frozen=True, slots=True)
class Pressed:
    """The key went down."""

    key: Key
    at_ns: int


@dataclass(frozen=True, slots=True)
class Held:
    """The key has been down for a second; reported once."""

    key: Key
    at_ns: int


@dataclass(frozen=True, slots=True)
class Released:
    """The key went up; `held` when a Held came before."""

    key: Key
    at_ns: int
    held: bool


KeyEvent = Pressed | Held | Released


@dataclass(slots=True)
class _Contact:
    down: bool = False  # as reported
    raw: bool = False  # as the contact was seen last
    quiet_until_ns: int | None = None
    pressed_ns: int | None = None
    held: bool = False
    swallowed: bool = False  # the second click of a worn switch


class Debouncer:
    """All keys of one panel."""

    def __init__(self, quiet_ns: int = QUIET_NS, hold_ns: int = HOLD_NS) -> None:
        self._quiet_ns = quiet_ns
        self._hold_ns = hold_ns
        self._contacts = {key: _Contact() for key in Key}

    def edge(self, edge: Edge) -> list[KeyEvent]:
        """Take one raw edge; return what it means, with what has come due before it."""
        events = self.tick(edge.at_ns)
        contact = self._contacts[edge.key]
        contact.raw = edge.down
        quiet = contact.quiet_until_ns is not None
        contact.quiet_until_ns = edge.at_ns + self._quiet_ns
        if not quiet and edge.down != contact.down:
            events += self._turned(edge.key, contact, edge.at_ns)
        return events

    def tick(self, now_ns: int) -> list[KeyEvent]:
        """Return what has come due by `now_ns`: ends of quiet times, long presses."""
        events: list[KeyEvent] = []
        for key, contact in self._contacts.items():
            until_ns = contact.quiet_until_ns
            if until_ns is not None and now_ns >= until_ns:
                contact.quiet_until_ns = None
                if contact.raw != contact.down:
                    events += self._turned(key, contact, until_ns)
            held_ns = self._held_at_ns(contact)
            if held_ns is not None and now_ns >= held_ns:
                contact.held = True
                events.append(Held(key, held_ns))
        return sorted(events, key=lambda event: event.at_ns)

    def next_ns(self) -> int | None:
        """Return when `tick` has something to say; None when all is at rest."""
        instants = [
            instant
            for contact in self._contacts.values()
            for instant in (contact.quiet_until_ns, self._held_at_ns(contact))
            if instant is not None
        ]
        return min(instants, default=None)

    def _held_at_ns(self, contact: _Contact) -> int | None:
        waiting = contact.down and not contact.held and not contact.swallowed
        if not waiting or contact.pressed_ns is None or not contact.raw:
            return None
        return contact.pressed_ns + self._hold_ns

    def _turned(self, key: Key, contact: _Contact, at_ns: int) -> list[KeyEvent]:
        contact.down = not contact.down
        if not contact.down:
            held, contact.held = contact.held, False
            return [] if contact.swallowed else [Released(key, at_ns, held)]
        before_ns = contact.pressed_ns
        contact.swallowed = before_ns is not None and at_ns - before_ns < DOUBLE_NS
        if contact.swallowed:
            return []
        contact.pressed_ns = at_ns
        return [Pressed(key, at_ns)]
