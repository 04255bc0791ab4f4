"""Two pages of one deck open at once: an undo meant for another state is refused, changes from both are kept,
and both authors are told (decks/editor/form_pages.py and changes.py, decks/saving/history.py).
"""

from typing import Any

import pytest
from django.test import Client

from decks.models import Deck
from tests.support.editing import cards, press
from tests.support.pages import Page, page_of

pytestmark = pytest.mark.django_db
SETTINGS = {"name": "Dragons", "notes": "", "tags": "", "visibility": "private", "partner": ""}
SEEN = {"seen_visibility": "private", "seen_revealed": "0", "seen_comments_open": "0", "seen_partner": ""}


def save(client: Client, editor: str, revision: int, **changed: str) -> Any:
    """Save the settings as an author who had loaded the page at this revision of the deck, with these
    changes.
    """
    sent = {**SETTINGS, **SEEN, "revision": revision, **changed}
    return client.post(editor.replace("edit/", "settings/"), sent)


def refused(client: Client, editor: str, revision: int, **changed: str) -> Page:
    return page_of(save(client, editor, revision, **changed), status=409)


# -- settings -------------------------------------------------------------------------


def test_different_changes_from_two_settings_pages_are_both_kept(client, editor):
    save(client, editor, 0, notes="Long plans", visibility="unlisted", comments_open="on")
    save(client, editor, 0, name="Tigers", tags="club")
    deck = Deck.objects.get()
    assert (deck.name, deck.notes, deck.tags) == ("Tigers", "Long plans", ["club"])
    assert (deck.visibility, deck.comments_open) == ("unlisted", True)


@pytest.mark.parametrize(
    ("field", "theirs", "mine", "shown"),
    [
        ("name", "Name A", "Name B", "Name A"),
        ("notes", "mine", "yours", "mine"),
        ("visibility", "unlisted", "public", "Unlisted: whoever has the link"),
    ],
)
def test_a_setting_changed_on_both_pages_is_refused_and_stays_in_the_form(
    client, editor, field, theirs, mine, shown
):
    save(client, editor, 0, tags="theirs", **{field: theirs})
    asked = refused(client, editor, 0, **{field: mine})
    assert f"Changed elsewhere meanwhile: it is now “{shown}" in asked.text
    assert getattr(Deck.objects.get(), field) == theirs
    form = asked.context["form"]
    assert (form[field].value(), form["tags"].value()) == (mine, "theirs")


def test_a_setting_emptied_on_the_other_page_is_called_empty(client, editor):
    save(client, editor, 0, notes="ours")
    save(client, editor, 1, notes="")
    asked = refused(client, editor, 1, notes="mine", comments_open="on")
    assert "Changed elsewhere meanwhile: it is now empty." in asked.text
    form = asked.context["form"]
    assert [form[name].value() for name in ("comments_open", "revealed")] == [True, False]


def test_saving_again_overwrites_the_other_change(client, editor):
    save(client, editor, 0, name="Name A", visibility="unlisted")
    asked = refused(client, editor, 0, name="Name B", visibility="public")
    client.post(editor.replace("edit/", "settings/"), asked.one("form", class_="form").sent)
    assert Deck.objects.values_list("name", "visibility").get() == ("Name B", "public")


def test_line_ends_of_browsers_are_no_change(client, editor):
    Deck.objects.update(notes="one\ntwo")
    press(client, editor, "+1 deck kai")
    save(client, editor, 1, notes="one\r\ntwo", tags="club")
    assert Deck.objects.values_list("notes", "tags").get() == ("one\ntwo", ["club"])


def test_an_unknown_revision_is_refused_and_the_form_kept(client, editor):
    asked = refused(client, editor, 77, name="Tigers")
    assert "Nothing was overwritten" in asked.text
    assert asked.field("name").value == "Tigers"
    assert asked.has("input", name="revision", value="0")
    assert Deck.objects.get().name == "Dragons"


# -- undo and redo --------------------------------------------------------------------


def test_undo_in_a_stale_editor_is_refused_with_the_changes(client, editor):
    press(client, editor, "+1 deck kai", revision=0)
    press(client, editor, "+1 deck termite", revision=1)
    answer = press(client, editor, "undo", revision=1)
    assert "The deck was changed since this page was loaded: +1 Termite. Nothing was undone" in answer.text
    assert answer.one(id="revision").value == "2"
    assert cards() == {"deck kai": 3, "deck termite": 2}
    assert client.post(editor, {"edit": "redo", "revision": "0"}).status_code == 409


def test_undo_on_a_stale_history_page_is_refused_with_the_changes(client, editor):
    press(client, editor, "+1 deck kai", revision=0)
    undo = editor.replace("edit/", "undo/")
    for revision, answer, kai in ((0, "since this page was loaded: +1 Kai", 3), (1, "Undone: +1 Kai.", 2)):
        assert answer in page_of(client.post(undo, {"revision": revision}, follow=True)).text
        assert cards()["deck kai"] == kai


# -- what the author is told -------------------------------------------------------------


def test_the_editor_tells_what_others_changed_and_undo_reverts_it_too(client, editor):
    press(client, editor, "+4 deck termite", revision=0)
    answer = press(client, editor, "+1 deck kai", revision=0).one(id="elsewhere").one(class_="notice").text
    assert "Meanwhile changed elsewhere: +4 Termite" in answer
    assert "Undo goes back change by change, theirs too." in answer
    for left in ({"deck kai": 2, "deck termite": 5}, {"deck kai": 2, "deck termite": 1}):
        press(client, editor, "undo")
        assert cards() == left
    assert not press(client, editor, "+1 deck kai", revision=4).has(id="elsewhere")
