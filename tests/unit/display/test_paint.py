"""What a screen says and how it stands, on the draw list alone."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from display.paint import paint
from display.samples import FRAME, LEVEL, SAMPLES
from display.shapes import CAP, Box, Fill, Hatch, Picture, RoundRect, Text
from display.theme import THEMES, theme_named
from display.views import (
    ChipView,
    ClockView,
    Frame,
    HandBox,
    Mark,
    MessageView,
    Severity,
    Tone,
)
from tests.unit.display.looks import SIZES, contrast, faults, measure, texts

WORDS = st.one_of(st.just(""), st.text(max_size=60), st.text("ABW 0179:,/", max_size=150))
MARKS = st.builds(Mark, text=WORDS, severity=st.sampled_from(Severity))
FRAMES = st.builds(
    Frame,
    place=WORDS,
    event=WORDS,
    marks=st.lists(MARKS, max_size=6).map(tuple),
    notice=WORDS,
    help=WORDS,
)
HANDS = st.builds(HandBox, label=WORDS, blinds=WORDS, detail=WORDS)
LINES = st.lists(WORDS, max_size=5).map(tuple)
VIEWS = st.one_of(
    st.builds(
        ClockView,
        frame=FRAMES,
        tone=st.sampled_from(Tone),
        title=WORDS,
        clock=st.one_of(WORDS, st.sampled_from(["12:34", "1:02:03", "+3:07"])),
        badge=WORDS,
        progress_permille=st.integers(-5, 2000),
        blinds=WORDS,
        hands=st.lists(HANDS, max_size=3).map(tuple),
        next_line=WORDS,
        lines=LINES,
    ),
    st.builds(MessageView, frame=FRAMES, title=WORDS, lines=LINES),
    st.builds(
        ChipView, frame=FRAMES, title=WORDS, seat=WORDS, line=WORDS, good=st.booleans(), clock=WORDS
    ),
)


@given(
    VIEWS,
    st.one_of(st.sampled_from(SIZES), st.tuples(st.integers(320, 2000), st.integers(240, 1200))),
)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_text_leaves_the_screen_or_lies_on_another(view, size):
    assert not faults(view, size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SAMPLES)
def test_every_sample_keeps_its_texts_apart(name, size):
    assert not faults(SAMPLES[name], size)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", SAMPLES)
def test_every_text_has_a_contrast_of_at_least_7(name, theme):
    for text in texts(SAMPLES[name], theme=theme):
        assert contrast(text.colour, text.ground) >= 7, text


@pytest.mark.parametrize("theme", THEMES)
def test_every_tone_and_severity_has_a_contrast_of_at_least_7(theme):
    look = theme_named(theme)
    for pair in (*look.tones.values(), *look.badges.values(), *look.marks.values()):
        assert contrast(pair.ink, pair.ground) >= 7, pair


@pytest.mark.parametrize("clock", ["12:34", "9:59", "+3:07", "1:30:00"])
def test_clock_digits_take_a_quarter_of_the_height(clock):
    largest = max(texts(replace(LEVEL, clock=clock)), key=lambda text: text.px)
    assert largest.text == clock[: len(largest.text)]
    assert largest.px * CAP >= 480 / 4


def test_blinds_are_second_largest():
    second = sorted(texts(LEVEL), key=lambda text: text.px)[-2]
    assert second.text == "300/600"


def test_the_clock_does_not_move_while_its_seconds_run():
    where = {
        (text.x, text.y, text.px)
        for clock in ("11:11", "10:58", "28:00")
        for text in texts(replace(LEVEL, clock=clock))
        if text.text == clock
    }
    assert len(where) == 1


def test_f121_on_a_wall_minutes_are_twice_as_high_as_seconds():
    shown = {text.text: text.px for text in texts(SAMPLES["hall"], (1920, 1080))}
    assert shown["12"] >= 2 * shown[":34"]


def test_f121_the_last_seconds_on_a_wall_are_large():
    view = replace(LEVEL, frame=Frame(place="HALL"), clock="0:42")
    assert "0:42" in [text.text for text in texts(view)]


def test_this_hand_is_larger_than_the_next():
    this, following = (t for t in texts(SAMPLES["level_hands"]) if t.text == "300/600")
    assert this.px > following.px >= 48
    assert this.y < following.y


def test_hand_boxes_replace_the_blinds():
    view = replace(SAMPLES["level_hands"], blinds="1/2")
    assert "1/2" not in [text.text for text in texts(view)]


def test_four_marks_are_shown_and_the_rest_counted():
    marks = tuple(Mark(text=f"M{i}", severity=Severity.INFO) for i in range(6))
    shown = [t.text for t in texts(replace(LEVEL, frame=replace(FRAME, marks=marks)))]
    assert [text for text in shown if text[0] in "M+"] == ["M0", "M1", "M2", "M3", "+2"]


def test_a_notice_hides_neither_clock_nor_price():
    shown = [text.text for text in texts(SAMPLES["notice"])]
    assert {"12:34", "THIS HAND", "300/600"} <= set(shown)
    assert len([text for text in shown if "UNDO" in text or "Undo" in text]) == 2


def test_tones_differ_by_shape_and_not_by_colour_alone():
    outlines = set()
    for tone in Tone:
        items = paint(replace(LEVEL, tone=tone), (800, 480), theme_named("felt"), measure)
        card = [item for item in items if not isinstance(item, Text) and _in_card(item.box)]
        outlines.add(tuple((type(item), item.box, getattr(item, "radius", 0)) for item in card))
    assert len(outlines) == len(Tone)


def test_severities_differ_by_sign():
    signs = set()
    for severity in Severity:
        frame = replace(FRAME, marks=(Mark(text="M", severity=severity),))
        items = paint(replace(LEVEL, frame=frame), (800, 480), theme_named("felt"), measure)
        signs |= {item.sign for item in items if isinstance(item, Picture)}
    assert len(signs) == len(Severity)


def test_a_wrong_chip_has_a_shape_that_a_right_one_has_not():
    kinds = []
    for name in ("chip_welcome", "chip_wrong"):
        items = paint(SAMPLES[name], (800, 480), theme_named("felt"), measure)
        kinds.append(any(isinstance(item, Hatch) for item in items))
    assert kinds == [False, True]


def test_an_unknown_theme_names_the_known_ones():
    with pytest.raises(ValueError, match="known are: felt, light"):
        theme_named("neon")


def _in_card(box: Box) -> bool:
    return 60 < box.y < 240 and box.right < 595


def test_the_bar_never_leaves_its_track():
    for permille in (-3, 0, 1, 500, 1000, 4000):
        items = paint(
            replace(LEVEL, progress_permille=permille), (800, 480), theme_named("felt"), measure
        )
        bars = [i.box for i in items if isinstance(i, Fill | RoundRect) and i.box.h == 10]
        assert all(bar.x == 16 and bar.right <= 784 for bar in bars)
