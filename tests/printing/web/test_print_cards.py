"""Choosing cards on the print page: boxes of sections, the table with a number for each card, and a menu at
each card of the preview. These tests go through printing.request.choice_fields, printing.web.form and
printing.web.print_page.
"""

from typing import Any

import pytest
from django.test import Client

from decks.models import Deck
from printing.options.values import OPTIONS
from printing.request.choice_fields import MAX_ROWS
from tests.support.pages import Page, page_of
from tests.support.print_pages import LIST, laid, shown, shown_list

# SQLite is enough here: tests/house/test_permissions.py asks each address on PostgreSQL too.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
LIVE = {"HX-Request": "true"}
WHOLE = {**LIVE, "HX-Target": "print-page"}
FIELDS = {option.name: option.default for option in OPTIONS}
LONG = "\n".join(f"1 Card {number} | unknown" for number in range(MAX_ROWS + 1))


def table(page: Page) -> dict[str, int]:
    """The numbers in the fields of the table, by the card's name."""
    fields = page.one("div", id="by-card").all("input", name="n")
    return {page.one("label", for_=field["id"]).text: int(field["value"]) for field in fields}


def sent(page: Page, **numbers) -> dict[str, Any]:
    """The fields of the table as a browser sends them, with some numbers changed: ``kai=3``."""
    before = page.one("input", name="counts_shown")["value"]
    rows = [row.split(":") for row in before.split(",")]
    return {
        "counts": page.one("input", id="f-counts", name="counts")["value"],
        "counts_shown": before,
        "n": [str(numbers.get(card.replace("-", "_"), number)) for card, number in rows],
    }


def rest(client: Client, deck: Deck, **fields) -> str:
    """The address to which the form with these fields redirects, without the deck and the paper."""
    answer = client.get("/print/", {"deck": deck.link, "paper": "a4", **fields})
    assert answer.status_code == 302, page_of(answer, status=answer.status_code).text
    return str(answer["Location"]).removeprefix(f"/print/?deck={deck.link}&paper=a4")


def picks(page: Page) -> list[str]:
    """The labels of the cards on the preview, such as ``Kai, 2 copies``."""
    return [place["aria-label"] for place in page.all("a", class_="print-pick")]


# -- sections ---------------------------------------------------------------------------


def test_a_query_beside_ticked_sections_chooses_among_their_cards(client, deck):
    page = laid(client, deck, "&only=leaders%3B+groundfire")
    boxes = page.all("input", type="checkbox", name="only")
    assert [box["value"] for box in boxes if box.get("checked") is not None] == ["leaders"] and len(boxes) > 1
    assert page.one("input", name="only", id="f-only").value == "groundfire" and "Leaders (4)" in page.text
    assert "1 card of Leaders, found by “groundfire”, 1 sheet" in page.text


# -- a number for each card ------------------------------------------------------------------


def test_the_table_has_every_card_with_its_printed_copies(client, deck):
    numbers = table(laid(client, deck))
    assert (numbers["Kai"], sum(numbers.values())) == (2, 59)
    narrowed = table(laid(client, deck, "&only=leaders&counts=kai=%2B1"))
    assert (narrowed["Kai"], narrowed["Shiatsu"], sum(narrowed.values())) == (1, 0, 5)


def test_only_changed_numbers_are_in_the_address(client, deck):
    page = laid(client, deck, "&counts=li=2")
    changed = rest(client, deck, **sent(page, kai=3), only=["leaders", ""])
    assert changed == "&only=leaders&counts=li=2,kai=3"


def test_an_htmx_answer_replaces_the_table_only_if_it_is_out_of_date(client, deck):
    page = laid(client, deck)
    fields = {"deck": deck.link, "paper": "a4", **sent(page, kai=3)}
    typed = client.get("/print/", fields, headers=LIVE)
    assert typed["HX-Replace-Url"].endswith("&counts=kai=3") and not page_of(typed).has(id="by-card")
    ticked = page_of(client.get("/print/", {**fields, "only": ["leaders", ""]}, headers=LIVE))
    assert ticked.one(id="by-card")["hx-swap-oob"] == "true"
    numbers = table(ticked)
    assert (numbers["Kai"], numbers["Shiatsu"], sum(numbers.values())) == (3, 0, 7)


def test_a_pasted_list_has_table_and_menus_and_keeps_changed_numbers_when_it_is_changed(client):
    page = shown_list(client, **FIELDS, copies_of="kai:4")
    assert table(page) == {"Kai": 4, "Li": 1} and picks(page)[0] == "Kai, 4 copies"
    assert "5 cards with 4 × Kai" in page.text
    longer = page_of(client.post("/print/", LIST | {"text": "2 Kai\n1 Li\n1 Shiatsu"} | sent(page, li=0)))
    assert table(longer) == {"Kai": 4, "Li": 0, "Shiatsu": 1}


def test_a_long_list_has_one_field_instead_of_the_table_and_still_has_menus(client):
    page = page_of(client.post("/print/", {"game": "spycraft", "text": LONG, **FIELDS}))
    assert not page.has(id="by-card") and page.has("input", type="text", id="f-counts")
    assert page.has("button", name="copies_of", aria_label="One copy more of Card 0")
    assert "Card page" not in page.text, "a card that is written in has no page"


# -- menus on the preview --------------------------------------------------------------------


def test_every_card_on_the_preview_links_to_its_menu(client, deck):
    page = laid(client, deck)
    assert len(picks(page)) == 9 and "Kai, 2 copies" in picks(page)
    targets = {place["href"] for place in page.all("a", class_="print-pick")}
    assert targets == {f"#{menu['id']}" for menu in page.all("div", class_="print-menu", popover=True)}
    menu = page.one("div", id="pick-spycraft-kai")
    assert [button["value"] for button in menu.all("button", name="copies_of")] == ["kai:1", "kai:3", "kai:0"]
    assert "/cards/spycraft/kai/" in menu.links


@pytest.mark.parametrize("options", ["&start=4&sheet=2", "&copies=2", "&backs=long&side=backs"])
def test_each_slot_is_labelled_with_the_card_that_is_printed_there(client, deck, options):
    page = laid(client, deck, options)
    cells = page.one("summary", text="Where each card is").parent.all("td")
    in_table = [cell.text for cell in cells if not cell.has("span", class_="hint")]
    in_labels = [label.rpartition(",")[0].partition(", ")[0] for label in picks(page)]
    assert in_labels == ([] if "side=backs" in options else in_table)


def test_cards_that_were_left_out_have_a_button_to_print_them_again(client, deck):
    page = laid(client, deck, "&counts=kai=0,li=2")
    left = page.one("p", class_="print-left-out")
    assert [button["value"] for button in left.all("button", name="copies_of")] == ["kai:"]
    assert left.text == "Left out: Print again: Kai"
    assert not [label for label in picks(page) if label.startswith("Kai")]
    assert page.one("form", id="preset-form").sent["counts"] == "kai=0,li=2", "presets keep the counts"


def test_a_card_of_another_game_on_the_same_sheet_has_its_own_menu(client):
    page = shown(client, "/print/?card=spycraft/kai,2.spynet/limonada&paper=a4&trim=poker")
    assert picks(page) == ["Kai, 1 copy", "Limonada, 2 copies", "Limonada, 2 copies"]
    fewer_kai, fewer_limonada = (
        page.one("button", id=f"pick-{card}-less") for card in ("spycraft-kai", "spynet-limonada")
    )
    assert fewer_kai.get("disabled") and not fewer_limonada.get("disabled"), "one copy is the fewest"


def test_a_menu_button_is_answered_with_form_and_preview_or_a_fault(client, deck):
    fields = {"deck": deck.link, **FIELDS}
    answer = client.get("/print/", {**fields, "copies_of": "kai:3"}, headers=WHOLE)
    assert answer["HX-Replace-Url"] == f"/print/?deck={deck.link}&paper=a4&counts=kai=3"
    page = page_of(answer)
    assert answer["HX-Retarget"] == "#print-page" and page.has(id="print-form") and page.has(id="preview")
    assert not page.has("h1"), "only that part of the page"
    wrong = client.get("/print/", {**fields, "gap": "99"}, headers=WHOLE)
    assert (wrong["HX-Retarget"], wrong["HX-Reswap"]) == ("#outcome", "innerHTML")
    assert "This cannot be printed yet" in page_of(wrong).text and not page_of(wrong).has(id="print-form")


def test_a_change_stays_on_the_shown_sheet(client, deck):
    page = laid(client, deck, "&sheet=3")
    assert page.one("input", type="hidden", form="print-form", name="sheet").value == "3"
    changed = rest(client, deck, **FIELDS, copies_of="kai:1", sheet="7")
    assert changed == "&counts=kai=1&sheet=7"


def test_a_button_to_another_sheet_overrides_the_shown_sheet(client):
    """A browser sends both fields in the order of the page, and the last one counts."""
    pasted = {"game": "spycraft", "text": "20 Kai", **FIELDS}
    fields = page_of(client.post("/print/", pasted)).all(form="print-form", name="sheet")
    assert [field["value"] for field in fields] == ["1", "2"]
    assert "Sheet 2 of 3" in page_of(client.post("/print/", {**pasted, "sheet": ["1", "2"]})).text


def test_markup_in_a_card_name_is_escaped(client):
    page = page_of(client.post("/print/", LIST | FIELDS | {"text": '1 <script>"x | unknown'}))
    assert '<script>"x' in page.text
