"""Owns the instant at which a screen changes: prepare early, sleep, spin briefly, show, note.

Runs on the main thread (SDL wants it). The picture for the next change is drawn before its
instant, so that the flip itself is one blit; network trouble at the stroke is harmless, since the
instant has been known for long. Sleeps in naps, so that windows get their input.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from display.views import View
from firmware_py.core.schedule import Phase, Schedule, position
from firmware_py.table.mailbox import Newest, OfficialTime
from sync.clock import MILLISECOND, Clock

NAP_NS = 50 * MILLISECOND  # keyboard and touch are looked at this often
GUARD_NS = 12 * MILLISECOND  # this close to a change, nothing else is drawn
SPIN_NS = 300_000  # many units share two cores in the demo: spin no longer than this

Prepared = TypeVar("Prepared")


class ScreenPort(Protocol[Prepared]):
    """What the loop needs of display.screen.Screen."""

    def prepare(self, view: View) -> Prepared:
        """Draw off-screen."""
        ...

    def show(self, prepared: Prepared) -> None:
        """Bring it to the glass."""
        ...


@dataclass(frozen=True, slots=True)
class Scene:
    """All that the display thread knows: what to present, and how time runs.

    `present(at_ns)` gives the view at an official instant, `next_change_ns(at_ns)` the next
    instant at which it changes by itself.
    """

    present: Callable[[int], View]
    next_change_ns: Callable[[int], int]
    schedule: Schedule
    time: OfficialTime
    official: bool  # false while no sample of the master's time has come


@dataclass(frozen=True, slots=True)
class FlipShown:
    """The screen went over to `segment` (index from 0)."""

    segment: int
    revision: int
    official_ns: int  # when the schedule wanted it
    local_ns: int  # when it was shown, on the unit's own clock
    late: bool  # learned of after the instant


class Waiter(Protocol):
    """Sleeps until a local instant; returns false when woken before."""

    def __call__(self, target_ns: int, spin_ns: int) -> bool:
        """Return true once `target_ns` has come."""
        ...


class DisplayLoop(Generic[Prepared]):
    """One screen driven by the newest scene."""

    def __init__(
        self,
        *,
        clock: Clock,
        screen: ScreenPort[Prepared],
        scenes: Newest[Scene],
        wait: Waiter,
        nap: Callable[[], None],
        shown: Callable[[int, int], None],
        flipped: Callable[[FlipShown], None],
    ) -> None:
        """`nap` pumps inputs; `shown(from_ns, to_ns)` hears which official span went by."""
        self._clock = clock
        self._screen = screen
        self._scenes = scenes
        self._wait = wait
        self._nap = nap
        self._shown = shown
        self._flipped = flipped
        self._ready: tuple[View, Prepared] | None = None  # painted, perhaps not shown yet
        self._on_glass: View | None = None
        self._segment: int | None = None
        self._upto_ns: int | None = None

    def step(self) -> None:
        """Show the scene as it is now, then wait for its next change or for a new scene."""
        scene = self._scenes.take()
        now_ns = scene.time.official_ns(self._clock.now_ns())
        self._show(scene, now_ns, scene.present(now_ns), on_time=False)
        while not self._scenes.wake.is_set():
            if not self._next(scene):
                return

    def _next(self, scene: Scene) -> bool:
        """Show the scene's next change at its instant; false when a new scene came first."""
        now_ns = scene.time.official_ns(self._clock.now_ns())
        due_ns = scene.next_change_ns(now_ns)
        view = scene.present(due_ns)
        self._prepare(view)
        flips = self._is_flip(scene, due_ns)
        if not self._until(scene.time.local_ns(due_ns), SPIN_NS if flips else 0):
            return False
        self._show(scene, due_ns, view, on_time=True)
        return True

    def _until(self, target_ns: int, spin_ns: int) -> bool:
        """Nap until `target_ns` (local); false when woken with time to spare."""
        while (left_ns := target_ns - self._clock.now_ns()) > NAP_NS + GUARD_NS:
            woken = not self._wait(target_ns - left_ns + NAP_NS, 0)
            self._nap()
            if woken:
                return False
        deferred = False
        while not self._wait(target_ns, spin_ns):
            if target_ns - self._clock.now_ns() > GUARD_NS:
                return False
            self._scenes.wake.clear()  # too close: the change first, the news right after
            deferred = True
        if deferred:
            self._scenes.wake.set()
        return True

    def _prepare(self, view: View) -> Prepared:
        """Return the picture of `view`; the last one again when it is the same view."""
        if self._ready is None or self._ready[0] != view:
            self._ready = view, self._screen.prepare(view)
        return self._ready[1]

    def _show(self, scene: Scene, at_ns: int, view: View, *, on_time: bool) -> None:
        if view != self._on_glass:
            self._screen.show(self._prepare(view))
            self._on_glass = view
        local_ns = self._clock.now_ns()
        self._note_flip(scene, at_ns, local_ns, on_time=on_time)
        if scene.official:
            self._shown(at_ns if self._upto_ns is None else self._upto_ns, at_ns)
            self._upto_ns = at_ns

    def _is_flip(self, scene: Scene, at_ns: int) -> bool:
        place = position(scene.schedule, at_ns)
        return place.phase is not Phase.WAITING and place.segment != self._segment

    def _note_flip(self, scene: Scene, at_ns: int, local_ns: int, *, on_time: bool) -> None:
        if not scene.official or not self._is_flip(scene, at_ns):
            return
        place = position(scene.schedule, at_ns)
        joined = self._segment is None and not on_time
        self._segment = place.segment
        if joined:  # switched on in mid level: nothing flipped
            return
        self._flipped(
            FlipShown(
                segment=place.segment,
                revision=place.revision,
                official_ns=at_ns - place.elapsed_ns,
                local_ns=local_ns,
                late=not on_time,
            )
        )
