"""The rows of a card list as HTML, made by hand.

A list is made anew for every query, and its rows are most of it: a template would take longer over
them than everything else together. What does not depend on the query is kept per card. Every word
goes through ``escape``.
"""

from __future__ import annotations

from functools import lru_cache
from html import escape
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from cardsdb.games import games
from cardsdb.games.kit import Fact, Game
from cardsdb.games.kit.model.cards import as_words
from cardsdb.search.engine.snapshot import ListedCard
from cardsdb.search.query.filter_form import Range
from cardsdb.search.query.similar import reasons
from cardsdb.web.lists.browsing import Browse, short_facts
from cardsdb.web.lists.facets import Choice

UNKNOWN = '<span class="blank"><span class="visually-hidden">unknown</span></span>'


def rows_of(shown: Browse) -> SafeString:
    """The rows in the list's view: the children of a ``ul``, an ``ol`` or a ``tbody``."""
    draw = {"table": _table_row, "checklist": _checklist_row}.get(shown.view, _row)
    query = escape("?" + urlencode({"q": shown.text})) if shown.text else ""
    return mark_safe("\n".join(draw(shown, card, query) for card in shown.cards))  # noqa: S308  (every piece is escaped)


def choices_of(choices: tuple[Choice, ...]) -> SafeString:
    """The values of a facet: the children of a ``ul``."""
    found = []
    for choice in choices:
        state = ' class="picked" aria-current="true"' if choice.picked else ""
        hint = '<span class="visually-hidden">, picked: take it out</span>' if choice.picked else ""
        found.append(
            f'<li><a href="{escape(choice.href)}"{state}>{escape(choice.shown)}{hint}</a> <span class="num">{choice.count:,}</span></li>'
        )
    return mark_safe("\n".join(found))  # noqa: S308


def bounds_of(ranges: tuple[Range, ...]) -> SafeString:
    """The filter form's fields for number facts."""
    found = []
    for bounds in ranges:
        key, ends = bounds.fact.key, (("from", bounds.low), ("to", bounds.high))
        fields = "".join(
            f'<label for="f-{key}-{end}">{end}</label><input type="number" id="f-{key}-{end}" name="{key}_{end}" value="{escape(value)}">'
            for end, value in ends
        )
        found.append(f'<fieldset class="field range"><legend>{escape(bounds.fact.title)}</legend>{fields}</fieldset>')
    return mark_safe("\n".join(found))  # noqa: S308


def options_of(orders: list[tuple[str, str, bool]]) -> SafeString:
    """The options of the filter form's order."""
    options = (
        f'<option value="{escape(value)}"{" selected" if chosen else ""}>{escape(label)}</option>' for value, label, chosen in orders
    )
    return mark_safe("".join(options))  # noqa: S308


def because(shown: Browse, card: ListedCard, game: Game) -> str:
    """Why a card is among the similar ones."""
    like = shown.like
    return reasons(like.facts, card.facts, game) if like and like.game == card.game else ""


def prints_of(card: ListedCard) -> str:
    return ", ".join(f"{set_code} {number}".strip() for set_code, number in card.prints)


def tick(card: ListedCard) -> str:
    """The box that picks a card for comparing."""
    label = f'<span class="visually-hidden">Compare {escape(card.name)}</span>'
    return f'<label class="pick-label"><input type="checkbox" name="card" value="{escape(card.key)}">{label}</label>'


@lru_cache(maxsize=20_000)
def address(key: str) -> str:
    """The card's address, escaped."""
    return escape(reverse("card", args=key.split("/", 1)))


def _name(card: ListedCard, query: str) -> str:
    return f'<a class="name" href="{address(card.key)}{query}">{escape(card.name)}</a>'


def _row(shown: Browse, card: ListedCard, query: str) -> str:
    game = games()[card.game]
    facts = because(shown, card, game) or short_facts(game, card, shown.keys, 5 if shown.game else 4)
    said = [*([] if shown.game else [game.name]), game.type_named(card.type).name, *([facts] if facts else [])]
    return (
        f'<li class="row game-{card.game}"><span class="row-name">{tick(card)}{_name(card, query)}</span> '
        f'<span class="row-meta">{escape(" · ".join(said))}</span> <span class="row-end code">{escape(prints_of(card))}</span></li>'
    )


def _checklist_row(shown: Browse, card: ListedCard, query: str) -> str:
    return f'<li><span class="box" aria-hidden="true"></span>{_name(card, query)} <span class="code">{escape(prints_of(card))}</span></li>'


def _table_row(shown: Browse, card: ListedCard, query: str) -> str:
    game = games()[card.game]
    why = because(shown, card, game)
    hint = f' <span class="hint">{escape(why)}</span>' if why else ""
    cells = [_cell(fact, card) for fact in shown.columns]
    if not shown.game:
        cells.append(f"<td>{escape(game.name)}</td>")
    if not shown.asked.type:
        cells.append(f"<td>{escape(game.type_named(card.type).name)}</td>")
    name = f'<th scope="row">{_name(card, query)}{hint}</th>'
    return f'<tr><td class="pick">{tick(card)}</td>{name}{"".join(cells)}<td class="code">{escape(prints_of(card))}</td></tr>'


def _cell(fact: Fact, card: ListedCard) -> str:
    attributes = ' class="num"' if fact.kind == "number" else ""
    if fact.key in card.facts:
        return f"<td{attributes}>{escape(as_words(card.facts[fact.key]))}</td>"
    return f"<td{attributes}>{UNKNOWN if fact.expected_of(card.type) else ''}</td>"
