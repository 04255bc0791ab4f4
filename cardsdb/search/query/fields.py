"""Lookup of search fields by name: the standard fields of all games and the facts of the given games.

``Catalogue.fields`` makes one ``Fields`` for each edition, and every search of cards uses it. ``Table`` is
the part that deck search (``decks/public/query.py``) shares. Of two fields with the same spelling, a fact of
a game wins over a short form of a standard field, but never over a standard field's own name. ``Field`` and
``Place`` are defined in ``standard.py``. Tests: ``tests/cardsdb/search/query/test_check.py`` and
``test_standard.py``; for amounts in words, the rows of ``tests/cardsdb/search/understood.csv``.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import replace
from typing import Any, TypeVar

from cardsdb.games.kit import Card, Fact, Game
from cardsdb.games.kit.model.cards import FactKind
from cardsdb.search.query.english import amount_at
from cardsdb.search.query.standard import (
    SHORT_FORMS,
    STANDARD,
    Field,
    Place,
    Vocabulary,
    folded,
    merged,
)

T = TypeVar("T")
# Name or code, with or without "game/" before it -> the card; None if there is none, or more than one.
CardLookup = Callable[[str], Card | None]
# A name as typed -> real names most like it, best first; the same name if there is one.
NamesLike = Callable[[str], list[str]]
# Names suggested for a misspelt one.
MAX_NAMES = 3
# Key of the place where ``in:deck`` finds a list of cards. Lists are not in the ``terms`` of cards; the "!"
# keeps this key apart from those of facts.
LISTS = "in!"
# Kinds of places that ``has:`` cannot ask about, because they are no facts.
QUESTIONS = ("name", "is", "has", "similar", "list")


class Table:
    """The fields of one kind of search, of cards or of decks. A spelling of two fields means the later one.

    ``nesting``: the fields whose values may be queries in square brackets.
    """

    def __init__(self, fields: Iterable[Field], nesting: Collection[str] = ()) -> None:
        self._fields, self.nesting = tuple(fields), nesting
        self.by_spelling = {spelling: field for field in self._fields for spelling in field.spellings}

    def __iter__(self) -> Iterator[Field]:
        """Yield every field once, in the order given."""
        return iter(self._fields)

    @property
    def spellings(self) -> Mapping[str, str]:
        """Spelling -> the field's own word, for everything that may stand before an operator."""
        return {spelling: field.word for spelling, field in self.by_spelling.items()}

    def get(self, word: str) -> Field | None:
        """Return the field that a typed word means, or None."""
        return self.by_spelling.get(spelled(word))

    def with_sizes(self, text: str) -> str:
        """Return the query with amounts in words behind number fields turned into comparisons: ``agents
        (craft 4 or more)`` -> ``agents (craft>=4)``. A number alone and quoted text stay as they are.
        """
        # Words take turns with the gaps behind them: spaces, brackets and quoted text. ``craft 4 or ("a b")``
        # has the words ["craft", "4", "or", ""] and the gaps [" ", " ", ' ("a b")', ""]: ``split`` also
        # returns the gaps, because they are a group.
        parts = [*re.split(r'((?:"[^"]*"|[\s()])+)', text), ""]
        words, gaps = parts[::2], parts[1::2]
        folded_words = [*map(str.casefold, words)]
        read, place = "", 0
        while place < len(words):
            # ``end``: the place behind the last word that is read in this round.
            field, word, end = self.get(words[place]), words[place], place + 1
            if field and field.is_number:
                sizes, taken = amount_at(folded_words, end)
                # Only spaces may stand before and inside the amount. One word alone, "4", is no amount in
                # words.
                is_unbroken = not "".join(gaps[place : place + taken]).strip()
                if taken > 1 and is_unbroken:
                    word = " ".join(f"{field.word}{op}{number}" for op, number in sizes)
                    end += taken
            read += word + gaps[end - 1]
            place = end
        return read


class Fields(Table):
    """The search fields of some games, the standard ones first, and the values that their cards have.

    ``vocabularies``: game slug -> its counted values. ``cards`` looks up the card that ``similar:`` names;
    ``names_like`` gives suggestions for a misspelt name.
    """

    def __init__(
        self,
        games: Iterable[Game],
        vocabularies: Mapping[str, Vocabulary],
        cards: CardLookup,
        names_like: NamesLike,
    ) -> None:
        self.games, self.cards, self.names_like = tuple(games), cards, names_like
        self._derived: dict[Any, Any] = {}
        self._values, uncounted = merged(self.games, vocabularies)
        # Spelling -> the field that has it.
        holders: dict[str, Field] = {}
        for field in (*STANDARD, *_fact_fields(self.games)):
            # A fact may take over a short form such as "t", but not a standard field's own word.
            for spelling in field.spellings:
                holder = holders.get(spelling)
                if holder is None or (holder in STANDARD and spelling != holder.word):
                    holders[spelling] = field
        # Field -> the spellings that it has kept.
        kept: dict[Field, list[str]] = defaultdict(list)
        for spelling, field in holders.items():
            kept[field].append(spelling)

        def bound(place: Place) -> Place:
            """Return a place with the values that were counted in it."""
            return replace(place, known=self.known(place.key), is_counted=place.key not in uncounted)

        super().__init__(
            replace(field, spellings=tuple(spellings), places=tuple(map(bound, field.places)))
            for field, spellings in kept.items()
        )

    def with_lists(self, names: Iterable[str]) -> "Fields":
        """Return a copy in which ``in:`` also knows these lists of cards by name, as in ``in:deck``."""
        other = copy(self)
        lists = Place(LISTS, "list", known={folded(name): name for name in names})
        fields = (replace(f, places=(*f.places, lists)) if f.word == "in" else f for f in self)
        Table.__init__(other, fields)
        other._derived = {}
        return other

    def derived(self, make: "Callable[[Fields], T]") -> T:
        """Return ``make(self)``, computed once and then remembered for these fields."""
        if make not in self._derived:
            self._derived[make] = make(self)
        answer: T = self._derived[make]
        return answer

    def question_places(self, kind: str, word: str) -> tuple[Place, ...]:
        """Return the places where ``is:word`` or ``has:word`` looks; none for an unknown flag or fact."""
        field = self.get(word)
        places = field.places if field else ()
        return tuple(
            place
            for place in places
            if (place.kind == "flag" if kind == "is" else place.kind not in QUESTIONS)
        )

    def askable(self, kind: str) -> tuple[str, ...]:
        """Return the words that may follow ``is:`` or ``has:``."""
        words = tuple(field.word for field in self if self.question_places(kind, field.word))
        return (*words, *SHORT_FORMS) if kind == "is" else words

    def printed(self, field: Field, value: str) -> Field | None:
        """Return the word field that holds what is printed in place of a number: for ``cost`` and "X" that is
        ``cost_formula``. None if no card has this value there.
        """
        if field.kind != "number":
            return None
        # Its key begins with that of the number: "cost_", "cost_formula".
        keys = tuple(f"{place.key}_" for place in field.places)
        others = (f for f in self if f.kind in ("word", "words") and f.places[0].key.startswith(keys))
        return next((f for f in others if any(place.meant("=", value) for place in f.places)), None)

    def known(self, key: str) -> Mapping[str, str]:
        """Return folded value -> value as shown, for the counted values of a key of ``terms``."""
        return self._values.get(key, {})


def _fact_fields(games: tuple[Game, ...]) -> Iterator[Field]:
    """Yield a field for every word that names a fact.

    A word that means facts of different keys is a field of its own, with a place for each. Spycraft calls its
    ``victory_points`` "points" too, and SpyNet its ``stars``:

        word "victory_points"  spellings victory_points, vp   place victory_points (in all games)
        word "stars"           spellings stars, star          place stars (in all games)
        word "points"          spelling points                places victory_points (only in spycraft),
                                                              stars (only in spynet)
    """
    # "points" -> {("victory_points", "number"): ["spycraft"], ("stars", "number"): ["spynet"]}
    meanings: dict[str, dict[tuple[str, FactKind], list[str]]] = defaultdict(lambda: defaultdict(list))
    # "stars" -> {"stars", "star", "points"}, as a dict to keep the order; and "stars" -> the first such fact.
    spellings: dict[str, dict[str, None]] = defaultdict(dict)
    facts: dict[str, Fact] = {}
    for game in games:
        for fact in game.facts:
            facts.setdefault(fact.key, fact)
            for word in dict.fromkeys(spelled(word) for word in (fact.key, fact.title, *fact.aliases)):
                meanings[word][fact.key, fact.kind].append(game.slug)
                spellings[fact.key][word] = None
    # Words that mean facts of several keys, such as "points".
    shared = [word for word, meant in meanings.items() if len({key for key, _ in meant}) > 1]
    for word in dict.fromkeys((*facts, *shared)):
        places = tuple(Place(key, kind, tuple(slugs)) for (key, kind), slugs in meanings[word].items())
        if len(places) == 1:
            places = (Place(places[0].key, places[0].kind),)
        fact = facts.get(word) or facts[places[0].key]
        # A shared word, or another fact's key, is no other spelling of this field.
        others = (other for other in spellings[word] if other not in shared and other not in facts)
        yield Field(word, fact.title, fact.help, places, tuple(dict.fromkeys((word, *others))))


# -- words and values -----------------------------------------------------------------


def spelled(word: str) -> str:
    """Return a field's name in normal spelling: lower case, underscores for spaces and hyphens."""
    return word.strip().casefold().replace("-", "_").replace(" ", "_")
