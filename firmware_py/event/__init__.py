"""The event file that a volunteer edits: reading, checks, defaults, printing."""
