"""Readings of the rules, and how a deviation from the filed ones shows (A17)."""

import pytest

from firmware_py.core.profile import HOUSE, TDA, Profile, deviations


def test_the_house_profile_does_not_deviate():
    assert deviations(HOUSE) == ()
    assert deviations(Profile(name="our charity", lead_ms=250)) == ()


def test_each_other_reading_deviates_and_is_named():
    assert deviations(TDA) == ("hand_start",)
    assert deviations(Profile(break_start="last_table", hands_while_paused=True)) == (
        "break_start",
        "hands_while_paused",
    )


def test_a_profile_does_not_deviate_from_itself_when_it_is_the_filed_one():
    assert deviations(TDA, filed=TDA) == ()


@pytest.mark.parametrize(
    "other", [TDA, Profile(break_start="last_table"), Profile(hands_while_paused=True)]
)
def test_the_fingerprint_changes_with_every_reading(other):
    assert other.fingerprint != HOUSE.fingerprint


def test_the_fingerprint_is_of_the_readings_alone_and_stays_the_same_for_ever():
    assert Profile(name="x", lead_ms=0).fingerprint == HOUSE.fingerprint == "835ce842"
