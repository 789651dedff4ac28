"""Owns the time server: who gets an answer, which one, and the thread that gives it.

`answer` is pure. The thread has nothing else to do, so that the master's other work does not delay
stamps. Nobody without a key gets a byte, and no reply is longer than its request.
"""

import socket
import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from sync.clock import SECOND, Clock
from sync.ntp import auth, packet
from sync.ntp.packet import Base, Dropped, Packet
from sync.stamps import ask_for_stamps, receive
from sync.timebase import Timebase

TIME_PORT = 11123
STRATUM = 1
REFERENCE_ID = b"TBLS"
A_SECOND = 16  # requests that one address may make
BURST = 32
ADDRESSES_KEPT = 4096
COST_SHARE = 0.05  # weight of a new MAC's cost in the running mean


@dataclass(frozen=True, slots=True)
class Request:
    """An accepted request and the key it came under."""

    packet: Packet
    key_id: int


def accepted(data: bytes, keys: Mapping[int, bytes]) -> Request | Dropped:
    """Return the request in `data`, or why it gets no answer."""
    checked = auth.verified(data, keys)
    if isinstance(checked, Dropped):
        return checked
    parsed = packet.decode(checked[0])
    if isinstance(parsed, Dropped):
        return parsed
    if parsed.mode != packet.CLIENT:
        return Dropped("mode")
    if parsed.transmit == 0:
        return Dropped("zero_stamp")
    return Request(parsed, checked[1])


def answer(request: Request, base: Base | None, received_ns: int, sent_ns: int) -> Packet:
    """Return the reply; without a timebase one that says "not ready" (leap 3, stratum 0)."""
    ready = base is not None
    return Packet(
        mode=packet.SERVER,
        leap=0 if ready else packet.UNSYNCHRONISED,
        stratum=STRATUM if ready else 0,
        poll=request.packet.poll,
        root_delay=1,
        root_dispersion=1,
        reference_id=REFERENCE_ID if ready else b"\0\0\0\0",
        reference=packet.to_stamp(received_ns),
        origin=request.packet.transmit,
        receive=packet.to_stamp(received_ns),
        transmit=packet.to_stamp(sent_ns),
        base=base if request.packet.base is not None else None,
    )


class RateLimit:
    """A bucket for each address; pure but for what it remembers."""

    def __init__(self) -> None:
        self._buckets: dict[tuple[str, int], tuple[int, float]] = {}

    def allows(self, address: tuple[str, int], now_ns: int) -> bool:
        """Return whether `address` may have one more answer at `now_ns`."""
        if len(self._buckets) >= ADDRESSES_KEPT and address not in self._buckets:
            self._buckets.pop(next(iter(self._buckets)))
        then_ns, level = self._buckets.pop(address, (now_ns, float(BURST)))
        level = min(float(BURST), level + (now_ns - then_ns) / SECOND * A_SECOND)
        allowed = level >= 1
        self._buckets[address] = (now_ns, level - 1 if allowed else level)
        return allowed


class TimeServer:
    """Answers on one UDP socket from a thread of its own."""

    def __init__(
        self,
        sock: socket.socket,
        keys: Mapping[int, bytes],
        clock: Clock,
        timebase: Timebase,
        revision: int = 0,
    ) -> None:
        """`sock` is bound already; the server owns it from here."""
        self._sock = sock
        self._keys = keys
        self._clock = clock
        self.timebase = timebase
        self.revision = revision
        self.dropped: Counter[str] = Counter()
        self.answered = 0
        self._limit = RateLimit()
        self._cost_ns = 0.0
        self._stopping = False
        ask_for_stamps(sock)
        sock.settimeout(0.5)
        self._thread = threading.Thread(target=self._serve, name="time-server", daemon=True)

    @property
    def port(self) -> int:
        """The UDP port it answers on."""
        return int(self._sock.getsockname()[1])

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread and let go of the port."""
        self._stopping = True
        if self._thread.ident is not None:
            self._thread.join()
        self._sock.close()

    def _serve(self) -> None:
        while not self._stopping:
            try:
                data, address, age_ns = receive(self._sock)
            except TimeoutError:
                continue
            except OSError:
                self.dropped["socket"] += 1
                continue
            self._handle(data, address, self._clock.now_ns() - (age_ns or 0))

    def _handle(self, data: bytes, address: tuple[str, int], received_raw_ns: int) -> None:
        request = accepted(data, self._keys)
        if isinstance(request, Dropped):
            self.dropped[request.reason] += 1
            return
        if not self._limit.allows(address, received_raw_ns):
            self.dropped["rate"] += 1
            return
        timebase = self.timebase
        base = Base(timebase.id, timebase.term, self.revision)
        before_ns = self._clock.now_ns()
        reply = answer(
            request, base, timebase.at(received_raw_ns), timebase.at(before_ns + int(self._cost_ns))
        )
        wire = auth.signed(reply.encode(), request.key_id, self._keys[request.key_id])
        cost_ns = self._clock.now_ns() - before_ns
        self._cost_ns += (cost_ns - self._cost_ns) * (COST_SHARE if self.answered else 1.0)
        try:
            self._sock.sendto(wire, address)
        except OSError:
            self.dropped["send"] += 1
            return
        self.answered += 1
