"""What can be searched: the table of fields, made from the games' declarations, and where each looks.

A card's row has three columns for searching. ``name_folded`` is its name; ``search_text`` is
all its words, a line each; ``terms`` is every value of every field between bars, as in
``|type=agent|traits=soldier|traits=snoop|craft=4|``, so that one plain text column answers
for any fact of any game. "Folded" is always ``cardsdb.games.kit.cards.fold``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from cardsdb.games.kit import Card, Fact, Game
from cardsdb.games.kit.cards import CERTAINTIES, FactKind, as_words, fold

# ``exact``: only the whole value counts. The others are fact kinds, or columns and questions of their own.
Kind = FactKind | Literal["exact", "name", "is", "has"]

EQUALITY = (":", "=", "!=")
# Operator -> the database's word for it and for its opposite.
COMPARISONS = {"<": ("lt", "gte"), "<=": ("lte", "gt"), ">": ("gt", "lte"), ">=": ("gte", "lt")}
OPERATORS: dict[Kind, tuple[str, ...]] = {
    "number": (*EQUALITY, *COMPARISONS),
    "word": EQUALITY,
    "words": EQUALITY,
    "flag": EQUALITY,
    "exact": EQUALITY,
    "name": EQUALITY,
    "text": (":",),
    "is": (":", "="),
    "has": (":", "="),
}
YES = ("yes", "true", "y")
NO = ("no", "false", "n")
# What SQLite and PostgreSQL can both compare.
LARGEST = 2**63 - 1
_NUMBER = re.compile(r"-?[0-9]{1,19}")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a field looks: a key of ``terms``, and in which games (none named: in all)."""

    key: str
    kind: Kind
    games: tuple[str, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether any value may be asked for, known or not."""
        return self.kind in ("number", "flag", "text", "name")

    def takes(self, op: str, value: str) -> bool:
        """Whether this place can answer the question at all."""
        if op not in OPERATORS[self.kind]:
            return False
        match self.kind:
            case "number":
                return number(value) is not None
            case "flag":
                return fold(value) in YES + NO
            case _:
                return bool(folded(value))


@dataclass(frozen=True, slots=True)
class Field:
    """A search word. ``spellings`` are all the words that mean it, its own first."""

    word: str
    title: str
    help: str
    places: tuple[Place, ...]
    spellings: tuple[str, ...]

    @property
    def kind(self) -> Kind:
        return self.places[0].kind

    @property
    def operators(self) -> tuple[str, ...]:
        """What may stand behind the word."""
        return tuple(op for op in OPERATORS["number"] if any(op in OPERATORS[place.kind] for place in self.places))


STANDARD = (
    Field("name", "Name", "The card's name.", (Place("name", "name"),), ("name", "n")),
    Field("type", "Type", "The type of card.", (Place("type", "word"),), ("type", "t")),
    Field("set", "Set", "A set's code or name.", (Place("set", "exact"), Place("set-name", "word")), ("set", "s")),
    Field("game", "Game", "The game.", (Place("game", "word"),), ("game", "g")),
    Field("rarity", "Rarity", "The rarity of one of the card's prints.", (Place("rarity", "exact"),), ("rarity", "r")),
    Field("number", "Number", "The collector number or code of a print.", (Place("number", "exact"),), ("number", "cn")),
    Field("text", "Text", "What the card does, in our words.", (Place("text", "text"),), ("text", "x")),
    Field("certainty", "Certainty", "How certain one of the card's facts is.", (Place("certainty", "word"),), ("certainty",)),
    Field("source", "Source", "A document that states one of the card's facts.", (Place("source", "word"),), ("source", "src")),
    Field("is", "Is", "A flag that is set, as in is:unique.", (Place("is", "is"),), ("is",)),
    Field("has", "Has", "A fact that is known, as in has:rarity.", (Place("has", "has"),), ("has",)),
)


class Fields:
    """The search words of some games, and the values their cards are known to have."""

    def __init__(self, games: Iterable[Game]) -> None:
        self.games = tuple(games)
        self._values = _known_values(self.games)
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
        self._fields = tuple(replace(field, spellings=tuple(spellings)) for field, spellings in owned.items())
        self._by_word = {spelling: field for field in self._fields for spelling in field.spellings}

    def __iter__(self) -> Iterator[Field]:
        """Every field once, the standard ones first."""
        return iter(self._fields)

    @property
    def spellings(self) -> Mapping[str, str]:
        """Everything that may stand before an operator, and the word it is a spelling of."""
        return {spelling: field.word for spelling, field in self._by_word.items()}

    def get(self, word: str) -> Field | None:
        return self._by_word.get(spelled(word))

    def flag(self, word: str) -> tuple[Place, ...]:
        """Where ``is:word`` looks; nowhere if no game has such a flag."""
        field = self.get(word)
        return tuple(place for place in field.places if place.kind == "flag") if field else ()

    def knowable(self, word: str) -> tuple[Place, ...]:
        """Where ``has:word`` looks; nowhere if there is no such fact."""
        field = self.get(word)
        return tuple(place for place in field.places if place.kind not in ("name", "is", "has")) if field else ()

    def askable(self, kind: Kind) -> tuple[str, ...]:
        """The words that may follow ``is:`` or ``has:``."""
        return tuple(field.word for field in self if (self.flag if kind == "is" else self.knowable)(field.word))

    def values(self, field: Field) -> Mapping[str, str]:
        """Folded value -> the value as shown, of a field with a vocabulary; empty for one that is open."""
        return {value: shown for place in field.places for value, shown in self._values.get(place.key, {}).items()}

    def places(self, field: Field, op: str, value: str) -> tuple[Place, ...]:
        """Where the question is looked up. A set's code is not looked for inside the names of sets."""
        places = tuple(place for place in field.places if place.takes(op, value))
        return tuple(place for place in places if place.kind == "exact" and self.meant(place, op, value)) or places

    def meant(self, place: Place, op: str, value: str) -> tuple[str, ...]:
        """The known values, folded, that the typed value picks in this place."""
        wanted, known = folded(value), self._values.get(place.key, {})
        if op == ":" and place.kind in ("word", "words"):
            return tuple(folded_value for folded_value in known if wanted in folded_value)
        return (wanted,) if wanted in known else ()


@lru_cache(maxsize=32)
def fields_of(games: tuple[Game, ...]) -> Fields:
    """The table for these games, made once."""
    return Fields(games)


def _fact_fields(games: tuple[Game, ...]) -> Iterator[Field]:
    """A field for every word that some fact goes by. A word of several games looks in all of them."""
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
    shared = {word for word, meant in by_word.items() if len({key for key, _ in meant}) > 1}
    for word in dict.fromkeys((*facts, *shared)):
        places = tuple(Place(key, kind, tuple(slugs)) for (key, kind), slugs in by_word[word].items())
        if len(places) == 1:
            places = (Place(places[0].key, places[0].kind),)
        fact = facts.get(word) or facts[places[0].key]
        own = dict.fromkeys([word, *(other for other in spellings[word] if other not in shared and other not in facts)])
        yield Field(word, fact.title, fact.help, places, tuple(own))


def _known_values(games: tuple[Game, ...]) -> dict[str, dict[str, str]]:
    """Key of ``terms`` -> folded value -> the value as shown."""
    known: dict[str, dict[str, str]] = defaultdict(dict)
    for game in games:
        pairs = [("game", game.slug, game.name), ("game", game.name, game.name)]
        for card_type in game.types:
            pairs += [("type", card_type.slug, card_type.name), ("type", card_type.name, card_type.name)]
        for card_set in game.sets:
            pairs += [("set", card_set.code, card_set.name), ("set-name", card_set.name, card_set.name)]
        for document in game.documents.values():
            pairs += [("source", document.key, document.title), ("source", document.title, document.title)]
        words = [fact.key for fact in game.facts if fact.kind in ("word", "words")]
        for card in game.cards:
            pairs += [("rarity", print_.rarity, print_.rarity) for print_ in card.prints if print_.rarity]
            pairs += [(key, value, value) for key in words for value in card.words(key)]
        for key, value, shown in pairs:
            known[key].setdefault(folded(value), shown)
    known["certainty"] = {certainty: certainty for certainty in CERTAINTIES}
    return known


# -- a card's columns ---------------------------------------------------------------


def search_columns(card: Card, game: Game) -> dict[str, str]:
    """What the card's row holds for searching: ``name_folded``, ``search_text`` and ``terms``."""
    kind = game.types_by_slug[card.type]
    words = [word for fact in game.facts if fact.kind in ("word", "words") for word in card.words(fact.key)]
    lines = dict.fromkeys(fold(line) for line in (card.name, *card.aliases, kind.name, kind.plural, game.name, *words, card.text))
    terms = dict.fromkeys(f"{key}={folded(value)}" for key, value in _said(card, game) if folded(value))
    return {
        "name_folded": fold(card.name),
        "search_text": "\n".join(line for line in lines if line),
        "terms": f"|{'|'.join(terms)}|",
    }


def _said(card: Card, game: Game) -> Iterator[tuple[str, str]]:
    """Everything ``terms`` says about a card: key and value."""
    yield from (("game", game.slug), ("game", game.name), ("type", card.type), ("type", game.types_by_slug[card.type].name))
    for print_ in card.prints:
        card_set = game.sets_by_code.get(print_.set)
        yield from (("set", print_.set), ("set-name", card_set.name if card_set else print_.set))
        yield from (("rarity", print_.rarity), ("number", print_.number), ("number", print_.code))
    for key, value in card.facts.items():
        if isinstance(value, bool | int):
            yield key, as_words(value)
        else:
            yield from ((key, word) for word in card.words(key))
    for claim in (claim for claims in card.sources.values() for claim in claims):
        yield from (("certainty", claim.certainty), ("source", claim.document))
        if claim.document in game.documents:
            yield "source", game.documents[claim.document].title
    yield "text", card.text


# -- words and values -----------------------------------------------------------------


def spelled(word: str) -> str:
    """A search word as the table spells it: small letters, underscores for spaces and hyphens."""
    return word.strip().casefold().replace("-", "_").replace(" ", "_")


def folded(value: str) -> str:
    """A value as ``terms`` holds it; bars are what separates values there."""
    return fold(value).replace("|", "/")


def number(value: str) -> int | None:
    """A whole number in plain digits that a database can hold, or None."""
    if not _NUMBER.fullmatch(value):
        return None
    found = int(value)
    return found if abs(found) <= LARGEST else None
