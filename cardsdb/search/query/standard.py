"""The words that cards of every game are searched by, what a row holds for searching, and which values the
cards of a game have, with how many cards have each.

A new word stands in ``search_words.toml``, which says all that is particular to it, and in a line of
``stated_values``; no game may call a fact so any more (``RESERVED_SEARCH_WORDS`` of the kit's contract). A
test of each says which is forgotten.

A row has three columns for searching. ``name_folded`` is the name of the card; ``search_text`` is all its
words, a line each; ``terms`` is every value of every field between bars, as in
``|type=agent|traits=soldier|traits=snoop|craft=4|``, so that one plain text column holds any fact of any
game. "Folded" is always ``cardsdb.games.kit.model.text.fold``. Values are counted from the very ``terms``
that searches look into, so that suggestions, filters and their counts always agree with searches.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import Any, Literal

from cardsdb.games.kit import ENTRY_KINDS, Card, Game, as_words, fold, spoken
from cardsdb.games.kit.model.cards import CERTAINTIES, FactKind
from cardsdb.games.kit.model.text import table_beside

# What SQLite and PostgreSQL can both compare.
MAX_NUMBER = 2**63 - 1
# Characters of a regular expression, and bytes that its automaton may take.
MAX_PATTERN = 200
MAX_PATTERN_MEMORY = 2**20
# Steps of its automaton: a count such as .{12} is that many. With more, re2 may leave its quick way of
# matching.
MAX_PATTERN_STEPS = 150
_NUMBER = re.compile(r"-?[0-9]{1,19}")
_DIGITS = re.compile(r"[0-9]{1,18}")


def folded(value: str) -> str:
    """A value as ``terms`` stores it, where bars separate values."""
    return fold(value).replace("|", "/")


def number(value: str) -> int | None:
    """A whole number in plain digits that a database can hold, or None."""
    if not _NUMBER.fullmatch(value):
        return None
    whole = int(value)
    return whole if abs(whole) <= MAX_NUMBER else None


def collector_number(value: str) -> int | None:
    """The number that a collector number is if it is written in plain digits, else None."""
    return int(value) if _DIGITS.fullmatch(value) else None


# -- regular expressions of visitors: re2 runs any of them in time proportional to the text
# --------------------------


def _re2() -> Any:
    """The library, imported with the first expression."""
    import re2  # type: ignore[import-untyped]

    return re2


@lru_cache(maxsize=64)
def compiled(pattern: str) -> Any:
    """The expression, without regard to case, for folded values without line ends. Raises ``re2.error``."""
    re2 = _re2()
    options = re2.Options()
    options.case_sensitive = False
    options.never_nl = True
    options.log_errors = False
    options.max_mem = MAX_PATTERN_MEMORY
    return re2.compile(pattern, options)


def what_is_wrong(pattern: str) -> str:
    """Why the expression cannot be used, as a sentence; empty if it can."""
    if len(pattern) > MAX_PATTERN:
        return f"A regular expression has at most {MAX_PATTERN} characters."
    try:
        if compiled(pattern).programsize > MAX_PATTERN_STEPS:
            return (
                "This regular expression is too much to try on every card; use fewer or smaller counts and"
                " choices."
            )
    except _re2().error as error:
        reason = error.args[0] if error.args else ""
        reason = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        return f"This is no regular expression that can be used here: {reason}."
    return ""


def unaccented(pattern: str) -> str:
    """The expression with its letters unaccented, as in folded values; signs that mean something in it
    stay.
    """
    return "".join(_unaccented(character) for character in pattern)


def _unaccented(character: str) -> str:
    if character.isascii():
        return character
    plain = fold(character)
    if not plain or not all(c.isalnum() or c in "'\"-" for c in plain):
        return "" if unicodedata.combining(character) else character
    # Capitals and small letters are alike to the expression itself.
    return plain


# ``exact``: only the whole value counts. The others are fact kinds, or columns and questions of their own;
# ``date`` and ``nested`` are asked of decks alone.
Kind = FactKind | Literal["exact", "name", "is", "has", "similar", "list", "date", "nested"]

EQUALITY = (":", "=", "!=")
COMPARISONS = ("<", "<=", ">", ">=")
OPERATORS: dict[Kind, tuple[str, ...]] = {
    **dict.fromkeys(("number", "date"), (*EQUALITY, *COMPARISONS)),
    **dict.fromkeys(("word", "words", "flag", "exact", "list", "name"), EQUALITY),
    **dict.fromkeys(("is", "has", "similar", "nested"), (":", "=")),
    "text": (":",),
}
# The key of ``terms`` under which cards of one's own say that they are.
MINE = "mine"
YES = ("yes", "true", "y")
NO = ("no", "false", "n")


@dataclass(frozen=True)
class Place:
    """A place where a field looks: a key of ``terms``, and in which games (none named: in all).

    ``is_listed``: its values are few enough to be counted and offered. ``known`` are the values that were
    counted in it, folded -> as shown; ``is_counted``: these are all that cards have.
    """

    key: str
    kind: Kind
    games: tuple[str, ...] = ()
    is_listed: bool = True
    known: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    is_counted: bool = field(default=True, compare=False)

    @property
    def is_open(self) -> bool:
        """Return whether any value may be asked for, known or not."""
        return self.kind in ("number", "flag", "text", "name")

    @property
    def operators(self) -> tuple[str, ...]:
        """The operators that it takes. Collector numbers in plain digits are compared, though all of them are
        text.
        """
        return OPERATORS["number"] if self.key == "number" else OPERATORS[self.kind]

    def takes(self, op: str, value: str) -> bool:
        """Return whether this place can answer the question at all."""
        if op not in self.operators:
            return False
        if op in COMPARISONS or self.kind == "number":
            return number(value) is not None
        return fold(value) in YES + NO if self.kind == "flag" else bool(folded(value))

    def meant(self, op: str, value: str) -> tuple[str, ...]:
        """The known values, folded, that the typed value means here."""
        typed = folded(value)
        if op == ":" and self.kind in ("word", "words"):
            return tuple(one for one in self.known if typed in one)
        return (typed,) if typed in self.known else ()


@dataclass(frozen=True)
class Field:
    """A search word. ``spellings`` are all the words that mean it, its own first.

    ``is_single``: every card has one value of it, so that cards are sorted by it, and what it is not known to
    be it is not. ``is_aside``: it is about the making of the catalogue or repeats others, so that a word that
    is no field never means it. ``is_sorted``: cards are sorted by it where it has one number or word.
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
        return self.places[0].kind

    @property
    def operators(self) -> tuple[str, ...]:
        """Return what may stand behind the word."""
        return tuple(op for op in OPERATORS["number"] if any(op in place.operators for place in self.places))

    @property
    def is_number(self) -> bool:
        """Return whether it is a number in some game, so that others can be compared with it."""
        return any(place.kind == "number" for place in self.places)

    @property
    def sortable(self) -> tuple[Place, ...]:
        """The places of the values that cards can be sorted by; none if a card may have several."""
        kinds = ("name", "number", "flag", "word", "exact") if self.is_sorted else ()
        return tuple(place for place in self.places if place.kind in kinds)

    @property
    def values(self) -> Mapping[str, str]:
        """Folded value -> the value as shown, without the values that were not counted."""
        first, *others = (place.known for place in self.places)
        return {**first, **dict(chain(*map(Mapping.items, others)))} if others else first

    def asked(self, op: str, value: str) -> tuple[Place, ...]:
        """The places that a question is looked up in. A set's code is not searched inside the names
        of sets.
        """
        places = tuple(place for place in self.places if place.takes(op, value))
        exact = (place for place in places if place.kind in ("exact", "list") and place.meant(op, value))
        return tuple(exact) or places


def fields_in(table: Mapping[str, Any]) -> Iterator[Field]:
    """The fields of a table of search words, as ``search_words.toml`` is one."""
    for word, said in table.items():
        is_listed = said.pop("is_listed", True)
        places = tuple(Place(key, kind, is_listed=is_listed) for key, kind in said.pop("places").items())
        spellings = (word, *said.pop("spellings", "").split())
        named = said.pop("title", word.capitalize()), said.pop("help")
        yield Field(
            word,
            *named,
            places,
            spellings,
            is_sorted=said.pop("is_sorted", said.get("is_single", False)),
            **said,
        )


_TABLE = table_beside(__file__, "search_words")
# Queries in plain English, for the page of help.
PLAIN: list[str] = _TABLE.pop("plain")
STANDARD = tuple(fields_in(_TABLE))
# Words of ``is:`` besides the games' flags, and the term that each is short for.
SHORT_FORMS: dict[str, tuple[str, str, str]] = {
    "disputed": ("has", ":", "disputed"),
    "reprint": ("prints", ">", "1"),
    **{kind: ("entry", "=", kind) for kind in ENTRY_KINDS},
}
# The keys of which every value is counted.
COUNTED_KEYS = tuple(
    dict.fromkeys(
        place.key
        for field in STANDARD
        for place in field.places
        if place.kind in ("word", "exact", "number") and place.is_listed
    )
)


def stated_values(card: Card, game: Game) -> Iterator[tuple[str, str]]:
    """Everything ``terms`` says about a card: key and value."""
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
    for claim in (claim for claims in card.sources.values() for claim in claims):
        yield from (("certainty", claim.certainty), ("source", claim.document))
        if claim.document in game.documents:
            yield "source", game.documents[claim.document].title
    yield "prints", str(len(card.prints))
    yield from (("disputed", key) for key in card.disagreements())
    yield "text", card.text


def declared_values(game: Game) -> Iterable[tuple[str, str, str]]:
    """Key, value and the value as shown of everything the game declares without any card."""
    yield from (("game", game.slug, game.name), ("game", game.name, game.name))
    for card_type in game.types:
        yield from (("type", card_type.slug, card_type.name), ("type", card_type.name, card_type.name))
    for card_set in game.sets:
        yield from (("set", card_set.code, card_set.name), ("set-name", card_set.name, card_set.name))
    for document in game.documents.values():
        yield from (("source", document.key, document.title), ("source", document.title, document.title))
    yield from (("entry", kind, kind) for kind in ENTRY_KINDS)
    yield from (("certainty", certainty, certainty) for certainty in CERTAINTIES)


# Key of ``terms`` -> folded value -> (the value as shown, how many cards have it).
Vocabulary = Mapping[str, Mapping[str, tuple[str, int]]]

# A key with more values than this is an open field: such a list is too long to be read, and no page should
# carry it.
MAX_VOCABULARY = 2_000
COUNTED_KINDS = ("word", "words", "number", "flag")


def small(title: str) -> str:
    """A title inside a sentence: a small first letter unless it is an abbreviation."""
    return title[:1].lower() + title[1:] if title[1:2].islower() else title


# -- a row's columns -----------------------------------------------------------------

OPENING_MARKS = " '\"(-.!¡¿"


def sort_name(name_folded: str) -> str:
    """The folded name as lists are sorted by it."""
    return name_folded.lstrip(OPENING_MARKS)


def search_columns(card: Card, game: Game) -> dict[str, str]:
    """Return what the card's row holds for searching: ``name_folded``, ``search_text`` and ``terms``."""
    kind = game.types_by_slug[card.type]
    words = [word for fact in game.facts if fact.kind in ("word", "words") for word in card.words(fact.key)]
    named = (fold(line) for line in (card.name, *card.aliases))
    shared = map(fold, (kind.name, kind.plural, game.name, *words))
    lines = dict.fromkeys((*named, *shared, *map(fold, text_lines(card, game))))
    terms = dict.fromkeys(
        f"{key}={word}" for key, value in stated_values(card, game) if (word := folded(value))
    )
    return {
        "name_folded": fold(card.name),
        "search_text": "\n".join(line for line in lines if line),
        "terms": f"|{'|'.join(terms)}|",
    }


def text_lines(card: Card, game: Game) -> tuple[str, ...]:
    """Return what plain words find of the card's text.

    Where it is told in lines of effects its verbs are there with the ending that people type ("cancels"), and
    the plural of a type of card is not: who asks for "krypt agents" means agents, not what is done to agents.
    """
    if game.effect_words is None:
        return (card.text,)
    pattern, names = _plurals(game)
    text = pattern.sub(lambda plural: names[fold(plural[0])], card.text)
    return (text, *(spoken(verb) for verb in card.words("does")))


@lru_cache(maxsize=64)
def _plurals(game: Game) -> tuple[re.Pattern[str], dict[str, str]]:
    """A pattern that finds the plurals of the game's types in a text, and the name of the type by folded
    plural.
    """
    plurals = "|".join(re.escape(kind.plural) for kind in game.types)
    return re.compile(rf"\b(?:{plurals})\b", re.IGNORECASE), {
        fold(kind.plural): kind.name for kind in game.types
    }


# -- counting values ----------------------------------------------------------------


class Tally:
    """Counts values card by card, so that the cards of a game need never be in memory together."""

    def __init__(self, game: Game) -> None:
        self._game = game
        facts = (fact.key for fact in game.facts if fact.kind in COUNTED_KINDS)
        self._counted: dict[str, dict[str, tuple[str, int]]] = {key: {} for key in (*COUNTED_KEYS, *facts)}
        for key, value, shown in declared_values(game):
            self._counted[key].setdefault(folded(value), (shown, 0))

    def add(self, card: Card, terms: str) -> None:
        """Count one card by its ``terms``."""
        for term in terms[1:-1].split("|"):
            key, _, value = term.partition("=")
            values = self._counted.get(key)
            if values is None:
                continue
            if value not in values and len(values) > MAX_VOCABULARY:
                del self._counted[key]
                continue
            shown, count = values.get(value) or (self._shown(card, key, value), 0)
            values[value] = (shown, count + 1)

    def _shown(self, card: Card, key: str, value: str) -> str:
        """The value as the card itself has it, before it was folded; a fact by its title."""
        if key == "disputed":
            fact = self._game.facts_by_key.get(value)
            return fact.title if fact else value.capitalize()
        said = (said for of, said in stated_values(card, self._game) if of == key)
        return next((one for one in said if folded(one) == value), value)

    def vocabulary(self) -> dict[str, dict[str, tuple[str, int]]]:
        """Return what was counted so far. A key with more than MAX_VOCABULARY values is left out."""
        return {key: dict(values) for key, values in self._counted.items() if len(values) <= MAX_VOCABULARY}


def merged(
    games: tuple[Game, ...], vocabularies: Mapping[str, Vocabulary]
) -> tuple[dict[str, dict[str, str]], set[str]]:
    """Key of ``terms`` -> folded value -> the value as shown; and the keys of which some game has too many
    values to be counted.
    """
    known: dict[str, dict[str, str]] = {}
    uncounted = {
        place.key
        for field in STANDARD
        for place in field.places
        if place.kind in ("name", "text") or not place.is_listed
    }
    for game in games:
        vocabulary = vocabularies.get(game.slug, {})
        for key, values in vocabulary.items():
            for value, (shown, _) in values.items():
                known.setdefault(key, {}).setdefault(value, shown)
        countable = (*COUNTED_KEYS, *(fact.key for fact in game.facts if fact.kind in COUNTED_KINDS))
        uncounted.update(key for key in countable if key not in vocabulary)
        uncounted.update(fact.key for fact in game.facts if fact.kind not in COUNTED_KINDS)
    return known, uncounted
