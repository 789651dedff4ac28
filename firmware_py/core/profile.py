"""Owns the rules that have more than one reading, and which reading is active (rules.md, Options).

The house profile is the filed one (A17); any other choice shows as DEVIATES.
"""

from typing import Literal

import msgspec


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """One choice for each open reading."""

    name: str = "house"
    hand_start: Literal["both", "riffle"] = "both"  # rule 4: what puts a hand in play
    break_start: Literal["expiry", "last_table"] = "expiry"  # rule 4
    hands_while_paused: bool = False  # rule 8: may a table start a hand in a pause
    lead_ms: int = 400  # how far ahead a clock change takes effect


HOUSE = Profile()
TDA = Profile(name="tda", hand_start="riffle")
