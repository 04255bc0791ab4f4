"""Read queries in plain words: what a game calls things, and what a player's words mean by it."""
