"""The page of a deck, its files and links, and the decks of a card."""
