"""The demo: a master and its tables as real processes, measured from outside."""
