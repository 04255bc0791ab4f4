"""Decks that can be played: what a deck still needs by role, and how it may be finished."""
