"""Deck lists as text: read as people write them, and written so that they can be read again."""
