"""What a press means: which command, which sentence, which lamp."""

from dataclasses import replace

import pytest

from firmware_py.core.commands import (
    BeginRiffle,
    CallFloor,
    EndFloorCall,
    EndHand,
    FinishDeal,
    Misdeal,
    PauseClock,
    PostBlinds,
    UndoTableAction,
)
from firmware_py.core.roles import Role
from firmware_py.core.schedule import SECOND
from firmware_py.table.panel import (
    HELP,
    KEYBOARD,
    NO_PLAYERS,
    Ask,
    Gestures,
    Press,
    Tell,
    Wish,
    answer,
    lamps,
)
from hardware.ports import Key
from tests.unit.core.felt import Felt
from tests.unit.core.night import LEAD, MINUTE, TD, Night
from tests.unit.table.screens import THREE, unit


def press(key: Key, at_ns: int = MINUTE, *, held: bool = False) -> Press:
    return Press(key, held=held, at_ns=at_ns)


@pytest.mark.parametrize(
    ("key", "held", "kind"),
    [
        (Key.BLINDS, False, PostBlinds),
        (Key.SHUFFLE, False, BeginRiffle),
        (Key.DEALT, False, FinishDeal),
        (Key.HAND_OVER, False, EndHand),
        (Key.HAND_OVER, True, Misdeal),
        (Key.FLOOR, False, CallFloor),
        (Key.FLOOR, True, EndFloorCall),
        (Key.UNDO, True, UndoTableAction),
    ],
)
def test_each_key_asks_for_its_action_as_the_dealer_of_its_table(key, held, kind):
    wish = answer(unit(Night.started(THREE)), press(key, held=held))
    assert wish == Wish(kind(actor="table/3", role=Role.DEALER), MINUTE)


@pytest.mark.parametrize("key", [Key.OUT, Key.AWAY, Key.CLOCK, Key.REBUY, Key.KNOB])
def test_keys_about_players_say_that_there_are_none(key):
    night = Night.started(THREE)
    assert answer(unit(night), press(key)) == Tell(NO_PLAYERS)
    assert key not in lamps(Felt(night.state).state, MINUTE)


@pytest.mark.parametrize("key", list(Key))
def test_f086_a_press_is_either_short_or_held(key):
    gestures = Gestures()
    first = gestures.down(key, 100)
    held, released = gestures.held(key), gestures.up(key)
    assert sum(found is not None for found in (first, held, released)) == 1


def test_f086_released_before_a_second_only_the_short_action_comes():
    gestures = Gestures()
    assert gestures.down(Key.HAND_OVER, 100) is None
    assert gestures.up(Key.HAND_OVER) == Press(Key.HAND_OVER, held=False, at_ns=100)
    assert gestures.held(Key.HAND_OVER) is None


def test_f085_a_held_key_acts_once_and_nothing_comes_after():
    gestures = Gestures()
    gestures.down(Key.UNDO, 100)
    assert gestures.held(Key.UNDO) == Press(Key.UNDO, held=True, at_ns=100)
    assert gestures.held(Key.UNDO) is None
    assert gestures.up(Key.UNDO) is None


def test_a_key_that_was_down_when_the_unit_started_does_nothing():
    assert Gestures().up(Key.UNDO) is None


def test_the_first_undo_says_what_goes_and_the_second_within_five_seconds_does_it():
    night = Night.started(THREE)
    felt = Felt(night.state)
    felt.hand(MINUTE)
    felt.done(EndHand, 2 * MINUTE)
    asked = answer(unit(night, felt), press(Key.UNDO, 3 * MINUTE))
    assert isinstance(asked, Ask)
    assert asked.words == "UNDO takes back HAND OVER of hand 1; press again within 5 s"
    armed = replace(unit(night, felt), undo_asked=asked.asked)
    assert isinstance(answer(armed, press(Key.UNDO, 3 * MINUTE + 5 * SECOND - 1)), Wish)
    assert isinstance(answer(armed, press(Key.UNDO, 3 * MINUTE + 5 * SECOND)), Ask)


def test_undo_asks_anew_when_something_else_happened_meanwhile():
    night = Night.started(THREE)
    felt = Felt(night.state)
    felt.done(PostBlinds, MINUTE)
    asked = answer(unit(night, felt), press(Key.UNDO, 2 * MINUTE))
    assert isinstance(asked, Ask)
    felt.done(CallFloor, 2 * MINUTE)
    again = answer(unit(night, felt, undo_asked=asked.asked), press(Key.UNDO, 2 * MINUTE + 1))
    assert isinstance(again, Ask)
    assert "the call of the TD" in again.words


def test_undo_with_nothing_to_take_back_says_so():
    told = answer(unit(Night.started(THREE)), press(Key.UNDO))
    assert told == Tell("There is nothing to take back")


def test_lamps_are_on_just_for_what_core_allows():
    night = Night.started(THREE)
    felt = Felt(night.state)
    assert lamps(felt.state, MINUTE) == {Key.BLINDS, Key.SHUFFLE, Key.FLOOR}
    felt.done(PostBlinds, MINUTE)
    assert lamps(felt.state, MINUTE) == {Key.SHUFFLE, Key.DEALT, Key.FLOOR, Key.UNDO}
    felt.done(BeginRiffle, 2 * MINUTE)
    assert lamps(felt.state, 2 * MINUTE) == {Key.DEALT, Key.HAND_OVER, Key.FLOOR, Key.UNDO}
    felt.done(CallFloor, 3 * MINUTE)
    assert Key.FLOOR not in lamps(felt.state, 3 * MINUTE)


def test_lamps_go_out_at_the_very_instant_of_a_pause():
    night = Night.started(THREE)
    night.done(PauseClock(**TD), 5 * MINUTE)
    felt = Felt(night.state)
    assert Key.BLINDS in lamps(felt.state, 5 * MINUTE + LEAD - 2)
    assert lamps(felt.state, 5 * MINUTE + LEAD) == {Key.FLOOR}


def test_every_panel_key_has_a_keyboard_key_and_the_help_names_those_that_act():
    assert set(KEYBOARD.values()) == set(Key)
    assert HELP.startswith("b BLINDS  s SHUFFLE  d DEALT  h HAND OVER")
    assert "OUT" not in HELP
