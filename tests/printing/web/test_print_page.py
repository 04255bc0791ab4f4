"""The print page: every option in its form and its address, what it comes to, the form without a script."""

from __future__ import annotations

import gzip
from urllib.parse import urlencode

import pytest
from django.core.management import load_command_class
from django.db import connection
from django.http import QueryDict
from django.test import Client
from django.test.utils import CaptureQueriesContext

from cardsdb.games import games
from cardsdb.identity.viewer import NOBODY
from decks.models import Deck
from printing.options.values import NAMED, OPTIONS, USUAL, Option, read_options
from printing.request.print_request import PrintFields, PrintRequest
from printing.web.api import SheetsSerializer
from printing.web.form import COMMON, form_for
from tests.support.pages import page_of
from tests.support.print_pages import chosen, deck, shown, shown_list

# Reads what is stored as every page does. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = pytest.mark.engine("sqlite")

__all__ = ["deck"]


def another_value(option: Option) -> str:
    """A value that is not the default."""
    match option.kind:
        case "choice" | "several" | "size":
            return next(value for value in option.choices if value not in ("", option.default))
        case "flag":
            return "no" if option.default == "yes" else "yes"
        case "length":
            return "0.5"
        case "percent":
            return "101"
        case "grid":
            return "2x5"
        case "number":
            return "3"
        case "places":
            return "2,5"
    return {"only": "type:agent", "counts": "kai=3"}.get(option.name, "1")


# -- every option, everywhere ---------------------------------------------------------


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_an_option_is_in_the_form_once(option: Option) -> None:
    form = form_for(PrintRequest(PrintFields(QueryDict(), False, NOBODY), words={"since": "1"}))
    names = [field.name for field in form.common] + [
        field.name for group in form.groups for field in group.fields
    ]
    assert names.count(option.name) == 1


@pytest.mark.django_db
@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_an_option_of_the_address_stands_in_the_form(option: Option) -> None:
    value = another_value(option)
    page = shown_list(Client(), **{option.name: value})
    if option.kind == "several":
        assert page.one("input", name=option.name, value=value).get("checked") is not None
    else:
        assert chosen(page, option.name) == value


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_an_option_comes_back_from_its_address(option: Option) -> None:
    options = read_options({option.name: another_value(option)})
    assert options != USUAL
    assert read_options(options.query()) == options
    assert set(options.query()) == {option.name}


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_an_option_is_on_the_command_line_and_in_the_api(option: Option) -> None:
    parser = load_command_class("printing", "print_deck").create_parser("manage.py", "print_deck")
    flags = {flag for action in parser._actions for flag in action.option_strings}
    assert f"--{option.name.replace('_', '-')}" in flags
    assert option.name in SheetsSerializer().fields


def test_no_option_is_named_like_a_field_that_carries_the_list() -> None:
    taken = {"deck", "card", "starter", "game", "format", "text", "sheet", "preset", "name", "forget"}
    assert not taken & set(NAMED)


# -- the address ------------------------------------------------------------------------


def test_the_address_says_the_paper_and_what_is_not_as_usual(client: Client, deck: Deck) -> None:
    usual = {option.name: option.default for option in OPTIONS} | {"gap": "3,0 mm"}
    answer = client.get("/print/", {"deck": deck.link, **usual})
    assert (answer.status_code, answer["Location"]) == (302, f"/print/?deck={deck.link}&paper=a4&gap=3")
    assert client.get(answer["Location"]).status_code == 200


def test_a_size_of_ones_own_is_written_in_the_field_beside(client: Client, deck: Deck) -> None:
    answer = client.get("/print/", {"deck": deck.link, "paper": "other", "paper_other": "150 x 220"})
    assert answer["Location"] == f"/print/?deck={deck.link}&paper=150x220"
    page = shown(client, answer["Location"])
    assert chosen(page, "paper") == "other"
    assert page.one("input", name="paper_other", id="f-paper-other").value == "150x220"


def test_a_bad_option_is_told_at_its_field_and_nothing_is_lost(client: Client, deck: Deck) -> None:
    answer = client.get("/print/", {"deck": deck.link, "gap": "99", "backs": "long"})
    page = page_of(answer, status=400)
    assert "#f-gap" in page.links and page.has(id="e-gap")
    assert (chosen(page, "gap"), chosen(page, "backs")) == ("99", "long")


@pytest.mark.django_db
def test_a_deck_that_is_not_there_is_not_found_whatever_the_options(client: Client) -> None:
    assert client.get("/print/?deck=nothing&paper=letter&gap=x").status_code == 404


def test_a_change_asks_for_the_outcome_alone_and_moves_the_address(client: Client, deck: Deck) -> None:
    answer = client.get(
        "/print/", {"deck": deck.link, "backs": "short", "gap": "0"}, headers={"HX-Request": "true"}
    )
    assert answer["HX-Replace-Url"] == f"/print/?deck={deck.link}&paper=a4&backs=short"
    assert b"<html" not in answer.content and b"14 sides" in answer.content
    price = page_of(answer).one("section", class_="print-price", id="price", hx_swap_oob="true")
    assert "59 cards, 7 sheets, 14 sides" in price.text


def test_a_change_that_cannot_be_printed_is_answered_in_place(client: Client, deck: Deck) -> None:
    answer = client.get("/print/", {"deck": deck.link, "gap": "many"}, headers={"HX-Request": "true"})
    assert answer.status_code == 200 and b"This cannot be printed yet" in answer.content


# -- what it comes to -------------------------------------------------------------------


def test_the_summary_counts_cards_sheets_and_sides(client: Client, deck: Deck) -> None:
    page = client.get(f"/print/?deck={deck.link}&paper=a4&backs=long").content.decode()
    assert (
        "59 cards, 7 sheets, 14 sides, 63\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}88\N{NO-BREAK SPACE}mm" in page
    )
    assert "Why this size" in page and games()["spycraft"].trim_source in page


@pytest.mark.parametrize(
    ("options", "advice"),
    [
        ({"backs": "long"}, "turned over the long edge"),
        ({"backs": "short"}, "turned over the short edge"),
        ({"backs": "gutterfold"}, "Fold along the dashed line"),
        ({"backs": "separate"}, "from the other file"),
        ({"ink": "grey"}, "Greys or black and white"),
    ],
)
def test_the_printers_dialog_is_explained_for_what_was_chosen(
    client: Client, deck: Deck, options: dict[str, str], advice: str
) -> None:
    assert advice in shown(client, f"/print/?deck={deck.link}&paper=a4&{urlencode(options)}").text


def test_the_page_asks_the_database_the_same_few_things_for_any_deck(client: Client, deck: Deck) -> None:
    client.get(f"/print/?deck={deck.link}")
    with CaptureQueriesContext(connection) as queries:
        assert client.get(f"/print/?deck={deck.link}&paper=a4&backs=long").status_code == 200
    assert len(queries) <= 6, [one["sql"][:90] for one in queries]


def test_the_part_that_follows_a_change_is_light(client: Client, deck: Deck) -> None:
    answer = client.get(f"/print/?deck={deck.link}&paper=a4&backs=long", headers={"HX-Request": "true"})
    assert answer.status_code == 200 and len(gzip.compress(answer.content)) < 30_000


# -- without script ---------------------------------------------------------------------


def test_the_form_says_no_for_a_box_that_is_not_ticked(client: Client, deck: Deck) -> None:
    page = shown(client, f"/print/?deck={deck.link}&paper=a4")
    for option in OPTIONS:
        if option.kind == "flag":
            fields = page.all("input", name=option.name)
            assert [(field["type"], field["value"]) for field in fields] == [
                ("hidden", "no"),
                ("checkbox", "yes"),
            ]


def test_what_nearly_everybody_chooses_stands_open(client: Client, deck: Deck) -> None:
    form = shown(client, f"/print/?deck={deck.link}").one("form", id="print-form")
    common = form.one("div", class_="print-common")
    assert all(common.has(name=name) for name in COMMON) and not common.has("details")
