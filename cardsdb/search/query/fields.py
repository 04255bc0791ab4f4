"""Name everything that can be searched: the fields that all games share and those of the games' facts, and
where each looks.

A place is a key of the column ``terms`` (see ``vocabulary``); "folded" is always
``cardsdb.games.kit.model.text.fold``.
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
# The card of a name or a code, with or without "game/" before it; None if there is none, or more than one.
CardLookup = Callable[[str], Card | None]
# A name as typed -> real names most like it, best first; the same name if there is one.
NamesLike = Callable[[str], list[str]]
# Names that are offered in place of a misspelt one.
MAX_NAMES = 3
# Under this key ``in`` looks for lists of cards, which no card's ``terms`` have.
LISTS = "in!"
# What no card can be asked to have.
QUESTIONS = ("name", "is", "has", "similar", "list")


class Table:
    """The words that something is searched by. Where two fields have a spelling it is the later one's.

    ``nesting``: the fields whose values may be queries of their own in square brackets.
    """

    def __init__(self, fields: Iterable[Field], nesting: Collection[str] = ()) -> None:
        self._fields, self.nesting = tuple(fields), nesting
        self.by_spelling = {spelling: field for field in self._fields for spelling in field.spellings}

    def __iter__(self) -> Iterator[Field]:
        """Every field once, in the order given."""
        return iter(self._fields)

    @property
    def spellings(self) -> Mapping[str, str]:
        """Everything that may stand before an operator, and the word it is a spelling of."""
        return {spelling: field.word for spelling, field in self.by_spelling.items()}

    def get(self, word: str) -> Field | None:
        """The field that a typed word means."""
        return self.by_spelling.get(spelled(word))

    def with_sizes(self, text: str) -> str:
        """The query with sizes in words behind a field of numbers as comparisons: "craft 4 or more". What is
        quoted stays.
        """
        parts = re.split(r'((?:"[^"]*"|[\s()])+)', text)
        words, gaps, read, place = [word.casefold() for word in parts[::2]], [*parts[1::2], ""], "", 0
        while place < len(words):
            field = self.get(words[place])
            sizes, taken = amount_at(words, place + 1) if field and field.is_number else ((), 0)
            if field and taken > 1 and not "".join(gaps[place : place + taken]).strip():
                read += " ".join(f"{field.word}{op}{number}" for op, number in sizes)
                place += taken
            else:
                read += parts[2 * place]
            read += gaps[place]
            place += 1
        return read


class Fields(Table):
    """The search words of some games, the standard ones first, and the values their cards are known to have.

    ``vocabularies`` are by the games' slugs. ``cards`` finds the card that ``similar:`` names, ``names_like``
    the names that a misspelt one may be.
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
        by_word: dict[str, Field] = {}
        for field in (*STANDARD, *_fact_fields(self.games)):
            # A short form such as "t" gives way to a fact of that name; a whole word does not.
            for spelling in field.spellings:
                other = by_word.get(spelling)
                if other is None or (other in STANDARD and spelling != other.word):
                    by_word[spelling] = field
        owned: dict[Field, list[str]] = defaultdict(list)
        for spelling, field in by_word.items():
            owned[field].append(spelling)

        def bound(place: Place) -> Place:
            return replace(place, known=self.known(place.key), is_counted=place.key not in uncounted)

        super().__init__(
            replace(field, spellings=tuple(spellings), places=tuple(map(bound, field.places)))
            for field, spellings in owned.items()
        )

    def with_lists(self, names: Iterable[str]) -> "Fields":
        """The same search words, of which ``in`` also knows these lists of cards by name: ``in:deck``."""
        other = copy(self)
        of_lists = Place(LISTS, "list", known={folded(name): name for name in names})
        fields = (replace(one, places=(*one.places, of_lists)) if one.word == "in" else one for one in self)
        Table.__init__(other, fields)
        other._derived = {}
        return other

    def derived(self, make: "Callable[[Fields], T]") -> T:
        """The answer of a function to these fields, for which it is called once."""
        if make not in self._derived:
            self._derived[make] = make(self)
        answer: T = self._derived[make]
        return answer

    def question_places(self, kind: str, word: str) -> tuple[Place, ...]:
        """Return where ``is:word`` or ``has:word`` looks; nowhere if there is no such flag or fact."""
        field = self.get(word)
        places = field.places if field else ()
        return tuple(
            place
            for place in places
            if (place.kind == "flag" if kind == "is" else place.kind not in QUESTIONS)
        )

    def askable(self, kind: str) -> tuple[str, ...]:
        """The words that may follow ``is:`` or ``has:``."""
        words = tuple(field.word for field in self if self.question_places(kind, field.word))
        return (*words, *SHORT_FORMS) if kind == "is" else words

    def printed(self, field: Field, value: str) -> Field | None:
        """The field of what stands in a number's place: of ``cost`` and "X" it is ``cost_formula``. None if
        no card has that there.
        """
        if field.kind != "number":
            return None
        keys = tuple(f"{place.key}_" for place in field.places)
        others = (one for one in self if one.kind in ("word", "words") and one.places[0].key.startswith(keys))
        return next((one for one in others if any(place.meant("=", value) for place in one.places)), None)

    def known(self, key: str) -> Mapping[str, str]:
        """Folded value -> the value as shown, of the values that were counted under a key of ``terms``."""
        return self._values.get(key, {})


def _fact_fields(games: tuple[Game, ...]) -> Iterator[Field]:
    """A field for every word that names a fact. A word of several games looks in all of them."""
    by_word: dict[str, dict[tuple[str, FactKind], list[str]]] = defaultdict(lambda: defaultdict(list))
    facts: dict[str, Fact] = {}
    spellings: dict[str, dict[str, None]] = defaultdict(dict)
    for game in games:
        for fact in game.facts:
            facts.setdefault(fact.key, fact)
            for word in dict.fromkeys(spelled(word) for word in (fact.key, fact.title, *fact.aliases)):
                by_word[word][fact.key, fact.kind].append(game.slug)
                spellings[fact.key][word] = None
    # An alias that means one fact is another spelling of it; one that means several is a field of its own.
    shared = [word for word, meant in by_word.items() if len({key for key, _ in meant}) > 1]
    for word in dict.fromkeys((*facts, *shared)):
        places = tuple(Place(key, kind, tuple(slugs)) for (key, kind), slugs in by_word[word].items())
        if len(places) == 1:
            places = (Place(places[0].key, places[0].kind),)
        fact = facts.get(word) or facts[places[0].key]
        own = dict.fromkeys(
            [word, *(other for other in spellings[word] if other not in shared and other not in facts)]
        )
        yield Field(word, fact.title, fact.help, places, tuple(own))


# -- words and values -----------------------------------------------------------------


def spelled(word: str) -> str:
    """A search word as the table spells it: small letters, underscores for spaces and hyphens."""
    return word.strip().casefold().replace("-", "_").replace(" ", "_")
