"""The print page asks which cards: sections to tick, a number for each card; the address stays short, with a
script or without.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from decks.models import Deck
from printing.request.selection import MAX_ROWS
from tests.support.pages import Page, page, page_of
from tests.support.print_pages import LIST, deck, shown, shown_list

# Reads what is stored as every page does. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = pytest.mark.engine("sqlite")

__all__ = ["deck"]

LIVE = {"HX-Request": "true"}


def table(page: Page) -> dict[str, int]:
    """What stands in the fields, by the card's name."""
    fields = page.one("div", id="by-card").all("input", name="n")
    return {page.one("label", for_=field["id"]).text: int(field["value"]) for field in fields}


def sent(page: Page, **numbers: Any) -> dict[str, Any]:
    """The table as a browser sends it, some of its numbers changed."""
    before = page.one("input", name="counts_shown")["value"]
    rows = [row.split(":") for row in before.split(",")]
    return {
        "counts": page.one("input", id="f-counts", name="counts")["value"],
        "counts_shown": before,
        "n": [str(numbers.get(card.replace("-", "_"), number)) for card, number in rows],
    }


def rest_of_address(client: Client, deck: Deck, **fields: Any) -> str:
    """Where the form leads."""
    answer = client.get("/print/", {"deck": deck.link, "paper": "a4", **fields})
    assert answer.status_code == 302, answer.content.decode()
    return str(answer["Location"]).removeprefix(f"/print/?deck={deck.link}&paper=a4")


# -- sections ---------------------------------------------------------------------------


def test_the_sections_of_the_deck_can_be_ticked(client: Client, deck: Deck) -> None:
    page = shown(client, f"/print/?deck={deck.link}&paper=a4&only=leaders")
    boxes = page.all("input", type="checkbox", name="only")
    assert [box["value"] for box in boxes if box.get("checked") is not None] == ["leaders"] and len(boxes) > 1
    assert "Leaders (4)" in page.text and "4 cards of Leaders, 1 sheet" in page.text


def test_ticked_sections_and_a_query_make_one_short_word_of_the_address(client: Client, deck: Deck) -> None:
    assert rest_of_address(client, deck, only=["leaders", ""]) == "&only=leaders"
    assert rest_of_address(client, deck, only=["leaders", "t:leader"]) == "&only=leaders%3B+t:leader"
    assert rest_of_address(client, deck, only=["", "t:agent"]) == "&only=t:agent"
    assert rest_of_address(client, deck, only=["leaders", "deck"]) == ""
    assert rest_of_address(client, deck, only=["", "Leaders"]) == "&only=leaders"
    assert rest_of_address(client, deck, only=["all"]) == ""


def test_a_query_is_asked_of_the_ticked_sections_alone(client: Client, deck: Deck) -> None:
    page = shown(client, f"/print/?deck={deck.link}&paper=a4&only=leaders%3B+groundfire")
    assert "1 card of Leaders, found by “groundfire”, 1 sheet" in page.text
    assert page.one("input", name="only", id="f-only").value == "groundfire"


@pytest.mark.django_db
def test_a_list_with_one_section_has_nothing_to_tick(client: Client) -> None:
    page = page_of(client.post("/print/", {"game": "spycraft", "text": "2 Kai"}))
    assert not page.has("input", type="checkbox", name="only")
    assert page.one("input", name="only", id="f-only").value == "all"


# -- a number for each card ------------------------------------------------------------------


def test_the_table_has_every_card_with_as_many_as_are_printed(client: Client, deck: Deck) -> None:
    page = shown(client, f"/print/?deck={deck.link}&paper=a4")
    numbers = table(page)
    assert (numbers["Kai"], sum(numbers.values())) == (2, 59)
    narrowed = table(shown(client, f"/print/?deck={deck.link}&paper=a4&only=leaders&counts=kai=%2B1"))
    assert (narrowed["Kai"], narrowed["Shiatsu"], sum(narrowed.values())) == (1, 0, 5)


def test_only_what_was_changed_comes_into_the_address(client: Client, deck: Deck) -> None:
    page = shown(client, f"/print/?deck={deck.link}&paper=a4")
    assert rest_of_address(client, deck, **sent(page)) == ""
    address = rest_of_address(client, deck, **sent(page, kai=3, shiatsu=0))
    assert sorted(address.removeprefix("&counts=").split(",")) == ["kai=3", "shiatsu=0"]
    left = 59 + 1 - table(page)["Shiatsu"]
    changed = shown(client, f"/print/?deck={deck.link}&paper=a4{address}")
    assert f"{left} cards with 3 × Kai, without Shiatsu" in changed.text


def test_the_number_of_before_and_an_emptied_field_say_nothing_more(client: Client, deck: Deck) -> None:
    page = shown(client, f"/print/?deck={deck.link}&paper=a4&counts=Kai=3,li=%2B1")
    assert rest_of_address(client, deck, **sent(page)) == "&counts=Kai=3,li=%2B1"
    assert rest_of_address(client, deck, **sent(page, kai=2)) == "&counts=li=%2B1"
    assert rest_of_address(client, deck, **sent(page, kai="")) == "&counts=li=%2B1"
    assert rest_of_address(client, deck, **sent(page, kai=4)) == "&counts=li=%2B1,kai=4"


def test_numbers_that_nobody_changed_follow_the_other_choices(client: Client, deck: Deck) -> None:
    page = shown(client, f"/print/?deck={deck.link}&paper=a4")
    assert (
        rest_of_address(client, deck, **sent(page, kai=3), only=["leaders", ""])
        == "&only=leaders&counts=kai=3"
    )


def test_what_is_no_number_is_refused_and_stays_to_be_mended(client: Client, deck: Deck) -> None:
    page = shown(client, f"/print/?deck={deck.link}&paper=a4")
    answer = client.get("/print/", {"deck": deck.link, "paper": "a4", **sent(page, kai="many", li=3)})
    refused = page_of(answer, status=400)
    assert "not “kai=many”" in refused.text
    typed = refused.one("input", type="text", name="counts", id="f-counts")["value"]
    assert sorted(typed.split(",")) == ["kai=many", "li=3"]


def test_a_table_that_does_not_fit_together_is_none(client: Client, deck: Deck) -> None:
    for counts_shown, n in (("kai:2,li:1", ["3"]), ("kai:x", ["3"]), ("kai:2", ["3", "4"]), ("", ["3"])):
        assert rest_of_address(client, deck, counts="", counts_shown=counts_shown, n=n) == ""


def test_a_misspelt_name_in_the_address_is_told_at_a_field_that_can_be_mended(
    client: Client, deck: Deck
) -> None:
    answer = client.get("/print/", {"deck": deck.link, "paper": "a4", "counts": "Shiatzu=2"})
    page = page_of(answer, status=400)
    assert "Did you mean “Shiatsu”?" in page.text and "#f-counts" in page.links
    assert page.one("input", type="text", name="counts", id="f-counts")["value"] == "Shiatzu=2"


def test_while_one_types_the_table_is_sent_anew_only_where_it_is_out_of_date(
    client: Client, deck: Deck
) -> None:
    page = shown(client, f"/print/?deck={deck.link}&paper=a4")
    fields = {"deck": deck.link, "paper": "a4"}
    typed = client.get("/print/", {**fields, **sent(page, kai=3)}, headers=LIVE)
    assert typed["HX-Replace-Url"].endswith("&counts=kai=3") and b'id="by-card"' not in typed.content
    ticked = page_of(
        client.get("/print/", {**fields, **sent(page, kai=3), "only": ["leaders", ""]}, headers=LIVE)
    )
    assert ticked.one(id="by-card")["hx-swap-oob"] == "true"
    numbers = table(ticked)
    assert (numbers["Kai"], numbers["Shiatsu"], sum(numbers.values())) == (3, 0, 7)


@pytest.mark.django_db
def test_a_pasted_list_has_the_table_too_and_loses_nothing(client: Client) -> None:
    page = shown_list(client)
    again = shown_list(client, **sent(page, kai=4))
    assert table(again) == {"Kai": 4, "Li": 1} and "5 cards with 4 × Kai" in again.text
    longer = page_of(client.post("/print/", LIST | {"text": "2 Kai\n1 Li\n1 Shiatsu"} | sent(again, li=0)))
    assert table(longer) == {"Kai": 4, "Li": 0, "Shiatsu": 1}


@pytest.mark.django_db
def test_a_long_list_has_a_field_in_place_of_the_table(client: Client) -> None:
    text = "\n".join(f"1 Card {number} | unknown" for number in range(MAX_ROWS + 1))
    page = Page(client.post("/print/", {"game": "spycraft", "text": text, "counts": "card-0=2"}))
    assert page.one("input", type="text", name="counts", id="f-counts")["value"] == "card-0=2"
    assert not page.has(id="by-card")


@pytest.mark.django_db
def test_the_api_and_the_sheets_take_counts(client: Client) -> None:
    fields = {"game": "spycraft", "text": "2 Kai", "counts": "Kay=3"}
    answer = client.post("/api/v1/sheets/", fields, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json() == [
        {
            "code": "unknown_card",
            "message": "No card of this print is called “Kay”. Did you mean “Kai”?",
            "where": "counts",
        }
    ]
    assert (
        client.post(
            "/api/v1/sheets/", fields | {"counts": "Kai=3"}, content_type="application/json"
        ).status_code
        == 200
    )


# -- before anything is chosen ----------------------------------------------------------


@pytest.mark.django_db
def test_a_list_is_pasted_where_nothing_is_chosen_and_says_itself_which_game_it_is_for(
    client: Client,
) -> None:
    form = page(client, "/print/").one("form", class_="print-list")
    assert (form["method"], form["action"], set(form.sent)) == ("post", "/print/", {"text"})
    laid = page_of(client.post(form["action"], {"text": "2 Kai\n1 Mother of Clouds\n"}))
    assert (
        laid.context["page"].outcome.job.game.slug == "spycraft"
        and laid.context["page"].outcome.job.cards == 3
    )


@pytest.mark.django_db
def test_a_list_that_may_be_for_several_games_is_not_laid_out_by_luck(client: Client) -> None:
    answer = client.post("/print/", {"text": "1 Nobody\n"})
    assert answer.status_code == 400 and "Say which game the list is for" in answer.content.decode()
