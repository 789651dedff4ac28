"""Chip-level simulators that stand under the real libraries, and the bench that works them."""
