"""The cards of a game as files for other programs: their addresses, and the links to them
(``decks/pages/sharing.py``).
"""

import pytest

from cardsdb.games import games
from tests.support.made_decks import make_deck
from tests.support.pages import page

# SQLite is enough: nothing but a deck is stored.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


@pytest.mark.parametrize("slug", games())
def test_a_games_cards_can_be_downloaded_for_other_programs(client, slug):
    archive = client.get(f"/games/{slug}/lackey.zip")
    assert archive["Content-Disposition"] == f'attachment; filename="{slug}.zip"'
    listed = client.get(f"/games/{slug}/lackey/updatelist.txt").text
    assert f"http://testserver/games/{slug}/lackey/plugininfo.txt" in listed
    assert client.get(f"/games/{slug}/lackey/../x").status_code == 404
    assert client.get(f"/games/{slug}/cockatrice.xml").content.startswith(b"<?xml")
    assert client.get("/games/chess/lackey.zip").status_code == 404


def test_the_files_page_shows_the_hash_and_leads_to_the_cards(client, agency_text):
    shown = page(client, f"/decks/{make_deck(client, agency_text).link}/files/")
    assert "/games/spycraft/lackey.zip" in shown.links and shown.has(class_="file-hash")
