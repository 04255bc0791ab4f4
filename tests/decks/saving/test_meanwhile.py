"""Two pages of one deck at once: a step meant for another state is not taken, nothing of either is lost, and
both are told.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from decks.models import Deck
from tests.decks.editor.test_editor import HTMX, cards, make_deck

pytestmark = pytest.mark.django_db
SETTINGS = {"name": "Dragons", "notes": "", "tags": "", "visibility": "private", "partner": ""}
SEEN = {"seen_visibility": "private", "seen_revealed": "0", "seen_comments_open": "0", "seen_partner": ""}


@pytest.fixture
def editor(client: Client) -> str:
    return make_deck(client)


def settings_of(editor: str) -> str:
    return editor.replace("edit/", "settings/")


def saved(client: Client, editor: str, revision: int, status: int = 302, **changed: str) -> str:
    """What the settings answer to somebody who saw the deck as it was made, at this revision."""
    answer = client.post(settings_of(editor), {**SETTINGS, **SEEN, "revision": revision, **changed})
    assert answer.status_code == status, answer.content.decode()[:2000]
    return answer.content.decode()


# -- settings -------------------------------------------------------------------------


def test_two_pages_of_settings_keep_what_each_changed(client: Client, editor: str) -> None:
    saved(client, editor, 0, notes="Long plans", visibility="unlisted", comments_open="on")
    saved(client, editor, 0, name="Tigers", tags="club")
    deck = Deck.objects.get()
    assert (deck.name, deck.notes, deck.tags) == ("Tigers", "Long plans", ["club"])
    assert (deck.visibility, deck.comments_open) == ("unlisted", True)


@pytest.mark.parametrize(
    ("field", "theirs", "mine"),
    [("name", "Name A", "Name B"), ("notes", "mine", "yours"), ("visibility", "unlisted", "public")],
)
def test_what_both_changed_is_asked_and_what_was_typed_stays(
    client: Client, editor: str, field: str, theirs: str, mine: str
) -> None:
    saved(client, editor, 0, tags="theirs", **{field: theirs})
    page = saved(client, editor, 0, 409, **{field: mine})
    assert (
        f"Changed elsewhere meanwhile: it is now “{'Unlisted' if theirs == 'unlisted' else theirs}"
        in page.replace(": whoever has the link", "")
    )
    assert getattr(Deck.objects.get(), field) == theirs
    form = client.post(settings_of(editor), {**SETTINGS, **SEEN, "revision": "0", field: mine}).context[
        "form"
    ]
    assert (form[field].value(), form["tags"].value()) == (mine, "theirs")


def test_saving_once_more_has_it_ones_own_way(client: Client, editor: str) -> None:
    saved(client, editor, 0, name="Name A", visibility="unlisted")
    page = saved(client, editor, 0, 409, name="Name B", visibility="public")
    assert 'name="revision" value="1"' in page and 'name="seen_visibility" value="unlisted"' in page
    saved(client, editor, 1, name="Name B", visibility="public", seen_visibility="unlisted")
    assert Deck.objects.values_list("name", "visibility").get() == ("Name B", "public")


def test_the_ends_of_lines_that_browsers_send_are_no_change(client: Client, editor: str) -> None:
    Deck.objects.update(notes="one\ntwo")
    client.post(editor, {"edit": "+1 deck kai"})
    saved(client, editor, 1, notes="one\r\ntwo", tags="club")
    assert Deck.objects.values_list("notes", "tags").get() == ("one\ntwo", ["club"])


def test_a_revision_that_nobody_saw_is_refused_and_the_form_kept(client: Client, editor: str) -> None:
    page = saved(client, editor, 77, 409, name="Tigers")
    assert (
        "Nothing was overwritten" in page and 'value="Tigers"' in page and 'name="revision" value="0"' in page
    )
    assert Deck.objects.get().name == "Dragons"


# -- undo and redo --------------------------------------------------------------------


def test_undo_on_a_stale_page_takes_back_nothing_and_says_what_changed(client: Client, editor: str) -> None:
    client.post(editor, {"edit": "+1 deck kai", "revision": "0"})
    client.post(editor, {"edit": "+1 deck termite", "revision": "1"})
    page = client.post(editor, {"edit": "undo", "revision": "1"}, headers=HTMX).content.decode()
    assert "The deck was changed since this page was drawn: +1 Termite. Nothing was undone" in page
    assert 'name="revision" id="revision" value="2"' in page
    assert cards() == {"deck kai": 3, "deck termite": 2}
    assert client.post(editor, {"edit": "redo", "revision": "0"}).status_code == 409


def test_undo_on_a_stale_history_says_what_changed(client: Client, editor: str) -> None:
    client.post(editor, {"edit": "+1 deck kai", "revision": "0"})
    undo = editor.replace("edit/", "undo/")
    answer = client.post(undo, {"revision": "0"}, follow=True).content.decode()
    assert "since this page was drawn: +1 Kai" in answer and cards()["deck kai"] == 3
    assert "Undone: +1 Kai." in client.post(undo, {"revision": "1"}, follow=True).content.decode()
    assert cards()["deck kai"] == 2


@pytest.mark.parametrize(
    ("read", "status", "kai"), [("now", 200, 2), ("before", 412, 3), ("whatever it is", 200, 2)]
)
def test_the_api_undoes_only_what_its_reader_saw(client: Client, read: str, status: int, kai: int) -> None:
    body = {"game": "spycraft", "name": "Dragons", "text": "2 Kai"}
    made = client.post("/api/v1/decks/", body, content_type="application/json")
    key = {"X-Deck-Key": made.json()["edit_key"]}
    address = f"/api/v1/decks/{made.json()['id']}/"
    changed = client.put(address, body | {"text": "3 Kai"}, content_type="application/json", headers=key)
    tag = {"now": changed["ETag"], "before": made["ETag"], "whatever it is": "*"}[read]
    answer = client.post(f"{address}undo/", headers={**key, "If-Match": tag})
    assert (answer.status_code, cards()) == (status, {"deck kai": kai})


# -- being told -----------------------------------------------------------------------


def test_the_pane_shows_what_was_changed_elsewhere(client: Client, editor: str) -> None:
    client.post(editor, {"edit": "+4 deck termite", "revision": "0"})
    page = client.post(editor, {"edit": "+1 deck kai", "revision": "0"}, headers=HTMX).content.decode()
    notice = page.split('id="elsewhere"')[1].split("</div>")[0]
    assert "notice" in notice and "Meanwhile changed elsewhere: +4 Termite" in notice
    quiet = client.post(editor, {"edit": "+1 deck kai", "revision": "2"}, headers=HTMX).content.decode()
    assert 'id="elsewhere"' not in quiet


def test_undo_goes_back_change_by_change_whoever_made_it_and_says_so(client: Client, editor: str) -> None:
    client.post(editor, {"edit": "+4 deck termite", "revision": "0"})
    page = client.post(editor, {"edit": "+1 deck kai", "revision": "0"}, headers=HTMX).content.decode()
    assert "Undo goes back change by change, theirs too." in page
    for left in ({"deck kai": 2, "deck termite": 5}, {"deck kai": 2, "deck termite": 1}):
        client.post(editor, {"edit": "undo"})
        assert cards() == left


def test_a_merged_text_says_what_else_changed(client: Client, editor: str) -> None:
    client.post(editor, {"edit": "+4 deck termite", "revision": "0"})
    sent = {"name": "Dragons", "text": "1 Kai\n1 Termite", "revision": "0", "visibility": "private"}
    page = client.post(f"{editor}text/", sent, follow=True).content.decode()
    assert "Saved, together with what was changed elsewhere meanwhile: +4 Termite." in page
    assert cards() == {"deck kai": 1, "deck termite": 5}


def test_undoing_a_new_name_renames_the_whole_page(client: Client, editor: str) -> None:
    saved(client, editor, 0, name="Tigers & Co")
    page = client.post(editor, {"edit": "undo", "revision": "1"}, headers=HTMX).content.decode()
    for part in (
        "<title>Edit Dragons",
        '<h1 id="deck-name" hx-swap-oob="innerHTML">Dragons',
    ):
        assert part in page


# -- another log-in -------------------------------------------------------------------


def sent_without_token(path: str, posted: dict[str, str], **headers: str) -> Any:
    return Client(enforce_csrf_checks=True).post(path, posted, headers=headers)


def test_a_form_from_before_the_log_in_is_given_back_with_what_was_typed() -> None:
    answer = sent_without_token(
        "/decks/new/",
        {"game": "spycraft", "name": "A <b>", "text": "2 Kai\n</textarea>"},
        Origin="http://testserver",
    )
    page = answer.content.decode()
    assert answer.status_code == 403 and "no-store" in answer["Cache-Control"]
    assert "2 Kai\n&lt;/textarea&gt;</textarea>" in page and "A &lt;b&gt;" in page
    assert (
        '<input type="hidden" name="game" value="spycraft">' in page
        and page.count("csrfmiddlewaretoken") == 1
    )


def test_what_is_given_back_is_saved_when_it_is_sent_once_more() -> None:
    visitor = Client(enforce_csrf_checks=True)
    posted = {"game": "spycraft", "name": "Dragons", "text": "2 Kai", "csrfmiddlewaretoken": "x" * 64}
    page = visitor.post("/decks/new/", posted, headers={"Origin": "http://testserver"}).content.decode()
    fields = dict(re.findall(r'name="(csrfmiddlewaretoken|game)" value="([^"]+)"', page))
    answer = visitor.post("/decks/new/", posted | fields, headers={"Origin": "http://testserver"})
    assert answer.status_code == 302 and cards() == {"deck kai": 2}


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://testserver.evil.example", ""])
def test_a_form_of_another_site_is_not_put_before_the_visitor(origin: str) -> None:
    page = sent_without_token(
        "/decks/new/", {"name": "Sneaked in", "text": "2 Kai"}, **({"Origin": origin} if origin else {})
    ).content.decode()
    assert "Sneaked in" not in page and "The form has expired" in page


def test_a_form_with_a_password_or_without_words_is_not_given_back() -> None:
    for posted in ({"name": "x", "password": "secret"}, {"edit": "+1 deck kai"}, {"text": "x" * 300_001}):
        page = sent_without_token("/accounts/login/", posted, Origin="http://testserver").content.decode()
        assert "secret" not in page and "Send it once more" not in page
