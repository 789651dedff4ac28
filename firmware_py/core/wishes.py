"""Owns how a command travels: MessagePack, tagged by its name.

Actor and role inside are what the sender says; the receiver puts in what it knows of the sender.
"""

import msgspec

from firmware_py.core.commands import TournamentCommand

_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(TournamentCommand)


def encode(command: TournamentCommand) -> bytes:
    """Return the command's bytes."""
    return _ENCODER.encode(command)


def decode(payload: bytes) -> TournamentCommand | None:
    """Return the command, None for one that is damaged or of a newer version."""
    try:
        return _DECODER.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
