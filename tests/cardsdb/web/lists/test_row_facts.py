"""The rows of a list of one game: the facts that the game declares, in columns, with marks and signs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit import Game, RowFact
from cardsdb.games.kit.contract.checks import problems
from cardsdb.site.static_files import colour_class, game_colours
from cardsdb.web.lists.facets import columns_of, mark
from tests.support.card_lists import listed
from tests.support.pages import Part, page

# Answered from memory. That every address answers on PostgreSQL too is shown by
# tests/house/test_permissions.py.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]

SPYCRAFT = games()["spycraft"]


def table(client: Client, query: str) -> Part:
    return page(client, "/cards/", {"q": query}).one("table", class_="cards-table")


def cells(client: Client, query: str, name: str) -> dict[str, Part]:
    """The cells of the row with this name, by the heading they stand under."""
    shown = table(client, query)
    headings = [heading.text for heading in shown.all("th", scope="col")]
    row = next(
        row
        for row in shown.all("tr")
        if any(heading.text.startswith(name) for heading in row.all("th", scope="row"))
    )
    by_heading = dict(zip([heading for heading in headings if heading != "Name"], row.all("td"), strict=True))
    return by_heading | {"Name": row.one("th", scope="row")}


def test_a_list_of_one_game_has_the_columns_that_the_game_declares(client: Client) -> None:
    headings = [heading.text for heading in table(client, "game:spycraft type:agent").all("th", scope="col")]
    assert headings == [
        "Compare",
        "Faction",
        "Name",
        "Cost",
        "Cha",
        "Com",
        "Tra",
        "Cra",
        "Brav",
        "Traits",
        "Action",
        "Does",
        "Set",
    ]


def test_a_row_has_a_mark_a_sign_a_chip_and_numbers(client: Client) -> None:
    row = cells(client, 'game:spycraft type:agent "alrik forsythe"', "Alrik Forsythe")
    assert row["Faction"].one(class_="mark")["title"] == "Bloodvine" == row["Faction"].text
    assert row["Name"].one(class_="sign").text == "unique"
    assert row["Cost"].one(class_="chip").text == "15"
    assert (row["Cha"].text, row["Com"].text) == ("6", "3")
    assert "high" in row["Cha"]["class"] and "high" not in row["Com"]["class"]


def test_a_zero_is_a_number_and_what_nobody_knows_is_a_blank(client: Client) -> None:
    assert "zero" in cells(client, "game:spycraft type:agent amelia", "Amelia Trapp")["Cha"]["class"]
    unknown = cells(client, 'game:spycraft type:gear "apollo"', "Apollo")["Cost"]
    assert unknown.text == "unknown" and unknown.has(class_="blank")
    assert (
        cells(client, "game:spycraft type:agent yurasov", "Master Sgt. Yurasov")["Faction"].text == "unknown"
    )


def test_a_formula_stands_in_the_place_of_its_number(client: Client) -> None:
    (card, *_) = listed(client, q="game:xfiles has:cost_formula").cards
    assert cells(client, "game:xfiles has:cost_formula", card.name)["Cost"].text == card.facts["cost_formula"]


def test_cards_of_several_types_say_their_type_after_the_name(client: Client) -> None:
    headings = [heading.text for heading in table(client, "game:spycraft").all("th", scope="col")]
    assert headings[:4] == ["Compare", "Faction", "Name", "Type"] and "VP" not in headings


def test_a_list_of_all_games_stays_a_list(client: Client) -> None:
    assert page(client, "/cards/").has("ul", class_="rows")


@pytest.mark.parametrize("slug", sorted(games()))
def test_every_game_declares_its_rows(client: Client, slug: str) -> None:
    game = games()[slug]
    assert [problem for problem in problems(game) if "rows' fact" in problem] == []
    for card_type in game.types:
        assert len(columns_of(game, card_type.slug)) <= 9
    assert table(client, f"game:{slug}").all("th", scope="row")


def test_a_game_that_declares_no_rows_shows_its_numbers_first() -> None:
    kinds = [fact.kind for fact in columns_of(replace(SPYCRAFT, row_facts=()), "agent")]
    assert kinds[:6] == ["number"] * 6 and "number" not in kinds[6:]


@pytest.mark.parametrize(
    "row_fact",
    [
        RowFact("nothing"),
        RowFact("traits", place="chip"),
        RowFact("craft", place="mark"),
        RowFact("craft", place="sign"),
    ],
)
def test_a_row_shows_only_facts_of_the_game_that_fit_their_place(sixth_game: Game, row_fact: RowFact) -> None:
    declared = replace(sixth_game, facts=SPYCRAFT.facts, row_facts=(row_fact,))
    assert any(f"the rows' fact {row_fact.key!r}" in problem for problem in problems(declared))


def test_a_value_without_a_drawing_has_a_letter_and_one_without_a_colour_no_class() -> None:
    plain = RowFact("faction", place="mark")
    assert mark(SPYCRAFT, plain, "The Krypt").letters == "K"
    assert colour_class(SPYCRAFT, "Nobody") == ""


def test_every_colour_of_a_value_has_a_rule_of_its_own(client: Client) -> None:
    names = [rule.split(" ")[0] for rule in game_colours().splitlines()]
    assert len(names) == len(set(names))
    assert f".{colour_class(SPYCRAFT, 'Nine Tiger')}" in names
    assert client.get("/games.css").content.decode() == game_colours()


def test_a_column_in_which_nothing_stands_is_left_out_unless_it_is_asked_about(client: Client) -> None:
    of_two_types = "game:steamspy (type:skill or type:action)"
    headings = [heading.text for heading in table(client, of_two_types).all("th", scope="col")]
    assert "Type" in headings and not {"Level", "Organisation", "Set"}.intersection(headings)
    assert "Level" in [
        heading.text for heading in table(client, f"{of_two_types} order:level").all("th", scope="col")
    ]
    assert "Level" in [heading.text for heading in table(client, "game:steamspy").all("th", scope="col")]
