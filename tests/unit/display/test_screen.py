"""The one screen, on SDL's dummy driver: pixels, inputs, refusals."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pygame
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from display import screen as module
from display.errors import NoDisplay
from display.inputs import Closed, KeyTyped, Touched
from display.samples import LEVEL, SAMPLES
from display.screen import Screen, chosen_driver
from display.shapes import PLAIN_CAPITALS, Font, extents
from firmware_py.cli import main
from tests.unit.display.looks import faults


@pytest.fixture(scope="module")
def screen() -> Iterator[Screen]:
    opened = Screen(driver="dummy", title="Table 4")
    yield opened
    opened.close()


def test_equal_views_give_equal_pixels(screen: Screen) -> None:
    screen.draw(LEVEL)
    first = screen.rgb()
    screen.draw(SAMPLES["long"])
    assert screen.rgb() != first
    screen.draw(replace(LEVEL))
    assert screen.rgb() == first
    assert len(first) == 800 * 480 * 3


def test_nothing_of_one_picture_leaks_into_the_next(screen: Screen) -> None:
    pictures = [screen.prepare(replace(LEVEL, clock=f"12:{s:02}")) for s in (34, 33, 32)]
    screen.draw(SAMPLES["long"])
    shown = []
    for picture in pictures:
        screen.show(picture)
        shown.append(screen.rgb())
    fresh = Screen(driver="dummy")
    for second, pixels in zip((34, 33, 32), shown, strict=True):
        fresh.draw(replace(LEVEL, clock=f"12:{second:02}"))
        assert fresh.rgb() == pixels


def test_a_full_cache_changes_no_pixel(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    screen.draw(SAMPLES["long"])
    kept = screen.rgb()
    monkeypatch.setattr(module, "CACHED_PIXELS", 1000)
    screen.draw(SAMPLES["long"])
    assert screen.rgb() == kept


@given(st.text(max_size=40))
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_text_at_all_breaks_the_screen(screen: Screen, text: str) -> None:
    screen.draw(replace(LEVEL, title=text, clock=text, blinds=text, lines=(text,)))


@pytest.mark.parametrize(
    "text", ["♥♦♣♠ Łódź", "\U0001f600", "\0\ud800", "a\u0301\u200b", "A\U000e0100\ufe0f", "卓"]
)
def test_letters_that_the_font_lacks_do_no_harm(screen: Screen, text: str) -> None:
    screen.draw(replace(LEVEL, next_line=text))


@pytest.mark.parametrize("name", SAMPLES)
def test_the_fonts_own_widths_keep_texts_apart(screen: Screen, name: str) -> None:
    assert not faults(SAMPLES[name], screen.size, screen.measure)


@pytest.mark.parametrize("font", Font)
@pytest.mark.parametrize("text", [*sorted(PLAIN_CAPITALS - {" "}), "Égj()", "Åq|"])
def test_ink_stays_within_the_extents_of_its_letters(screen: Screen, font: Font, text: str) -> None:
    file = Path(module.__file__).parent / "fonts" / font.value
    metrics = pygame.Font(file, 400).metrics(text)
    rise, drop = extents(text)
    assert max(m[3] for m in metrics if m) <= rise * 400
    assert -min(m[2] for m in metrics if m) <= drop * 400 + 1


def test_all_figures_are_equally_wide(screen: Screen) -> None:
    for px in (13, 28, 60, 168, 400):
        assert len({screen.measure(figure, Font.STRONG, px) for figure in "0123456789"}) == 1


def test_inputs_are_plain_facts(screen: Screen) -> None:
    screen.inputs()
    for event in (
        pygame.Event(pygame.KEYDOWN, key=pygame.K_b),
        pygame.Event(pygame.KEYUP, key=pygame.K_b),
        pygame.Event(pygame.KEYDOWN, key=pygame.K_ESCAPE),
        pygame.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(30, 40), touch=False),
        pygame.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(30, 40), touch=True),
        pygame.Event(pygame.MOUSEBUTTONUP, button=3, pos=(30, 40), touch=False),
        pygame.Event(pygame.FINGERUP, x=0.5, y=0.25, dx=0, dy=0, touch_id=1, finger_id=1),
        pygame.Event(pygame.QUIT),
    ):
        pygame.event.post(event)
    assert screen.inputs() == [
        KeyTyped("b", True),
        KeyTyped("b", False),
        KeyTyped("escape", True),
        Touched(30, 40, True),
        Touched(400, 120, False),
        Closed(),
    ]


def test_without_a_display_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr(module.Path, "glob", lambda *_: iter(()))
    with pytest.raises(NoDisplay, match="no display here: neither DISPLAY nor WAYLAND_DISPLAY"):
        Screen()


def test_the_desktop_comes_before_the_console(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":7")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert chosen_driver(None) == "x11"
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert chosen_driver(None) == "wayland"
    assert chosen_driver("dummy") == "dummy"


def test_a_driver_that_fails_is_no_display() -> None:
    code = (
        "from display.screen import Screen\nfrom display.errors import NoDisplay\n"
        "try:\n Screen(driver='x11')\nexcept NoDisplay as error:\n print(error)"
    )
    environment = {k: v for k, v in os.environ.items() if k != "DISPLAY"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    assert done.stdout.startswith("the display driver x11 does not work here")
    assert len(done.stdout.splitlines()) == 1


def test_wrong_sizes_themes_and_drivers_are_refused() -> None:
    with pytest.raises(ValueError, match="320x240 is the least"):
        Screen((300, 200), driver="dummy")
    with pytest.raises(ValueError, match="known are: felt, light"):
        Screen(driver="dummy", theme="neon")
    with pytest.raises(ValueError, match="no driver is called 'offscreen'"):
        Screen(driver="offscreen")


def test_a_second_costs_few_milliseconds(screen: Screen) -> None:
    views = [replace(SAMPLES["long"], clock=f"12:{s:02}") for s in range(60)]
    for view in views:
        screen.draw(view)
    took = []
    for view in views:
        began = time.perf_counter()
        screen.draw(view)
        took.append(time.perf_counter() - began)
    assert sorted(took)[30] < 0.02  # measured: a tenth of it; a loaded machine may be slow


def test_the_command_writes_a_picture_of_each_screen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["screens", "--out", str(tmp_path / "p"), "--size", "320x240"]) == 0
    written = {file.stem for file in (tmp_path / "p").glob("*.png")}
    assert written == set(SAMPLES)
    assert len(capsys.readouterr().out.splitlines()) == len(SAMPLES)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--size", "big"], "'big' is no size"),
        (["--size", "200x100"], "320x240 is the least"),
        (["--theme", "neon"], "known are: felt, light"),
    ],
)
def test_the_command_says_what_is_wrong(
    args: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["screens", "--out", str(tmp_path), *args]) == 2
    assert words in capsys.readouterr().err


def test_the_command_says_where_it_cannot_write(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.touch()
    assert main(["screens", "--out", str(file)]) == 2
    assert capsys.readouterr().err.startswith(f"{file}: cannot be written")
