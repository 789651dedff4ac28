"""Owns the rules that have more than one reading, and which reading is active (rules.md, Options).

The house profile is the filed one (A17); any other choice shows as DEVIATES. Name, lead and
target are no readings of a rule and do not count.
"""

import hashlib
from typing import Literal

import msgspec


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """One choice for each open reading."""

    name: str = "house"
    hand_start: Literal["both", "riffle"] = "both"  # rule 4: what puts a hand in play
    break_start: Literal["expiry", "last_table"] = "expiry"  # rule 4
    hands_while_paused: bool = False  # rule 8: may a table start a hand in a pause
    lead_ms: int = 400  # how far ahead a clock change takes effect
    sync_target_ms: int = 250  # rule 4: a table that flips later than this after the rest is marked

    @property
    def readings(self) -> dict[str, object]:
        """Each rule with more than one reading, and the one chosen."""
        chosen = msgspec.structs.asdict(self)
        return {rule: chosen[rule] for rule in sorted(chosen) if rule not in _NO_READING}

    @property
    def fingerprint(self) -> str:
        """Eight hex digits that stand for the readings, to be compared with the filed ones."""
        text = msgspec.json.encode(self.readings, order="deterministic")
        return hashlib.sha256(text).hexdigest()[:8]


_NO_READING = frozenset({"name", "lead_ms", "sync_target_ms"})

HOUSE = Profile()
TDA = Profile(name="tda", hand_start="riffle")


def deviations(profile: Profile, filed: Profile = HOUSE) -> tuple[str, ...]:
    """Return the rules that are read otherwise than filed; any of them shows as DEVIATES (A17)."""
    asked = filed.readings
    return tuple(rule for rule, chosen in profile.readings.items() if chosen != asked[rule])
