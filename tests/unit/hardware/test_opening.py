"""Opening: the real lgpio factory on the stand-ins, several panels, off a Pi; the knob alone."""

import random
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from hardware.errors import HardwareFault, NotAPi, PinTaken
from hardware.factory import Hardware, open_hardware, open_on
from hardware.knob import Quadrature
from hardware.pins import Pins
from hardware.ports import Edge, Key
from hardware.sim.cards import Ntag213
from sync.clock import ManualClock, RawMonotonic

UID = b"\x04\xa3\xc6\xca\xe2\x61\x80"
ROOT = str(Path(__file__).parents[3])
LGPIO = Path(sysconfig.get_path("platlib")) / "lgpio.py"


def opened(at_ns: int = 0) -> Hardware:
    clock = ManualClock(at_ns)
    return open_hardware("sim", clock, pause=clock.advance)


def edges(ports: Hardware) -> list[object]:
    return [ports.keys.inputs.get_nowait() for _ in range(ports.keys.inputs.qsize())]


def test_gpiozeros_own_lgpio_factory_runs_on_the_stand_in():
    ports = opened()
    from hardware.pi.pin_factory import SimulatedPiFactory  # not before the stand-ins

    assert ports.bench is not None
    assert SimulatedPiFactory.__mro__[1].__module__ == "gpiozero.pins.lgpio"
    assert not hasattr(sys.modules["lgpio"], "__file__")
    assert ports.bench.board.line(Pins().keys[Key.BLINDS]).mode & 1 << 10  # an alert is claimed
    ports.close()
    assert not ports.bench.board.line(Pins().keys[Key.BLINDS]).calls


def test_two_panels_in_one_process_do_not_hear_each_other():
    one, two = opened(1), opened(2)
    assert one.bench is not None
    assert two.bench is not None
    one.bench.press(Key.AWAY)
    two.lamps.show(frozenset([Key.REBUY]))
    two.bench.lay(Ntag213(UID))
    assert edges(one) == [Edge(Key.AWAY, True, 1)]
    assert edges(two) == []
    assert one.bench.lamps_lit() == frozenset()
    assert one.reader.inventory() == ()
    one.close()
    two.bench.press(Key.OUT)
    assert [edge.key for edge in edges(two)] == [Key.OUT]
    two.close()


class Busy:
    closed = False

    def reserve_pins(self, device: object, *pins: str) -> None:
        raise RuntimeError("GPIO busy")

    release_all = release_pins = lambda self, device, *pins: None

    def close(self) -> None:
        self.closed = True


def test_a_line_that_another_program_holds_is_a_fault_and_nothing_stays_open():
    opened().close()  # the stand-ins stand
    factory, clock = Busy(), ManualClock()
    with pytest.raises(HardwareFault, match="GPIO busy"):
        open_on(factory, clock, Pins(), clock.advance)
    assert factory.closed


OFF_A_PI = """
from pathlib import Path
from hardware.errors import NotAPi
from hardware.factory import open_hardware
from sync.clock import RawMonotonic
before = Path.cwd()
try:
    open_hardware("pi", RawMonotonic(), run_dir=Path("run"))
except NotAPi as error:
    print(error)
assert Path.cwd() == before
"""


LGPIOS_OWN_THREAD = """
import os, struct, sys, threading
threading.excepthook = lambda args: None
import lgpio
from hardware.pi.pin_factory import notifier_alive
told, died = threading.Event(), threading.Event()
good = lgpio.callback(0, 5, func=lambda *args: told.set())
pipe = os.open(".lgd-nfy0", os.O_WRONLY)
tell = lambda line: os.write(pipe, struct.pack("QBBBBI", 1, 0, line, 0, 0, 0))
tell(5)
assert told.wait(5) and notifier_alive()
bad = lgpio.callback(0, 6, func=lambda *args: 1 / 0)
tell(6)
lgpio._notify_thread.join(5)
assert not notifier_alive()
"""


@pytest.mark.skipif(not LGPIO.is_file(), reason="lgpio has a wheel for Python 3.11 only")
def test_the_real_lgpios_thread_dies_of_a_bad_callback_and_is_found_dead(tmp_path: Path):
    subprocess.run(
        [sys.executable, "-c", LGPIOS_OWN_THREAD],
        cwd=tmp_path,
        env={"PYTHONPATH": ROOT, "LG_WD": str(tmp_path)},
        check=True,
        timeout=30,
    )


@pytest.mark.skipif(any(Path("/dev").glob("gpiochip*")), reason="this may be a Pi")
def test_off_a_pi_the_pis_hardware_is_refused_in_one_sentence(tmp_path: Path):
    with pytest.raises(NotAPi, match="--hardware sim"):
        open_hardware("pi", RawMonotonic())
    done = subprocess.run(
        [sys.executable, "-c", OFF_A_PI],
        cwd=tmp_path,
        env={"PYTHONPATH": ROOT},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""
    assert list(tmp_path.iterdir()) == []


def test_two_lamps_on_one_output_and_two_uses_of_a_pin_are_refused():
    with pytest.raises(PinTaken, match="lamp output 3"):
        Pins(lamps={Key.OUT: 3, Key.AWAY: 3})
    with pytest.raises(PinTaken, match="16"):
        Pins(lamps={Key.OUT: 16})
    with pytest.raises(PinTaken, match="pin 24"):
        Pins(knob=(24, 27))


def quarter(step: int) -> list[tuple[int, bool]]:
    clockwise = [(0, False), (1, False), (0, True), (1, True)]
    return clockwise if step > 0 else [(1, False), (0, False), (1, True), (0, True)]


@pytest.mark.parametrize("seed", range(50))
def test_bouncing_contacts_lose_and_invent_no_detent(seed: int):
    rng, knob, counted, meant = random.Random(seed), Quadrature(), [], []
    for _ in range(40):
        step = rng.choice([1, -1])
        meant.append(step)
        for contact, level in quarter(step):
            for _ in range(rng.randrange(4)):
                counted += [knob.changed(contact, level), knob.changed(contact, not level)]
            counted.append(knob.changed(contact, level))
    assert [step for step in counted if step] == meant


def test_a_knob_that_is_wiggled_without_reaching_the_next_detent_counts_nothing():
    knob = Quadrature()
    there = [knob.changed(0, False), knob.changed(1, False)]
    back = [knob.changed(1, True), knob.changed(0, True)]
    assert there + back == [0, 0, 0, 0]


@pytest.mark.parametrize("lost", range(4))
def test_a_lost_edge_costs_one_detent_at_most_and_none_afterwards(lost: int):
    knob = Quadrature()
    moves = [move for n, move in enumerate(quarter(1)) if n != lost]
    assert sum(knob.changed(*move) for move in moves + quarter(1)) == 1
    assert sum(knob.changed(*move) for move in quarter(1)) == 1
