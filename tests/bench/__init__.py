"""Figures of the design, measured as ratios where they can be."""
