"""Decks out of files of other programs."""
