"""Public decks: search, likes, favourites, comments; reviews of cards."""
