"""The catalogue's pages: lists of cards, cards, games, sets, own sets, corrections."""
