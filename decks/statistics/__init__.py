"""What a deck comes to: statistics of its game, odds, sample hands."""
