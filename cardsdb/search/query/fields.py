"""Lookup of search fields by name: the standard fields of all games and the facts of the given games.

``Catalogue.fields`` makes one ``Fields`` for each edition, and every search of cards uses it. ``Table`` is
the part that deck search (``decks/public/query.py``) shares. Of two fields with the same spelling, a fact of
a game wins over a short form of a standard field, but never over a standard field's own name. ``Field`` and
``Place`` are defined in ``standard.py``. Tests: ``tests/cardsdb/search/query/test_check.py`` and
``test_standard.py``; for amounts in words, the rows of ``tests/cardsdb/search/understood.csv``.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace

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
    known_values,
)

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
        folded_words = [word.casefold() for word in words]
        rewritten = ""
        begin = 0
        while begin < len(words):
            comparison, end = self._comparison_at(folded_words, gaps, begin)
            rewritten += (comparison or words[begin]) + gaps[end - 1]
            begin = end
        return rewritten

    def _comparison_at(self, words: Sequence[str], gaps: Sequence[str], begin: int) -> tuple[str, int]:
        """Return the comparison that begins at this word, and the place of the word behind it: ("craft>=4",
        4) for the words "craft", "4", "or", "more". Without a comparison: "", and the place of the next word.
        """
        next_place = begin + 1
        field = self.get(words[begin])
        if field is None or not field.is_number:
            return "", next_place
        sizes, length = amount_at(words, next_place)
        # Only spaces may stand before and inside the amount. One word alone, "4", is no amount in words.
        is_unbroken = not "".join(gaps[begin : begin + length]).strip()
        if length < 2 or not is_unbroken:
            return "", next_place
        comparison = " ".join(f"{field.word}{op}{number}" for op, number in sizes)
        return comparison, next_place + length


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
        self._values = known_values(self.games, vocabularies)
        super().__init__(
            replace(field, spellings=tuple(spellings), places=tuple(map(self._with_values, field.places)))
            for field, spellings in _spellings_kept(self.games).items()
        )

    def _with_values(self, place: Place) -> Place:
        """Return a place with the values that were counted under its key."""
        has_all_values = place.key not in self._values.incomplete
        return replace(place, known=self.known(place.key), has_all_values=has_all_values)

    def with_lists(self, names: Iterable[str]) -> "Fields":
        """Return a copy in which ``in:`` also knows these lists of cards by name, as in ``in:deck``."""
        lists = Place(LISTS, "list", known={folded(name): name for name in names})
        other = copy(self)
        Table.__init__(
            other,
            (
                replace(field, places=(*field.places, lists)) if field.word == "in" else field
                for field in self
            ),
        )
        return other

    def question_places(self, kind: str, word: str) -> tuple[Place, ...]:
        """Return the places where ``is:word`` or ``has:word`` looks; none for an unknown flag or fact."""
        field = self.get(word)
        places = field.places if field else ()
        if kind == "is":
            return tuple(place for place in places if place.kind == "flag")
        return tuple(place for place in places if place.kind not in QUESTIONS)

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
        beginnings = tuple(f"{place.key}_" for place in field.places)
        for other in self:
            if (
                other.kind in ("word", "words")
                and other.places[0].key.startswith(beginnings)
                and any(place.values_meant("=", value) for place in other.places)
            ):
                return other
        return None

    def known(self, key: str) -> Mapping[str, str]:
        """Return folded value -> value as shown, for the counted values of a key of ``terms``."""
        return self._values.shown.get(key, {})


def _spellings_kept(games: tuple[Game, ...]) -> dict[Field, list[str]]:
    """Return field -> its spellings, for the standard fields and the facts of games, without spellings that
    another field has. A fact called "T" takes the short form "t" from ``type``, but a fact called "Type"
    never takes its own word.
    """
    holders: dict[str, Field] = {}
    for field in (*STANDARD, *_fact_fields(games)):
        for spelling in field.spellings:
            holder = holders.get(spelling)
            if holder is None or (holder in STANDARD and spelling != holder.word):
                holders[spelling] = field
    kept: dict[Field, list[str]] = defaultdict(list)
    for spelling, field in holders.items():
        kept[field].append(spelling)
    return kept


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
    # "stars" -> {"stars", "star", "points"}, as a dict to keep the order.
    spellings: dict[str, dict[str, None]] = defaultdict(dict)
    # Key -> the first game's fact.
    facts: dict[str, Fact] = {}
    for game in games:
        for fact in game.facts:
            facts.setdefault(fact.key, fact)
            for word in dict.fromkeys(map(spelled, (fact.key, fact.title, *fact.aliases))):
                meanings[word][fact.key, fact.kind].append(game.slug)
                spellings[fact.key][word] = None
    # Words that mean facts of several keys, such as "points".
    shared = [word for word, by_fact in meanings.items() if len({key for key, _ in by_fact}) > 1]
    for word in dict.fromkeys((*facts, *shared)):
        places = tuple(Place(key, kind, tuple(slugs)) for (key, kind), slugs in meanings[word].items())
        if len(places) == 1:
            # The only meaning of the word, so it needs no games.
            places = (replace(places[0], games=()),)
        fact = facts.get(word) or facts[places[0].key]
        others = (other for other in spellings[word] if other not in shared and other not in facts)
        yield Field(word, fact.title, fact.help, places, tuple(dict.fromkeys((word, *others))))


# -- words and values -----------------------------------------------------------------


def spelled(word: str) -> str:
    """Return a field's name in normal spelling: lower case, underscores for spaces and hyphens."""
    return word.strip().casefold().replace("-", "_").replace(" ", "_")
