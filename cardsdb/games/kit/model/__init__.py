"""What a game is about: cards, facts, citations, decks as lists, verdicts."""
