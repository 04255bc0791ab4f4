"""Prints that take longer than somebody waits: stored jobs and who makes them."""
