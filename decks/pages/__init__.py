"""The page of a deck and what hangs on it: files, links, the decks of a card."""
