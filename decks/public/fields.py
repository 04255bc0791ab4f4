"""The fields that decks are searched by. The grammar is that of the card search; only the words differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cardsdb.games.kit.model.report import VERDICTS
from cardsdb.search.query.fields import Table
from cardsdb.search.query.standard import COMPARISONS, EQUALITY

Kind = Literal["text", "exact", "is", "number", "date", "nested"]

OPERATORS: dict[Kind, tuple[str, ...]] = {
    "text": EQUALITY,
    "exact": EQUALITY,
    "is": (":", "="),
    "number": (*EQUALITY, *COMPARISONS),
    "date": (*EQUALITY, *COMPARISONS),
    "nested": (":", "="),
}
MAX_CARD_QUERIES = 4
MAX_USES = 6


@dataclass(frozen=True, slots=True)
class DeckField:
    """A search word of decks. ``spellings`` are all the words that mean it, its own first."""

    word: str
    title: str
    help: str
    kind: Kind
    spellings: tuple[str, ...]
    example: str

    @property
    def operators(self) -> tuple[str, ...]:
        """What may stand behind the word."""
        return OPERATORS[self.kind]

    @property
    def places(self) -> tuple[DeckField, ...]:
        """The fields that it looks in: itself. Read by ``plain_english``, as those of a field of cards."""
        return (self,)


FIELDS = (
    DeckField(
        "name",
        "Name",
        "A part of the deck's name; with = the whole of it.",
        "text",
        ("name", "n"),
        "name:tiger",
    ),
    DeckField("game", "Game", "The game.", "exact", ("game", "g"), "game:spycraft"),
    DeckField(
        "format",
        "Format",
        "The format that the deck is built for.",
        "exact",
        ("format", "f"),
        "format:agency",
    ),
    DeckField(
        "legal",
        "Legal",
        "Judged legal in this format, without house rules.",
        "exact",
        ("legal",),
        "legal:agency",
    ),
    DeckField(
        "verdict",
        "Verdict",
        f"What the judge says of it: {', '.join(VERDICTS)}.",
        "exact",
        ("verdict", "v"),
        "verdict:incomplete",
    ),
    DeckField(
        "is",
        "Is",
        "A verdict, or one of: mine, favourite, liked, forked, house (built by house rules).",
        "is",
        ("is",),
        "is:legal",
    ),
    DeckField("not", "Not", "The opposite of is.", "is", ("not",), "not:house"),
    DeckField(
        "by",
        "By",
        "The user name of its owner. Decks without an account have none.",
        "exact",
        ("by", "author", "owner"),
        "by:anna",
    ),
    DeckField("tag", "Tag", "A tag that its author gave it.", "exact", ("tag", "tags"), "tag:mirror"),
    DeckField(
        "uses",
        "Uses",
        "A card of the catalogue, by its whole name or its key.",
        "exact",
        ("uses", "with", "card"),
        'uses:"Kai"',
    ),
    DeckField("likes", "Likes", "How many like it.", "number", ("likes", "hearts"), "likes>=3"),
    DeckField("size", "Size", "How many cards it has in all.", "number", ("size", "cards"), "size>=50"),
    DeckField(
        "changed",
        "Changed",
        "When it was saved last: a year, a month or a day.",
        "date",
        ("changed", "updated"),
        "changed>=2026-01",
    ),
    DeckField(
        "created",
        "Created",
        "When it was made: a year, month or day.",
        "date",
        ("created", "made"),
        "created:2026",
    ),
    DeckField(
        "deck",
        "Deck",
        "How many cards of a kind are in it. A search of cards stands in the brackets; without a number"
        " behind them one card is enough.",
        "nested",
        ("deck", "holds"),
        "deck:[t:gear]>=5",
    ),
)
NESTING = frozenset(FIELDS[-1].spellings)

# A way to sort -> its title, and what it is in a query's own words. The first stands in addresses as
# ``order``.
ORDERS = {
    "newest": "Newest first",
    "liked": "Most liked first",
    "name": "By name",
    "match": "Best match first",
}
# What may stand behind ``order:`` in a query; a minus before one puts the highest first, as among cards.
SORTABLE = ("name", "likes", "changed", "created", "newest", "liked", "match")

DECK_FIELDS = Table(FIELDS)
