"""A table's keys, refusals, undo and what it does by order of the TD."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_py.core.codec import decode
from firmware_py.core.commands import (
    AnswerFloor,
    BeginRiffle,
    CallFloor,
    EndFloorCall,
    EndHand,
    FinishDeal,
    JoinTable,
    Misdeal,
    PauseClock,
    PostBlinds,
    ResumeClock,
    UndoTableAction,
)
from firmware_py.core.events import FloorCallEnded
from firmware_py.core.roles import Role
from firmware_py.core.schedule import SECOND, Phase, position
from firmware_py.core.table import directives, refusal, undo_preview
from firmware_py.core.tournament import EMPTY
from tests.unit.core.felt import DEALER, Felt
from tests.unit.core.night import MINUTE, TD, Night, levels, structure

THREE = structure(*levels(1200, 1200, 1200))


def test_one_hand_from_blinds_to_hand_over():
    felt = Felt(Night.started(THREE).state)
    felt.hand(MINUTE)
    felt.done(FinishDeal, MINUTE + 30 * SECOND)
    assert felt.state.in_play
    felt.done(EndHand, 3 * MINUTE)
    assert (felt.state.in_play, felt.state.hands, felt.state.hand) == (False, 1, None)
    assert felt.hand(4 * MINUTE).hand == 2
    assert felt.replayed() == felt.state


def refusals():
    return [
        ([], EndHand, "no_hand"),
        ([], Misdeal, "no_hand"),
        ([], FinishDeal, "no_blinds"),
        ([], UndoTableAction, "nothing"),
        ([], EndFloorCall, "not_called"),
        ([PostBlinds], PostBlinds, "blinds_posted"),
        ([BeginRiffle], BeginRiffle, "riffle_begun"),
        ([BeginRiffle], EndHand, "no_hand"),
        ([PostBlinds, FinishDeal], BeginRiffle, "dealt"),
        ([PostBlinds, FinishDeal], FinishDeal, "dealt"),
        ([CallFloor], CallFloor, "called"),
    ]


@pytest.mark.parametrize(("before", "key", "code"), refusals())
def test_what_makes_no_sense_is_refused_with_words(before, key, code):
    felt = Felt(Night.started(THREE).state)
    for nth, earlier in enumerate(before):
        felt.done(earlier, MINUTE + nth * SECOND)
    refused = felt.refused(key, 2 * MINUTE)
    assert refused.code == code
    assert refused.words


def test_before_an_event_or_its_start_no_hand_begins_but_the_td_can_be_called():
    felt = Felt(EMPTY)
    assert felt.refused(PostBlinds, MINUTE).code == "no_event"
    felt.follow(Night(THREE).state)
    assert felt.refused(PostBlinds, MINUTE).words == "The clock has not started yet"
    felt.done(CallFloor, MINUTE)


def test_each_action_can_be_taken_back_in_turn_and_is_named_before():
    felt = Felt(Night.started(THREE).state)
    felt.hand(MINUTE)
    felt.done(FinishDeal, 2 * MINUTE)
    felt.done(EndHand, 3 * MINUTE)
    felt.done(CallFloor, 4 * MINUTE)
    named = []
    while (preview := undo_preview(felt.state)) is not None:
        named.append(preview)
        felt.done(UndoTableAction, 5 * MINUTE)
    assert named == [
        "the call of the TD",
        "HAND OVER of hand 1",
        "DEALT of hand 1",
        "SHUFFLE of hand 1",
        "BLINDS of hand 1",
    ]
    assert (felt.state.hand, felt.state.hands, felt.state.floor_called_ns) == (None, 0, None)
    assert felt.replayed() == felt.state


def test_f017_undo_after_a_level_change_takes_the_key_back_and_leaves_the_level():
    night = Night.started(THREE)
    felt = Felt(night.state)
    latched = felt.hand(19 * MINUTE)
    felt.done(EndHand, 20 * MINUTE - 2 * SECOND)
    felt.done(UndoTableAction, 20 * MINUTE + 3 * SECOND)
    assert felt.state.hand.latched == latched
    assert felt.state.hand_level.number == 1
    assert position(felt.state.tournament.schedule, 20 * MINUTE + 3 * SECOND).segment == 1


def test_f019_no_key_of_a_table_touches_the_countdown():
    night = Night.started(THREE)
    felt, before = Felt(night.state), night.state.schedule
    now_ns = 20 * MINUTE - 451 * SECOND  # 7:31 left
    for nth, key in enumerate([PostBlinds, BeginRiffle, FinishDeal, EndHand, UndoTableAction]):
        felt.done(key, now_ns + nth * SECOND)
    assert felt.state.tournament.schedule == before
    assert night.at(now_ns + 5 * SECOND).remaining_ns == 446 * SECOND


def test_f013_the_number_of_the_hand_goes_on_through_levels_and_pauses():
    night = Night.started(THREE)
    felt, numbers = Felt(night.state), []
    for minute in (5, 25, 45, 70):
        numbers.append(felt.hand(minute * MINUTE).hand)
        felt.done(EndHand, (minute + 1) * MINUTE)
    assert numbers == [1, 2, 3, 4]


def test_the_answer_of_the_td_ends_the_call_once():
    night = Night.started(THREE)
    night.command(JoinTable(actor="u", role=Role.UNIT, table=3, unit="u"), MINUTE)
    felt = Felt(night.state)
    felt.done(CallFloor, 2 * MINUTE)
    assert directives(felt.state, 2 * MINUTE) == []
    night.done(AnswerFloor(**TD, table=3), 3 * MINUTE)
    felt.follow(night.state)
    ended = directives(felt.state, 3 * MINUTE + 1)
    assert ended == [FloorCallEnded(at_ns=3 * MINUTE + 1, actor="td")]
    felt.write(ended)
    assert felt.state.floor_called_ns is None
    assert directives(felt.state, 4 * MINUTE) == []
    assert undo_preview(felt.state) is None  # the TD's answer is not the dealer's to take back


def test_an_answer_to_an_earlier_call_leaves_a_new_one_standing():
    night = Night.started(THREE)
    night.command(JoinTable(actor="u", role=Role.UNIT, table=3, unit="u"), MINUTE)
    night.done(AnswerFloor(**TD, table=3), 2 * MINUTE)
    felt = Felt(night.state)
    felt.done(CallFloor, 3 * MINUTE)
    assert directives(felt.state, 4 * MINUTE) == []


def test_an_event_of_a_newer_version_is_counted_and_changes_nothing_else():
    felt = Felt(Night.started(THREE).state)
    felt.hand(MINUTE)
    hand = felt.state.hand
    payload = msgspec.msgpack.encode([99, {"type": "SeatSpun", "at_ns": 5, "actor": "x"}])
    felt.write([decode(payload)])
    assert (felt.state.unknown, felt.state.hand) == (1, hand)


KEYS = [
    PostBlinds,
    BeginRiffle,
    FinishDeal,
    EndHand,
    Misdeal,
    CallFloor,
    EndFloorCall,
    UndoTableAction,
    PauseClock,
    ResumeClock,
]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(KEYS), st.integers(1, 4 * MINUTE)), max_size=40))
def test_keys_in_any_order_refusals_keep_the_state_and_a_restart_finds_it_again(steps):
    night = Night.started(THREE)
    felt, now_ns = Felt(night.state), 0
    for kind, wait_ns in steps:
        now_ns += wait_ns
        if kind in (PauseClock, ResumeClock):
            night.command(kind(**TD), now_ns)
            felt.follow(night.state)
            continue
        before, had = felt.state, len(felt.record)
        why = refusal(before, kind(**DEALER), now_ns)
        felt.press(kind, now_ns)
        assert (why is not None) == (len(felt.record) == had)
        assert why is None or felt.state == before
        if kind is not UndoTableAction and felt.state.in_play and not before.in_play:
            assert position(night.state.schedule, now_ns).phase is not Phase.PAUSED
    assert felt.state.number == len(felt.record)
    assert felt.replayed() == felt.state
