"""Which answers a browser may keep for the time without a network: those that a view calls so, and no other.
(What caches on the way may store is in tests/house/test_sharing.py.)
"""

import pytest

from cardsdb.site.sharing import HEADER

# Reads what is stored as every page does. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


@pytest.mark.parametrize(
    ("path", "room"),
    [
        ("/", "public"),
        ("/cards/", "public"),
        ("/cards/spycraft/kai/", "public"),
        ("/games/spycraft/rules/", "public"),
        ("/games.css", "public"),
        ("/check/", "public"),
        ("/offline/", "public"),
        # Faces are kept in a room of their own.
        ("/cards/spycraft/kai/face.svg", "face"),
        ("/cards/spycraft/kai/face.png", "face"),
    ],
)
def test_what_says_the_same_to_everybody_may_be_kept_for_everybody(client, path, room):
    assert (client.get(path)[HEADER], client.head(path)[HEADER]) == (room, room)


NEVER_KEPT = (
    "/accounts/login/ /accounts/signup/ /accounts/password/reset/ /account/ /account/delete/ /admin/login/"
    " /account/export.zip /accounts/2fa/ /accounts/email/ /accounts/logout/ /admin/ /decks/new/"
    " /decks/import/ /d/ /print/ /pictures/ /api/v1/cards/ /api/v1/decks/ /nothing/ /service-worker.js"
)


@pytest.mark.parametrize("path", NEVER_KEPT.split())
def test_what_nobody_marked_is_not_kept(client, path):
    assert not client.get(path).has_header(HEADER)


def test_an_answer_to_something_sent_is_not_kept(client):
    answer = client.post("/check/", {"game": "spycraft", "text": "2 Kai"})
    assert (answer.status_code, answer.has_header(HEADER)) == (200, False)
