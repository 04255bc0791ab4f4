"""Comparing cards side by side: verdicts on rows, adding cards by name or key, and notices."""

import pytest

from cardsdb.games import games
from cardsdb.models import Card
from cardsdb.web.compare import Cell, Row, rows_of
from tests.support.pages import page_of

# SQLite suffices: these pages only read, and tests/house/test_permissions.py requests each address on
# PostgreSQL as well.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


def compared(client, *keys, **params):
    return client.get("/compare/", {"card": keys, **params})


def compare_page(client, *keys, **params):
    return page_of(compared(client, *keys, **params))


def rows(*keys):
    """Return title -> row of the comparison of these cards."""
    pairs = []
    for key in keys:
        slug, code = key.split("/")
        game = games()[slug]
        pairs.append((game, game.card(code)))
    return {row.title: row for row in rows_of(pairs)}


def test_a_differing_fact_is_marked_in_a_word():
    found = rows("spycraft/li", "spycraft/li-cong")
    assert [cell.value for cell in found["Expense"].cells] == ["8", "3"]
    assert found["Expense"].verdict == "differs"
    assert found["Combat"].verdict == "same"
    assert "OCTGN id" not in found, "identifiers always differ"


@pytest.mark.parametrize(
    ("cells", "verdict"),
    [
        pytest.param((Cell("3"), Cell()), "not all known", id="an unknown value is neither"),
        pytest.param(
            (Cell("6"), Cell("6"), *[Cell(applies=False)] * 2), "same where stated", id="some have none"
        ),
        pytest.param((Cell("6"), Cell("6"), Cell()), "same where stated", id="one is unknown"),
        pytest.param((Cell("3"), Cell(), Cell("4")), "differs", id="two differ, whatever the third is"),
        pytest.param((Cell("3"), Cell(applies=False)), "", id="one card alone can have it"),
        pytest.param((Cell("CP"), Cell("cp")), "same", id="case does not count"),
    ],
)
def test_a_row_has_a_verdict_on_its_values(cells, verdict):
    assert Row("Craft", "", cells).verdict == verdict


def test_cards_of_two_games_have_the_facts_of_both():
    found = rows("spycraft/li", "xfiles/first-aid")
    assert [cell.applies for cell in found["Charisma"].cells] == [True, False]
    assert [cell.applies for cell in found["Cost"].cells] == [False, True]


@pytest.mark.parametrize("added", ["spycraft/li-cong", '!"Li Cong" ', "Li Co"])
def test_a_card_is_added_by_its_name_or_its_key(client, added):
    answer = compared(client, "spycraft/li", add=added)
    assert answer.status_code == 302
    assert answer["Location"] == "/compare/?card=spycraft/li&card=spycraft/li-cong"


def test_an_ambiguous_name_asks_which_card_and_an_unknown_one_offers_similar_beginnings(client):
    assert Card.objects.current().filter(name="Tracer").count() == 2
    assert len(compared(client, add="Tracer").context["offered"]) == 2
    page = compare_page(client, add="Agent F")
    assert page.one("p", role="status").text.startswith("No card is called “Agent F”")
    assert any("Mulder" in offer["row"].name for offer in page.context["offered"])


def test_a_fifth_card_is_left_out_with_a_notice(client):
    keys = [f"spycraft/{card.code}" for card in games()["spycraft"].cards[:5]]
    assert compare_page(client, *keys[:3]).has("input", name="add")
    page = compare_page(client, *keys)
    assert len(page.context["columns"]) == 4 and not page.has(name="add")
    assert f"Left out: {games()['spycraft'].cards[4].name}" in page.one("p", role="status").text


def test_an_unknown_key_is_reported_and_other_cards_are_shown_once(client):
    page = compare_page(client, "spycraft/li", "spycraft/nobody", "spycraft/li", "spycraft/li-cong")
    assert "No card has the key “spycraft/nobody”" in page.one("p", role="status").text
    assert [column["card"].code for column in page.context["columns"]] == ["li", "li-cong"]
    assert page.link("Remove Li") == "/compare/?card=spycraft/li-cong"
