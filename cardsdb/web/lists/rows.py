"""The rows of a card list: what each view says of a card. The HTML is in ``macros/cards.html``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse

from cardsdb.catalogue.current import games
from cardsdb.games.kit import Card, Fact, Game, RowFact
from cardsdb.games.kit.model.cards import FactValue, as_words
from cardsdb.site.static_files import colour_class
from cardsdb.web.lists.card_list import CardListPage
from cardsdb.web.lists.shown_facts import Mark, mark, short_facts

# From here on a number stands out in its column.
HIGH = 5


@dataclass(frozen=True, slots=True)
class Cell:
    """A fact in its column. ``words`` is None where the card has no value: nothing stands there then, or a
    blank where nobody knows it. ``weight``: the class of a number that stands out or back.
    """

    label: str
    is_number: bool
    is_chip: bool
    words: str | None
    is_unknown: bool
    weight: str


@dataclass(frozen=True, slots=True)
class CardRow:
    """A card as every list shows it. ``words``: the line under its name, outside of tables; from ``because``
    on, what a table has.

    ``lacks_mark``: it should have a mark, and nobody knows which. ``signs``: the names of facts that are true
    of it.
    """

    card: Card
    href: str
    prints: str
    is_own: bool
    words: str = ""
    because: str = ""
    game: str = ""
    type: str = ""
    colour: str = ""
    marks: tuple[Mark, ...] = ()
    lacks_mark: bool = False
    signs: tuple[str, ...] = ()
    cells: tuple[Cell, ...] = ()


def rows_of(page: CardListPage) -> Iterator[CardRow]:
    """The rows of the page, as its view needs them."""
    query = f"?{page.query_in_address}" if page.text else ""
    for card in page.cards:
        game = games()[card.game]
        because = page.because(card, game)
        common = (card, reverse("card", args=(card.game, card.code)) + query, prints_of(card), card.own)
        if page.view == "table":
            yield _table_row(page, card, game, because, common)
        else:
            yield CardRow(*common, "" if page.view == "checklist" else _words(page, card, game, because))


def prints_of(card: Card) -> str:
    return ", ".join(f"{one.set} {one.number}".strip() for one in card.prints)


def _words(page: CardListPage, card: Card, game: Game, because: str) -> str:
    """Return what a card is, and its first facts or why it is among the similar ones."""
    facts = because or short_facts(game, card, page.keys, 5 if page.game else 4)
    return " · ".join(filter(None, ("" if page.game else game.name, game.type_named(card.type).name, facts)))


def _table_row(
    page: CardListPage, card: Card, game: Game, because: str, common: tuple[Card, str, str, bool]
) -> CardRow:
    row_fact = next((row_fact for row_fact in page.marks if row_fact.key in card.facts), None)
    values = _values(card.facts[row_fact.key]) if row_fact else ()
    return CardRow(
        *common,
        because=because,
        game=game.name,
        type=game.type_named(card.type).name,
        colour=colour_class(game, values[0]) if values else "",
        marks=tuple(mark(game, row_fact, value) for value in values) if row_fact else (),
        lacks_mark=not row_fact
        and any(game.facts_by_key[one.key].expected_of(card.type) for one in page.marks),
        signs=tuple(
            game.facts_by_key[one.key].title.lower()
            for one in game.row_facts
            if one.place == "sign" and card.facts.get(one.key)
        ),
        cells=tuple(_cell(fact, game, card) for fact in page.columns),
    )


def _values(value: FactValue) -> tuple[str, ...]:
    return tuple(value) if isinstance(value, tuple | list) else (str(value),)


def _cell(fact: Fact, game: Game, card: Card) -> Cell:
    """A fact's cell: what stands in its place where it has no value."""
    value = card.facts.get(fact.key)
    if value is None:
        value = next((card.facts[key] for key in fact.unless if key in card.facts), None)
    declared = game.row_facts_by_key.get(fact.key, RowFact(""))
    return Cell(
        declared.heading or fact.title,
        fact.kind in ("number", "flag"),
        declared.place == "chip",
        None if value is None else as_words(value),
        value is None and fact.expected_of(card.type),
        _weight(value) if fact.kind == "number" else "",
    )


def _weight(value: FactValue | None) -> str:
    if not isinstance(value, int):
        return ""
    return " high" if value >= HIGH else " zero" if value == 0 else ""
