"""Transports that carry opaque frames between the master and its tables."""
