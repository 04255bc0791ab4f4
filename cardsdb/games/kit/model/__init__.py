"""The nouns of a game: cards, facts, citations, formats, verdicts, guides.

All are immutable values. From the bottom: ``text``, ``likeness``; ``cards``, ``rulebook``, ``effects``;
``decklist``, ``marks``, ``print_words``, ``names`` (find cards by name); ``format`` (rules and verdicts);
``guides`` and ``play_guide``.
"""
