"""How much one query may ask. A longer, wider or deeper one is cut and says so."""

from __future__ import annotations

MAX_CHARACTERS = 1024
MAX_TERMS = 40
MAX_DEPTH = 20
# Fields to sort by.
MAX_ORDERS = 5
# Characters of a regular expression, and bytes that its automaton may take.
MAX_PATTERN = 200
# Steps of its automaton: a count such as .{12} is that many. With more, re2 may leave its quick way of matching.
MAX_PATTERN_STEPS = 150
# Regular expressions in one query.
MAX_PATTERNS = 3
MAX_PATTERN_MEMORY = 2**20
# Problems that are told one by one, and suggestions to each.
MAX_PROBLEMS = 20
MAX_SUGGESTIONS = 3
# Flags or facts that a message names.
MAX_NAMED = 12
# Names whose spelling is looked up; the others are only searched for.
MAX_NAMES_LOOKED_UP = 5
# Values as conditions of their own; more are shorter as a pattern or a list, and no limit of a database comes near.
MAX_VALUES = 20
# Facts of a card that others may be similar in, and words of one of them.
MAX_SIMILAR = 60
MAX_SIMILAR_WORDS = 12
