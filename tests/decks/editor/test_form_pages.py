"""The pages that edit a deck's settings and its list as text. Saves of two pages at once are tested further
in tests/decks/saving/test_stale_pages.py.
"""

import pytest
from django.test import Client

from decks.models import Deck
from tests.support.editing import cards, open_editor
from tests.support.made_decks import starter
from tests.support.pages import Page, page, page_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
SETTINGS = {"name": "Tigers", "notes": "Mulligan hard.", "tags": "duel, league", "visibility": "public"}


@pytest.fixture
def settings_page(editor):
    return editor.replace("edit/", "settings/")


@pytest.mark.both_databases
def test_the_settings_are_saved_together(client, editor, settings_page):
    other = open_editor(client, "1 Sky Drop").removesuffix("edit/")
    sent = SETTINGS | {"comments_open": "on", "partner": f"https://example.org{other}"}
    # A deck that was opened to others shows its address; any other save leads back to the cards.
    assert client.post(settings_page, sent)["Location"] == editor.replace("edit", "share")
    assert client.post(settings_page, sent)["Location"] == editor
    deck = Deck.objects.get(name="Tigers")
    assert (deck.notes, deck.tags) == ("Mulligan hard.", ["duel", "league"])
    assert (deck.visibility, deck.comments_open) == ("public", True)
    assert deck.partner is not None and deck.partner.link in other


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", " "),
        ("visibility", "all"),
        ("tags", "x" * 60),
        ("partner", "next door"),
        ("notes", "x" * 5_001),
    ],
)
def test_a_bad_setting_changes_nothing_and_stays_in_its_field(client, settings_page, field, value):
    refused = page_of(client.post(settings_page, SETTINGS | {field: value}), status=400)
    form = refused.context["form"]
    assert form[field].errors and form[field].value() == value
    assert Deck.objects.get().name == "Dragons"


def test_a_deck_that_the_author_may_not_see_is_no_partner(client, settings_page):
    private = open_editor(Client(), "1 Kai").removesuffix("edit/")
    refused = page_of(client.post(settings_page, SETTINGS | {"partner": private}), status=400)
    assert "There is no other deck at this address" in refused.text


@pytest.mark.both_databases
def test_own_decks_are_offered_as_partners(client, settings_page):
    text = starter("spycraft", "mission-deck-base")
    for maker, name in ((client, "Missions"), (Client(), "Another's")):
        open_editor(maker, text, format="mission-base", name=name)
    (offered,) = page(client, settings_page).one(id="own-decks").all("option")
    own = Deck.objects.get(name="Missions").link
    assert (offered.text, offered["value"]) == ("Missions", f"http://testserver/decks/{own}/")


# -- two people at one text ----------------------------------------------------------


@pytest.fixture
def text_page(editor):
    return f"{editor}text/"


def saved(client, text_page, name, text, status=302) -> Page | None:
    """The answer to an author who saw the deck as it was first saved (revision 0), and saves this."""
    answer = client.post(text_page, {"name": name, "text": text, "revision": "0"})
    assert answer.status_code == status
    return page_of(answer, status=status) if answer.content else None


def test_what_two_people_changed_in_different_places_is_saved_together(client, text_page):
    saved(client, text_page, "Dragons", "3 Kai\n1 Termite")
    answer = client.post(
        text_page, {"name": "Tigers", "text": "2 Kai\n2 Termite", "revision": "0"}, follow=True
    )
    notice = "Saved, together with what was changed elsewhere meanwhile: +1 Kai."
    assert notice in page_of(answer).text
    assert (Deck.objects.get().name, cards()) == ("Tigers", {"deck kai": 3, "deck termite": 2})


@pytest.mark.parametrize(
    ("whose", "kai", "name"), [("Save with mine", 4, "Second"), ("Save with theirs", 3, "First")]
)
def test_who_saves_last_is_asked_whose_values_to_keep(client, text_page, whose, kai, name):
    saved(client, text_page, "First", "3 Kai\n1 Termite")
    asked = saved(client, text_page, "Second", "4 Kai\n2 Termite", 409)
    assert asked and asked.one("h1").text == "First was changed twice"
    assert [cell.text for cell in asked.row("Kai, in Deck")] == ["2 copies", "4 copies", "3 copies"]
    assert [cell.text for cell in asked.row("Name")] == ["Dragons", "Second", "First"]
    assert Deck.objects.get().name == "First", "nothing is saved yet"
    button = asked.one("button", text=whose)
    form = asked.one(id=button["form"]) if button.get("form") else button.parent.parent
    assert client.post(text_page, form.sent).status_code == 302
    assert (Deck.objects.get().name, cards()) == (name, {"deck kai": kai, "deck termite": 2})


def test_a_typo_does_not_hide_that_the_deck_was_changed_elsewhere(client, text_page):
    saved(client, text_page, "Elsewhere", "3 Kai")
    typo = saved(client, text_page, "Here", "2 Kia Motors", 400)
    assert typo and typo.one("input", name="revision")["value"] == "0"
    saved(client, text_page, "Here", "4 Kai", 409)
    assert Deck.objects.get().name == "Elsewhere"
