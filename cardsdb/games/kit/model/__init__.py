"""The nouns of a game: cards and facts, citations, deck lists, formats, verdicts, glossary and set-up. Values, neither read nor checked."""
