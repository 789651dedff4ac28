"""How many links come back together after the server was lost."""

import random

import pytest

from sync.links.nats import HUB_AGAIN_S, UNITS_AGAIN_S, waits_s


def back_s(rng: random.Random, server_back_s: float) -> float:
    """Return when one unit's next try finds the server again."""
    at_s = 0.0
    for wait_s in waits_s(rng, UNITS_AGAIN_S):
        at_s += wait_s
        if at_s >= server_back_s:
            return at_s
    raise AssertionError("the waits end")


@pytest.mark.parametrize("away_s", [0.5, 3.0, 8.0, 25.0])
def test_f059_sixty_units_are_back_in_15_s_and_never_more_than_12_in_half_a_second(away_s: float):
    rng = random.Random(1)
    times = [back_s(random.Random(rng.getrandbits(64)), away_s) for _ in range(60)]
    assert max(times) - away_s < 15
    assert max(sum(start <= at < start + 0.5 for at in times) for start in times) <= 12


def test_the_master_itself_is_back_at_once():
    waits = waits_s(random.Random(1), HUB_AGAIN_S)
    assert max(next(waits) for _ in range(100)) < 0.5
