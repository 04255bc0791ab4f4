"""Own texts in searches and on card pages, for their owner alone and never in a shared cache. A journey
through ``cardsdb/box``, ``cardsdb/search`` and ``cardsdb/web``.
"""

import pytest
from django.contrib.auth.models import User

from cardsdb.box.texts import box_for_everyone, save_text
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnSet
from cardsdb.search.results import parse_query, results_of
from tests.support.made_decks import named_deck
from tests.support.own_sets import own_card
from tests.support.pages import page

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
SPYCRAFT = games()["spycraft"]
WORDS = "Ratchet: choose a zeppelin and hide it."
KAI, KEY = "/cards/spycraft/kai/", "spycraft/kai"


@pytest.fixture
def ada(client):
    """A visitor with an account who has an own text for one card."""
    user = User.objects.create_user("ada")
    client.force_login(user)
    save_text(Viewer(user.pk), SPYCRAFT, "kai", WORDS)
    return Viewer(user.pk)


def keys(query: str, viewer: Viewer | None) -> list[str]:
    return [card.key for card in results_of(parse_query(query, viewer=viewer)).slice(0, 50)]


@pytest.mark.parametrize(
    "query",
    [
        "zeppe",
        'text:"a zeppelin and"',
        "x:/zepp.l/",
        "text:zeppelin -text:nothing",
        "zeppelin or dirigible",
    ],
)
def test_an_own_text_is_found_by_its_owner_alone(ada, query):
    assert KEY in keys(query, ada)
    for other in (None, Viewer(), Viewer(browser="bob's")):
        assert KEY not in keys(query, other)


def test_a_card_with_an_own_text_counts_as_having_text_and_is_still_found_by_ours(ada):
    bare = next(card for card in SPYCRAFT.cards if not card.text)
    ours = next(card for card in SPYCRAFT.cards if len(card.text) > 20)
    found_by_ours = f'text:"{ours.text.split()[0]}"'
    before = keys(found_by_ours, None)
    assert bare.key not in keys(f'has:text !"{bare.name}"', ada)
    for card in (bare, ours):
        save_text(ada, SPYCRAFT, card.code, "Words.")
    assert bare.key in keys(f'has:text name:"{bare.name}"', ada)
    assert bare.key not in keys(f'-has:text name:"{bare.name}"', ada)
    assert keys(found_by_ours, ada) == before


def test_a_text_of_everyone_is_shown_without_a_cookie_on_a_private_site_alone(client, settings):
    box = box_for_everyone()
    box.owntexts.create(game="spycraft", card_code="kai", text=WORDS, facts={"craft": "99"})
    box.changed()
    shown = page(client, KAI).text
    assert "This site’s own text" in shown and "Craft “99”" in shown
    settings.HTTPS = True
    assert "zeppelin" not in client.get(KAI, secure=True).text


def test_a_card_of_everyone_can_be_put_into_decks_by_all_and_changed_by_none(client):
    card = own_card(OwnSet.objects.create(box=box_for_everyone(), game="spycraft", name="Balloons"))
    address = f"/cards/spycraft/{card.code}/"
    listed = {
        query: page(client, f"/cards/?q={query}").main.links for query in ("falcon", "falcon+is%3Amine")
    }
    assert [address in links for links in listed.values()] == [True, False]
    shown = page(client, address).text
    assert "everyone’s on this site" in shown and "Change it" not in shown and "Add to a deck" in shown
    deck = named_deck(client, "Balloons", "2 Kai\n3 Brass Falcon\n")
    assert [line.written.get("code") for line in deck.lines.all() if line.written] == [card.code]


def test_cards_whose_own_texts_share_rarer_words_are_similar_for_their_owner_alone(ada):
    before = set(keys('similar:!"Kai"', None))
    # One own text alone makes no card similar.
    assert set(keys('similar:!"Kai"', ada)) == before
    agents = (card for card in SPYCRAFT.cards if card.type == "agent")
    far = [card for card in agents if card.key not in before and card.name != "Kai"][:12]
    for number, card in enumerate(far):
        save_text(ada, SPYCRAFT, card.code, WORDS if number == 0 else f"Plain words of number {number}.")
    # Neither does a single word in common.
    save_text(ada, SPYCRAFT, far[1].code, "Zeppelin.")
    found = keys('similar:!"Kai"', ada)
    assert found[0] == far[0].key and set(found) - before == {far[0].key} and KEY not in found
    assert far[0].key not in keys('similar:!"Kai"', None)
