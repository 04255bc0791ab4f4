"""What a browser may keep of the pages of one viewer, and how it sees that there is another viewer now."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from decks.models import Deck, Visibility
from tests.support.editing import HTMX, make_deck

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
KEPT, VIEWER = "Cutout-Offline", "Cutout-Viewer"
MINE = "/decks/?q=is%3Amine"


def tag(client: Client) -> str:
    return str(client.get(MINE)[VIEWER])


def test_the_page_that_shows_the_edit_link_is_not_kept_and_the_next_one_is(client: Client) -> None:
    deck = make_deck(client).removesuffix("edit/")
    first = client.get(deck)
    assert "/decks/edit/#" in first.content.decode() and not first.has_header(KEPT)
    again = client.get(deck)
    assert "/decks/edit/#" not in again.content.decode() and again[KEPT] == "viewer"


@pytest.mark.parametrize("part", ["", "edit/", "edit/text/", "numbers/"])
def test_the_pages_of_a_deck_are_kept_for_their_viewer(client: Client, part: str) -> None:
    deck = make_deck(client).removesuffix("edit/")
    client.get(deck)
    answer = client.get(deck + part)
    assert (answer[KEPT], answer[VIEWER]) == ("viewer", tag(client))
    assert "no-store" in answer["Cache-Control"], "caches on the way keep nothing"


@pytest.mark.both_databases
@pytest.mark.parametrize("part", ["settings/", "share/", "history/", "delete/", "files/", "repairs/"])
def test_other_pages_of_a_deck_are_not_kept(client: Client, part: str) -> None:
    deck = make_deck(client).removesuffix("edit/")
    client.get(deck)
    answer = client.get(deck + part)
    assert (answer.status_code, answer.has_header(KEPT)) == (200, False)


def test_a_part_of_a_page_is_not_kept_in_place_of_the_page(client: Client) -> None:
    editor = make_deck(client)
    client.get(editor)
    assert not client.get(editor, headers=HTMX).has_header(KEPT)


def test_the_tag_is_the_same_wherever_an_account_is_logged_in_and_another_for_each_viewer(
    client: Client,
) -> None:
    assert tag(client) == "nobody"
    browser = Client()
    make_deck(browser)
    one, two = (User.objects.create_user(name, password="correct horse") for name in ("Ada", "Bob"))
    tags = [tag(browser)]
    for user in (one, two):
        first, second = Client(), Client()
        first.force_login(user)
        second.force_login(user)
        assert tag(first) == tag(second)
        tags.append(tag(first))
    assert len({*tags, "nobody"}) == 4
    assert all(re.fullmatch("[0-9a-f]{24}", one) for one in tags)


@pytest.mark.both_databases
def test_an_account_that_logs_out_leaves_the_tag_of_the_browser(client: Client) -> None:
    make_deck(client)
    browser = tag(client)
    client.force_login(User.objects.create_user("Ada", password="correct horse"))
    assert tag(client) != browser
    client.post("/accounts/logout/")
    assert tag(client) == browser


def test_pages_that_everybody_gets_say_nothing_of_the_viewer(client: Client) -> None:
    make_deck(client)
    for path in ("/", "/cards/spycraft/kai/", "/cards/spycraft/kai/face.svg", "/games/spycraft/"):
        assert not client.get(path).has_header(VIEWER)


def test_what_others_store_says_nothing_of_the_viewer(client: Client) -> None:
    """A deck in a frame is public, also for caches, and looks at the session."""
    deck = make_deck(client).removesuffix("edit/")
    Deck.objects.update(visibility=Visibility.PUBLIC)
    answer = client.get(f"{deck}embed/")
    assert (answer.status_code, "public" in answer["Cache-Control"], answer.has_header(VIEWER)) == (
        200,
        True,
        False,
    )


def test_the_editor_names_its_viewer_for_the_changes_that_are_made_there(client: Client) -> None:
    editor = make_deck(client)
    assert f'<meta name="cutout-viewer" content="{tag(client)}">' in client.get(editor).content.decode()
