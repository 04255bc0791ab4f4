"""Presets and remembered settings on the print page. These tests go through printing.request.settings and
printing.web.print_views.
"""

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
from tests.support.print_pages import LIST, chosen, laid, shown, shown_list

SETTINGS = {"paper": "letter", "header": "no", "marks": "none"}
SPYCRAFT = games()["spycraft"]
TRIM = (63_500, 88_900)
LIVE = {"HX-Request": "true"}


@pytest.fixture
def here(client, deck):
    """A client that has printed with SETTINGS, which are no defaults."""
    assert client.get("/print/sheets.pdf", {"deck": deck.link, **SETTINGS}).status_code == 200
    return client


def fields(page: Page) -> dict[str, str]:
    """The form of options as a browser without a script sends it."""
    form = page.one("form", class_="print-form")
    names = {field["name"] for field in form.all(name=True) if field.get("id") == f"f-{field['name']}"}
    # The boxes of sections share the name "only", and none is ticked.
    return {name: form.sent[name] for name in names} | {"only": ""}


def led(client: Client, deck: Deck, **sent: str) -> str:
    """The options in the address to which the page with these fields redirects."""
    answer = client.get("/print/", {"deck": deck.link, **sent})
    assert answer.status_code == 302, page_of(answer, status=answer.status_code).text
    return str(answer["Location"]).removeprefix(f"/print/?deck={deck.link}&")


# -- presets -------------------------------------------------------------------------------

USUAL = {"paper": "letter", "copies": "2", "back_x": "0.4"}


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_a_preset_can_be_printed_and_applying_it_twice_changes_nothing_more(preset):
    options = applied(preset, read_options(USUAL), "letter", TRIM)
    assert applied(preset, options, "letter", TRIM) == options
    assert Job(SPYCRAFT, ((SPYCRAFT.cards[0], 3),), options=options).sheets


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_a_preset_changes_only_the_options_that_it_names(preset):
    other = {"ink": "grey", "backs": "short", "margin": "8", "gap": "3", "qr": "page"}
    now = read_options(USUAL | other)
    options = applied(preset, now, "letter", TRIM)
    changed = {name for name in vars(now) if getattr(now, name) != getattr(options, name)}
    assert changed <= {*preset.settings, *(("paper",) if preset.one_card else ())}


@pytest.mark.parametrize("slug", STOCKS)
def test_perforated_paper_can_follow_and_precede_every_preset(slug):
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


def test_an_unnamed_paper_that_holds_two_cards_is_no_page_of_one_card():
    now = read_options({"paper": "140x100", "margin": "0", "header": "no"})
    assert applied(PRESETS["usual"], now, "letter", TRIM).paper.slug == "140x100"


def test_a_page_of_one_card_drops_backs_beside_fronts():
    fold = applied(PRESETS["fold"], read_options({}), "a4", TRIM)
    assert applied(PRESETS["service"], fold, "a4", TRIM).backs == "none"


@pytest.mark.parametrize("paper", ["letter", "330x483"])
def test_a_preset_of_sheets_is_the_same_after_a_page_of_one_card(client, deck, paper):
    def after(address: str, preset: str) -> str:
        """The address to which the preset leads from the page at this address."""
        client.get(address)
        return str(client.get(f"{address}&preset={preset}")["Location"])

    here = f"/print/?deck={deck.link}&paper={paper}"
    at_once = after(here, "scissors")
    # A setting is changed by hand in between, which leaves the page one of one card.
    later = after(f"{after(here, 'service')}&corner=2", "scissors").replace("&corner=2", "")
    assert later == at_once and f"&paper={paper}" in later


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


def test_without_a_cookie_the_paper_is_that_of_the_country(deck):
    american = {"Accept-Language": "en-US"}
    answer = Client().get("/print/", {"deck": deck.link}, headers=american)
    assert answer["Location"] == f"/print/?deck={deck.link}&paper=letter"
    assert Client().get(answer["Location"], headers=american).status_code == 200
    assert Client().get("/print/", {"deck": deck.link}).status_code == 200


def test_a_file_without_options_ignores_remembered_settings(here, deck):
    sent = fields(page(here, "/print/", {"deck": deck.link}, follow=True))
    assert sent.items() >= SETTINGS.items()
    for file in ("sheets.pdf", "cut.svg", "service.pdf"):
        address, stranger = f"/print/{file}?deck={deck.link}", Client(headers={"Accept-Language": "en-US"})
        assert body(here.get(address)) == body(stranger.get(address)), file
        mine = here.get(f"/print/{file}", {"deck": deck.link, **sent})
        assert mine.status_code == 200
        assert body(mine) == body(stranger.get(f"/print/{file}", {"deck": deck.link, **SETTINGS})), file
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
    assert "kept for your next print" in shown(client, "/print/?back_x=0.4&back_y=-0.2").text
    kept = {"paper": "letter", "backs": "long", "back_x": "0.4", "back_y": "-0.2"}
    page = shown_list(client)
    assert {name: chosen(page, name) for name in kept} == kept


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


# -- the cookie ----------------------------------------------------------------------------


@pytest.mark.django_db
@settings(deadline=None, max_examples=12)
@given(
    cookie=st.text(
        alphabet=st.characters(min_codepoint=33, max_codepoint=126, exclude_characters='",;\\'), max_size=60
    )
)
def test_a_cookie_that_the_site_did_not_make_counts_as_none(cookie):
    client = Client()
    client.cookies["printing"] = cookie
    assert client.get("/print/?paper=a4").status_code == 200


def test_a_cookie_that_the_site_signed_for_another_purpose_counts_as_none(client, deck):
    address = f"/print/?deck={deck.link}"
    client.get(f"{address}&paper=letter")
    kept = signing.loads(client.cookies["printing"].value, salt=COOKIE.salt)
    assert chosen(page(client, address, follow=True), "paper") == "letter"
    client.cookies["printing"] = signing.dumps(kept, salt=f"{COOKIE.salt}x", compress=True)
    assert chosen(page(client, address, follow=True), "paper") == "a4"


def test_a_cookie_of_an_older_release_is_still_read(client, deck):
    """The salt of its signature must stay as it is, because browsers keep the cookie for a year."""
    cookie = {"last": SETTINGS, "own": [["Mine", {"paper": "a3"}]], "subject": [["deck", deck.link]]}
    client.cookies["printing"] = signing.dumps(cookie, salt="printing.page.remembered", compress=True)
    assert dict(parse_qsl(led(client, deck))) == SETTINGS


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


def test_settings_without_a_name_are_refused(client, deck):
    sent = {"deck": deck.link, "paper": "a3", "name": " "}
    nameless = page_of(client.post("/print/presets/", sent), status=400)
    assert "The settings were not kept" in nameless.text


@pytest.mark.django_db
def test_settings_beside_a_pasted_list_are_saved_and_applied(client):
    page = page_of(client.post("/print/presets/", LIST | {"paper": "a3", "gap": "2", "name": "Office"}))
    assert page.field("text").value == LIST["text"]
    assert page.one("button", value="own:Office")["aria-pressed"] == "true"
    again = shown_list(client, preset="own:Office", paper="a4")
    assert (chosen(again, "paper"), chosen(again, "gap")) == ("a3", "2")
    assert chosen(shown_list(client, preset="fold", paper="letter"), "backs") == "gutterfold"


@pytest.mark.django_db
@pytest.mark.parametrize("fields", [{"text": "1 Nobody"}, {"only": "none"}, {"game": "chess"}], ids=str)
def test_settings_can_be_saved_beside_a_list_that_cannot_be_printed(client, fields):
    sent = LIST | {"paper": "a3"} | fields
    for action, names in (({"name": "Office"}, ["Office"]), ({"forget": "Office"}, [])):
        page = page_of(client.post("/print/presets/", {**sent, **action}), status=400)
        assert "This cannot be printed yet" in page.text and page.field("text").value == sent["text"]
        assert kept(page) == kept(shown_list(client)) == names
