"""Composition roots: the only place where parts are chosen and wired."""
