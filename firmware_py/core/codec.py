"""Owns how an event becomes bytes and back: MessagePack [schema version, tagged event].

An event of a newer version is kept byte for byte and passed on, shown as such, without effect.
Whoever adds a field or an event to events.py raises SCHEMA: an older program would drop the field.
"""

import msgspec

from firmware_py.core.events import Event, TableEvent, TournamentEvent, Unknown

SCHEMA = 1

_KNOWN = msgspec.msgpack.Decoder(tuple[int, TournamentEvent | TableEvent])
_LOOSE = msgspec.msgpack.Decoder(tuple[int, dict[str, object]])
_ENCODER = msgspec.msgpack.Encoder()
_TAGS = frozenset(
    kind.__name__
    for union in (TournamentEvent, TableEvent)
    for kind in union.__args__
    if kind is not Unknown
)


def encode(event: Event) -> bytes:
    """Return the event's bytes; an Unknown gives back those it came with."""
    if isinstance(event, Unknown):
        return event.payload
    return _ENCODER.encode((SCHEMA, event))


def decode(payload: bytes) -> TournamentEvent | TableEvent:
    """Return the event in `payload`; ValueError when it is damaged."""
    try:
        schema, event = _KNOWN.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return _newer(payload)
    if isinstance(event, Unknown):  # a placeholder never travels
        raise ValueError("a placeholder stands where an event should be")
    return event if schema <= SCHEMA else _newer(payload)


def with_request(event: Event, request: str) -> Event:
    """Return the event with the request that it answers."""
    return msgspec.structs.replace(event, request=request)


def _newer(payload: bytes) -> Unknown:
    """Return what can be known of an event that this version cannot read."""
    try:
        schema, fields = _LOOSE.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"not an event: {error}") from error
    tag, at_ns, actor = fields.get("type"), fields.get("at_ns"), fields.get("actor")
    known = tag in _TAGS and schema <= SCHEMA
    if known or not (isinstance(tag, str) and isinstance(at_ns, int) and isinstance(actor, str)):
        raise ValueError(f"a damaged event ({tag!r}, schema {schema})")
    return Unknown(at_ns=at_ns, actor=actor, event_tag=tag, payload=payload)
