"""Searches look into one's own texts too, for their owner alone; the card page shows them, and no cache that
others share stores it.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from cardsdb.box.texts import box_for_everyone, save_text
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnSet, OwnText
from cardsdb.search.results import parse_query, results_of
from tests.support.own_sets import own_card
from tests.support.public_decks import make_deck

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
SPYCRAFT = games()["spycraft"]
WORDS = "Ratchet: choose a zeppelin and hide it."


@pytest.fixture
def ada(client: Client) -> Viewer:
    """A visitor with an account, a text of hers for a card, and her browser."""
    user = User.objects.create_user("ada")
    client.force_login(user)
    save_text(Viewer(user.pk), SPYCRAFT, "kai", WORDS)
    return Viewer(user.pk)


def keys(query: str, viewer: Viewer | None) -> list[str]:
    return [card.key for card in results_of(parse_query(query, viewer=viewer)).slice(0, 50)]


@pytest.mark.parametrize(
    "query",
    [
        "zeppelin",
        "zeppe",
        'text:"a zeppelin and"',
        "text:zeppelin",
        "x:/zepp.l/",
        "kai text:zeppelin type:agent",
        "text:zeppelin -text:nothing",
        "zeppelin or dirigible",
    ],
)
def test_what_stands_in_ones_own_text_is_found_by_its_owner_alone(ada: Viewer, query: str) -> None:
    assert "spycraft/kai" in keys(query, ada)
    for other in (None, Viewer(), Viewer(browser="bob's")):
        assert "spycraft/kai" not in keys(query, other)


def test_a_card_with_a_text_of_ones_own_has_one(ada: Viewer) -> None:
    card = next(card for card in SPYCRAFT.cards if not card.text)
    assert card.key not in keys(f'has:text !"{card.name}"', ada)
    save_text(ada, SPYCRAFT, card.code, "Words.")
    assert card.key in keys(f'has:text name:"{card.name}"', ada)
    assert card.key not in keys(f'-has:text name:"{card.name}"', ada)


def test_ours_is_still_found_where_ones_own_stands_before_it(ada: Viewer) -> None:
    card = next(card for card in SPYCRAFT.cards if len(card.text) > 20)
    before = keys(f'text:"{card.text.split()[0]}"', None)
    save_text(ada, SPYCRAFT, card.code, "Words.")
    assert keys(f'text:"{card.text.split()[0]}"', ada) == before


def test_the_list_and_the_card_page_show_it_to_its_owner_alone(client: Client, ada: Viewer) -> None:
    assert "Kai" in client.get("/cards/?q=zeppelin").content.decode()
    page = client.get("/cards/spycraft/kai/")
    assert "Your text" in page.content.decode() and "zeppelin and hide" in page.content.decode()
    assert "private" in page["Cache-Control"] and "public" not in page["Cache-Control"]
    stranger = Client()
    for address in ("/cards/spycraft/kai/", "/cards/?q=zeppelin", "/cards/?q=kai&view=faces"):
        answer = stranger.get(address)
        assert "zeppelin and" not in answer.content.decode()
        assert answer["Cache-Control"] == "public, no-cache"
    assert "Kai</a>" not in stranger.get("/cards/?q=zeppelin").content.decode()


def test_what_everyone_has_is_on_the_page_without_a_cookie_and_in_no_shared_cache(settings: Any) -> None:
    box = box_for_everyone()
    box.owntexts.create(
        game="spycraft", card_code="kai", text=WORDS, facts={"craft": "99"}, source="mine.csv"
    )
    box.changed()
    page = Client().get("/cards/spycraft/kai/")
    assert "This site’s own text" in page.content.decode() and "Craft “99”" in page.content.decode()
    assert page["Cache-Control"] == "private, no-cache"
    assert Client().get("/cards/?q=zeppelin")["Cache-Control"] == "private, no-cache"
    settings.HTTPS = True
    assert "zeppelin" not in Client().get("/cards/spycraft/kai/", secure=True).content.decode()
    assert OwnText.objects.exists()


def test_everyones_own_cards_are_put_into_decks_by_all_and_are_nobodys_own(client: Client) -> None:
    balloons = OwnSet.objects.create(box=box_for_everyone(), game="spycraft", name="Balloons")
    card = own_card(balloons)
    assert "Brass Falcon" in client.get("/cards/?q=falcon").content.decode()
    assert "Brass Falcon" not in client.get("/cards/?q=falcon+is%3Amine").content.decode()
    shown = client.get(f"/cards/spycraft/{card.code}/").content.decode()
    assert "everyone’s on this site" in shown and "Change it" not in shown
    assert "Add to a deck" in shown and client.get(f"/cards/spycraft/{card.code}/add/").status_code == 200
    deck = make_deck(client, "Balloons", "2 Kai\n3 Brass Falcon\n")
    assert [line.written.get("code") for line in deck.lines.all() if line.written] == [card.code]


def test_cards_whose_own_texts_share_rarer_words_are_similar_for_their_owner_alone(ada: Viewer) -> None:
    agents = [card for card in SPYCRAFT.cards if card.type == "agent"]
    before = set(keys('similar:!"Kai"', None))
    far = [card for card in agents if card.key not in before and card.name != "Kai"][:12]
    for number, card in enumerate(far):
        save_text(ada, SPYCRAFT, card.code, WORDS if number == 0 else f"Plain words of number {number}.")
    found = keys('similar:!"Kai"', ada)
    assert found[0] == far[0].key and not {card.key for card in far[1:]} & set(found)
    assert far[0].key not in keys('similar:!"Kai"', None) and set(found) - before == {far[0].key}
    assert "spycraft/kai" not in found


def test_without_own_texts_similar_is_what_it_was(ada: Viewer) -> None:
    assert keys('similar:!"Li"', ada) == keys('similar:!"Li"', None)


def test_one_word_in_common_makes_no_cards_alike(ada: Viewer) -> None:
    far = next(
        card
        for card in SPYCRAFT.cards
        if card.type == "agent" and card.key not in keys('similar:!"Kai"', None) and card.name != "Kai"
    )
    save_text(ada, SPYCRAFT, far.code, "Zeppelin.")
    assert far.key not in keys('similar:!"Kai"', ada)
