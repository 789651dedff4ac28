"""Owns kernel receive stamps: asking for them, reading them, and turning them into an age.

The kernel stamps a datagram with the wall clock. Only the age (wall now minus stamp) is of use: it
is taken off the local clock at once, so that no wall time gets further. An age below 0 or above
50 ms means that the wall clock was stepped in between, and is not believed.
"""

import socket
import struct
import time
from collections.abc import Callable

SO_TIMESTAMPNS = 35  # linux/asm-generic socket.h; the message type is the same number
_STAMP = struct.Struct("@ll")
OLDEST_NS = 50_000_000
USER_STAMP_FLOOR_NS = 100_000  # noise of a stamp taken in user space

WallClock = Callable[[], int]


def ask_for_stamps(sock: socket.socket) -> bool:
    """Return whether the kernel will stamp what `sock` receives."""
    try:
        sock.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    except OSError:
        return False
    return True


def receive(
    sock: socket.socket, wall_ns: WallClock = time.time_ns
) -> tuple[bytes, tuple[str, int], int | None]:
    """Return a datagram, its sender, and how long ago it came in; None when unknown."""
    data, ancillary, _, address = sock.recvmsg(2048, 128)
    for level, kind, value in ancillary:
        if level == socket.SOL_SOCKET and kind == SO_TIMESTAMPNS:
            seconds, ns = _STAMP.unpack(value[: _STAMP.size])
            return data, address, believable_age_ns(wall_ns() - (seconds * 10**9 + ns))
    return data, address, None


def believable_age_ns(age_ns: int) -> int | None:
    """Return the age, or None when only a step of the wall clock explains it."""
    return age_ns if 0 <= age_ns <= OLDEST_NS else None
