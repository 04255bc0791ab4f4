"""What a person owns, what a deck still lacks, which decks can be built at once."""
