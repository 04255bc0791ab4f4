"""The pages of cards, sets and games."""
