"""The searchable data of cards: standard fields, search columns of a card's row, and counted values.

``fields.Fields`` joins the standard fields to the facts of games; the loader of the catalogue writes
``search_columns`` of each row, and ``catalogue/stats.py`` counts them with ``Tally``.

A row has three search columns, all folded (``search_columns`` shows those of a card). One of them, ``terms``,
holds any fact of any game in one column of text. Values are counted from the same ``terms`` that searches
look into, so that suggestions, filters and their counts always agree with searches.

To add a standard field: describe it in ``search_words.toml``, add its values to ``stated_values``, and
reserve its name (``RESERVED_SEARCH_WORDS`` in the kit's contract). Tests fail for a step that was forgotten:
``tests/cardsdb/search/query/test_standard.py``.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import Any, Literal, NamedTuple

from cardsdb.games.kit import ENTRY_KINDS, Card, Game, as_words, fold, spoken
from cardsdb.games.kit.model.cards import CERTAINTIES, FactKind
from cardsdb.games.kit.model.text import table_beside

# The largest integer that both SQLite and PostgreSQL can compare.
MAX_NUMBER = 2**63 - 1
# A number that may fit MAX_NUMBER, which has 19 digits; ``number`` checks it.
_NUMBER = re.compile(r"-?[0-9]{1,19}")
# A collector number in plain digits; 18 of them always fit.
_DIGITS = re.compile(r"[0-9]{1,18}")


def folded(value: str) -> str:
    """Return a value as ``terms`` stores it: folded, with slashes for bars, which separate values."""
    return fold(value).replace("|", "/")


def number(value: str) -> int | None:
    """Return the integer of a text in plain digits; None if it is none or too large for a database."""
    if not _NUMBER.fullmatch(value):
        return None
    whole = int(value)
    return whole if abs(whole) <= MAX_NUMBER else None


def collector_number(value: str) -> int | None:
    """Return a collector number in plain digits as an integer ("12"), else None ("12a")."""
    return int(value) if _DIGITS.fullmatch(value) else None


# -- fields ----------------------------------------------------------------------------

# Kinds of places. Those of facts (``FactKind``) are number, word, words, flag and text. ``exact``: only a
# whole value matches, never a part of it. ``name`` is a column of its own; ``is``, ``has``, ``similar`` and
# ``list`` are questions with their own meaning. ``date`` and ``nested`` occur only in deck search.
Kind = FactKind | Literal["exact", "name", "is", "has", "similar", "list", "date", "nested"]

EQUALITY = (":", "=", "!=")
COMPARISONS = ("<", "<=", ">", ">=")
# Kind of a place -> the operators that it takes.
OPERATORS: dict[Kind, tuple[str, ...]] = {
    **dict.fromkeys(("number", "date"), (*EQUALITY, *COMPARISONS)),
    **dict.fromkeys(("word", "words", "flag", "exact", "list", "name"), EQUALITY),
    **dict.fromkeys(("is", "has", "similar", "nested"), (":", "=")),
    "text": (":",),
}
# The key of ``terms`` that marks cards of a visitor's own sets.
MINE = "mine"
# Typed values of flags, folded. ``terms`` has the first of each.
YES = ("yes", "true", "y")
NO = ("no", "false", "n")
# Kinds of places whose values results can be sorted by.
SORTABLE = ("name", "number", "flag", "word", "exact")


@dataclass(frozen=True)
class Place:
    """A place where a field looks: a key of ``terms``, in the cards of some games or, if none is named, of
    all. The field ``set`` has two, the keys "set" (codes) and "set-name".

    ``is_listed``: its values are few enough to be counted and offered. ``known``: folded value -> value as
    shown, of the values that were counted in the catalogue. ``has_all_values``: no card has any other value.
    """

    key: str
    kind: Kind
    games: tuple[str, ...] = ()
    is_listed: bool = True
    known: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    has_all_values: bool = field(default=True, compare=False)

    @property
    def takes_any_value(self) -> bool:
        """True if a value that no card has is no sign of a typing error: ``craft=99``, but not
        ``faction=krypd``.
        """
        return self.kind in ("number", "flag", "text", "name")

    @property
    def operators(self) -> tuple[str, ...]:
        """The operators that it takes. Collector numbers are text, yet those in plain digits are compared."""
        return OPERATORS["number"] if self.key == "number" else OPERATORS[self.kind]

    def takes(self, op: str, value: str) -> bool:
        """True if this place can answer a term with this operator and value at all."""
        if op not in self.operators:
            return False
        if op in COMPARISONS or self.kind == "number":
            return number(value) is not None
        if self.kind == "flag":
            return fold(value) in YES + NO
        return bool(folded(value))

    def values_meant(self, op: str, value: str) -> tuple[str, ...]:
        """Return the known values, folded, that the typed value matches here: for ``:`` in words those that
        contain it, else the value itself. ``faction:krypt`` -> ("the krypt",), ``faction=krypt`` -> ().
        """
        typed = folded(value)
        if op == ":" and self.kind in ("word", "words"):
            return tuple(stated for stated in self.known if typed in stated)
        return (typed,) if typed in self.known else ()


@dataclass(frozen=True)
class Field:
    """A search field. ``word`` is its name, ``spellings`` are all its names, ``word`` first.

    ``is_single``: every card has exactly one value, so that "not known to be" can be worded as "is not".
    ``is_aside``: it is about the making of the catalogue or repeats other fields, so that it is never
    suggested for a typed value. ``is_sorted``: results can be sorted by it.
    """

    word: str
    title: str
    help: str
    places: tuple[Place, ...]
    spellings: tuple[str, ...]
    is_single: bool = False
    is_aside: bool = False
    is_sorted: bool = True
    example: str = ""

    @property
    def kind(self) -> Kind:
        """The kind of its first place. The other places have the same, except in a word that means a fact of
        another kind in each game.
        """
        return self.places[0].kind

    @property
    def operators(self) -> tuple[str, ...]:
        """The operators that at least one of its places takes."""
        return tuple(op for op in OPERATORS["number"] if any(op in place.operators for place in self.places))

    @property
    def is_number(self) -> bool:
        """True if it is a number in some game, so that it can be compared with other number fields."""
        return any(place.kind == "number" for place in self.places)

    @property
    def sortable(self) -> tuple[Place, ...]:
        """The places whose values results can be sorted by; none if the field is not for sorting."""
        return tuple(place for place in self.places if self.is_sorted and place.kind in SORTABLE)

    @property
    def values(self) -> Mapping[str, str]:
        """Folded value -> value as shown, for the counted values of all its places."""
        known = self.places[0].known
        for place in self.places[1:]:
            known = {**known, **place.known}
        return known

    def places_asked(self, op: str, value: str) -> tuple[Place, ...]:
        """Return the places where a term with this operator and value looks. If the value is exactly that of
        an ``exact`` place, such as the code of a set, only that place counts: ``set:on`` looks among codes,
        ``set:nine`` among codes and names.
        """
        places = tuple(place for place in self.places if place.takes(op, value))
        with_exactly_this = tuple(
            place for place in places if place.kind in ("exact", "list") and place.values_meant(op, value)
        )
        return with_exactly_this or places


def fields_in(table: Mapping[str, Any]) -> Iterator[Field]:
    """Yield the fields of a table in the form of ``search_words.toml``. Deck search has one too."""
    # ``pop`` takes out what is read here; what is left in ``row`` are attributes of Field, by their own
    # names.
    for word, row in table.items():
        is_listed = row.pop("is_listed", True)
        places = tuple(Place(key, kind, is_listed=is_listed) for key, kind in row.pop("places").items())
        spellings = (word, *row.pop("spellings", "").split())
        title, help_text = row.pop("title", word.capitalize()), row.pop("help")
        is_sorted = row.pop("is_sorted", row.get("is_single", False))
        yield Field(word, title, help_text, places, spellings, is_sorted=is_sorted, **row)


_TABLE = table_beside(__file__, "search_words")
# Example queries in plain English, for the help page.
PLAIN: list[str] = _TABLE.pop("plain")
STANDARD = tuple(fields_in(_TABLE))
# Words of ``is:`` besides the games' flags -> the term (key, operator, value) that each is short for.
SHORT_FORMS: dict[str, tuple[str, str, str]] = {
    "disputed": ("has", ":", "disputed"),
    "reprint": ("prints", ">", "1"),
    **{kind: ("entry", "=", kind) for kind in ENTRY_KINDS},
}
# Keys of ``terms`` of standard fields whose values are counted.
COUNTED_KEYS = tuple(
    dict.fromkeys(
        place.key
        for field in STANDARD
        for place in field.places
        if place.kind in ("word", "exact", "number") and place.is_listed
    )
)


# Keys of standard fields whose values are never counted, because any value is possible.
_NEVER_COUNTED = tuple(
    place.key
    for field in STANDARD
    for place in field.places
    if place.kind in ("name", "text") or not place.is_listed
)


def stated_values(card: Card, game: Game) -> Iterator[tuple[str, str]]:
    """Yield every (key, value) that a card's ``terms`` contain, not yet folded."""
    yield from (
        ("game", game.slug),
        ("game", game.name),
        ("type", card.type),
        ("type", game.types_by_slug[card.type].name),
    )
    yield "entry", game.kind_of(card)
    for print_ in card.prints:
        card_set = game.sets_by_code.get(print_.set)
        yield from (("set", print_.set), ("set-name", card_set.name if card_set else print_.set))
        yield from (("rarity", print_.rarity), ("number", print_.number), ("number", print_.code))
    for key, value in card.facts.items():
        if isinstance(value, bool | int):
            yield key, as_words(value)
        else:
            yield from ((key, word) for word in card.words(key))
    for claim in chain.from_iterable(card.sources.values()):
        yield from (("certainty", claim.certainty), ("source", claim.document))
        if claim.document in game.documents:
            yield "source", game.documents[claim.document].title
    yield "prints", str(len(card.prints))
    yield from (("disputed", key) for key in card.disagreements())
    yield "text", card.text


def declared_values(game: Game) -> Iterable[tuple[str, str, str]]:
    """Yield (key, value, value as shown) of all that the game declares, whether or not a card has it."""
    yield from (("game", game.slug, game.name), ("game", game.name, game.name))
    for card_type in game.types:
        yield from (("type", card_type.slug, card_type.name), ("type", card_type.name, card_type.name))
    for card_set in game.sets:
        yield from (("set", card_set.code, card_set.name), ("set-name", card_set.name, card_set.name))
    for document in game.documents.values():
        yield from (("source", document.key, document.title), ("source", document.title, document.title))
    yield from (("entry", kind, kind) for kind in ENTRY_KINDS)
    yield from (("certainty", certainty, certainty) for certainty in CERTAINTIES)


def small(title: str) -> str:
    """Return a title as it stands inside a sentence: "Craft" -> "craft", but "VP" -> "VP"."""
    return title[:1].lower() + title[1:] if title[1:2].islower() else title


# -- a row's columns -----------------------------------------------------------------

# Marks before the first letter of a name, which sorting ignores.
OPENING_MARKS = " '\"(-.!¡¿"


def sort_name(name_folded: str) -> str:
    """Return a folded name as lists are sorted by it."""
    return name_folded.lstrip(OPENING_MARKS)


def search_columns(card: Card, game: Game) -> dict[str, str]:
    """Return the search columns of a card's row, folded (``kit.model.text.fold``). Kai of Spycraft has

        name_folded   kai
        search_text   kai, agent, agents, spycraft, nine tiger, soldier, ... (each on a line of its own)
        terms         |game=spycraft|type=agent|entry=card|set=on|faction=nine tiger|expense=7|traits=soldier|

    and more of each.
    """
    kind = game.types_by_slug[card.type]
    word_facts = (fact.key for fact in game.facts if fact.kind in ("word", "words"))
    words = chain.from_iterable(map(card.words, word_facts))
    names = (card.name, *card.aliases, kind.name, kind.plural, game.name)
    lines = dict.fromkeys(map(fold, (*names, *words, *text_lines(card, game))))
    values = ((key, folded(value)) for key, value in stated_values(card, game))
    terms = dict.fromkeys(f"{key}={value}" for key, value in values if value)
    return {
        "name_folded": fold(card.name),
        "search_text": "\n".join(filter(None, lines)),
        "terms": f"|{'|'.join(terms)}|",
    }


def text_lines(card: Card, game: Game) -> tuple[str, ...]:
    """Return the lines of the card's text that plain words search.

    If the text is in the notation of effects, verbs are added in the form that people type ("cancels"), and
    plurals of card types become singular: a search for "krypt agents" means cards that are agents, not cards
    that do something to agents.
    """
    if game.effect_words is None:
        return (card.text,)
    pattern, names = _plurals(game)
    text = pattern.sub(lambda plural: names[fold(plural[0])], card.text)
    return (text, *(spoken(verb) for verb in card.words("does")))


@lru_cache(maxsize=64)
def _plurals(game: Game) -> tuple[re.Pattern[str], dict[str, str]]:
    """Return a pattern for the plurals of the game's card types, and folded plural -> name of the type."""
    plurals = "|".join(re.escape(kind.plural) for kind in game.types)
    names = {fold(kind.plural): kind.name for kind in game.types}
    return re.compile(rf"\b(?:{plurals})\b", re.IGNORECASE), names


# -- counting values ----------------------------------------------------------------

# Key of ``terms`` -> folded value -> (value as shown, how many cards have it):
# {"faction": {"the krypt": ("The Krypt", 58), "nine tiger": ("Nine Tiger", 58), ...}, ...}
Vocabulary = Mapping[str, Mapping[str, tuple[str, int]]]

# A key with more values than this has no vocabulary: it would be too long to read, and to send with pages.
MAX_VOCABULARY = 2_000
# Kinds of facts whose values are counted.
COUNTED_KINDS = ("word", "words", "number", "flag")


class Tally:
    """Counts the values of a game's cards one card at a time, so that they need not be in memory together."""

    def __init__(self, game: Game) -> None:
        self._game = game
        facts = (fact.key for fact in game.facts if fact.kind in COUNTED_KINDS)
        self._counted: dict[str, dict[str, tuple[str, int]]] = {key: {} for key in (*COUNTED_KEYS, *facts)}
        for key, value, shown in declared_values(game):
            self._counted[key].setdefault(folded(value), (shown, 0))

    def add(self, card: Card, terms: str) -> None:
        """Count one card by its ``terms``."""
        for term in terms.strip("|").split("|"):
            key, _, value = term.partition("=")
            values = self._counted.get(key)
            # No vocabulary is made of too many values, so that further ones need not be kept.
            if values is None or (_are_too_many(values) and value not in values):
                continue
            shown, count = values.get(value) or (self._shown(card, key, value), 0)
            values[value] = (shown, count + 1)

    def _shown(self, card: Card, key: str, value: str) -> str:
        """Return the value as the card states it, before folding. A disputed fact is shown by its title."""
        if key == "disputed":
            fact = self._game.facts_by_key.get(value)
            return fact.title if fact else value.capitalize()
        stated = (text for stated_key, text in stated_values(card, self._game) if stated_key == key)
        return next((text for text in stated if folded(text) == value), value)

    def vocabulary(self) -> dict[str, dict[str, tuple[str, int]]]:
        """Return the counts so far, without keys of more than MAX_VOCABULARY values."""
        return {key: dict(values) for key, values in self._counted.items() if not _are_too_many(values)}


def _are_too_many(values: Collection[str]) -> bool:
    return len(values) > MAX_VOCABULARY


class KnownValues(NamedTuple):
    """The counted values of some games. ``shown``: key of ``terms`` -> folded value -> value as shown.
    ``incomplete``: keys under which cards may have other values.
    """

    shown: dict[str, dict[str, str]]
    incomplete: set[str]


def known_values(games: tuple[Game, ...], vocabularies: Mapping[str, Vocabulary]) -> KnownValues:
    """Return the counted values of these games together. ``vocabularies``: slug of a game -> its counts."""
    known = KnownValues({}, set(_NEVER_COUNTED))
    for game in games:
        vocabulary = vocabularies.get(game.slug, {})
        for key, values in vocabulary.items():
            shown_by_value = known.shown.setdefault(key, {})
            for value, (shown, _) in values.items():
                shown_by_value.setdefault(value, shown)
        uncounted_facts = (fact.key for fact in game.facts if fact.kind not in COUNTED_KINDS)
        # A key is missing in a vocabulary if it had too many values (``Tally.vocabulary``).
        too_full = {*COUNTED_KEYS, *game.facts_by_key} - vocabulary.keys()
        known.incomplete.update(too_full, uncounted_facts)
    return known
