"""Owns this package's exceptions; a program turns each into one line."""


class DisplayError(Exception):
    """Root for this package."""


class NoDisplay(DisplayError, RuntimeError):
    """There is nothing to draw on: says what is missing and what to do."""
