"""The numbers of a deck: statistics of its game, odds, sample hands."""
