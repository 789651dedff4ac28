"""Decides which timebase a master begins with: the one it had, its next term, or a new one.

Pure. Same boot: time goes on exactly. Other boot: the raw counter began anew, so time goes on from
the last instant that was noted, in a higher term. Nothing noted: a new timebase, whose term counts
minutes of wall time, so that a master with a fresh disk outranks the one that units remember.
"""

from dataclasses import dataclass

from sync.clock import SECOND
from sync.timebase import Timebase

TERM_EPOCH_S = 1_577_836_800  # 2020-01-01 UTC


@dataclass(frozen=True, slots=True)
class Here:
    """This host at this moment."""

    raw_ns: int
    boot_id: str
    wall_ns: int  # since 1970, taken once


def reign(
    noted: Timebase | None, last_official_ns: int | None, here: Here, fresh_id: int
) -> Timebase:
    """Return the timebase to run on; it is a new term unless it is `noted` itself."""
    if noted is None:
        term = max(1, (here.wall_ns // SECOND - TERM_EPOCH_S) // 60)
        return Timebase(
            id=fresh_id,
            term=term,
            official_ns=here.wall_ns,
            raw_ns=here.raw_ns,
            boot_id=here.boot_id,
        )
    if noted.boot_id == here.boot_id and here.raw_ns >= noted.raw_ns:
        return noted
    official_ns = max(noted.official_ns, last_official_ns or 0)
    return noted.resumed(official_ns=official_ns, raw_ns=here.raw_ns, boot_id=here.boot_id)
