"""A card of the preview has a menu: its copies, leaving it out, its page. What it changes is part of the
print's address.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from decks.models import Deck
from printing.options.values import OPTIONS
from printing.request.selection import MAX_ROWS
from tests.support.pages import Page, page_of
from tests.support.print_pages import LIST, deck, shown, shown_list

__all__ = ["deck"]

FIELDS = {option.name: option.default for option in OPTIONS}
WHOLE = {"HX-Request": "true", "HX-Target": "print-page"}


def picks(page: Page) -> list[str]:
    """What the places of cards are called."""
    return [place["aria-label"] for place in page.all("a", class_="print-pick")]


def pressed(client: Client, deck: Deck, button: str, **fields: Any) -> str:
    """The address to which a button of a menu leads."""
    answer = client.get("/print/", {"deck": deck.link, **FIELDS, **fields, "copies_of": button})
    assert answer.status_code == 302, answer.content.decode()
    return str(answer["Location"]).removeprefix(f"/print/?deck={deck.link}&paper=a4")


def test_every_card_of_the_sheet_leads_to_a_menu_of_its_own(client: Client, deck: Deck) -> None:
    page = shown(client, f"/print/?deck={deck.link}&paper=a4")
    assert len(picks(page)) == 9 and "Kai, 2 copies" in picks(page)
    targets = {place["href"] for place in page.all("a", class_="print-pick")}
    assert targets == {f"#{menu['id']}" for menu in page.all("div", class_="print-menu", popover=True)}
    menu = page.one("div", id="pick-spycraft-kai")
    assert [button["value"] for button in menu.all("button", name="copies_of")] == ["kai:1", "kai:3", "kai:0"]
    assert "/cards/spycraft/kai/" in menu.links


@pytest.mark.parametrize(
    "options",
    ["&backs=gutterfold", "&style=outline", "&start=4&sheet=2", "&backs=long&side=fronts", "&copies=2"],
)
def test_the_places_are_those_of_the_fronts_in_every_layout(client: Client, deck: Deck, options: str) -> None:
    """An outline has no name, and backs may lie beside the fronts: each place still names the very card that
    is printed there.
    """
    page = shown(client, f"/print/?deck={deck.link}&paper=a4{options}")
    table = page.one("summary", text="What lies where").parent
    named = [cell.text for cell in table.all("td") if not cell.has("span", class_="hint")]
    called = [label.rpartition(",")[0].partition(", ")[0] for label in picks(page)]
    assert called
    if "outline" not in options and "gutterfold" not in options:
        assert called == named


def test_backs_alone_have_no_places_of_cards(client: Client, deck: Deck) -> None:
    assert not picks(shown(client, f"/print/?deck={deck.link}&paper=a4&backs=long&side=backs"))


def test_a_button_changes_the_copies_in_the_address(client: Client, deck: Deck) -> None:
    assert pressed(client, deck, "kai:3") == "&counts=kai=3"
    assert pressed(client, deck, "kai:0", counts="li=2") in ("&counts=li=2,kai=0", "&counts=kai=0,li=2")
    assert pressed(client, deck, "kai:2", counts="kai=3") == ""
    assert pressed(client, deck, "kai:", counts="kai=0") == ""


@pytest.mark.parametrize(
    "button", ["", ":", "kai", "nobody:3", ":3", "kai:-1", "kai:many", "kai:100", "\N{SNOWMAN}:1", "a:b:c"]
)
def test_a_button_that_nobody_offered_changes_nothing_or_is_refused(
    client: Client, deck: Deck, button: str
) -> None:
    answer = client.get("/print/", {"deck": deck.link, **FIELDS, "copies_of": button})
    assert answer.status_code in (302, 400)
    if answer.status_code == 302:
        assert answer["Location"] == f"/print/?deck={deck.link}&paper=a4"


def test_what_was_left_out_is_named_with_the_way_back(client: Client, deck: Deck) -> None:
    page = shown(client, f"/print/?deck={deck.link}&paper=a4&counts=kai=0,li=2")
    left = page.one("p", class_="print-left-out")
    assert [button["value"] for button in left.all("button", name="copies_of")] == ["kai:"]
    assert left.text == "Left out: Print again: Kai"
    assert not [label for label in picks(page) if label.startswith("Kai")]
    assert "Left out:" not in shown(client, f"/print/?deck={deck.link}&paper=a4&counts=kai=3").text


def test_the_files_and_kept_settings_have_the_copies_of_the_menu(client: Client, deck: Deck) -> None:
    page = shown(client, f"/print/?deck={deck.link}&paper=a4{pressed(client, deck, 'kai:5')}")
    assert "62 cards with 5 × Kai" in page.text
    assert page.one("form", id="preset-form").sent["counts"] == "kai=5"


@pytest.mark.django_db
def test_a_pasted_list_has_the_menus_too() -> None:
    page = shown_list(Client(), **FIELDS, copies_of="kai:4")
    assert "5 cards with 4 × Kai" in page.text and picks(page)[0] == "Kai, 4 copies"


@pytest.mark.django_db
def test_a_list_too_long_for_the_table_has_the_menus_too(client: Client) -> None:
    fields = {
        "game": "spycraft",
        "text": "\n".join(f"1 Card {number} | unknown" for number in range(MAX_ROWS + 1)),
        **FIELDS,
    }
    first = page_of(client.post("/print/", fields))
    more = first.one("button", name="copies_of", aria_label="One copy more of Card 0")["value"]
    page = page_of(client.post("/print/", {**fields, "copies_of": more}))
    assert picks(page)[:2] == ["Card 0, 2 copies", "Card 0, 2 copies"]
    assert page.one(id="f-counts").value == more.replace(":", "=")
    assert "Card page" not in page.text


@pytest.mark.django_db
def test_a_card_of_another_game_on_the_same_sheet_has_its_own_menu(client: Client) -> None:
    page = shown(client, "/print/?card=spycraft/kai,2.spynet/limonada&paper=a4&trim=poker")
    assert picks(page) == ["Kai, 1 copy", "Limonada, 2 copies", "Limonada, 2 copies"]
    assert page.has("div", class_="print-menu", id="pick-spynet-limonada")


def test_a_button_of_the_page_is_answered_with_form_and_preview(client: Client, deck: Deck) -> None:
    sent = {"deck": deck.link, **FIELDS, "copies_of": "kai:3"}
    answer = client.get("/print/", sent, headers=WHOLE)
    page = answer.content.decode()
    assert answer["HX-Replace-Url"] == f"/print/?deck={deck.link}&paper=a4&counts=kai=3"
    assert (
        answer["HX-Retarget"] == "#print-page"
        and 'id="print-form"' in page
        and 'id="preview"' in page
        and "<html" not in page
    )


def test_a_fault_is_told_in_the_place_of_the_preview_whatever_was_pressed(client: Client, deck: Deck) -> None:
    answer = client.get("/print/", {"deck": deck.link, **FIELDS, "gap": "99"}, headers=WHOLE)
    assert (answer["HX-Retarget"], answer["HX-Reswap"]) == ("#outcome", "innerHTML")
    assert b"This cannot be printed yet" in answer.content and b'id="print-form"' not in answer.content


def test_a_change_stays_on_the_sheet_that_is_looked_at(client: Client, deck: Deck) -> None:
    page = shown(client, f"/print/?deck={deck.link}&paper=a4&sheet=3")
    assert page.one("input", type="hidden", form="print-form", name="sheet").value == "3"
    assert pressed(client, deck, "kai:1", sheet="7") == "&counts=kai=1&sheet=7"
    assert pressed(client, deck, "kai:1", sheet="7", only=["leaders", ""]).endswith("&counts=kai=1")


@pytest.mark.django_db
def test_a_button_to_another_sheet_counts_more_than_the_sheet_that_is_looked_at(client: Client) -> None:
    """A browser sends fields in the order of the page, and the last of one name counts."""
    pasted = {"game": "spycraft", "text": "20 Kai", **FIELDS}
    page = page_of(client.post("/print/", pasted))
    fields = [part["value"] for part in page.all(form="print-form", name="sheet")]
    assert fields == ["1", "2"]
    assert "Sheet 2 of 3" in client.post("/print/", {**pasted, "sheet": fields}).content.decode()


@pytest.mark.django_db
def test_names_from_a_list_are_never_marks(client: Client) -> None:
    page = client.post("/print/", LIST | FIELDS | {"text": '1 <script>"x | unknown'}).content.decode()
    assert "<script>&#34;" not in page and '<script>"' not in page and "&lt;script&gt;" in page
