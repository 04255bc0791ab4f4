"""Ready-made settings, and settings that a browser remembers: they stand in the address of its print
page, and in no other print's. A journey through printing.request.settings and printing.web.print_views.
"""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode

import pytest
from django.core import signing
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from cardsdb.faults import Fault, Refused
from cardsdb.games import games
from decks.models import Deck
from decks.models.deck import Visibility
from printing.job.job import Job
from printing.layout.imposition import layout_for
from printing.models import PrinterCalibration
from printing.options.sizes import STOCKS
from printing.options.values import read_options
from printing.request.settings import COOKIE, PRESETS, applied, options_of
from tests.support.answers import body
from tests.support.pages import Page, page, page_of
from tests.support.print_decks import client_of, owner
from tests.support.print_pages import LIST, chosen, laid, shown, shown_list

__all__ = ["client_of", "owner"]

SETTINGS = {"paper": "letter", "header": "no", "marks": "none"}
SPYCRAFT = games()["spycraft"]
TRIM = (63_500, 88_900)
LIVE = {"HX-Request": "true"}


@pytest.fixture
def here(client, deck):
    """A browser that has printed with other settings than the usual ones."""
    assert client.get("/print/sheets.pdf", {"deck": deck.link, **SETTINGS}).status_code == 200
    return client


def fields(page: Page) -> dict[str, str]:
    """The form of options as a browser without a script sends it."""
    form = page.one("form", class_="print-form")
    names = {field["name"] for field in form.all(name=True) if field.get("id") == f"f-{field['name']}"}
    # Boxes for sections have fields of one name, and none is ticked.
    return {name: form.sent[name] for name in names} | {"only": ""}


def led(client: Client, deck: Deck, **sent: str) -> str:
    """Where the page leads that is asked for with these fields."""
    answer = client.get("/print/", {"deck": deck.link, **sent})
    assert answer.status_code == 302, page_of(answer, status=answer.status_code).text
    return str(answer["Location"]).removeprefix(f"/print/?deck={deck.link}&")


# -- ready-made settings -------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_a_preset_prints_knows_itself_and_changes_only_what_it_names(preset):
    usual = {"paper": "letter", "copies": "2", "back_x": "0.4"}
    other = {"ink": "grey", "backs": "short", "margin": "8", "gap": "3", "qr": "page"}
    now = read_options(usual)
    options = applied(preset, now, "letter", TRIM)
    assert applied(preset, options, "letter", TRIM) == options
    assert Job(SPYCRAFT, ((SPYCRAFT.cards[0], 3),), options=options).sheets
    now = read_options(usual | other)
    options = applied(preset, now, "letter", TRIM)
    changed = {name for name in vars(now) if getattr(now, name) != getattr(options, name)}
    assert changed <= {*preset.settings, *(("paper",) if preset.one_card else ())}


@pytest.mark.parametrize("slug", STOCKS)
def test_perforated_paper_is_taken_from_a_page_of_one_card_and_left_by_every_preset(slug):
    page = applied(PRESETS["service"], read_options({"sleeves": "yes"}), "letter", TRIM)
    stock = applied(PRESETS[slug], page, "letter", TRIM)
    layout = layout_for(stock, stock.trim.lengths)
    assert (layout.columns, layout.rows, layout.turned, stock.sleeves) == (2, 5, True, False)
    block, paper = layout.block, layout.paper
    assert (block.x, block.y) == (paper.width - block.right, paper.height - block.bottom)
    usual = applied(PRESETS["usual"], stock, "letter", TRIM)
    assert (usual.block, usual.left, usual.top, usual.trim) == (None, None, None, None)
    for after in PRESETS.values():
        options = applied(after, stock, "letter", TRIM)
        assert Job(SPYCRAFT, ((SPYCRAFT.cards[0], 3),), options=options).sheets, after.name


def test_a_paper_of_the_visitors_own_that_holds_two_cards_is_no_page_of_one():
    now = read_options({"paper": "140x100", "margin": "0", "header": "no"})
    assert applied(PRESETS["usual"], now, "letter", TRIM).paper.slug == "140x100"


def test_a_page_of_one_card_has_no_back_beside_it():
    fold = applied(PRESETS["fold"], read_options({}), "a4", TRIM)
    assert applied(PRESETS["service"], fold, "a4", TRIM).backs == "none"


@pytest.mark.parametrize("paper", ["letter", "330x483"])
def test_a_preset_of_sheets_means_the_same_after_one_card_a_page(client, deck, paper):
    def after(address: str, preset: str) -> str:
        """The address that the preset leads to from the page at this one."""
        client.get(address)
        return str(client.get(f"{address}&preset={preset}")["Location"])

    here = f"/print/?deck={deck.link}&paper={paper}"
    at_once = after(here, "scissors")
    # A setting is changed by hand in between: the page is one of one card all the same.
    later = after(f"{after(here, 'service')}&corner=2", "scissors").replace("&corner=2", "")
    assert later == at_once and f"&paper={paper}" in later


# -- what is remembered --------------------------------------------------------------------


def test_the_bare_page_leads_once_to_the_address_that_says_all(here, deck):
    answer = here.get("/print/", {"deck": deck.link, "sheet": "2"})
    assert answer.status_code == 302
    address, _, query = answer["Location"].partition("?")
    assert (address, dict(parse_qsl(query))) == ("/print/", {"deck": deck.link, "sheet": "2", **SETTINGS})
    assert here.get(answer["Location"]).status_code == 200
    # Whoever is sent the address gets the same; a script that asks for the outcome is led nowhere.
    page = shown(Client(), answer["Location"])
    assert [chosen(page, name) for name in SETTINGS] == [*SETTINGS.values()]
    assert here.get("/print/", {"deck": deck.link}, headers=LIVE).status_code == 200


def test_the_bare_page_leads_on_without_cookies_too_and_stays_where_all_is_as_usual(deck):
    american = {"Accept-Language": "en-US"}
    answer = Client().get("/print/", {"deck": deck.link}, headers=american)
    assert answer["Location"] == f"/print/?deck={deck.link}&paper=letter"
    assert Client().get(answer["Location"], headers=american).status_code == 200
    assert Client().get("/print/", {"deck": deck.link}).status_code == 200


def test_the_bare_address_of_a_file_is_the_same_file_for_everybody_and_one_of_the_page_as_remembered(
    here, deck
):
    sent = fields(page(here, "/print/", {"deck": deck.link}, follow=True))
    assert sent.items() >= SETTINGS.items()
    for file in ("sheets.pdf", "cut.svg", "service.pdf"):
        address, stranger = f"/print/{file}?deck={deck.link}", Client(headers={"Accept-Language": "en-US"})
        assert body(here.get(address)) == body(stranger.get(address)), file
        mine = here.get(f"/print/{file}", {"deck": deck.link, **sent})
        assert mine.status_code == 200
        assert body(mine) == body(stranger.get(f"/print/{file}", {"deck": deck.link, **SETTINGS})), file
    # To fetch a bare file changes nothing of what is remembered.
    assert chosen(shown_list(here), "paper") == "letter"


def test_a_print_that_is_refused_while_it_is_drawn_is_not_remembered(client, deck, monkeypatch):
    def refuse(*_: object) -> None:
        raise Refused(Fault("bad_option", "It cannot be drawn.", "trim"))

    monkeypatch.setattr("printing.web.print_page.shown_sides", refuse)
    answer = client.get("/print/", {"deck": deck.link, "paper": "letter"}, headers=LIVE)
    assert "It cannot be drawn." in answer.text
    assert "HX-Replace-Url" not in answer and "printing" not in answer.cookies


@pytest.mark.django_db
def test_a_printers_calibration_is_kept_for_the_next_print(client):
    client.get("/print/?paper=letter&backs=long")
    assert "kept for your next print" in shown(client, "/print/?back_x=0.4&back_y=-0.2").text
    kept = {"paper": "letter", "backs": "long", "back_x": "0.4", "back_y": "-0.2"}
    page = shown_list(client)
    assert {name: chosen(page, name) for name in kept} == kept


def test_from_calibration_back_to_the_deck_printed_last(client, deck):
    client.get(f"/print/?deck={deck.link}")
    moved = "/print/?paper=a4&back_x=0.4"
    assert client.get(moved)["Location"] == f"/print/?deck={deck.link}&paper=a4&back_x=0.4"
    Deck.objects.filter(pk=deck.pk).update(visibility=Visibility.PRIVATE)
    assert client.get(moved).status_code == 200


def test_a_printer_fills_in_its_paper_and_its_numbers_and_nobody_elses_does(client_of, deck, owner):
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
    assert led(client_of, deck, **later) == "paper=a3&back_x=1", "what is changed after it stays"
    strangers = page(Client(), "/print/", {"deck": deck.link, "printer": number}, status=400)
    assert "no longer kept" in strangers.text


# -- the cookie ----------------------------------------------------------------------------


@pytest.mark.django_db
@settings(deadline=None, max_examples=12)
@given(
    cookie=st.text(
        alphabet=st.characters(min_codepoint=33, max_codepoint=126, exclude_characters='",;\\'), max_size=60
    )
)
def test_a_cookie_of_somebody_elses_making_is_none(cookie):
    client = Client()
    client.cookies["printing"] = cookie
    assert client.get("/print/?paper=a4").status_code == 200


def test_what_the_site_signed_for_another_purpose_counts_as_none(client, deck):
    address = f"/print/?deck={deck.link}"
    client.get(f"{address}&paper=letter")
    kept = signing.loads(client.cookies["printing"].value, salt=COOKIE.salt)
    assert chosen(page(client, address, follow=True), "paper") == "letter"
    client.cookies["printing"] = signing.dumps(kept, salt=f"{COOKIE.salt}x", compress=True)
    assert chosen(page(client, address, follow=True), "paper") == "a4"


def test_a_cookie_of_an_older_version_still_holds(client, deck):
    """The salt of its signature is no name of a module: files move, and browsers keep what they have for a
    year.
    """
    cookie = {"last": SETTINGS, "own": [["Mine", {"paper": "a3"}]], "subject": [["deck", deck.link]]}
    client.cookies["printing"] = signing.dumps(cookie, salt="printing.page.remembered", compress=True)
    assert dict(parse_qsl(led(client, deck))) == SETTINGS


# -- under a name --------------------------------------------------------------------------


def kept(page: Page) -> list[str]:
    """The names of the visitor's own settings that the page offers."""
    values = [button.get("value") or "" for button in page.all("button", name="preset")]
    return [value.removeprefix("own:") for value in values if value.startswith("own:")]


def test_settings_are_kept_under_a_name_and_forgotten(client, deck):
    here = {"deck": deck.link, "paper": "a3"}
    answer = client.post("/print/presets/", {**here, "gap": "2", "name": "Office <b>"})
    assert answer["Location"] == f"/print/?deck={deck.link}&paper=a3&gap=2#presets"
    assert kept(laid(client, deck)) == ["Office <b>"]
    assert led(client, deck, paper="a4", copies="2", preset="own:Office <b>") == "paper=a3&copies=2&gap=2"
    client.post("/print/presets/", {**here, "forget": "Office <b>"})
    assert not kept(laid(client, deck))
    nameless = page_of(client.post("/print/presets/", {**here, "name": " "}), status=400)
    assert "The settings were not kept" in nameless.text


@pytest.mark.django_db
def test_settings_of_a_pasted_list_are_kept_and_chosen_without_losing_the_list(client):
    page = page_of(client.post("/print/presets/", LIST | {"paper": "a3", "gap": "2", "name": "Office"}))
    assert page.field("text").value == LIST["text"]
    assert page.one("button", value="own:Office")["aria-pressed"] == "true"
    again = shown_list(client, preset="own:Office", paper="a4")
    assert (chosen(again, "paper"), chosen(again, "gap")) == ("a3", "2")
    assert chosen(shown_list(client, preset="fold", paper="letter"), "backs") == "gutterfold"


@pytest.mark.django_db
@pytest.mark.parametrize("fields", [{"text": "1 Nobody"}, {"only": "none"}, {"game": "chess"}], ids=str)
def test_settings_are_kept_beside_a_list_that_cannot_be_printed(client, fields):
    sent = LIST | {"paper": "a3"} | fields
    for said, names in (({"name": "Office"}, ["Office"]), ({"forget": "Office"}, [])):
        page = page_of(client.post("/print/presets/", {**sent, **said}), status=400)
        assert "This cannot be printed yet" in page.text and page.field("text").value == sent["text"]
        assert kept(page) == kept(shown_list(client)) == names
