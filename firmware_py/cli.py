"""The `tableside` command."""
