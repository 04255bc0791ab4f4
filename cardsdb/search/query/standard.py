"""The search words that every game has: what each is called, where it looks, and what of a card stands there.

A new one is a field in ``STANDARD``, which says all that is particular to it, and a line in
``stated_values``. A place is a key of the column ``terms`` (see ``vocabulary``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.model.cards import CERTAINTIES, ENTRY_KINDS, FactKind, as_words
from cardsdb.games.kit.model.text import fold
from cardsdb.search.query.values import folded, number

# ``exact``: only the whole value counts. The others are fact kinds, or columns and questions of their own.
Kind = FactKind | Literal["exact", "name", "is", "has", "similar", "list"]

EQUALITY = (":", "=", "!=")
# Operator -> the database's word for it and for its opposite.
COMPARISONS = {"<": ("lt", "gte"), "<=": ("lte", "gt"), ">": ("gt", "lte"), ">=": ("gte", "lt")}
OPERATORS: dict[Kind, tuple[str, ...]] = {
    "number": (*EQUALITY, *COMPARISONS),
    "word": EQUALITY,
    "words": EQUALITY,
    "flag": EQUALITY,
    "exact": EQUALITY,
    "list": EQUALITY,
    "name": EQUALITY,
    "text": (":",),
    "is": (":", "="),
    "has": (":", "="),
    "similar": (":", "="),
}
# The key of ``terms`` under which cards of one's own say that they are.
MINE = "mine"
YES = ("yes", "true", "y")
NO = ("no", "false", "n")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a field looks: a key of ``terms``, and in which games (none named: in all).

    ``is_listed``: its values are few enough to be counted and offered.
    """

    key: str
    kind: Kind
    games: tuple[str, ...] = ()
    is_listed: bool = True

    @property
    def is_open(self) -> bool:
        """Whether any value may be asked for, known or not."""
        return self.kind in ("number", "flag", "text", "name")

    @property
    def operators(self) -> tuple[str, ...]:
        """The operators that it takes. Collector numbers in plain digits are compared, though all of them are
        text.
        """
        return OPERATORS["number"] if self.key == "number" else OPERATORS[self.kind]

    def takes(self, op: str, value: str) -> bool:
        """Whether this place can answer the question at all."""
        if op not in self.operators:
            return False
        if op in COMPARISONS:
            return number(value) is not None
        match self.kind:
            case "number":
                return number(value) is not None
            case "flag":
                return fold(value) in YES + NO
            case _:
                return bool(folded(value))


@dataclass(frozen=True, slots=True)
class Field:
    """A search word. ``spellings`` are all the words that mean it, its own first.

    ``is_single``: every card has one value of it, so that cards are sorted by it, and what it is not known to
    be it is not. ``is_aside``: it is about the making of the catalogue or repeats others, so that a word that
    is no field never means it.
    """

    word: str
    title: str
    help: str
    places: tuple[Place, ...]
    spellings: tuple[str, ...]
    is_single: bool = False
    is_aside: bool = False

    @property
    def kind(self) -> Kind:
        return self.places[0].kind

    @property
    def operators(self) -> tuple[str, ...]:
        """What may stand behind the word."""
        return tuple(op for op in OPERATORS["number"] if any(op in place.operators for place in self.places))


_SET, _RARITY = (Place("set", "exact"), Place("set-name", "word")), Place("rarity", "exact")
STANDARD = (
    Field("name", "Name", "The card's name.", (Place("name", "name"),), ("name", "n"), is_single=True),
    Field("type", "Type", "The type of card.", (Place("type", "word"),), ("type", "t"), is_single=True),
    Field(
        "entry",
        "Entry",
        "What the entry is: a card, a stand-in for cards that nobody names, a component, a term.",
        (Place("entry", "word"),),
        ("entry",),
        is_single=True,
    ),
    Field("set", "Set", "A set's code or name.", _SET, ("set", "s")),
    Field("game", "Game", "The game.", (Place("game", "word"),), ("game", "g"), is_single=True),
    Field("rarity", "Rarity", "The rarity of one of the card's prints.", (_RARITY,), ("rarity", "r")),
    Field(
        "number",
        "Number",
        "The collector number or code of a print; numbers in plain digits can be compared.",
        (Place("number", "exact", is_listed=False),),
        ("number", "cn"),
    ),
    Field(
        "text",
        "Text",
        "What a card does: our own notes, and for you alone the text that you brought along. No other printed"
        " text is searched.",
        (Place("text", "text"),),
        ("text", "x"),
    ),
    Field(
        "certainty",
        "Certainty",
        "How certain one of the card's facts is.",
        (Place("certainty", "word"),),
        ("certainty",),
        is_aside=True,
    ),
    Field(
        "source",
        "Source",
        "A document that states one of the card's facts.",
        (Place("source", "word"),),
        ("source", "src"),
        is_aside=True,
    ),
    Field("is", "Is", "A flag that is set, as in is:unique.", (Place("is", "is"),), ("is",)),
    Field(
        "not", "Not", "A flag that is not known to be set, as in not:unique.", (Place("not", "is"),), ("not",)
    ),
    Field("has", "Has", "A fact that is known, as in has:rarity.", (Place("has", "has"),), ("has",)),
    Field("in", "In", "Printed in a set, or at a rarity.", (*_SET, _RARITY), ("in",), is_aside=True),
    Field(
        "prints",
        "Number of prints",
        "How often it was printed.",
        (Place("prints", "number"),),
        ("prints",),
        is_single=True,
    ),
    Field(
        "disputed",
        "Disputed",
        "A fact that sources disagree about.",
        (Place("disputed", "word"),),
        ("disputed",),
        is_aside=True,
    ),
    Field(
        "mine", "Yours", "Whether the card stands in a set of your own.", (Place(MINE, "flag"),), ("mine",)
    ),
    Field(
        "similar", "Similar", "Much like the card of this name.", (Place("similar", "similar"),), ("similar",)
    ),
)
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
