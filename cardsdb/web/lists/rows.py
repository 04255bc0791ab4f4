"""The rows of a card list: what each view says of a card, and the headings of the table. The HTML is in
``macros/cards.html``.
"""

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
from cardsdb.web.lists.facets import Mark, mark, short_facts

# From here on a number stands out in its column.
HIGH = 5


class Cell(NamedTuple):
    """A fact in its column. ``words`` is None where the card has no value: nothing stands there then, or a
    blank where no source says it. ``weight``: the class of a number that stands out or back.
    """

    label: str
    is_number: bool
    is_chip: bool
    words: str | None
    is_unknown: bool
    weight: str


class CardRow(NamedTuple):
    """A card as every list shows it. ``because``: why it is among the similar ones.

    ``told``: the sentence of its effect that has most of what was asked for, in pieces, each with whether it
    is that. ``words``: the facts beside its name among cards of several games. From ``colour`` on, what a
    table has: ``lacks_mark`` says that it should have a mark, and no source says which, ``signs`` are the
    names of facts that are true of it. ``whole`` and ``picture``, the visitor's own, are its face.
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
    """The rows of the page by groups: the title, empty if there are no groups, the number of cards,
    the rows.
    """
    groups = page.results.groups
    titles = {key: title for title, keys in groups.items() for key in keys}
    grouped = groupby(rows_of(page), lambda row: titles.get(row.card.key, ""))
    return [(title, len(groups.get(title, ())), list(rows)) for title, rows in grouped]


def rows_of(page: CardListPage) -> Iterator[CardRow]:
    """The rows of the page, as its view needs them."""
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
            facts = row.because or short_facts(game, card, page.keys, 4)
            words = (game.name, game.type_named(card.type).name, facts)
            row = row._replace(words=" · ".join(filter(None, words)))
        yield row


def _told(page: CardListPage, card: Card) -> tuple[tuple[str, bool], ...]:
    """The sentence that has most of what was asked for, in pieces; where nothing was, the first that a card
    has.
    """
    if not page.asked:
        first = card.told.partition("\n")[0]
        return ((first, False),) if first else ()
    sentence = told_of(card, page.asked)[0]
    pieces, end = list[tuple[str, bool]](), 0
    for match in page.asked.finditer(sentence):
        pieces += [(sentence[end : match.start()], False), (match[0], True)]
        end = match.end()
    return (*pieces, (sentence[end:], False)) if pieces else ()


def prints_of(card: Card) -> str:
    return ", ".join(f"{one.set} {one.number}".strip() for one in card.prints)


def _faces(page: CardListPage) -> dict[str, dict[str, Any]]:
    """Key of a card -> what its face needs. The face of one's own card does not say which set it is of."""
    own, made = page.query.own, own_cards(page.query.own).by_code
    texts = texts_in([pk for pk, _ in own], [card.code for card in page.cards]) if own else {}
    faces = {
        card.key: {"whole": made.get(card.code) or with_text(card, texts.get(card.game, {}))}
        for card in page.cards
    }
    for slug in {card.game for card in page.cards} if page.viewer else ():
        codes = [card.code for card in page.cards if card.game == slug]
        for code, picture in pictures_on_pages(page.viewer, games()[slug], codes).items():
            faces[f"{slug}/{code}"]["picture"] = picture
    return faces


# -- the table ---------------------------------------------------------------------------


def _in_table(page: CardListPage, card: Card, game: Game) -> dict[str, Any]:
    marked = next((row_fact for row_fact in page.marks if row_fact.key in card.facts), None)
    values = card.words(marked.key) if marked else ()
    return {
        "colour": colour_class(game, values[0]) if values else "",
        "marks": tuple(mark(game, marked, value) for value in values) if marked else (),
        "lacks_mark": not marked
        and any(game.facts_by_key[one.key].expected_of(card.type) for one in page.marks),
        "signs": tuple(
            game.facts_by_key[one.key].title.lower()
            for one in game.row_facts
            if one.place == "sign" and card.facts.get(one.key)
        ),
        "cells": tuple(_cell(fact, game, card) for fact in page.columns),
    }


def _cell(fact: Fact, game: Game, card: Card) -> Cell:
    """A fact's cell: what stands in its place where it has no value."""
    values: Iterator[FactValue] = (card.facts[key] for key in (fact.key, *fact.unless) if key in card.facts)
    value = next(values, None)
    declared = game.row_facts_by_key.get(fact.key, RowFact(""))
    weight = ""
    if fact.kind == "number" and isinstance(value, int):
        weight = " high" if value >= HIGH else " zero" if value == 0 else ""
    return Cell(
        declared.heading or fact.title,
        fact.kind in ("number", "flag"),
        declared.place == "chip",
        None if value is None else as_words(value),
        value is None and fact.expected_of(card.type),
        weight,
    )


class Heading(NamedTuple):
    """A column's heading in the table. ``href`` sorts by it and is empty where nothing can; ``sorted`` is how
    it is sorted now.

    ``short`` is what stands there where the title is too long for a column, ``symbol`` the drawing above it.
    """

    title: str
    css_class: str
    short: str
    symbol: str
    href: str
    sorted: str


def headings_of(page: CardListPage) -> Iterator[Heading]:
    """The table's headings. Each is a link that sorts by it, in the other direction if the table is sorted by
    it already.
    """
    first = page.query.query.order[0] if page.query.query.order else None
    conditions = urlencode({"q": f"{normal(page.query.query.tree)} ".lstrip()})
    facts, row_facts = (page.game.facts_by_key, page.game.row_facts_by_key) if page.game else ({}, {})
    # Title, class of the column, key, kind of fact.
    columns = [(facts[one.key].title, "marks", one.key, facts[one.key].kind) for one in page.marks[:1]]
    columns += [("Name", "", "name", "word")]
    columns += [] if page.query.type else [("Type", "row-type", "type", "word")]
    for fact in page.columns:
        is_number = fact.kind in ("number", "flag")
        columns.append((fact.title, "num" if is_number else "words", fact.key, fact.kind))
    for title, css_class, key, kind in columns:
        now = first if first and first.key == key else None
        # Numbers are mostly looked through from the highest down.
        descending = not now.descending if now else kind == "number" and css_class == "num"
        href = f"{conditions}order%3A{'-' if descending else ''}{key}{page.rest}"
        state = "ascending" if now or (key == "name" and page.results.is_by_name) else ""
        declared = row_facts.get(key, RowFact(""))
        yield Heading(
            title,
            css_class,
            declared.heading,
            declared.symbol,
            "" if kind in ("words", "text") else href,
            "descending" if now and now.descending else state,
        )
