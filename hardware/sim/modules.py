"""Owns the stand-ins for the modules `lgpio` and `spidev`, and putting them in place.

Call `install` once, before the first import of gpiozero's lgpio factory or of mfrc522. gpiozero,
rpi-lgpio and mfrc522 then run unchanged on a simulated board.
"""

import os
import sys
from types import ModuleType
from typing import Any

from hardware.sim.board import Board, SpiDevice

PI_4B = "c03111"
NOTIFY = "_notify_thread"  # lgpio's own name
CONSTANTS = {
    "SET_ACTIVE_LOW": 4,
    "SET_PULL_UP": 32,
    "SET_PULL_DOWN": 64,
    "SET_PULL_NONE": 128,
    "RISING_EDGE": 1,
    "FALLING_EDGE": 2,
    "BOTH_EDGES": 3,
    "GPIO_BUSY": -77,
}
# bits of gpio_get_mode: 1 kernel output, 5-7 pulls, 8 input, 9 output, 10 alert, 17/18 edges
INPUT, OUTPUT, ALERT = 1 << 8, 1 << 9 | 1 << 1, 1 << 10
PULLS = 32 | 64 | 128
EDGE_SHIFT = 17


class LgpioError(Exception):
    """What the real module raises for a negative result."""


class Callback:
    """A running edge callback; `cancel` ends it."""

    def __init__(self, board: Board, handle: int, line: int, call: Any) -> None:
        self._calls = board.line(line).calls
        self._tell = lambda number, level, tick: call(handle, number, level, tick)
        self._calls.append(self._tell)

    def cancel(self) -> None:
        """End it."""
        if self._tell in self._calls:
            self._calls.remove(self._tell)


class NotifyThread:
    """What lgpio calls its one notification thread; here each open board has its own."""

    def __init__(self, boards: dict[int, Board]) -> None:
        self._boards = boards

    def is_alive(self) -> bool:
        """Return false when any of them has died."""
        return all(board.telling() for board in list(self._boards.values()))


class FakeLgpio:
    """The functions of lgpio that gpiozero and rpi-lgpio use; a handle stands for a board."""

    def __init__(self, boards: dict[int, Board]) -> None:
        self._boards = boards
        self._next = 0
        self.newest: Board | None = None

    def gpiochip_open(self, chip: int) -> int:
        """Return a handle on the board that was installed last."""
        if self.newest is None:
            raise LgpioError("can not open gpiochip")
        handle, self._next = self._next, self._next + 1
        self._boards[handle] = self.newest
        return handle

    def gpiochip_close(self, handle: int) -> int:
        """Let go of it."""
        self._boards.pop(handle, None)
        return 0

    def gpio_get_chip_info(self, handle: int) -> list[Any]:
        """Return result, number of lines, name, label."""
        return [0, 54, "gpiochip0", "simulated"]

    def gpio_claim_input(self, handle: int, line: int, flags: int = 0) -> int:
        """Make the line an input with these pulls."""
        self._boards[handle].line(line).mode = INPUT | (flags & PULLS)
        return 0

    def gpio_claim_output(self, handle: int, line: int, level: int = 0, flags: int = 0) -> int:
        """Make the line an output at `level`."""
        there = self._boards[handle].line(line)
        there.mode, there.output = OUTPUT | (flags & PULLS), int(level)
        return 0

    def gpio_claim_alert(
        self, handle: int, line: int, edges: int, flags: int = 0, notify: int = -1
    ) -> int:
        """Make the line an input that tells of edges."""
        self._boards[handle].line(line).mode = ALERT | INPUT | (flags & PULLS) | edges << EDGE_SHIFT
        return 0

    def gpio_free(self, handle: int, line: int) -> int:
        """Give the line back."""
        self._boards[handle].line(line).mode = 0
        return 0

    def gpio_read(self, handle: int, line: int) -> int:
        """Return the level."""
        there = self._boards[handle].line(line)
        pulled_up = bool(there.mode & CONSTANTS["SET_PULL_UP"])
        return there.level(is_output=there.mode & OUTPUT == OUTPUT, pulled_up=pulled_up)

    def gpio_write(self, handle: int, line: int, level: int) -> int:
        """Set an output."""
        self._boards[handle].line(line).output = int(level)
        return 0

    def gpio_get_mode(self, handle: int, line: int) -> int:
        """Return the mode bits."""
        return self._boards[handle].line(line).mode

    def gpio_set_debounce_micros(self, handle: int, line: int, micros: int) -> int:
        """Accepted; this kernel does not debounce."""
        return 0

    def tx_pwm(self, handle: int, line: int, *rest: float) -> int:
        """Accepted: a duty above zero drives the line."""
        self._boards[handle].line(line).output = int(bool(rest and rest[-1] > 0))
        return 0

    def callback(self, handle: int, line: int, edge: int = 0, func: Any = None) -> Callback:
        """Call `func(chip, line, level, tick)` for each edge."""
        return Callback(self._boards[handle], handle, line, func)

    def error_text(self, number: int) -> str:
        """Return words for a result."""
        return f"lgpio error {number}"


class FakeSpi:
    """spidev.SpiDev on a board."""

    newest: Board

    def __init__(self) -> None:
        self.max_speed_hz = 500_000
        self.mode = 0
        self._device: SpiDevice | None = None

    def open(self, bus: int, device: int) -> None:
        """Open a device; FileNotFoundError when nothing is wired there."""
        if (bus, device) not in self.newest.spi:
            raise FileNotFoundError(2, f"/dev/spidev{bus}.{device}")
        self._device = self.newest.spi[bus, device]

    def xfer2(self, sent: list[int]) -> list[int]:
        """Exchange octets."""
        if self._device is None:
            raise OSError(9, "Bad file descriptor")
        return self._device.transfer(list(sent))

    def writebytes(self, sent: list[int]) -> None:
        """Send octets."""
        self.xfer2(sent)

    def close(self) -> None:
        """Let go."""
        self._device = None


_boards: dict[int, Board] = {}
_lgpio = FakeLgpio(_boards)


def install(board: Board) -> None:
    """Put the stand-ins in place of the modules; what is opened from here on is on `board`."""
    os.environ.setdefault("RPI_LGPIO_REVISION", PI_4B)
    _lgpio.newest = FakeSpi.newest = board
    functions = {n: getattr(_lgpio, n) for n in dir(FakeLgpio) if not n.startswith("_")}
    _put("lgpio", CONSTANTS | functions | {"error": LgpioError, NOTIFY: NotifyThread(_boards)})
    _put("spidev", {"SpiDev": FakeSpi})


def _put(name: str, content: dict[str, Any]) -> None:
    """Make the module, or change it under those that have imported it already."""
    module = sys.modules.setdefault(name, ModuleType(name))
    module.__dict__.update(content)
