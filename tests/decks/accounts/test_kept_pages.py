"""The headers by which the service worker keeps pages for offline use: which pages it may keep, and for which
viewer.
"""

import pytest
from django.contrib.auth.models import User

from decks.models import Deck, Visibility
from tests.support.made_decks import make_deck
from tests.support.pages import page, page_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
# The header of a page that may be kept, and the header with a tag of its viewer.
KEPT, VIEWER = "Cutout-Offline", "Cutout-Viewer"
MINE = "/decks/?q=is%3Amine"


def tag(client) -> str:
    return str(client.get(MINE)[VIEWER])


@pytest.fixture
def deck(client):
    """The address of a deck of this browser."""
    return f"/decks/{make_deck(client, '2 Kai').link}/"


def test_the_page_that_shows_the_edit_link_is_not_kept_and_the_next_one_is(client, deck):
    first, again = client.get(deck), client.get(deck)
    assert page_of(first).has(id="edit-address") and not first.has_header(KEPT)
    assert not page_of(again).has(id="edit-address") and again[KEPT] == "viewer"


@pytest.mark.parametrize("part", ["", "edit/", "edit/text/", "numbers/"])
def test_the_pages_of_a_deck_are_kept_for_their_viewer(client, deck, part):
    client.get(deck)
    answer = client.get(deck + part)
    assert (answer[KEPT], answer[VIEWER]) == ("viewer", tag(client))
    assert "no-store" in answer["Cache-Control"], "caches on the way keep nothing"


@pytest.mark.both_databases
@pytest.mark.parametrize("part", ["settings/", "history/", "files/", "repairs/"])
def test_other_pages_of_a_deck_are_not_kept(client, deck, part):
    client.get(deck)
    answer = client.get(deck + part)
    assert (answer.status_code, answer.has_header(KEPT)) == (200, False)


def test_a_part_of_a_page_is_not_kept_in_place_of_the_page(client, deck):
    client.get(deck)
    part = {"HX-Request": "true", "HX-Target": "deck"}
    assert not client.get(f"{deck}edit/", headers=part).has_header(KEPT)


@pytest.mark.both_databases
def test_after_logging_out_the_tag_is_that_of_the_browser_again(client, deck):
    browser = tag(client)
    assert page(client, f"{deck}edit/").one("meta", name="cutout-viewer")["content"] == browser
    client.force_login(User.objects.create_user("Ada", password="correct horse"))
    assert tag(client) != browser
    client.post("/accounts/logout/")
    assert tag(client) == browser


def test_shared_pages_carry_no_tag_of_the_viewer(client, deck):
    """The embedded page of a deck may be stored by shared caches, although its view reads the session."""
    for path in ("/", "/cards/spycraft/kai/", "/cards/spycraft/kai/face.svg", "/games/spycraft/"):
        assert not client.get(path).has_header(VIEWER)
    Deck.objects.update(visibility=Visibility.PUBLIC)
    answer = client.get(f"{deck}embed/")
    assert "public" in answer["Cache-Control"] and not answer.has_header(VIEWER)
