"""The nouns of a game: cards, facts, citations, deck lists, formats, verdicts, glossary, set-up, play guide,
checklist. Values alone.
"""
