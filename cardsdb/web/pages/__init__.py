"""The pages of a card, a game, a set; comparisons; feeds."""
