"""Remembered and named settings on the print page. Presets, the cookie that keeps settings, and the settings
as values, are tested in tests/printing/request/test_settings.py.
"""

from urllib.parse import parse_qsl, urlencode

import pytest
from django.test import Client

from cardsdb.faults import Fault, Refused
from decks.models import Deck
from decks.models.deck import Visibility
from printing.models import PrinterCalibration
from printing.request.settings import options_of
from tests.support.answers import body
from tests.support.pages import Page, page, page_of
from tests.support.print_pages import LIST, chosen, laid, shown, shown_list

SETTINGS = {"paper": "letter", "header": "no", "marks": "none"}
LIVE = {"HX-Request": "true"}


@pytest.fixture
def here(client, deck):
    """A client that has printed with SETTINGS, which are no defaults."""
    assert client.get("/print/sheets.pdf", {"deck": deck.link, **SETTINGS}).status_code == 200
    return client


def led(client: Client, deck: Deck, **sent: str) -> str:
    """The options in the address to which the page with these fields redirects."""
    answer = client.get("/print/", {"deck": deck.link, **sent})
    assert answer.status_code == 302, page_of(answer, status=answer.status_code).text
    return str(answer["Location"]).removeprefix(f"/print/?deck={deck.link}&")


# -- remembered settings -------------------------------------------------------------------


def test_the_page_without_options_redirects_to_the_remembered_ones(here, deck):
    answer = here.get("/print/", {"deck": deck.link, "sheet": "2"})
    assert answer.status_code == 302
    address, _, query = answer["Location"].partition("?")
    assert (address, dict(parse_qsl(query))) == ("/print/", {"deck": deck.link, "sheet": "2", **SETTINGS})
    assert here.get(answer["Location"]).status_code == 200
    # Another visitor gets the same print at this address.
    page = shown(Client(), answer["Location"])
    assert [chosen(page, name) for name in SETTINGS] == [*SETTINGS.values()]


def test_an_htmx_request_without_options_is_not_redirected(here, deck):
    assert here.get("/print/", {"deck": deck.link}, headers=LIVE).status_code == 200


def test_a_file_without_options_ignores_remembered_settings(here, deck):
    for file in ("sheets.pdf", "cut.svg"):
        address, stranger = f"/print/{file}?deck={deck.link}", Client(headers={"Accept-Language": "en-US"})
        assert body(here.get(address)) == body(stranger.get(address)), file
    # Fetching a file without options leaves the remembered settings as they are.
    assert chosen(shown_list(here), "paper") == "letter"


def test_the_settings_of_a_print_that_cannot_be_drawn_are_not_remembered(client, deck, monkeypatch):
    def refuse(*_: object) -> None:
        raise Refused(Fault("bad_option", "It cannot be drawn.", "trim"))

    monkeypatch.setattr("printing.web.print_page.shown_sides", refuse)
    answer = client.get("/print/", {"deck": deck.link, "paper": "letter"}, headers=LIVE)
    assert "It cannot be drawn." in answer.text
    assert "HX-Replace-Url" not in answer and "printing" not in answer.cookies


@pytest.mark.django_db
def test_settings_in_an_address_without_cards_are_kept_for_the_next_print(client):
    client.get("/print/?paper=letter&backs=long")
    assert "kept for your next print" in shown(client, "/print/?back_x=0.4").text
    page = shown_list(client)
    assert [chosen(page, name) for name in ("paper", "backs", "back_x")] == ["letter", "long", "0.4"]


def test_settings_without_cards_lead_to_the_deck_printed_last(client, deck):
    client.get(f"/print/?deck={deck.link}")
    moved = "/print/?paper=a4&back_x=0.4"
    assert client.get(moved)["Location"] == f"/print/?deck={deck.link}&paper=a4&back_x=0.4"
    Deck.objects.filter(pk=deck.pk).update(visibility=Visibility.PRIVATE)
    assert client.get(moved).status_code == 200


def test_choosing_a_calibrated_printer_sets_its_options_once(client_of, deck, owner):
    numbers = {"paper": "letter", "x": 400, "y": -200, "turn": 15}
    printer = PrinterCalibration.objects.create(owner_id=owner.user_id, name="Office", **numbers)
    number = str(printer.pk)
    sent = {"paper": "a4", "back_x": "0", "printer": number, "printer_was": ""}
    assert led(client_of, deck, **sent) == urlencode(options_of(printer))
    filled = page(client_of, f"/print/?deck={deck.link}&{urlencode(options_of(printer))}")
    assert filled.field("printer").value == number
    swapped = client_of.get("/print/", {"deck": deck.link, **sent}, headers=LIVE)
    assert swapped["HX-Retarget"] == "#print-page" and page_of(swapped).field("paper").value == "letter"
    later = {"paper": "a3", "back_x": "1", "printer": number, "printer_was": number}
    assert led(client_of, deck, **later) == "paper=a3&back_x=1", "options changed after it stay changed"


def test_a_printer_of_another_visitor_cannot_be_chosen(deck, owner):
    printer = PrinterCalibration.objects.create(owner_id=owner.user_id, name="Office", paper="letter")
    refused = page(Client(), "/print/", {"deck": deck.link, "printer": str(printer.pk)}, status=400)
    assert "no longer kept" in refused.text


# -- named settings ------------------------------------------------------------------------


def kept(page: Page) -> list[str]:
    """The names of the visitor's saved settings that the page offers."""
    values = [button.get("value") or "" for button in page.all("button", name="preset")]
    return [value.removeprefix("own:") for value in values if value.startswith("own:")]


def test_settings_are_saved_under_a_name_applied_and_deleted(client, deck):
    here = {"deck": deck.link, "paper": "a3"}
    answer = client.post("/print/presets/", {**here, "gap": "2", "name": "Office <b>"})
    assert answer["Location"] == f"/print/?deck={deck.link}&paper=a3&gap=2#presets"
    assert kept(laid(client, deck)) == ["Office <b>"]
    assert led(client, deck, paper="a4", copies="2", preset="own:Office <b>") == "paper=a3&copies=2&gap=2"
    client.post("/print/presets/", {**here, "forget": "Office <b>"})
    assert not kept(laid(client, deck))


@pytest.mark.django_db
def test_settings_beside_a_pasted_list_are_saved_and_applied(client):
    page = page_of(client.post("/print/presets/", LIST | {"paper": "a3", "gap": "2", "name": "Office"}))
    assert page.field("text").value == LIST["text"]
    assert page.one("button", value="own:Office")["aria-pressed"] == "true"
    again = shown_list(client, preset="own:Office", paper="a4")
    assert (chosen(again, "paper"), chosen(again, "gap")) == ("a3", "2")
    assert chosen(shown_list(client, preset="fold", paper="letter"), "backs") == "gutterfold"


@pytest.mark.django_db
def test_settings_can_be_saved_beside_a_list_that_cannot_be_printed(client):
    sent = LIST | {"paper": "a3", "text": "1 Nobody"}
    for action, names in (({"name": "Office"}, ["Office"]), ({"forget": "Office"}, [])):
        page = page_of(client.post("/print/presets/", {**sent, **action}), status=400)
        assert "This cannot be printed yet" in page.text and page.field("text").value == sent["text"]
        assert kept(page) == kept(shown_list(client)) == names
