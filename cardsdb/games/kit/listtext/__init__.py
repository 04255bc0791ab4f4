"""Deck lists as text, read and written.

``deck.py`` reads and writes whole lists (``read_deck``, ``write_deck``) with the help of ``line.py`` (a line
with a card), ``reading.py`` (headings, details and title; the result) and ``forms.py`` (ways to write a
count). ``rewriting.py`` changes a list where it stands, ``guess.py`` finds the game of a list.
"""
