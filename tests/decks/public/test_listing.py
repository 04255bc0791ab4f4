"""Lists of decks: their order and pages, verdicts that no longer hold, and the tiles of which each shows
what stands for its deck; few queries, nothing secret.
"""

from __future__ import annotations

import gzip
from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from cardsdb.box.sets import change_set
from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.identity.viewer import Viewer
from decks.models import Deck
from decks.public.fields import ORDERS
from decks.public.listing import MAX_FACES, DeckTile, deck_tiles, listing
from decks.saving.save import MAX_JUDGED, renew_all
from tests.support.made_decks import named_deck, starter
from tests.support.own_sets import own_card, own_set
from tests.support.pages import page, page_of
from tests.support.public_decks import found, shelf

__all__ = ["shelf"]

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

# -- order, pages, verdicts --------------------------------------------------------------------


@pytest.mark.both_databases
@pytest.mark.parametrize("most", [1_000, 2])
@pytest.mark.parametrize("order", ["", *ORDERS])
def test_the_pages_of_public_decks_and_ones_own_have_each_once_in_the_order_asked_for(
    shelf, order, most, monkeypatch
):
    """Also those so far behind that they are not put together of the two."""
    monkeypatch.setattr("decks.public.listing.MAX_OF_PARTS", most)
    Deck.objects.filter(name="Nine Tiger").update(visibility="unlisted")
    listed = listing(Viewer(User.objects.get().pk), order=order)
    wanted = [deck.name for deck in listed.decks]
    assert len(wanted) == 6
    pages, address = listed.paginator(2), f"/api/v1/decks/?order={order}&page_size=2"
    assert pages.num_pages == 3
    for number in (1, 2, 3):
        two = wanted[2 * number - 2 : 2 * number]
        assert [deck.name for deck in pages.page(number).object_list] == two
        told = shelf.get(address).json()
        assert [row["name"] for row in told["results"]] == two
        address = told["next"]
    assert address is None


@pytest.mark.both_databases
@pytest.mark.parametrize("path", ["/decks/", "/api/v1/decks/"])
def test_public_decks_and_ones_own_are_counted_apart(shelf, path):
    """No index has both, so that all decks would be gone through."""
    with CaptureQueriesContext(connection) as asked:
        answer = shelf.get(path)
    number = answer.context["page"].paginator.count if path == "/decks/" else answer.json()["count"]
    counts = [query["sql"] for query in asked if 'COUNT(*) AS "__count" FROM "decks_deck"' in query["sql"]]
    assert (number, len(counts)) == (6, 2) and " OR " not in "".join(counts)


@pytest.mark.both_databases
@pytest.mark.parametrize("path", ["/decks/", "/api/v1/decks/"])
def test_what_every_deck_holds_is_counted_once_for_the_page_and_the_number_of_all(shelf, path):
    with CaptureQueriesContext(connection) as asked:
        answer = Client().get(path, {"q": "deck:[t:gear]>=5"})
    if path == "/decks/":
        count, rows = answer.context["page"].paginator.count, answer.context["rows"]
    else:
        count, rows = answer.json()["count"], answer.json()["results"]
    assert count == len(rows) == 2
    assert sum("HAVING SUM" in one["sql"] for one in asked) == 1


@pytest.mark.both_databases
def test_a_verdict_is_asked_for_as_it_is_now_and_a_command_renews_all(shelf):
    Deck.objects.filter(name="Two Kai").update(verdict="legal", judged_by="long ago")
    assert "Two Kai" not in found(Client(), "is:legal")
    assert Deck.objects.get(name="Two Kai").verdict == "incomplete"
    Deck.objects.update(verdict="illegal", judged_by="long ago")
    assert (renew_all(), renew_all()) == (6, 0)
    assert Deck.objects.get(name="Nine Tiger").verdict == "legal"


@pytest.mark.both_databases
@pytest.mark.parametrize("query", ["is:legal", "game:spycraft is:legal order:name"])
def test_decks_that_are_not_judged_yet_are_counted_in_as_many_queries_however_many_they_are(query):
    """The look for what is stale, its lines, cards and prints, the update; then the count of the rest, the
    count and the page.
    """
    counts: list[int] = []
    # The first look is for what this process learns once.
    for stale in (41, 41, 90):
        Deck.objects.all().delete()
        values = {"game": "spycraft", "format": "agency", "visibility": "public", "judged_by": "long ago"}
        Deck.objects.bulk_create(Deck(name=f"Deck {n}", edit_hash=f"{n}", **values) for n in range(stale))
        with CaptureQueriesContext(connection) as queries:
            answer = Client().get("/api/v1/decks/", {"q": query})
        assert answer.json()["unjudged"] == stale - MAX_JUDGED
        counts.append(len(queries))
    assert counts[1] == counts[2] <= 20
    Deck.objects.update(judged_by="long ago")
    assert "50 decks have not been judged" in page(Client(), "/decks/", {"q": query}).text


# -- which cards stand for a deck --------------------------------------------------------------


def tile(name: str, viewer: Viewer | None = None) -> DeckTile:
    (found,) = deck_tiles(Deck.objects.filter(name=name), viewer)
    return found


def names(found: DeckTile) -> list[str]:
    return [card.name for card in found.cards]


@pytest.mark.parametrize(
    ("game", "slug", "wanted"),
    [
        ("xfiles", "deck-mulder", "Agent Fox Mulder, Agent Moe Bocks, Agent Jack Willis"),  # Agents, by cost
        ("agentdecker", "set", "Motion Sensor Hall, Sentry Gun, Guard"),  # obstacles, by cost
        ("steamspy", "worked-cell", "Tomas Reed, Ivy Brass, Navidad slot 01"),  # characters, by level
    ],
)
def test_each_game_says_which_cards_stand_for_a_deck(game, slug, wanted):
    deck = read_deck(games()[game], starter(game, slug)).deck
    assert ", ".join(card.name for card in games()[game].key_cards_of(deck, MAX_FACES)) == wanted


def test_a_game_that_says_nothing_shows_its_first_types_and_most_copies(sixth_game):
    plain = replace(sixth_game, key_cards=())
    deck = read_deck(plain, plain.starters[0].text).deck
    order = list(plain.types_by_slug)
    shown = [order.index(card.type) for card in plain.key_cards_of(deck, MAX_FACES)]
    assert 1 <= len(shown) <= MAX_FACES and shown == sorted(shown)
    assert shown[0] == min(order.index(entry.card.type) for entry in deck)


def test_a_tile_has_the_most_telling_card_on_top_and_says_what_the_deck_is(shelf):
    assert names(tile("Nine Tiger")) == ["Groundfire", "Mother of Clouds", "Mai-Tai"]
    shown = page(Client(), "/decks/", {"q": "nine tiger"}).one("li", class_="deck-tile")
    for part in ("Nine Tiger", "Legal", "Spycraft", "Agency Deck", "by anna", "4 likes", "59 cards"):
        assert part in shown.text
    assert "/decks/?q=tag%3Amirror" in shown.links


def test_the_faction_is_named_where_all_leaders_share_it(shelf):
    tigers = tile("Nine Tiger")
    assert tigers.mark and tigers.value == tigers.mark.name == "Nine Tiger"
    named_deck(Client(), "Mixed", "Leaders:\n1 Mai-Tai\n1 Adam Razir")
    assert (tile("Mixed").value, tile("Mixed").mark) == ("", None)


def test_a_card_that_is_written_in_stands_there_by_its_name(client):
    named_deck(client, "Ours", "1 Nightingale <b> | agent | power: 3 | branches: tech", game="spynet")
    assert page(client, "/decks/").one(class_="deck-tile-blank").text == "Nightingale <b>"


def test_a_deck_without_cards_has_a_tile_too(client):
    client.post("/decks/new/", {"start": "empty", "game": "spycraft"})
    assert page(client, "/decks/", {"q": "is:mine"}).one("li", class_="deck-tile").all("img") == []


@pytest.mark.both_databases
def test_a_secret_card_stands_for_no_deck_of_others(client):
    deck = named_deck(client, "Hidden", starter("xfiles", "deck-mulder"), game="xfiles")
    deck.lines.exclude(section="xfile").delete()
    assert names(tile("Hidden")) == []
    Deck.objects.update(revealed=True)
    assert len(names(tile("Hidden"))) == 1


@pytest.mark.both_databases
def test_of_a_private_card_a_tile_has_the_name_alone_for_strangers_and_all_for_who_edits_the_deck(client):
    """Its faction would be the deck's mark."""
    user = User.objects.create_user("ada")
    client.force_login(user)
    kites = own_set(Viewer(user.pk))
    boss = own_card(kites, "Tin Boss", "leader", faction="Nine Tiger")
    named_deck(client, "Kites", "Leaders:\n1 Tin Boss")
    assert (names(tile("Kites")), tile("Kites").value) == (["Tin Boss"], "")
    assert boss.code not in Client().get("/decks/").text
    assert tile("Kites", Viewer(user.pk)).value == "Nine Tiger"
    change_set(kites, {"name": "Kites", "visibility": "unlisted"})
    assert tile("Kites").value == "Nine Tiger"


# -- what a page of tiles costs ----------------------------------------------------------------


@pytest.mark.both_databases
def test_a_page_of_tiles_needs_as_many_queries_for_two_as_for_all(shelf):
    counts = []
    for query in ({"q": "nine tiger or two kai"}, {"q": "size>=0"}):
        Client().get("/decks/", query)
        with CaptureQueriesContext(connection) as asked:
            assert len(Client().get("/decks/", query).context["tiles"]) in (2, 5)
        counts.append(len(asked))
    assert counts[0] == counts[1]


@pytest.mark.engine("sqlite")
def test_faces_are_pictures_that_wait_until_they_are_seen_and_the_page_is_small(client):
    for n in range(24):
        named_deck(client, f"Tiger {n}", "1 Mai-Tai\n1 Groundfire\n1 Li Cong\n2 Kai")
    answer = Client().get("/decks/")
    main = page_of(answer).main
    faces = main.all("img", loading="lazy", alt="", width=True)
    assert len(faces) == len(main.all("img")) == 24 * MAX_FACES
    assert not main.has("svg", viewbox="0 0 63 88")
    assert len(gzip.compress(answer.content)) < 20_000
