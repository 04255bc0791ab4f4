"""The smallest change of cards that makes a deck legal."""
