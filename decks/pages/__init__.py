"""The page of a deck and what hangs on it: files of it and of cards, links, the decks of a card."""
