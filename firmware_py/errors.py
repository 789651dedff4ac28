"""Owns the one exception that a program turns into its last words: bad use or bad input."""


class UserError(Exception):
    """Says what is wrong, where, and what to do; one sentence, or one a line. Exit code 2."""
