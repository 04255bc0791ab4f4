"""Collections: the cards that a person owns, those that a deck still lacks, the decks that can be built at
once.
"""
