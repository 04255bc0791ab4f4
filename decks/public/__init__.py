"""Public decks: search, likes, favourites, comments; the decks and reviews of a card."""
