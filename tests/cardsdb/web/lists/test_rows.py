"""Whatever a card is called and whatever is said of it, every list shows it as text: in each view, in the
facets and beside the boxes.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any
from urllib.parse import quote_plus

import pytest
from django.template import engines
from django.test import Client
from markupsafe import escape as as_text

from cardsdb.catalogue.loader import rows_of, write_cards
from cardsdb.games import games
from cardsdb.games.kit import Card, Claim, Print
from cardsdb.models import Edition
from cardsdb.web.lists import rows
from cardsdb.web.lists.card_list import VIEWS, CardListPage
from cardsdb.web.lists.facets import Choice, Facet, Mark, ShownValue

# Answered from memory. That every address answers on PostgreSQL too is shown by
# tests/house/test_permissions.py.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]

# What must turn into text, and what it is then.
MARKUP = """<b>"&'"""
AS_TEXT = as_text(MARKUP)
HOSTILE = Card(
    "spycraft",
    "hostile",
    f"{MARKUP} Hostile",
    "agent",
    {"faction": f"{MARKUP} faction", "traits": (f"{MARKUP} trait", "Soldier"), "craft": 5},
    sources={"": (Claim(next(iter(games()["spycraft"].documents))),)},
    prints=(Print(f"S{MARKUP}", f"N{MARKUP}", f"{MARKUP} rarity"),),
)
LISTED = Card(
    "spycraft",
    "kai",
    f"n{MARKUP}",
    "agent",
    {"faction": f"f{MARKUP}"},
    prints=(Print(f"s{MARKUP}", f"p{MARKUP}"),),
)


@pytest.fixture
def hostile() -> Card:
    """A card full of markup in an edition of its own; one more stands beside it, so that facets have a
    choice.
    """
    other = replace(
        HOSTILE,
        code="harmless",
        name="Harmless",
        facts={"faction": "Plain"},
        prints=(Print("PL", "1", "Plain"),),
    )
    write_cards([rows_of(card, games()["spycraft"]) for card in (HOSTILE, other)])
    Edition.objects.create()
    return HOSTILE


# -- pages ------------------------------------------------------------------------


@pytest.mark.usefixtures("hostile")
@pytest.mark.parametrize("view", [*VIEWS, "checklist"])
@pytest.mark.parametrize(
    "query", ["hostile or harmless", "game:spycraft type:agent (hostile or harmless)", 'similar:!"hostile"']
)
def test_no_list_lets_markup_of_a_card_through(client: Client, view: str, query: str) -> None:
    query = query.replace('!"hostile"', '"spycraft/hostile"')
    page = client.get("/cards/", {"q": query, "view": view}).content.decode()
    assert "<b>" not in page
    assert page.count(AS_TEXT) > 1 or "similar" in query


@pytest.mark.usefixtures("hostile")
@pytest.mark.parametrize("key", ["faction", "traits", "set", "rarity"])
def test_a_facets_values_are_text(client: Client, key: str) -> None:
    page = client.get("/cards/", {"q": "game:spycraft (hostile or harmless)"})
    facet = next(facet for facet in page.context["page"].facets if facet.key == key)
    shown = next(choice.shown for choice in facet.choices if "<b>" in choice.shown)
    assert f"<span>{as_text(shown)}</span></a>" in page.content.decode()


@pytest.mark.usefixtures("hostile")
def test_a_value_of_markup_can_be_picked(client: Client) -> None:
    facets = client.get("/cards/", {"q": "game:spycraft (hostile or harmless)"}).context["page"].facets
    picked = next(
        choice
        for facet in facets
        if facet.key == "faction"
        for choice in facet.choices
        if "<b>" in choice.shown
    )
    found = client.get(f"/cards/{picked.href}").context["page"]
    assert [card.code for card in found.cards] == ["hostile"]


def traits_of(client: Client, address: str) -> tuple[CardListPage, Facet]:
    shown = client.get(f"/cards/{address}").context["page"]
    return shown, next(facet for facet in shown.facets if facet.key == "traits")


def test_of_several_traits_a_card_may_have_any_or_all(client: Client) -> None:
    one, traits = traits_of(client, "?q=game:spycraft+traits%3DSoldier")
    assert not traits.other_way
    any_of_them, traits = traits_of(
        client, next(choice.href for choice in traits.choices if choice.shown == "Pointman")
    )
    assert any_of_them.total > one.total and not traits.wants_all
    all_of_them, traits = traits_of(client, traits.other_way)
    assert 0 < all_of_them.total < one.total and traits.wants_all
    assert all({"Soldier", "Pointman"} <= set(card.facts["traits"]) for card in all_of_them.cards)
    assert traits_of(client, traits.other_way)[0].total == any_of_them.total
    # Where all are wanted, one more narrows: the others are counted among the cards that have these.
    others = [choice for choice in traits.choices if not choice.picked]
    assert others and all(traits_of(client, choice.href)[0].total == choice.count for choice in others[:5])


# -- every piece by itself ----------------------------------------------------------


def macro(text: str, **values: Any) -> str:
    """What the macros for cards make of these values."""
    source = "{% import 'macros/cards.html' as macros %}{{ " + text + " }}"
    return str(engines["jinja2"].from_string(source).render(values))


def shown_as(view: str, query: str = "game:spycraft type:agent") -> CardListPage:
    """A list of the one card, with the columns of its game."""
    columns = tuple(games()["spycraft"].facts_by_key[key] for key in ("faction", "craft"))
    page = CardListPage({"q": query, "view": view})
    page.__dict__.update(cards=(LISTED,), columns=columns, game=games()["spycraft"])
    return page


def shown_among_games() -> CardListPage:
    """The same in a list of several games."""
    page = shown_as("line", "craft")
    page.__dict__["game"] = None
    return page


def row_as(view: str, page: CardListPage | None = None) -> str:
    page = page or (shown_among_games() if view == "rows" else shown_as(view))
    (row,) = rows.rows_of(page)
    name = {
        "rows": "card_row(row)",
        "numbers": "table_row(row, page, true, 9)",
        "checklist": "checklist_row(row)",
    }[view]
    return macro(f"macros.{name}", row=row, page=page)


@pytest.mark.parametrize("view", ["rows", "numbers"])
def test_why_a_card_is_shown_is_text(monkeypatch: pytest.MonkeyPatch, view: str) -> None:
    monkeypatch.setattr(CardListPage, "because", lambda page, card, game: f"w{MARKUP}")
    made = row_as(view)
    assert f"w{AS_TEXT}" in made and f"w{MARKUP}" not in made


@pytest.mark.parametrize("view", ["rows", "numbers"])
def test_the_names_of_game_and_type_are_text(monkeypatch: pytest.MonkeyPatch, view: str) -> None:
    game = games()["spycraft"]
    named = replace(
        game,
        name=f"g{MARKUP}",
        types=tuple(replace(card_type, name=f"t{MARKUP}") for card_type in game.types),
    )
    monkeypatch.setattr(rows, "games", lambda: {"spycraft": named})
    page = shown_among_games() if view == "rows" else shown_as(view, "kai")
    made = row_as(view, page)
    assert f"t{AS_TEXT}" in made and (f"g{AS_TEXT}" in made) is (view == "rows") and "<b>" not in made


def test_the_choices_of_a_facet_are_text() -> None:
    around = f"?q={MARKUP}", f"&view={MARKUP}"
    plain, picked = (ShownValue(f"{letter}{MARKUP}", quote_plus(f"p{MARKUP}")) for letter in "vw")
    made = macro(
        "macros.choices(listed)",
        listed=(Choice(plain, 1, around), Choice(picked, 1, around, f"?q=gone{MARKUP}")),
    )
    assert f'href="?q={AS_TEXT}p{quote_plus(MARKUP)}&amp;view={AS_TEXT}"' in made and f">v{AS_TEXT}<" in made
    assert f'href="?q=gone{AS_TEXT}"' in made and f">w{AS_TEXT}<" in made


def test_a_mark_and_its_value_are_text() -> None:
    made = macro("macros.mark(of)", of=Mark(f"c{MARKUP}", "", f"l{MARKUP}", f"n{MARKUP}"))
    assert "<b>" not in made and f">n{AS_TEXT}<" in made and f">l{AS_TEXT}<" in made


def test_a_query_is_carried_to_the_card_as_part_of_an_address() -> None:
    page = shown_as("line", f'name:"{MARKUP.replace(chr(34), "")}"')
    (href,) = re.findall(r'href="([^"]*)"', row_as("numbers", page))
    assert href.startswith("/cards/spycraft/kai/?q=") and not set("<>'\"& ") & set(href)
