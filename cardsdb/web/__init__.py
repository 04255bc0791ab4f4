"""The catalogue's pages: cards, games, sets, own sets, corrections."""
