"""The page of a deck, its files and links."""
