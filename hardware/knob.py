"""Decides when the seat knob has moved a detent, from the levels of its two contacts.

Pure. At a detent both contacts are open. Turned clockwise, A closes first, then B, then A opens,
then B: four quarters. Only a rest reached by at least half the way round counts, so a bouncing
contact counts nothing, and a lost edge never counts backwards. If all do, swap A and B.
"""

_QUARTER = {(True, True): 0, (False, True): 1, (False, False): 2, (True, False): 3}
_MOVED = (0, 1, 0, -1)  # two quarters at once say nothing about the direction


class Quadrature:
    """One knob; contacts are told by level, True for open."""

    def __init__(self) -> None:
        self._levels = [True, True]
        self._way = 0

    def changed(self, contact: int, level: bool) -> int:
        """Take a level of contact 0 (A) or 1 (B); return +1, -1 or 0 detents."""
        before = _QUARTER[self._levels[0], self._levels[1]]
        self._levels[contact] = level
        after = _QUARTER[self._levels[0], self._levels[1]]
        self._way += _MOVED[(after - before) % 4]
        if after != 0:
            return 0
        way, self._way = self._way, 0
        return (way >= 2) - (way <= -2)
