"""The rows of a card list as HTML, made by hand.

A list is made for every query, and its rows are most of it: a template would take longer over
them than everything else together. The address of a card is cached. Every word goes through
``escape``, or ``escaped`` where it stands on other pages too.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from html import escape
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe

from cardsdb.catalogue.current import games
from cardsdb.games.kit import Card, Fact, Game, RowFact
from cardsdb.games.kit.model.cards import FactValue, as_words
from cardsdb.site.game_colours import colour_class
from cardsdb.site.templates import Site, escaped, here
from cardsdb.web.lists.card_list import CardListPage, Heading
from cardsdb.web.lists.shown_facts import short_facts
from cardsdb.web.marks import mark

# From here on a number stands out in its column.
HIGH = 5
# Cells of a column that are remembered.
MAX_DRAWN = 500
UNKNOWN = '<span class="blank"><span class="visually-hidden">unknown</span></span>'


def rows_of(page: CardListPage) -> SafeString:
    """The rows in the list's view: the children of a ``ul``, an ``ol`` or a ``tbody``."""
    query = escape(f"?{page.query_in_address}") if page.text else ""
    rows = _table_rows(page, query) if page.view == "table" else _plain_rows(page, query)
    return mark_safe("\n".join(rows))  # noqa: S308  (every piece is escaped)


def headings_of(page: CardListPage) -> SafeString:
    """The headings of the table's facts: the first children of its head's ``tr``."""
    return mark_safe("".join(map(_heading, page.headings)))  # noqa: S308  (every piece is escaped)


def _heading(heading: Heading) -> str:
    title, href = escaped(heading.title), escape(heading.href)
    kind = {"number": "num", "flag": "num", "mark": "marks"}.get(
        heading.kind, "words" if heading.title != "Name" else ""
    )
    group = f' class="{kind}"' if kind else ""
    order = f' aria-sort="{heading.sorted}"' if heading.sorted else ""
    whole = f' title="{title}"' if heading.short else ""
    drawing = (
        '<svg class="fact-symbol" viewBox="0 0 24 24" aria-hidden="true"><path'
        f' d="{escaped(heading.symbol)}"/></svg>'
        if heading.symbol
        else ""
    )
    if heading.kind == "mark":
        shown = (
            f'{drawing}<span class="mark" aria-hidden="true"></span><span'
            f' class="visually-hidden">{title}</span>'
        )
    else:
        shown = drawing + (escaped(heading.short) or title)
    return f'<th scope="col"{group}{order}{whole}>' + (
        f'<a href="?{href}"{whole}>{shown}</a></th>' if href else f"{shown}</th>"
    )


def prints_of(card: Card) -> str:
    return ", ".join(f"{one.set} {one.number}".strip() for one in card.prints)


def tick(card: Card) -> str:
    """The box that picks a card for comparing; none for one's own, whose facts have no sources."""
    if card.own:
        return ""
    label = f'<span class="visually-hidden">Compare {escaped(card.name)}</span>'
    return (
        '<label class="pick-label"><input type="checkbox" name="card"'
        f' value="{escaped(card.key)}">{label}</label>'
    )


@lru_cache(maxsize=20_000)
def address(site: Site, key: str) -> str:
    """The card's address, escaped."""
    return escape(site.url("card", *key.split("/", 1)))


def _name(card: Card, query: str, site: Site) -> str:
    own = ' <span class="hint">own card</span>' if card.own else ""
    return f'<a class="name" href="{address(site, card.key)}{query}">{escaped(card.name)}</a>{own}'


def _plain_rows(page: CardListPage, query: str) -> Iterator[str]:
    draw, site = _checklist_row if page.view == "checklist" else _row, here()
    for card in page.cards:
        yield draw(page, card, _name(card, query, site))


def _row(page: CardListPage, card: Card, name: str) -> str:
    game = games()[card.game]
    facts = page.because(card, game) or short_facts(game, card, page.keys, 5 if page.game else 4)
    words = [
        *([] if page.game else [game.name]),
        game.type_named(card.type).name,
        *([facts] if facts else []),
    ]
    return (
        f'<li class="row game-{card.game}"><span class="row-name">{tick(card)}{name}</span> <span'
        f' class="row-meta">{escaped(" · ".join(words))}</span> <span class="row-end'
        f' code">{escaped(prints_of(card))}</span></li>'
    )


def _checklist_row(page: CardListPage, card: Card, name: str) -> str:
    return (
        f'<li><span class="box" aria-hidden="true"></span>{name} <span'
        f' class="code">{escaped(prints_of(card))}</span></li>'
    )


def _table_rows(page: CardListPage, query: str) -> Iterator[str]:
    """The rows of the table. What is the same in all of them is asked for once."""
    marks, has_sets, has_type, site = page.marks, page.has_sets, not page.query.type, here()
    of_games = {slug: _Game.of(games()[slug], page) for slug in {card.game for card in page.cards}}
    for card in page.cards:
        of = of_games[card.game]
        why = page.because(card, of.game)
        hint = f' <span class="hint">{escaped(why)}</span>' if why else ""
        colour, marked = _marks(marks, of.game, card) if marks else ("", "")
        kind = f'<td class="row-type">{escaped(of.game.type_named(card.type).name)}</td>' if has_type else ""
        cells = "".join([_cell(column, card) for column in of.columns])
        signs = "".join([sign for key, sign in of.signs if card.facts.get(key)])
        prints = f'<td class="code">{escaped(prints_of(card))}</td>' if has_sets else ""
        group = f' class="{colour}"' if colour else ""
        name = f'<th scope="row">{_name(card, query, site)}{signs}{hint}</th>'
        yield (
            f'<tr{group}><td class="pick">{tick(card)}</td>{marked}{name}{kind}{cells}{of.cell}{prints}</tr>'
        )


class _Column(NamedTuple):
    """What is the same in all cells of a fact's column; ``label`` is an attribute as HTML, ``drawn`` cells by
    type and value.
    """

    fact: Fact
    is_number: bool
    is_chip: bool
    label: str
    drawn: dict[tuple[str, int | str | None], str]


class _Game(NamedTuple):
    """What a table shows of one game: its columns, a lozenge for each of its signs by the fact's key, the
    cell with its name.
    """

    game: Game
    columns: tuple[_Column, ...]
    signs: tuple[tuple[str, str], ...]
    cell: str

    @classmethod
    def of(cls, game: Game, page: CardListPage) -> _Game:
        columns = tuple(_column(fact, game.row_facts_by_key.get(fact.key, _PLAIN)) for fact in page.columns)
        titles = [
            (row_fact.key, escaped(game.facts_by_key[row_fact.key].title.lower()))
            for row_fact in game.row_facts
            if row_fact.place == "sign"
        ]
        signs = tuple(
            (key, f' <span class="sign" title="{title}"><span class="visually-hidden">{title}</span></span>')
            for key, title in titles
        )
        return cls(game, columns, signs, "" if page.game else f"<td>{escaped(game.name)}</td>")


_PLAIN = RowFact("")


@lru_cache(maxsize=500)
def _column(fact: Fact, row_fact: RowFact) -> _Column:
    label = f' data-label="{escaped(row_fact.heading or fact.title)}"'
    return _Column(fact, fact.kind in ("number", "flag"), row_fact.place == "chip", label, {})


def _marks(marks: tuple[RowFact, ...], game: Game, card: Card) -> tuple[str, str]:
    """The class that colours the row, and the cell with the marks of the first of the facts that the card
    has.
    """
    row_fact = next((row_fact for row_fact in marks if row_fact.key in card.facts), None)
    if row_fact is None:
        is_unknown = any(game.facts_by_key[row_fact.key].expected_of(card.type) for row_fact in marks)
        return "", f'<td class="marks">{UNKNOWN if is_unknown else ""}</td>'
    value = card.facts[row_fact.key]
    values = value if isinstance(value, tuple | list) else (str(value),)
    drawn = "".join(mark(game, row_fact, value) for value in values)
    return colour_class(game, values[0]) if values else "", f'<td class="marks">{drawn}</td>'


def _cell(column: _Column, card: Card) -> str:
    """A fact's cell: what stands in its place where it has no value, a ruled blank where nobody knows it."""
    fact, facts = column.fact, card.facts
    value = facts.get(fact.key)
    if value is None and fact.unless:
        value = next((facts[key] for key in fact.unless if key in facts), None)
    # Yes and no are equal to 1 and 0.
    if isinstance(value, bool | list | tuple):
        return _drawn(column, card.type, value)
    cell = column.drawn.get((card.type, value))
    if cell is None:
        if len(column.drawn) >= MAX_DRAWN:
            column.drawn.clear()
        cell = column.drawn[card.type, value] = _drawn(column, card.type, value)
    return cell


def _drawn(column: _Column, card_type: str, value: FactValue | None) -> str:
    fact = column.fact
    if value is None:
        shown = UNKNOWN if fact.expected_of(card_type) else ""
    else:
        shown = escaped(as_words(value)) if column.is_number else f"<span>{escaped(as_words(value))}</span>"
    if not column.is_number:
        return f'<td class="words">{shown}</td>'
    if not shown:
        return '<td class="num"></td>'
    if column.is_chip:
        shown = f'<span class="chip">{shown}</span>'
    return f'<td class="num{_weight(value) if fact.kind == "number" else ""}"{column.label}>{shown}</td>'


def _weight(value: FactValue | None) -> str:
    """The class of a number that stands out or back."""
    if not isinstance(value, int):
        return ""
    return " high" if value >= HIGH else " zero" if value == 0 else ""
