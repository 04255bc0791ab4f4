"""A list on its way through the pages without script: checked, refused, corrected, named and saved. The pages
are decks/check/views.py, decks/editor/new.py and decks/editor/form_pages.py; their forms decks/web/forms.py.
"""

import pytest
from django.test import Client

from cardsdb.catalogue.current import catalogue
from cardsdb.models import Card
from decks.models import Deck
from tests.support.editing import open_editor
from tests.support.pages import Page, page, page_of, post_bytes
from tests.support.races import overtaken

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def sent(client, address, status=200, **fields) -> Page:
    return page_of(client.post(address, {"game": "spycraft"} | fields), status=status)


@pytest.fixture
def text_page(client, agency_text):
    return f"{open_editor(client, agency_text)}text/"


# -- checked -----------------------------------------------------------------------


def test_a_violation_names_rule_document_and_line(client, agency_text):
    checked = sent(client, "/check/", text=f"{agency_text}\nDeck:\n4 Termite")
    assert checked.one("h2", id="verdict-title").text == "Not legal"
    source, *_ = checked.all("p", class_="check-source")
    assert source.link("AG-4") == "/games/spycraft/rules/#AG-4" and "line 430" in source.text
    assert "Take out" in checked.one("p", class_="check-repair").text


@pytest.mark.parametrize(
    ("data", "status", "message"),
    [
        ({"game": ""}, 400, "Paste a list"),
        ({"game": "chess", "text": "1 Kai"}, 400, "Choose one of the games"),
        ({"text": "1 Kai", "format": "blitz"}, 400, "no such format"),
        ({"text": "<cockatrice_deck><zone"}, 400, "its XML breaks off at"),
        ({"text": "x" * 262_145}, 400, "larger than 256 KB"),
        ({"text": "\n" * 5_001}, 413, "at most 5,000"),
    ],
)
def test_a_list_that_cannot_be_checked_is_refused_with_the_reason(client, data, status, message):
    assert message in sent(client, "/check/", status, **data).one(class_="error-summary").text


# -- saved -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "text", "name"),
    [
        ("xfiles", "1 First Aid", "New X-Files CCG deck"),
        ("spycraft", "// name: Dragons\n2 Kai", "Dragons"),
        ("spycraft", "// name: \u0301\n2 Kai", "New Spycraft deck"),
    ],
)
@pytest.mark.parametrize(
    ("address", "more"), [("/decks/new/", {}), ("/decks/import/", {"step": "keep", "visibility": "private"})]
)
def test_an_unnamed_deck_takes_its_name_from_its_list_or_its_game(client, address, more, game, text, name):
    assert client.post(address, {"game": game, "text": text, "name": " ", **more}).status_code == 302
    assert Deck.objects.get().name == name


@pytest.mark.parametrize("name", ["\u202egnp.exe", "\u200b", "x" * 121])
def test_a_decks_name_must_be_visible(client, name):
    sent(client, "/decks/new/", 400, name=name, text="1 Kai")


@pytest.mark.both_databases
def test_a_card_that_is_not_loaded_yet_is_no_server_error_and_nothing_is_stored(client):
    # The catalogue in memory was read before the card was renamed in the database.
    catalogue()
    Card.objects.filter(game="spycraft", code="kai").update(code="kai-elsewhere")
    refused = sent(client, "/decks/new/", 503, name="Dragons", text="2 Kai")
    assert "brought up to date" in refused.one(class_="error-summary").text
    assert not Deck.objects.exists()


def test_a_deck_is_edited_as_text_with_its_format_and_cards_that_are_written_in(client, text_page):
    form = page(client, text_page)
    assert form.field("format").value == "agency"
    assert "1 Nathan Sparks" in str(form.field("text").value).splitlines()
    text = "3 Kai\n1 Nightingale | agent | combat: 3"
    client.post(text_page, {"name": "Tigers", "text": text, "visibility": "public"})
    deck = page(client, text_page.removesuffix("edit/text/"))
    assert deck.one("h1").text == "Tigers"
    assert deck.one("h2", id="verdict-title").text in ("Incomplete", "Undecided")
    assert "1 Nightingale | agent | Combat: 3" in str(page(client, text_page).field("text").value)


@pytest.mark.parametrize("wrong", [{"text": "3 Kia"}, {"name": ""}])
def test_a_failed_edit_leaves_the_deck_as_it_was(client, text_page, wrong):
    before = Deck.objects.get().content()
    sent(client, text_page, 400, **({"name": "Tigers", "text": "3 Kai", "revision": "0"} | wrong))
    assert Deck.objects.get().content() == before


def test_two_decks_saved_at_once_by_one_browser_are_both_remembered(client):
    open_editor(client)
    twin, made = Client(), list[str]()
    twin.cookies = client.cookies
    with overtaken(lambda: made.append(open_editor(twin))):
        made.append(open_editor(client))
    assert [client.get(address).status_code for address in made] == [200, 200]


# -- corrected ---------------------------------------------------------------------


def test_a_suggestion_for_a_stored_deck_keeps_what_else_was_typed(client, text_page):
    typed = {"name": "Typed", "notes": "mine", "visibility": "unlisted", "revision": "0"}
    corrected = sent(client, text_page, **typed, text="2 Termitte", correct="1:Termite")
    form = corrected.context["form"]
    assert {field: form[field].value() for field in (*typed, "text")} == typed | {"text": "2 Termite"}
    assert "Every line can be read now" in corrected.text and Deck.objects.get().name == "Dragons"


def test_the_enter_key_never_accepts_a_suggestion(client):
    """Enter presses the first button of a form, wherever it stands, so that one must be harmless."""
    checked = sent(client, "/check/", text="2 Termitte")
    buttons = [button for button in checked.all("button") if button.get("form") == "list-form"]
    assert buttons[0].get("hidden") is not None and buttons[0].get("name") is None
    assert any(button.get("name") == "correct" for button in buttons)


def test_a_suggestion_that_cannot_replace_its_words_is_not_a_button(client):
    checked = sent(client, "/check/", game="spynet", text="1 X | agent | strength: 3")
    assert checked.has("strong", text="Power:") and not checked.has(name="correct")


@pytest.mark.parametrize("bad", ["", "x:Kai", "99999999999:Kai", "²:Kai", "1:\x00", "1:\ud800"])
def test_a_broken_correction_is_no_server_error(client, text_page, bad):
    data = {"game": "spycraft", "name": "X", "text": "2 Termitte", "correct": bad}
    for address in ("/check/", "/decks/new/", text_page):
        assert post_bytes(client, address, data).status_code < 500


def test_a_list_beyond_the_bounds_is_no_server_error_when_corrected(client):
    data = {"name": "X", "text": "\n" * 5_001}
    sent(client, "/decks/new/", 200, **data, correct="1:Kai")
    sent(client, "/decks/new/", 413, **data)
    body = {"game": "spycraft"} | data
    assert client.post("/api/v1/decks/", body, content_type="application/json").status_code == 413
