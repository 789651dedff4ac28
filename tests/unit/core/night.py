"""Owns a tournament played in tests: commands in, the state and its record out."""

import json
from pathlib import Path
from typing import Any

from firmware_py.core.codec import decode, encode
from firmware_py.core.commands import OpenTournament, StartClock, TournamentCommand
from firmware_py.core.events import TournamentEvent
from firmware_py.core.profile import HOUSE, Profile
from firmware_py.core.refusals import Refused
from firmware_py.core.roles import Role
from firmware_py.core.schedule import SECOND, Position, position
from firmware_py.core.structure import Break, Level, Segment, Structure
from firmware_py.core.tournament import EMPTY, Tournament, decide, evolve

MINUTE = 60 * SECOND
LEAD = HOUSE.lead_ms * 1_000_000
TD: dict[str, Any] = {"actor": "td", "role": Role.TD}
DATA = Path(__file__).parents[2] / "cases" / "data" / "structures.json"


def levels(*seconds: int) -> tuple[Segment, ...]:
    """Return levels of these lengths, blinds rising by half."""
    blinds = [(50, 100), (75, 150), (100, 200), (150, 300), (200, 400), (300, 600), (400, 800)]
    return tuple(
        Level(number=n, small_blind=small, big_blind=big, seconds=length)
        for n, ((small, big), length) in enumerate(zip(blinds, seconds, strict=False), 1)
    )


def structure(*segments: Segment) -> Structure:
    """Return a structure of these segments with the main event's chips."""
    return Structure(
        name="test", segments=segments, chips=(25, 100, 500, 1000, 5000, 25000), start_chips=16000
    )


def filed(name: str) -> Structure:
    """Return a default structure of the data folder ("main", "sit_and_go")."""
    removes = {7: (25,), 12: (100, 500), 18: (1000,)} if name == "main" else {7: (25, 100)}
    segments: list[Segment] = []
    for row, part in enumerate(json.loads(DATA.read_text())[name]["rows"], 1):
        seconds = part["minutes"] * 60
        if part["type"] == "break":
            segments.append(Break(seconds=seconds, remove=removes[row]))
            continue
        segments.append(
            Level(
                number=part["level"],
                small_blind=part["small_blind"],
                big_blind=part["big_blind"],
                seconds=seconds,
            )
        )
    return structure(*segments)


class Night:
    """One tournament whose clock is told; `record` holds the events as bytes."""

    def __init__(self, plan: Structure, profile: Profile = HOUSE) -> None:
        """Open the event at 0; nothing has started."""
        self.state: Tournament = EMPTY
        self.record: list[bytes] = []
        self.command(
            OpenTournament(**TD, name="test", structure=plan, profile=profile, tables=8), 0
        )

    @classmethod
    def started(cls, plan: Structure, at_ns: int = 0, profile: Profile = HOUSE) -> "Night":
        """Return a night whose first level begins exactly at `at_ns`."""
        night = cls(plan, profile)
        start_ns = at_ns - profile.lead_ms * 1_000_000
        night.done(StartClock(**TD), start_ns)
        return night

    def command(self, command: TournamentCommand, at_ns: int) -> list[TournamentEvent] | Refused:
        """Decide and evolve; a refusal's record is evolved too."""
        outcome = decide(self.state, command, at_ns)
        events = list(outcome.record) if isinstance(outcome, Refused) else outcome
        for event in events:
            self.state = evolve(self.state, event)
            self.record.append(encode(event))
        return outcome

    def done(self, command: TournamentCommand, at_ns: int) -> TournamentEvent:
        """Command, and return its one event; a refusal is a failure of the test."""
        outcome = self.command(command, at_ns)
        assert isinstance(outcome, list), outcome
        (event,) = outcome
        return event

    def refused(self, command: TournamentCommand, at_ns: int) -> str:
        """Command, and return the code of the refusal, which left the clock as it was."""
        before = self.state.schedule
        outcome = self.command(command, at_ns)
        assert isinstance(outcome, Refused), outcome
        assert outcome.words
        assert self.state.schedule == before
        return outcome.code

    def at(self, t_ns: int) -> Position:
        """Return the position at `t_ns`."""
        return position(self.state.schedule, t_ns)

    def replay_last(self) -> TournamentEvent:
        """Return the newest event, read from its bytes."""
        event = decode(self.record[-1])
        assert isinstance(event, TournamentEvent)
        return event

    def replayed(self) -> Tournament:
        """Return the state that the record alone gives."""
        state = EMPTY
        for payload in self.record:
            state = evolve(state, decode(payload))
        return state
