"""Simulated people: dealers who press keys, for the demo and the tests."""
