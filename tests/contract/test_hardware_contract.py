"""What every port promises, whatever clock runs beneath; the hands are the bench's."""

import logging
import threading
from collections.abc import Iterator
from queue import Empty

import pytest

from hardware.bench import SimBench
from hardware.errors import HardwareFault
from hardware.factory import Hardware, open_hardware, open_simulated, sleep_ns
from hardware.pins import Pins
from hardware.ports import Card, CardKind, Edge, Key, ReaderFault, Turn
from hardware.presence import CardGone, CardSeen, ReaderBack, ReaderFailed, SeveralCards
from hardware.reader_thread import ReaderPolls, ReaderThread
from hardware.sim.cards import Classic1K, Ntag213
from sync.clock import MILLISECOND, ManualClock, RawMonotonic

UID = b"\x04\xa3\xc6\xca\xe2\x61\x80"
PAYLOAD = b"0123456789abcdef"


class Panel:
    """Opened hardware with its hands and its clock."""

    def __init__(self, clock: ManualClock | RawMonotonic, pins: Pins) -> None:
        self.clock = clock
        pause = clock.advance if isinstance(clock, ManualClock) else sleep_ns
        self.ports: Hardware = open_hardware("sim", clock, pins, pause=pause)
        assert self.ports.bench is not None
        self.bench: SimBench = self.ports.bench

    def inputs(self) -> list[Edge | Turn]:
        seen = []
        while True:
            try:
                seen.append(self.ports.keys.inputs.get_nowait())
            except Empty:
                return seen


MOVED = Pins(
    keys=dict(zip(Key, (4, 12, 13, 16, 19, 20, 21, 22, 23, 26, 5), strict=True)), knob=(6, 17)
)


@pytest.fixture(params=["by hand", "real time", "other pins"])
def panel(request: pytest.FixtureRequest) -> Iterator[Panel]:
    clock = RawMonotonic() if request.param == "real time" else ManualClock(5)
    panel = Panel(clock, MOVED if request.param == "other pins" else Pins())
    yield panel
    panel.ports.close()


# ---- KeyPort


@pytest.mark.parametrize("key", Key)
def test_a_press_arrives_as_two_edges_of_that_key_and_no_other(panel: Panel, key: Key):
    before_ns = panel.clock.now_ns()
    panel.bench.press(key)
    panel.bench.release(key)
    down, up = panel.inputs()
    assert isinstance(down, Edge)
    assert isinstance(up, Edge)
    assert (down.key, down.down, up.key, up.down) == (key, True, key, False)
    assert before_ns <= down.at_ns <= up.at_ns <= panel.clock.now_ns()


def test_bounces_pass_unfiltered(panel: Panel):
    for _ in range(5):
        panel.bench.press(Key.BLINDS)
        panel.bench.release(Key.BLINDS)
    assert len(panel.inputs()) == 10


def test_opening_tells_of_nothing_and_a_key_that_was_held_tells_of_its_release():
    clock = ManualClock()
    bench = SimBench(clock, Pins())
    bench.board.contact(Pins().keys[Key.UNDO], 0)
    ports = open_simulated(bench, clock, Pins(), clock.advance)
    assert ports.keys.inputs.empty()
    bench.release(Key.UNDO)
    assert ports.keys.inputs.get_nowait() == Edge(Key.UNDO, False, 0)
    ports.close()


@pytest.mark.parametrize("steps", [1, -1, 100, -7])
def test_every_detent_of_the_knob_arrives_in_its_direction(panel: Panel, steps: int):
    panel.bench.turn(steps)
    turns = [turn for turn in panel.inputs() if isinstance(turn, Turn)]
    assert [turn.steps for turn in turns] == [1 if steps > 0 else -1] * abs(steps)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_dead_callback_thread_is_noticed(panel: Panel):
    assert panel.ports.keys.alive()

    def dies(line: int, level: int, tick: int) -> None:
        raise ZeroDivisionError  # ends the thread, as it does lgpio's

    panel.bench.board.line(4).calls.insert(0, dies)
    panel.bench.board.contact(4, 0)
    panel.bench.board.told()
    assert not panel.ports.keys.alive()


def test_a_callback_that_fails_leaves_the_thread_alive_and_is_noticed(panel: Panel):
    class Full:
        def put(self, item: object) -> None:
            raise MemoryError

    whole, panel.ports.keys.inputs = panel.ports.keys.inputs, Full()  # type: ignore[assignment]
    panel.bench.press(Key.CLOCK)
    panel.ports.keys.inputs = whole
    assert not panel.ports.keys.alive()
    panel.bench.press(Key.FLOOR)
    assert [edge.key for edge in panel.inputs() if isinstance(edge, Edge)] == [Key.FLOOR]


# ---- LampPort, BuzzerPort


@pytest.mark.parametrize("key", Key)
def test_each_lamp_lights_alone_and_all_together(panel: Panel, key: Key):
    panel.ports.lamps.show(frozenset([key]))
    assert panel.bench.lamps_lit() == {key}
    panel.ports.lamps.show(frozenset(Key))
    assert panel.bench.lamps_lit() == frozenset(Key)
    panel.ports.lamps.show(frozenset())
    assert [lit for _, lit in panel.bench.lamp_changes] == [{key}, frozenset(Key), frozenset()]


def test_a_lamp_bus_that_fails_is_a_fault_and_the_next_call_tries_again(panel: Panel):
    panel.bench.registers.spi_error = True
    with pytest.raises(HardwareFault, match="lamps"):
        panel.ports.lamps.show(frozenset([Key.OUT]))
    panel.bench.registers.spi_error = False
    panel.ports.lamps.show(frozenset([Key.OUT]))
    assert panel.bench.lamps_lit() == {Key.OUT}


def test_closing_leaves_silence_and_darkness_and_may_be_repeated(panel: Panel):
    panel.ports.lamps.show(frozenset(Key))
    panel.ports.buzzer.sound(True)
    assert panel.bench.buzzer_on
    panel.ports.buzzer.sound(False)
    assert not panel.bench.buzzer_on
    panel.ports.buzzer.sound(True)
    panel.ports.close()
    panel.ports.close()
    assert not panel.bench.buzzer_on
    assert panel.bench.lamps_lit() == frozenset()


# ---- CardReader


@pytest.mark.parametrize(
    ("chip", "kind"),
    [(Ntag213(UID), CardKind.NTAG213), (Classic1K(b"\x8b\x65\x66\xb9"), CardKind.CLASSIC_1K)],
)
def test_what_was_written_on_a_chip_is_read_from_it(panel: Panel, chip, kind: CardKind):
    panel.bench.lay(chip)
    assert panel.ports.reader.write(chip.uid, PAYLOAD) is None
    assert panel.ports.reader.inventory() == (Card(chip.uid, kind, PAYLOAD),)
    panel.bench.take(chip.uid)
    assert panel.ports.reader.inventory() == ()
    assert panel.ports.reader.write(chip.uid, PAYLOAD) == ReaderFault("no_card")


def test_a_pulled_reader_is_a_value_and_works_again_when_replugged(panel: Panel):
    panel.bench.lay(Ntag213(UID))
    panel.bench.unplug_reader()
    assert panel.ports.reader.inventory() == ReaderFault("unplugged")
    assert panel.ports.reader.write(UID, PAYLOAD) == ReaderFault("unplugged")
    panel.bench.plug_reader()
    assert panel.ports.reader.inventory() == (Card(UID, CardKind.NTAG213, bytes(16)),)


def test_a_plug_pulled_between_two_polls_costs_one_poll_at_most(panel: Panel):
    panel.bench.lay(Ntag213(UID))
    panel.ports.reader.inventory()
    panel.bench.unplug_reader()
    panel.bench.plug_reader()
    panel.ports.reader.inventory()
    assert panel.ports.reader.inventory() == (Card(UID, CardKind.NTAG213, bytes(16)),)


def test_a_unit_without_a_reader_runs_and_says_so():
    clock = ManualClock()
    bench = SimBench(clock, Pins())
    del bench.board.spi[0, 0]
    ports = open_simulated(bench, clock, Pins(), clock.advance)
    assert ports.reader.inventory() == ReaderFault("unplugged")
    assert ports.reader.write(UID, PAYLOAD) == ReaderFault("unplugged")
    bench.press(Key.BLINDS)
    assert ports.keys.inputs.get_nowait() == Edge(Key.BLINDS, True, 0)
    ports.close()


def test_nothing_is_printed(panel: Panel, capfd: pytest.CaptureFixture[str]):
    logging.getLogger("mfrc522Logger").error("AUTH ERROR!!")
    panel.bench.lay(Classic1K(b"\x8b\x65\x66\xb9"))
    panel.ports.reader.inventory()
    assert capfd.readouterr() == ("", "")


# ---- polling


def test_a_tap_several_chips_and_a_pulled_plug_are_reported_once_each():
    panel = Panel(ManualClock(), Pins())
    polls, reports = ReaderPolls(panel.ports.reader, panel.clock), []

    def until_rest() -> list[type]:
        for _ in range(6):
            new, next_ns = polls.poll()
            reports.extend(new)
            panel.clock.advance(next_ns - panel.clock.now_ns())  # type: ignore[union-attr]
        told, reports[:] = [type(report) for report in reports], []
        return told

    panel.bench.lay(Ntag213(UID))
    assert until_rest() == [CardSeen]
    panel.bench.lay(Classic1K(b"\x8b\x65\x66\xb9"))
    assert until_rest() == [SeveralCards]
    panel.bench.reader.cards.clear()
    assert until_rest() == [CardGone]
    panel.bench.unplug_reader()
    assert until_rest() == [ReaderFailed]
    panel.bench.plug_reader()
    assert until_rest() == [ReaderBack]
    panel.ports.close()


class Moody:
    """A reader whose driver has a bug while `bad`."""

    bad = True

    def inventory(self) -> tuple[Card, ...]:
        if self.bad:
            raise ZeroDivisionError
        return ()

    def write(self, uid: bytes, payload: bytes) -> None: ...
    def close(self) -> None: ...


def test_a_crash_below_the_thread_is_a_report_and_the_thread_lives_on():
    reader, woken = Moody(), threading.Event()
    thread = ReaderThread(reader, RawMonotonic(), woken.set)
    thread.start()
    failed = thread.reports.get(timeout=5)
    assert isinstance(failed, ReaderFailed)
    assert failed.reason == "crashed: ZeroDivisionError"
    assert woken.wait(5)
    reader.bad = False
    assert isinstance(thread.reports.get(timeout=5), ReaderBack)
    assert thread.alive()
    assert thread.stop()
    assert not thread.alive()


def test_the_thread_reports_a_tap_in_real_time_and_stops_in_the_middle_of_a_poll():
    panel = Panel(RawMonotonic(), Pins())

    def ended_loop() -> None:
        raise RuntimeError("loop is closed")

    thread = ReaderThread(panel.ports.reader, panel.clock, ended_loop)
    thread.start()
    panel.bench.lay(Ntag213(UID))
    seen = thread.reports.get(timeout=5)
    assert isinstance(seen, CardSeen)
    assert seen.card == Card(UID, CardKind.NTAG213, bytes(16))
    begun_ns = panel.clock.now_ns()
    assert thread.stop()
    assert panel.clock.now_ns() - begun_ns < 1000 * MILLISECOND
    panel.ports.close()


def test_a_thread_that_was_never_started_stops():
    assert ReaderThread(Moody(), RawMonotonic()).stop()
