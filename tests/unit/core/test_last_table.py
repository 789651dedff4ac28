"""Option break_start=last_table: the break counts once no hand is in play any more."""

from firmware_py.core.commands import EndHand
from firmware_py.core.last_table import break_due
from firmware_py.core.profile import HOUSE, Profile
from firmware_py.core.schedule import SECOND
from firmware_py.core.structure import Break
from tests.unit.core.felt import Felt
from tests.unit.core.night import MINUTE, Night, levels, structure

PLAN = structure(*levels(1200), Break(seconds=900), *levels(1200, 1200)[1:])
LAST_TABLE = Profile(break_start="last_table")


def test_the_break_waits_for_the_last_hand_and_counts_once():
    night = Night.started(PLAN, profile=LAST_TABLE)
    playing, resting = Felt(night.state), Felt(night.state)
    playing.hand(20 * MINUTE - SECOND)
    tables = (playing.state, resting.state)
    assert break_due(night.state, tables, 22 * MINUTE) is None
    playing.done(EndHand, 24 * MINUTE + 10 * SECOND)
    due = break_due(night.state, (playing.state, resting.state), 24 * MINUTE + 10 * SECOND)
    assert due is not None
    night.done(due, 24 * MINUTE + 10 * SECOND)
    assert night.at(25 * MINUTE).next_flip_ns == 39 * MINUTE + 10 * SECOND
    assert break_due(night.state, (playing.state,), 25 * MINUTE) is None


def test_without_the_option_or_outside_a_break_nothing_is_due():
    assert break_due(Night.started(PLAN, profile=HOUSE).state, (), 21 * MINUTE) is None
    night = Night.started(PLAN, profile=LAST_TABLE)
    assert break_due(night.state, (), 19 * MINUTE) is None
    assert break_due(night.state, (), 21 * MINUTE) is not None
