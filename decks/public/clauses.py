"""A query for decks as understood: its clauses, each with its condition on decks and its phrase, and the
whole query in plain words.

``query.py`` makes a ``DeckQuery`` from the text that was typed, ``listing.py`` finds its decks, and
``views.py`` says it with ``in_words``. The tests are in ``tests/decks/public/test_query.py``.
"""

from dataclasses import dataclass

from django.db.models import Q

from cardsdb.games.kit import fold
from cardsdb.search.query.tree import NOWHERE, And, Not, Or, Query, Span, Tree, leaves
from cardsdb.search.query.words import joined_clauses


@dataclass(frozen=True)
class Clause:
    """A part of a query that was understood. ``q`` is its condition on decks. ``phrase`` says it with decks
    as subject: "use Kai". ``word`` is a word that names shall contain, for the order of results, ``game`` the
    name of the game asked for; each is empty if the part asks for none.

    ``is_verdict``: it asks for a stored verdict, which may be out of date and then counts as unknown. Its
    opposite is therefore worded "are not known to be legal".
    """

    q: Q
    phrase: str
    word: str = ""
    is_verdict: bool = False
    game: str = ""
    span: Span = NOWHERE

    @property
    def opposite(self) -> str:
        """The opposite of ``phrase``: "use Kai" -> "do not use Kai"."""
        verb, _, rest = self.phrase.partition(" ")
        certainty = "known to be " if self.is_verdict else ""
        return f"{verb} not {certainty}{rest}" if verb in ("are", "were") else f"do not {self.phrase}"


@dataclass(frozen=True)
class DeckQuery(Query):
    """A query as understood. The leaves of ``tree`` are clauses; None as tree is met by every deck.
    ``looks_into_decks``: it reads the lines of all decks, which is slow, so it counts as work in the rate
    limits.
    """

    looks_into_decks: bool = False

    @property
    def is_lost(self) -> bool:
        """True if no part of the text was understood. Such a query finds no decks instead of all decks."""
        return self.tree is None and bool(self.faults)

    @property
    def asks_verdict(self) -> bool:
        return any(leaf.is_verdict for leaf in leaves(self.tree))

    @property
    def words(self) -> str:
        """The folded words that names of decks shall contain, without those that they must not contain."""
        return fold(" ".join(leaf.word for leaf in leaves(self.tree, excluded=False) if leaf.word))


def in_words(tree: Tree | None, has_own: bool) -> str:
    """Say the query in words: "Public Spycraft decks that are legal in Agency Deck and use Kai". ``has_own``:
    the viewer's own decks are searched as well.
    """
    parts = list(tree.parts) if isinstance(tree, And) else [tree] if tree else []
    # If the whole query asks for one game, its name stands before "decks".
    games = [part for part in parts if isinstance(part, Clause) and part.game]
    of = ""
    if len(games) == 1:
        of = f"{games[0].game} "
        parts.remove(games[0])
    subject = f"Public {of}decks{', and yours,' if has_own else ''}"
    if not parts:
        return subject.rstrip(",")
    # A single part needs no brackets around it.
    clauses = [_in_words(part, in_brackets=len(parts) > 1) for part in parts]
    return f"{subject} that {joined_clauses(clauses, 'and')}"


def _in_words(tree: Tree, negated: bool = False, in_brackets: bool = True) -> str:
    """Say a part of the query, or its opposite if ``negated``, with "decks that" before it."""
    match tree:
        case Not(part):
            return _in_words(part, not negated, in_brackets)
        case And(parts) | Or(parts):
            # De Morgan: "not (a and b)" is "not a or not b", and the other way round.
            word = "and" if isinstance(tree, And) != negated else "or"
            words = joined_clauses([_in_words(part, negated) for part in parts], word)
            return f"({words})" if in_brackets else words
        case Clause():
            return tree.opposite if negated else tree.phrase
    raise ValueError(f"no query of decks has {tree!r}")
