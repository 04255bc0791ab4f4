"""The rows of a card list as HTML, made by hand.

A list is made for every query, and its rows are most of it: a template would take longer over
them than everything else together. The address of a card is cached. Every word goes through
``escape``.
"""

from __future__ import annotations

from functools import lru_cache
from html import escape
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from cardsdb.games import games
from cardsdb.games.kit import Fact, Game, RowFact
from cardsdb.games.kit.model.cards import FactValue, as_words
from cardsdb.search.engine.snapshot import ListedCard
from cardsdb.search.query.filter_form import Range
from cardsdb.site.game_colours import colour_class
from cardsdb.web.lists.card_list import CardListPage
from cardsdb.web.lists.facets import Choice
from cardsdb.web.lists.shown_facts import short_facts
from cardsdb.web.marks import mark

# From here on a number stands out in its column.
HIGH = 5
UNKNOWN = '<span class="blank"><span class="visually-hidden">unknown</span></span>'


def rows_of(page: CardListPage) -> SafeString:
    """The rows in the list's view: the children of a ``ul``, an ``ol`` or a ``tbody``."""
    draw = {"table": _table_row, "checklist": _checklist_row}.get(page.view, _row)
    query = escape("?" + urlencode({"q": page.text})) if page.text else ""
    return mark_safe("\n".join(draw(page, card, query) for card in page.cards))  # noqa: S308  (every piece is escaped)


def choices_of(choices: tuple[Choice, ...]) -> SafeString:
    """The values of a facet: the children of a ``ul``."""
    items = []
    for choice in choices:
        state = ' class="picked" aria-current="true"' if choice.picked else ""
        hint = '<span class="visually-hidden">, picked: take it out</span>' if choice.picked else ""
        items.append(
            f'<li><a href="{escape(choice.href)}"{state}>{choice.mark}<span>{escape(choice.shown)}{hint}</span></a>'
            f' <span class="num">{choice.count:,}</span></li>'
        )
    return mark_safe("\n".join(items))  # noqa: S308  (every piece is escaped)


def bounds_of(ranges: tuple[Range, ...]) -> SafeString:
    """The filter form's fields for number facts."""
    fieldsets = []
    for bounds in ranges:
        key, ends = bounds.fact.key, (("from", bounds.low), ("to", bounds.high))
        fields = "".join(
            f'<label for="f-{key}-{end}">{end}</label><input type="number" id="f-{key}-{end}" name="{key}_{end}" value="{escape(value)}">'
            for end, value in ends
        )
        fieldsets.append(f'<fieldset class="field range"><legend>{escape(bounds.fact.title)}</legend>{fields}</fieldset>')
    return mark_safe("\n".join(fieldsets))  # noqa: S308  (every piece is escaped)


def options_of(orders: list[tuple[str, str, bool]]) -> SafeString:
    """The options of the filter form's order."""
    options = (
        f'<option value="{escape(value)}"{" selected" if chosen else ""}>{escape(label)}</option>' for value, label, chosen in orders
    )
    return mark_safe("".join(options))  # noqa: S308  (every piece is escaped)


def prints_of(card: ListedCard) -> str:
    return ", ".join(f"{set_code} {number}".strip() for set_code, number in card.prints)


def tick(card: ListedCard) -> str:
    """The box that picks a card for comparing; none for one's own, whose facts have no sources."""
    if card.is_own:
        return ""
    label = f'<span class="visually-hidden">Compare {escape(card.name)}</span>'
    return f'<label class="pick-label"><input type="checkbox" name="card" value="{escape(card.key)}">{label}</label>'


@lru_cache(maxsize=20_000)
def address(key: str) -> str:
    """The card's address, escaped."""
    return escape(reverse("card", args=key.split("/", 1)))


def _name(card: ListedCard, query: str) -> str:
    own = ' <span class="hint">own card</span>' if card.is_own else ""
    return f'<a class="name" href="{address(card.key)}{query}">{escape(card.name)}</a>{own}'


def _row(page: CardListPage, card: ListedCard, query: str) -> str:
    game = games()[card.game]
    facts = page.because(card, game) or short_facts(game, card, page.keys, 5 if page.game else 4)
    words = [*([] if page.game else [game.name]), game.type_named(card.type).name, *([facts] if facts else [])]
    return (
        f'<li class="row game-{card.game}"><span class="row-name">{tick(card)}{_name(card, query)}</span> '
        f'<span class="row-meta">{escape(" · ".join(words))}</span> <span class="row-end code">{escape(prints_of(card))}</span></li>'
    )


def _checklist_row(page: CardListPage, card: ListedCard, query: str) -> str:
    return f'<li><span class="box" aria-hidden="true"></span>{_name(card, query)} <span class="code">{escape(prints_of(card))}</span></li>'


def _table_row(page: CardListPage, card: ListedCard, query: str) -> str:
    game = games()[card.game]
    why = page.because(card, game)
    hint = f' <span class="hint">{escape(why)}</span>' if why else ""
    marks = _marks(page.marks, game, card) if page.marks else ("", "")
    cells = [] if page.query.type else [f'<td class="row-type">{escape(game.type_named(card.type).name)}</td>']
    cells += [_cell(fact, game.row_facts_by_key.get(fact.key, _PLAIN), card) for fact in page.columns]
    if not page.game:
        cells.append(f"<td>{escape(game.name)}</td>")
    name = f'<th scope="row">{_name(card, query)}{_signs(game, card)}{hint}</th>'
    prints = f'<td class="code">{escape(prints_of(card))}</td>' if page.has_sets else ""
    row = f'<td class="pick">{tick(card)}</td>{marks[1]}{name}{"".join(cells)}{prints}'
    return f'<tr class="{marks[0]}">{row}</tr>' if marks[0] else f"<tr>{row}</tr>"


_PLAIN = RowFact("")


def _marks(marks: tuple[RowFact, ...], game: Game, card: ListedCard) -> tuple[str, str]:
    """The class that colours the row, and the cell with the marks of the first of the facts that the card has."""
    row_fact = next((row_fact for row_fact in marks if row_fact.key in card.facts), None)
    if row_fact is None:
        is_unknown = any(game.facts_by_key[row_fact.key].expected_of(card.type) for row_fact in marks)
        return "", f'<td class="marks">{UNKNOWN if is_unknown else ""}</td>'
    value = card.facts[row_fact.key]
    values = value if isinstance(value, tuple | list) else (str(value),)
    drawn = "".join(mark(game, row_fact, value) for value in values)
    return colour_class(game, values[0]) if values else "", f'<td class="marks">{drawn}</td>'


def _signs(game: Game, card: ListedCard) -> str:
    """A lozenge for each of the game's signs that the card has."""
    signs = (
        game.facts_by_key[row_fact.key].title.lower()
        for row_fact in game.row_facts
        if row_fact.place == "sign" and card.facts.get(row_fact.key)
    )
    return "".join(
        f' <span class="sign" title="{escape(sign)}"><span class="visually-hidden">{escape(sign)}</span></span>' for sign in signs
    )


def _cell(fact: Fact, row_fact: RowFact, card: ListedCard) -> str:
    """A fact's cell: what stands in its place where it has no value, a ruled blank where nobody knows it."""
    value = next((card.facts[key] for key in (fact.key, *fact.unless) if key in card.facts), None)
    if value is None:
        shown, weight = (UNKNOWN if fact.expected_of(card.type) else ""), ""
    elif fact.kind == "number":
        shown, weight = escape(as_words(value)), _weight(value)
    elif fact.kind == "flag":
        shown, weight = as_words(value), ""
    else:
        shown, weight = f"<span>{escape(as_words(value))}</span>", ""
    if fact.kind not in ("number", "flag"):
        return f'<td class="words">{shown}</td>'
    if shown and row_fact.place == "chip":
        shown = f'<span class="chip">{shown}</span>'
    label = f' data-label="{escape(row_fact.heading or fact.title)}"' if shown else ""
    return f'<td class="num{weight}"{label}>{shown}</td>'


def _weight(value: FactValue) -> str:
    """The class of a number that stands out or back."""
    if not isinstance(value, int):
        return ""
    return " high" if value >= HIGH else " zero" if value == 0 else ""
