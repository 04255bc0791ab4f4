"""Rows of card lists: declared columns, marks and signs, and reasons; names and texts are always escaped."""

from dataclasses import replace
from typing import Any

import pytest
from django.template import engines
from django.test import Client

from cardsdb.catalogue.loader import rows_of as stored_rows_of
from cardsdb.catalogue.loader import write_cards
from cardsdb.games import games
from cardsdb.games.kit import Card, Claim, Print, RowFact
from cardsdb.games.kit.contract.checks import problems
from cardsdb.models import Edition
from cardsdb.web.lists.card_list import VIEWS, CardListPage
from cardsdb.web.lists.rows import CardRow, rows_of
from tests.support.card_lists import listed
from tests.support.pages import Part, page, piece_of

# SQLite suffices: lists are answered from memory, and tests/house/test_permissions.py requests each address
# on PostgreSQL as well.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
SPYCRAFT = games()["spycraft"]


def table(client, query, view=""):
    return page(client, "/cards/", {"q": query, "view": view}).one("table", class_="cards-table")


def headings(client, query):
    return [heading.text for heading in table(client, query).all("th", scope="col")]


def cells(client, query, name):
    """Return the cells of the row with this name, by column heading."""
    (heading,) = (cell for cell in table(client, query).all("th", scope="row") if cell.text.startswith(name))
    titles = [title for title in headings(client, query) if title != "Name"]
    return dict(zip(titles, heading.parent.all("td"), strict=True)) | {"Name": heading}


# -- columns ------------------------------------------------------------------------------


def test_a_list_of_one_game_has_the_columns_that_the_game_declares(client):
    of_one_type = "Compare Faction Name Cost Cha Com Tra Cra Brav Traits Action Does Set"
    assert headings(client, "game:spycraft type:agent") == of_one_type.split()
    of_all = headings(client, "game:spycraft")
    assert of_all[:4] == ["Compare", "Faction", "Name", "Type"] and "VP" not in of_all
    assert page(client, "/cards/").has("ul", class_="rows")


def test_a_row_has_a_mark_a_sign_a_chip_and_numbers(client):
    row = cells(client, 'game:spycraft type:agent "alrik forsythe"', "Alrik Forsythe")
    assert row["Faction"].one(class_="mark")["title"] == "Bloodvine" == row["Faction"].text
    assert row["Name"].one(class_="sign").text == "unique"
    assert row["Cost"].one(class_="chip").text == "15"
    assert (row["Cha"].text, row["Com"].text) == ("6", "3")
    assert "high" in row["Cha"]["class"] and "high" not in row["Com"]["class"]


def test_a_zero_is_shown_as_a_number_and_an_unknown_value_as_a_blank(client):
    assert "zero" in cells(client, "game:spycraft type:agent amelia", "Amelia Trapp")["Cha"]["class"]
    unknown = cells(client, 'game:spycraft type:gear "apollo"', "Apollo")["Cost"]
    assert unknown.text == "unknown" and unknown.has(class_="blank")
    marked = cells(client, "game:spycraft type:agent yurasov", "Master Sgt. Yurasov")["Faction"]
    assert marked.text == "unknown"


def test_a_formula_stands_in_the_place_of_its_number(client):
    query = "game:xfiles has:cost_formula"
    (card, *_) = listed(client, q=query).cards
    assert cells(client, query, card.name)["Cost"].text == card.facts["cost_formula"]


def test_a_heading_sorts_by_its_column(client):
    query = "game:spycraft type:agent order:-craft"
    heading = table(client, query, "numbers").one("th", aria_sort=True)
    assert (heading["aria-sort"], heading.text) == ("descending", "Cra")
    crafts = [card.facts["craft"] for card in listed(client, q=query).cards]
    assert crafts == sorted(crafts, reverse=True)
    assert table(client, "game:spycraft").one("th", aria_sort="ascending").text == "Name"
    assert not table(client, "game:spycraft wound").has("th", aria_sort=True)


@pytest.mark.parametrize(
    "row_fact",
    [
        RowFact("nothing"),
        RowFact("traits", place="chip"),
        RowFact("craft", place="mark"),
        RowFact("craft", place="sign"),
    ],
)
def test_a_declared_row_fact_must_fit_its_place(sixth_game, row_fact):
    declared = replace(sixth_game, facts=SPYCRAFT.facts, row_facts=(row_fact,))
    assert any(f"the rows' fact {row_fact.key!r}" in problem for problem in problems(declared))


# -- reasons for a row ---------------------------------------------------------------------


def test_a_fact_that_was_asked_for_stands_in_the_row(client):
    rows = page(client, "/cards/", {"q": "craft=7 or cost=12"}).one("ul", class_="rows").all("li")
    texts = [row.text.casefold() for row in rows]
    assert texts and all("craft 7" in text or "cost 12" in text or "expense 12" in text for text in texts)


def test_similar_cards_say_why(client):
    rows = table(client, 'similar:!"Glock 17"').all("th", scope="row")
    assert any("same expense" in row.text for row in rows)


@pytest.mark.parametrize("query", ["is:disputed", "disputed cards", "spycraft disputed cards"])
def test_disputed_cards_say_about_what_sources_disagree(client, query):
    assert "sources disagree: mission types" in page(client, "/cards/", {"q": query}).text


def test_a_row_shows_the_sentence_that_was_asked_for_with_its_words_marked(client):
    def sentences(query, view=""):
        return table(client, f"game:spycraft {query}", view).all(class_="row-told")

    assert "heal" in sentences("cards that heal")[0].one("mark").text.casefold()
    assert not sentences("cards that heal", "numbers") and not sentences("craft>=6")
    (first,) = sentences("!Beowulf", "line")
    assert first.text == listed(client, q="game:spycraft !Beowulf", view="line").cards[0].told.split("\n")[0]
    assert not first.has("mark")


# -- escaping -------------------------------------------------------------------------------

# Markup that must be escaped.
MARKUP = """<b>"&'"""
HOSTILE = Card(
    "spycraft",
    "hostile",
    f"{MARKUP} Hostile",
    "agent",
    {"faction": f"{MARKUP} faction", "traits": (f"{MARKUP} trait", "Soldier"), "craft": 5},
    sources={"": (Claim(next(iter(SPYCRAFT.documents))),)},
    prints=(Print(f"S{MARKUP}", f"N{MARKUP}", f"{MARKUP} rarity"),),
)
# A second card, so that facets have more than one value.
HARMLESS = replace(
    HOSTILE, code="harmless", name="Harmless", facts={"faction": "Plain"}, prints=(Print("PL", "1", "Plain"),)
)


@pytest.fixture
def hostile():
    """An edition with a card full of markup."""
    write_cards([stored_rows_of(card, SPYCRAFT) for card in (HOSTILE, HARMLESS)])
    Edition.objects.create()


@pytest.mark.usefixtures("hostile")
def test_every_list_escapes_the_text_of_a_card(client):
    for query in ("hostile or harmless", "game:spycraft type:agent (hostile or harmless)"):
        for view in (*VIEWS, "checklist"):
            shown = page(client, "/cards/", {"q": query, "view": view})
            assert not shown.has("b") and shown.text.count(MARKUP) > 1, (query, view)
    assert not page(client, "/cards/", {"q": 'similar:"spycraft/hostile"'}).has("b")


@pytest.mark.usefixtures("hostile")
def test_values_of_a_facet_are_escaped_and_can_be_picked(client):
    shown = page(client, "/cards/", {"q": "game:spycraft (hostile or harmless)"})
    for key in ("faction", "traits", "set", "rarity"):
        (facet,) = (facet for facet in shown.context["page"].facets if facet.key == key)
        (value,) = (choice for choice in facet.choices if "<b>" in choice.shown)
        assert shown.one(class_="filters").has("span", text=value.shown), key
        assert [card.code for card in listed_at(client, value.href)] == ["hostile"], key


def listed_at(client: Client, href: str) -> list[Card]:
    return list(client.get(f"/cards/{href}").context["page"].cards)


def macro(text: str, **values: Any) -> Part:
    """Return what a macro for cards renders with these values."""
    source = "{% import 'macros/cards.html' as macros %}{{ " + text + " }}"
    return piece_of(engines["jinja2"].from_string(source).render(values))


def row_of(query: str, view: str, is_of_one_game: bool) -> tuple[CardListPage, CardRow]:
    """Return a list with only the hostile card, and its row; the list is of one game if asked for."""
    shown = CardListPage({"q": query, "view": view})
    columns = tuple(SPYCRAFT.facts_by_key[key] for key in ("faction", "craft"))
    shown.__dict__.update(cards=(HOSTILE,), columns=columns, game=SPYCRAFT if is_of_one_game else None)
    return shown, next(rows_of(shown))


@pytest.mark.parametrize("made_by", ["card_row(row)", "table_row(row, page, true, 9)"])
def test_text_of_a_game_in_a_row_is_escaped(made_by):
    shown, row = row_of("kai", "line", is_of_one_game="table" in made_by)
    types = tuple(replace(kind, name=f"t{MARKUP}") for kind in SPYCRAFT.types)
    row = row._replace(because=f"w{MARKUP}", words=f"w{MARKUP}", game=replace(SPYCRAFT, types=types))
    made = macro(f"macros.{made_by}", row=row, page=shown)
    assert f"w{MARKUP}" in made.text and not made.has("b")
    assert "table" not in made_by or f"t{MARKUP}" in made.text


def test_the_query_in_the_link_of_a_card_is_encoded():
    query = f'name:"{MARKUP.replace(chr(34), "")}"'
    shown, row = row_of(query, "numbers", is_of_one_game=True)
    (href,) = macro("macros.table_row(row, page, true, 9)", row=row, page=shown).links
    assert href.startswith("/cards/spycraft/hostile/?q=") and not set("<>'\"& ") & set(href)
