"""Owns putting a unit's hardware together: `open_hardware("pi" or "sim")` gives the same ports.

The code of pi/ runs in both cases; "sim" puts a simulated board under gpiozero, spidev and mfrc522.
The Pi's libraries are imported in here only when asked for, after the stand-ins stand.
"""

import importlib.util
import os
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from hardware.bench import SimBench
from hardware.errors import HardwareFault, NotAPi
from hardware.pins import Pins
from hardware.ports import BuzzerPort, CardReader, KeyPort, LampPort
from hardware.sim.modules import install
from sync.clock import SECOND, Clock

Kind = Literal["pi", "sim"]
Pause = Callable[[int], None]
INSTEAD = "use --hardware sim to run without one"


@dataclass(frozen=True, slots=True)
class Hardware:
    """A unit's ports; `bench` has the hands for a simulated one. A missing reader is a fault."""

    keys: KeyPort
    lamps: LampPort
    buzzer: BuzzerPort
    reader: CardReader
    bench: SimBench | None
    close: Callable[[], None]


def sleep_ns(ns: int) -> None:
    """Sleep for nanoseconds of real time."""
    time.sleep(ns / SECOND)


def open_hardware(
    kind: Kind,
    clock: Clock,
    pins: Pins = Pins(),  # noqa: B008  frozen
    *,
    pause: Pause = sleep_ns,
    run_dir: Path | None = None,
) -> Hardware:
    """Open everything; NotAPi where there is no Pi.

    `pause(ns)` sleeps on `clock` (a ManualClock's `advance` for a clock moved by hand). `run_dir`
    is this program's own directory for lgpio's pipe, $LG_WD or a new one if not given.
    """
    if kind == "sim":
        return open_simulated(SimBench(clock, pins), clock, pins, pause)
    _is_a_pi()
    return open_on(_real_factory(run_dir), clock, pins, pause)


def open_simulated(bench: SimBench, clock: Clock, pins: Pins, pause: Pause) -> Hardware:
    """Open the ports on the board of `bench`."""
    install(bench.board)
    from hardware.pi.pin_factory import SimulatedPiFactory

    return open_on(SimulatedPiFactory(), clock, pins, pause, bench)


def open_on(
    factory: Any, clock: Clock, pins: Pins, pause: Pause, bench: SimBench | None = None
) -> Hardware:
    """Open the ports on a pin factory; HardwareFault when a line is not to be had."""
    try:
        return _opened(factory, clock, pins, pause, bench)
    except Exception as error:  # lgpio's and gpiozero's errors have no common root
        raise HardwareFault(f"a GPIO line cannot be taken; in use elsewhere? ({error})") from error


def _opened(
    factory: Any, clock: Clock, pins: Pins, pause: Pause, bench: SimBench | None
) -> Hardware:
    from hardware.pi.buzzer import GpioBuzzer
    from hardware.pi.keys import GpioKeys
    from hardware.pi.lamps import ShiftLamps
    from hardware.pi.pin_factory import notifier_alive
    from hardware.pi.reader import open_reader

    with ExitStack() as opened:
        if bench is not None:
            opened.callback(bench.close)
        opened.callback(factory.close)
        keys = GpioKeys(pins, clock, factory, notifier_alive)
        opened.callback(keys.close)
        buzzer = GpioBuzzer(pins.buzzer, factory)
        opened.callback(buzzer.close)
        lamps = ShiftLamps(pins.lamps)
        opened.callback(lamps.close)
        reader = open_reader(pins.reader_reset, clock, pause)
        opened.callback(reader.close)
        return Hardware(keys, lamps, buzzer, reader, bench, opened.pop_all().close)


def _is_a_pi(dev: Path = Path("/dev")) -> None:
    """NotAPi names the first thing that is missing."""
    if not any(dev.glob("gpiochip*")):
        raise NotAPi(f"no GPIO here ({dev}/gpiochip* is missing), so this is not a Pi; {INSTEAD}")
    for module in ("lgpio", "spidev"):
        if module not in sys.modules and importlib.util.find_spec(module) is None:
            raise NotAPi(f"the module {module} is missing (apt: python3-{module}); {INSTEAD}")


def _real_factory(run_dir: Path | None) -> Any:
    _place_of_the_pipe(run_dir)
    before = Path.cwd()
    try:
        from hardware.pi.pin_factory import real_factory

        return real_factory()
    except Exception as error:  # lgpio's and gpiozero's have no common root
        raise NotAPi(f"the GPIO lines cannot be opened ({error}); {INSTEAD}") from None
    finally:
        os.chdir(before)  # lgpio goes to its pipe's directory when it is imported


def _place_of_the_pipe(run_dir: Path | None) -> None:
    """Say where lgpio puts its pipe: importing it fails where that cannot be written."""
    if run_dir is not None:
        run_dir.mkdir(parents=True, exist_ok=True)
        os.environ["LG_WD"] = str(run_dir.resolve())
    elif "LG_WD" not in os.environ:
        os.environ["LG_WD"] = tempfile.mkdtemp(prefix="tableside-gpio-")
