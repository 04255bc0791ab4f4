"""The header by which browsers keep answers for offline use: only answers that a view marks have it.

Caching by ``Cache-Control`` is tested in tests/house/test_sharing.py.
"""

import pytest

from cardsdb.site.sharing import HEADER

# Reads what is stored as every page does. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


@pytest.mark.parametrize(
    ("path", "cache"),
    [
        ("/", "public"),
        ("/cards/", "public"),
        ("/cards/spycraft/kai/", "public"),
        ("/games/spycraft/rules/", "public"),
        ("/games.css", "public"),
        ("/check/", "public"),
        ("/offline/", "public"),
        # Faces have a cache of their own.
        ("/cards/spycraft/kai/face.svg", "face"),
        ("/cards/spycraft/kai/face.png", "face"),
    ],
)
def test_shared_pages_and_faces_may_be_kept_in_their_cache(client, path, cache):
    assert (client.get(path)[HEADER], client.head(path)[HEADER]) == (cache, cache)


NEVER_KEPT = (
    "/accounts/login/ /accounts/signup/ /accounts/password/reset/ /account/ /account/delete/ /admin/login/"
    " /account/export.zip /accounts/2fa/ /accounts/email/ /accounts/logout/ /admin/ /decks/new/"
    " /decks/import/ /d/ /print/ /pictures/ /api/v1/cards/ /api/v1/decks/ /nothing/ /service-worker.js"
)


@pytest.mark.parametrize("path", NEVER_KEPT.split())
def test_pages_that_are_not_marked_are_not_kept(client, path):
    assert not client.get(path).has_header(HEADER)
