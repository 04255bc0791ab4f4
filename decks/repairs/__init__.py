"""Repairs: the fewest changes that make a deck legal, found, shown and applied."""
