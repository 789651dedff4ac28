"""Opening, tables, floor calls, alerts: what the master decides besides the clock."""

from firmware_py.core.commands import (
    AnswerFloor,
    EditSegments,
    JoinTable,
    OpenTournament,
    PauseClock,
    RaiseAlert,
    StartClock,
)
from firmware_py.core.events import TableJoined, Unknown
from firmware_py.core.profile import HOUSE
from firmware_py.core.refusals import Refused
from firmware_py.core.roles import Role
from firmware_py.core.structure import Level
from firmware_py.core.tournament import EMPTY, decide, evolve, refusal
from firmware_py.core.tournament_alerts import due_alerts
from tests.unit.core.night import MINUTE, TD, Night, filed, levels, structure

TWO = structure(*levels(1200, 1200))


def join(table: int, unit: str, *, replaces: bool = False) -> JoinTable:
    return JoinTable(actor=unit, role=Role.UNIT, table=table, unit=unit, replaces=replaces)


def test_before_an_event_is_open_everything_else_is_refused():
    for wish in (StartClock(**TD), join(1, "a"), AnswerFloor(**TD, table=1)):
        refused = decide(EMPTY, wish, 0)
        assert isinstance(refused, Refused)
        assert refused.code == "no_event"


def test_an_event_is_opened_once_and_by_the_td():
    wish = OpenTournament(**TD, name="x", structure=TWO, profile=HOUSE, tables=3)
    assert Night(TWO).refused(wish, 0) == "already_open"
    from_dealer = OpenTournament(
        actor="d", role=Role.DEALER, name="x", structure=TWO, profile=HOUSE, tables=3
    )
    refused = refusal(EMPTY, from_dealer, 0)
    assert refused is not None
    assert refused.code == "not_allowed"


def test_an_event_with_a_faulty_structure_is_not_opened():
    bad = structure(*levels(1200, 0))
    wish = OpenTournament(**TD, name="x", structure=bad, profile=HOUSE, tables=3)
    refused = decide(EMPTY, wish, 0)
    assert isinstance(refused, Refused)
    assert refused.words.startswith("row 2: length is 0 seconds")


def test_a_unit_joins_its_table_once():
    night = Night(TWO)
    joined = night.done(join(3, "a"), 0)
    assert isinstance(joined, TableJoined)
    assert joined.epoch == 1
    assert night.command(join(3, "a"), MINUTE) == []


def test_f058_a_unit_that_drops_and_returns_stays_one_entry_in_one_epoch():
    night = Night(TWO)
    for n in range(5):
        night.command(join(7, "a"), n * MINUTE)
    assert [(t.table, t.unit, t.epoch) for t in night.state.tables] == [(7, "a", 1)]
    assert night.state.number == 2


def test_a_taken_table_is_refused_unless_the_old_unit_is_silent():
    night = Night(TWO)
    night.done(join(3, "a"), 0)
    assert night.refused(join(3, "b"), 1) == "table_taken"
    joined = night.done(join(3, "b", replaces=True), 2)
    assert isinstance(joined, TableJoined)
    assert joined.epoch == 2
    assert night.refused(join(3, "a"), 3) == "table_taken"


def test_a_table_outside_the_event_is_refused_with_the_range():
    night = Night(TWO)
    for number in (0, 9, -1):
        outcome = night.command(join(number, "a"), 0)
        assert isinstance(outcome, Refused)
        assert outcome.words == f"There is no table {number}; this event has tables 1 to 8"


def test_tables_stand_in_order():
    night = Night(TWO)
    for number in (5, 2, 8):
        night.done(join(number, f"u{number}"), 0)
    assert [t.table for t in night.state.tables] == [2, 5, 8]


def test_the_td_s_answer_reaches_the_table():
    night = Night(TWO)
    night.done(join(3, "a"), 0)
    night.done(AnswerFloor(**TD, table=3), MINUTE)
    table = night.state.table(3)
    assert table is not None
    assert table.answered_ns == MINUTE


def test_a_dealer_cannot_answer_a_call():
    night = Night(TWO)
    wish = AnswerFloor(actor="d", role=Role.DEALER, table=3)
    assert night.refused(wish, 0) == "not_allowed"


def test_f179_an_observer_changes_nothing_and_is_written_down():
    night = Night.started(TWO)
    looks_on = {"actor": "hall", "role": Role.OBSERVER}
    for wish in (
        PauseClock(**looks_on),
        JoinTable(**looks_on, table=1, unit="hall"),
        RaiseAlert(**looks_on, code="x", table=1, words="x"),
    ):
        number = night.state.number
        assert night.refused(wish, MINUTE) == "not_allowed"
        assert night.state.number == number + 1
    assert night.state.alerts == ()
    assert night.state.tables == ()


def test_an_event_of_a_newer_version_is_counted_and_has_no_effect():
    night = Night.started(TWO)
    strange = Unknown(at_ns=0, actor="master", event_tag="PlayerDrawn", payload=b"x")
    after = evolve(night.state, strange)
    assert (after.unknown, after.number) == (1, night.state.number + 1)
    assert after.schedule == night.state.schedule


def codes(night: Night, at_ns: int) -> list[str]:
    return [alert.code for alert in due_alerts(night.state, at_ns)]


def test_f016_the_td_is_warned_once_when_two_levels_are_left_and_once_in_overtime():
    night = Night.started(filed("main"))
    assert codes(night, 364 * MINUTE) == []
    (warning,) = due_alerts(night.state, 366 * MINUTE)
    assert "22 and 23" in warning.words
    night.done(warning, 366 * MINUTE)
    assert codes(night, 385 * MINUTE) == []
    (overtime,) = due_alerts(night.state, 411 * MINUTE)
    night.done(overtime, 411 * MINUTE)
    assert codes(night, 420 * MINUTE) == []


def test_f016_levels_that_were_added_are_warned_of_anew():
    night = Night.started(structure(*levels(1200, 1200, 1200)))
    (warning,) = due_alerts(night.state, MINUTE)
    night.done(warning, MINUTE)
    longer = (*levels(1200, 1200, 1200, 600, 600, 600),)
    night.done(EditSegments(**TD, segments=longer), 2 * MINUTE)
    assert codes(night, 3 * MINUTE) == []
    assert isinstance(longer[-1], Level)
    assert len(codes(night, 61 * MINUTE)) == 1


def test_nothing_is_warned_of_before_the_start():
    assert codes(Night(TWO), MINUTE) == []
