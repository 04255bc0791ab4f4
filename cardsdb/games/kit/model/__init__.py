"""The nouns of a game: cards, facts, citations, formats, verdicts, guides."""
