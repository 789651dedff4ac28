"""Owns the two-state filter: offset and frequency of the master against the local clock.

Offsets are int nanoseconds around a float remainder, so that a timebase of 2^62 ns costs no
precision. Pure; one call for a sample. Process noise is set for temperature, not for the crystal.
"""

import math
from dataclasses import dataclass, replace

FREQUENCY_WALK = 16.0  # ns/s per root second (1.6e-8)
OFFSET_WALK = 3.0  # ns per root second (3e-9)
UNKNOWN_FREQUENCY = 50_000.0  # ns/s: a crystal of which nothing is known (50 ppm)
KNOWN_FREQUENCY = 1_000.0  # ns/s: a frequency remembered from the last run
DOUBTED_FREQUENCY = 250_000.0  # ns/s: the one assumed so far has just failed


@dataclass(frozen=True, slots=True)
class Estimate:
    """Master minus local: `base_ns` + `delta_ns` at local `at_ns`, drifting by `rate` ns/s."""

    at_ns: int
    base_ns: int
    delta_ns: float
    rate: float
    p_offset: float  # variance, ns^2
    p_cross: float  # covariance, ns * ns/s
    p_rate: float  # variance, (ns/s)^2

    def offset_at(self, at_ns: int) -> tuple[int, float]:
        """Return the offset at a local instant as int base and float remainder, ns."""
        return self.base_ns, self.delta_ns + self.rate * (at_ns - self.at_ns) / 1e9

    def sigma_at(self, at_ns: int) -> float:
        """Return the standard deviation of the offset at a local instant, ns."""
        return math.sqrt(max(0.0, predicted(self, at_ns).p_offset))


def begun(at_ns: int, offset_ns: int, sigma_ns: float, rate: float, rate_sigma: float) -> Estimate:
    """Return the estimate that takes the first sample whole."""
    return Estimate(at_ns, offset_ns, 0.0, rate, sigma_ns**2, 0.0, rate_sigma**2)


def predicted(estimate: Estimate, at_ns: int) -> Estimate:
    """Return the estimate carried on to `at_ns`; an instant before its own changes nothing."""
    dt = (at_ns - estimate.at_ns) / 1e9
    if dt <= 0:
        return estimate
    walk = FREQUENCY_WALK**2
    return replace(
        estimate,
        at_ns=at_ns,
        delta_ns=estimate.delta_ns + estimate.rate * dt,
        p_offset=estimate.p_offset
        + dt * (2 * estimate.p_cross + dt * estimate.p_rate)
        + OFFSET_WALK**2 * dt
        + walk * dt**3 / 3,
        p_cross=estimate.p_cross + dt * estimate.p_rate + walk * dt * dt / 2,
        p_rate=estimate.p_rate + walk * dt,
    )


def innovation(estimate: Estimate, at_ns: int, offset_ns: int) -> float:
    """Return how far a measured offset lies from the expected one, ns."""
    base_ns, delta_ns = estimate.offset_at(at_ns)
    return (offset_ns - base_ns) - delta_ns


def corrected(estimate: Estimate, residual_ns: float, sigma_ns: float) -> Estimate:
    """Return the estimate after a measurement with `residual_ns` and noise `sigma_ns`."""
    total = estimate.p_offset + sigma_ns**2
    gain_offset, gain_rate = estimate.p_offset / total, estimate.p_cross / total
    delta_ns = estimate.delta_ns + gain_offset * residual_ns
    whole_ns = round(delta_ns)
    return Estimate(
        at_ns=estimate.at_ns,
        base_ns=estimate.base_ns + whole_ns,
        delta_ns=delta_ns - whole_ns,
        rate=estimate.rate + gain_rate * residual_ns,
        p_offset=(1 - gain_offset) * estimate.p_offset,
        p_cross=(1 - gain_offset) * estimate.p_cross,
        p_rate=max(0.0, estimate.p_rate - gain_rate * estimate.p_cross),
    )
