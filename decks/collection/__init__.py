"""The cards that a person owns, those that a deck lacks, the decks that can be built."""
