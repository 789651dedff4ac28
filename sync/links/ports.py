"""Owns what a transport offers: it carries opaque frames and promises nothing about arrival.

Frames may be lost, doubled, delayed or reordered; replication.py copes with that. A transport
reconnects by itself and never raises for network trouble.
"""

from typing import Protocol


class UnitLink(Protocol):
    """A unit's end: one way to the master and back."""

    @property
    def connected(self) -> bool:
        """Whether the transport believes that the other end can be reached."""
        ...

    async def send(self, frame: bytes) -> None:
        """Hand over one frame; silently lost while not connected."""
        ...

    async def receive(self) -> bytes:
        """Wait for the next frame from the master."""
        ...

    async def close(self) -> None:
        """Let go of the transport."""
        ...


class HubLink(Protocol):
    """The master's end: many units, each under the name it gave (`peer`)."""

    async def send(self, peer: str, frame: bytes) -> None:
        """Hand over one frame for `peer`."""
        ...

    async def receive(self) -> tuple[str, bytes]:
        """Wait for the next frame and who it is from."""
        ...

    async def close(self) -> None:
        """Let go of the transport."""
        ...
