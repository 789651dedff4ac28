"""Pure tournament rules: no I/O, no clock, no random source of its own."""
