"""Owns how official time is shown from the local clock: a line that only bends, slews, or steps.

Small errors are slewed at 500 ppm, those of 20 to 250 ms at up to 5,000 ppm, larger ones stepped.
Immutable, so that a display thread may hold one while the link thread makes the next.
"""

from dataclasses import dataclass

MILLISECOND = 1_000_000
SLEW_PPB = 500_000
FAST_SLEW_PPB = 5_000_000
FAST_FROM_NS = 20 * MILLISECOND
STEP_FROM_NS = 250 * MILLISECOND
GIGA = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Mapping:
    """Official = `official` at local `local`, running `rate_ppb` fast, plus a slew for a while."""

    local: int
    official: int
    rate_ppb: int = 0
    slew_ppb: int = 0
    slew_ns: int = 0  # local length of the slew

    def official_ns(self, local_ns: int) -> int:
        """Return the official instant at a local one."""
        passed = local_ns - self.local
        slewed = max(0, min(passed, self.slew_ns))
        return self.official + passed + (passed * self.rate_ppb + slewed * self.slew_ppb) // GIGA

    def local_ns(self, official_ns: int) -> int:
        """Return the first local instant that shows `official_ns` or later."""
        bend = self.official_ns(self.local + self.slew_ns)
        if official_ns <= bend:
            rate, start, base = self.rate_ppb + self.slew_ppb, self.local, self.official
            if official_ns < self.official:
                rate = self.rate_ppb
        else:
            rate, start, base = self.rate_ppb, self.local + self.slew_ns, bend
        local_ns = start + (official_ns - base) * GIGA // (GIGA + rate)
        while self.official_ns(local_ns) < official_ns:
            local_ns += 1
        return local_ns


def stepped(local_ns: int, official_ns: int, rate_ppb: int) -> Mapping:
    """Return the mapping that takes the new time at once."""
    return Mapping(local_ns, official_ns, rate_ppb)


def bent(mapping: Mapping, local_ns: int, wanted_ns: int, rate_ppb: int) -> Mapping | None:
    """Return `mapping` led towards `wanted_ns` without a jump; None when only a step will do."""
    shown_ns = mapping.official_ns(local_ns)
    error_ns = wanted_ns - shown_ns
    if abs(error_ns) >= STEP_FROM_NS:
        return None
    limit = FAST_SLEW_PPB if abs(error_ns) >= FAST_FROM_NS else SLEW_PPB
    if error_ns == 0:
        return Mapping(local_ns, shown_ns, rate_ppb)
    length_ns = max(GIGA, abs(error_ns) * GIGA // limit)
    slew_ppb = error_ns * GIGA // length_ns
    return Mapping(local_ns, shown_ns, rate_ppb, slew_ppb, length_ns)
