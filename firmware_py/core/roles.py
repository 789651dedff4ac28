"""Owns who may act: the roles of rule 8 and their order."""

import enum


class Role(enum.IntEnum):
    """Who gives a command; a higher value may do what a lower one may (rule 8)."""

    OBSERVER = 0
    UNIT = 1  # the table unit itself, or the master's own timers
    DEALER = 2
    DELEGATE = 3  # named by the TD; may run the clock
    TD = 4
    BOARD = 5
