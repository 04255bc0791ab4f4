"""Corrections that a visitor proposes, as a patch of a game folder."""
