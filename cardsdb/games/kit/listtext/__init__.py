"""Deck lists as text, read and written."""
