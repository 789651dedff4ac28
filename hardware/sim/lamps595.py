"""Owns the simulated lamp driver: two 74HC595 in a row; what was shifted in shows at the latch."""

from sync.clock import Clock


class Shift595:
    """Sixteen outputs; `changes` notes when which bits were latched."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.latched = 0
        self.spi_error = False  # a fault to switch on
        self.changes: list[tuple[int, int]] = []

    def transfer(self, sent: list[int]) -> list[int]:
        """Shift in octets; chip select's end latches the last two."""
        if self.spi_error:
            raise OSError(5, "Input/output error")
        bits = int.from_bytes(bytes(sent[-2:]), "big")
        if bits != self.latched:
            self.changes.append((self._clock.now_ns(), bits))
            del self.changes[:-256]
        self.latched = bits
        return [0] * len(sent)
