"""Pictures as kept ones: what changed by intention is renewed with TABLESIDE_GOLDEN=write."""

import os
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from display.samples import SAMPLES
from display.screen import Screen

GOLDEN = Path(__file__).parent / "golden"
TABLE, WALL, STANDING = (800, 480), (1920, 1080), (480, 800)
CASES = [
    *((name, TABLE, "felt") for name in SAMPLES),
    *((name, WALL, "felt") for name in ("hall", "break")),
    *((name, TABLE, "light") for name in ("level_hands", "last_minute", "paused", "chip_wrong")),
    *((name, STANDING, "felt") for name in ("level_hands", "long")),
]


@pytest.fixture
def screen(request: pytest.FixtureRequest) -> Iterator[Screen]:
    size, theme = request.param
    opened = Screen(size, theme=theme, driver="dummy")
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("name", "screen"),
    [(name, (size, theme)) for name, size, theme in CASES],
    indirect=["screen"],
    ids=[f"{name}-{w}x{h}-{theme}" for name, (w, h), theme in CASES],
)
def test_every_kind_of_screen_looks_as_its_kept_picture(
    name: str, screen: Screen, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    kept = GOLDEN / f"{request.node.callspec.id}.png"
    screen.draw(SAMPLES[name])
    if os.environ.get("TABLESIDE_GOLDEN") == "write":
        screen.save(kept)
    actual = tmp_path / kept.name
    screen.save(actual)
    assert kept.exists(), (
        f"no {kept.name}; look at {actual}, then renew with TABLESIDE_GOLDEN=write"
    )
    if pygame.image.tobytes(pygame.image.load(kept), "RGB") != screen.rgb():
        pytest.fail(
            f"{kept.name} is not what is drawn now: compare it with {actual}; if the change is "
            "meant, renew with TABLESIDE_GOLDEN=write"
        )


def test_no_picture_is_kept_for_a_screen_that_is_gone() -> None:
    wanted = {f"{name}-{w}x{h}-{theme}.png" for name, (w, h), theme in CASES}
    assert {file.name for file in GOLDEN.glob("*.png")} == wanted
