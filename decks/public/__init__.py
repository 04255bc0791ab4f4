"""Public decks: the query language over them, likes, favourites, comments; and reviews of cards."""
