"""The official clock: the tournament's decisions, the journal's writer, the hub of all links."""
