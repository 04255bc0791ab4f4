"""The rows and headings of a card list: what each view ("line", "numbers", "faces") shows of a card.

``views.py`` calls ``groups_of_rows`` and ``headings_of``, which turn a ``CardListPage`` (``card_list.py``)
into values for the HTML in ``macros/cards.html``. Tests: ``tests/cardsdb/web/lists/test_rows.py``.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.urls import reverse

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.box.pictures import pictures_on_pages
from cardsdb.box.texts import texts_in, with_text
from cardsdb.catalogue.current import games
from cardsdb.games.kit import Card, Fact, FactValue, Game, RowFact, as_words
from cardsdb.search.groups import told_of
from cardsdb.search.own_cards import own_cards
from cardsdb.search.query.tree import normal
from cardsdb.site.static_files import colour_class
from cardsdb.web.lists.card_list import CardListPage
from cardsdb.web.lists.columns import Mark, mark, short_facts

# Numbers from here on are emphasised in their column.
HIGH = 5
# Facts of a card that a row names in a list of several games.
MAX_FACTS = 4


class Cell(NamedTuple):
    """A fact of a card in its column.

    ``words`` is None without a value; the cell is then empty, or a blank if the card should have one
    (``is_unknown``). ``weight``: CSS class of a number that is emphasised or dimmed.
    """

    label: str
    is_number: bool
    is_chip: bool
    words: str | None
    is_unknown: bool
    weight: str


class CardRow(NamedTuple):
    """A card in a list.

    ``because``: why it counts as similar. ``told``: the sentence of its effect that fits the query best, as
    pairs of (piece, was asked for). ``words``: its facts, in a list of several games.

    The table's part begins with ``colour``. ``lacks_mark``: it should have a mark, but no source states
    which. ``signs``: names of yes-or-no facts that are true. For the view of faces, ``whole`` is the card to
    draw, with the visitor's text, and ``picture`` the visitor's own picture.
    """

    card: Card
    game: Game
    href: str
    prints: str
    because: str
    told: tuple[tuple[str, bool], ...] = ()
    words: str = ""
    colour: str = ""
    marks: tuple[Mark, ...] = ()
    lacks_mark: bool = False
    signs: tuple[str, ...] = ()
    cells: tuple[Cell, ...] = ()
    whole: Card | None = None
    picture: PictureRef = None


def groups_of_rows(page: CardListPage) -> list[tuple[str, int, list[CardRow]]]:
    """Return (title, number of cards in the whole group, rows on this page) of each group; one group titled
    "" if the list has none.
    """
    groups = page.results.groups
    titles = {key: title for title, keys in groups.items() for key in keys}
    grouped = groupby(rows_of(page), lambda row: titles.get(row.card.key, ""))
    return [(title, len(groups.get(title, ())), list(rows)) for title, rows in grouped]


def rows_of(page: CardListPage) -> Iterator[CardRow]:
    """Yield the rows of the page for its view."""
    # The card's page offers the neighbours in this list.
    query = f"?{page.query_in_address}" if page.text else ""
    faces = _faces(page) if page.view == "faces" else {}
    for card in page.cards:
        game = games()[card.game]
        href = reverse("card", args=(card.game, card.code)) + query
        told = _told(page, card) if page.view == "line" else ()
        row = CardRow(card, game, href, prints_of(card), page.because(card, game), told)
        if page.view == "faces":
            row = row._replace(**faces[card.key])
        elif page.game:
            row = row._replace(**_in_table(page, card, game))
        else:
            facts = row.because or short_facts(game, card, page.keys, MAX_FACTS)
            words = (game.name, game.type_named(card.type).name, facts)
            row = row._replace(words=" · ".join(filter(None, words)))
        yield row


def _told(page: CardListPage, card: Card) -> tuple[tuple[str, bool], ...]:
    """Return the effect sentence with most of what was asked for, in pieces; the first sentence if nothing
    was asked for. A search for "wound" gives ("React Combat: After this agent inflicts a ", False), ("wound",
    True), (" in a mission, ", False), and so on.
    """
    if not page.asked:
        first = card.told.partition("\n")[0]
        return ((first, False),) if first else ()
    sentence = told_of(card, page.asked).sentence
    pieces: list[tuple[str, bool]] = []
    # The place behind the last match.
    end = 0
    for match in page.asked.finditer(sentence):
        pieces += [(sentence[end : match.start()], False), (match[0], True)]
        end = match.end()
    if not pieces:
        return ()
    return (*pieces, (sentence[end:], False))


def prints_of(card: Card) -> str:
    """Return the sets and numbers of a card's prints: "EA 12, BL 3"."""
    return ", ".join(f"{print_.set} {print_.number}".strip() for print_ in card.prints)


def _faces(page: CardListPage) -> dict[str, dict[str, Any]]:
    """Return card key -> the values of its face: ``whole`` and ``picture`` of CardRow. Own cards are drawn
    without their set.
    """
    faces: dict[str, dict[str, Any]] = {}
    # Slug of a game -> codes of its cards on the page.
    codes: dict[str, list[str]] = defaultdict(list)
    own = own_cards(page.query.own).by_code
    boxes = [pk for pk, _ in page.query.own]
    texts = texts_in(boxes, [card.code for card in page.cards]) if boxes else {}
    for card in page.cards:
        faces[card.key] = {"whole": own.get(card.code) or with_text(card, texts.get(card.game, {}))}
        codes[card.game].append(card.code)
    if page.viewer:
        for slug, its_codes in codes.items():
            for code, picture in pictures_on_pages(page.viewer, games()[slug], its_codes).items():
                faces[f"{slug}/{code}"]["picture"] = picture
    return faces


# -- the table ---------------------------------------------------------------------------


def _in_table(page: CardListPage, card: Card, game: Game) -> dict[str, Any]:
    """Return the values that a row of the table has."""
    facts = game.facts_by_key
    signs = [
        facts[row_fact.key].title.lower()
        for row_fact in game.row_facts
        if row_fact.place == "sign" and card.facts.get(row_fact.key)
    ]
    shown: dict[str, Any] = {
        "signs": tuple(signs),
        "cells": tuple(_cell(fact, game, card) for fact in page.columns),
    }
    # The first fact with a mark that the card states.
    marked = next((row_fact for row_fact in page.marks if row_fact.key in card.facts), None)
    if marked is None:
        lacks_mark = any(facts[row_fact.key].expected_of(card.type) for row_fact in page.marks)
        return shown | {"lacks_mark": lacks_mark}
    values = card.words(marked.key)
    return shown | {
        "colour": colour_class(game, values[0]) if values else "",
        "marks": tuple(mark(game, marked, value) for value in values),
    }


def _cell(fact: Fact, game: Game, card: Card) -> Cell:
    """Return a card's cell for a fact; if it has no value, that of a fact which stands in its place."""
    values: Iterator[FactValue] = (card.facts[key] for key in (fact.key, *fact.unless) if key in card.facts)
    value = next(values, None)
    declared = game.row_facts_by_key.get(fact.key, RowFact(""))
    weight = ""
    if fact.kind == "number" and isinstance(value, int):
        weight = " high" if value >= HIGH else " zero" if value == 0 else ""
    return Cell(
        label=declared.heading or fact.title,
        is_number=fact.kind in ("number", "flag"),
        is_chip=declared.place == "chip",
        words=None if value is None else as_words(value),
        is_unknown=value is None and fact.expected_of(card.type),
        weight=weight,
    )


class Heading(NamedTuple):
    """The heading of a column. ``short`` replaces a title that is too long, ``symbol`` is drawn above it.
    ``href`` sorts by the column, "" if that is not possible; ``sorted``: the present direction, or "".
    """

    title: str
    css_class: str
    short: str
    symbol: str
    href: str
    sorted: str


def headings_of(page: CardListPage) -> Iterator[Heading]:
    """Yield the headings of the table. Each links to the list sorted by it, the other way round if it is
    sorted so already.
    """
    first = page.query.query.order[0] if page.query.query.order else None
    conditions = urlencode({"q": f"{normal(page.query.query.tree)} ".lstrip()})
    facts, row_facts = (page.game.facts_by_key, page.game.row_facts_by_key) if page.game else ({}, {})
    # (title, CSS class, key, kind of fact)
    columns = [
        (facts[row_fact.key].title, "marks", row_fact.key, facts[row_fact.key].kind)
        for row_fact in page.marks[:1]
    ]
    columns += [("Name", "", "name", "word")]
    columns += [] if page.query.type else [("Type", "row-type", "type", "word")]
    for fact in page.columns:
        is_number = fact.kind in ("number", "flag")
        columns.append((fact.title, "num" if is_number else "words", fact.key, fact.kind))
    for title, css_class, key, kind in columns:
        # The sort key of the list if it is this column's.
        now = first if first and first.key == key else None
        # People usually look for high numbers first.
        descending = not now.descending if now else kind == "number" and css_class == "num"
        # Unquoted: "q=type=agent order:-craft". "%3A" is the colon.
        href = f"{conditions}order%3A{'-' if descending else ''}{key}{page.rest}"
        if now:
            direction = "descending" if now.descending else "ascending"
        else:
            direction = "ascending" if key == "name" and page.results.is_by_name else ""
        declared = row_facts.get(key, RowFact(""))
        yield Heading(
            title=title,
            css_class=css_class,
            short=declared.heading,
            symbol=declared.symbol,
            href="" if kind in ("words", "text") else href,
            sorted=direction,
        )
