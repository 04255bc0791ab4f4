"""Lists of decks: order and pages, outdated verdicts, and tiles with the cards that represent a deck; with
few database queries and without secrets.
"""

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
from tests.support.pages import page
from tests.support.public_decks import found, shelf
from tests.support.queries import queries_of

__all__ = ["shelf"]

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

# -- order, pages, verdicts --------------------------------------------------------------------


@pytest.mark.both_databases
@pytest.mark.parametrize("most", [1_000, 2])
@pytest.mark.parametrize("order", ["", *ORDERS])
def test_pages_over_public_and_own_decks_have_each_deck_once_in_the_chosen_order(
    shelf, order, most, monkeypatch
):
    """With ``most`` at 2, later pages are read without merging the two parts."""
    monkeypatch.setattr("decks.public.listing.MAX_OF_PARTS", most)
    Deck.objects.filter(name="Nine Tiger").update(visibility="unlisted")
    listed = listing(Viewer(User.objects.get().pk), order=order)
    wanted = [deck.name for deck in listed.decks]
    # The five public decks of ``shelf``, of which one is now unlisted, and its owner's private one.
    assert len(wanted) == 6
    pages, address = listed.paginator(2), f"/api/v1/decks/?order={order}&page_size=2"
    assert pages.num_pages == 3
    for number in (1, 2, 3):
        two = wanted[2 * number - 2 : 2 * number]
        assert [deck.name for deck in pages.page(number).object_list] == two
        answer = shelf.get(address).json()
        assert [row["name"] for row in answer["results"]] == two
        address = answer["next"]
    assert address is None


@pytest.mark.both_databases
@pytest.mark.parametrize("path", ["/decks/", "/api/v1/decks/"])
def test_public_and_own_decks_are_counted_by_two_queries(shelf, path):
    """No index covers both, so one query for both would read all decks."""
    with CaptureQueriesContext(connection) as asked:
        answer = shelf.get(path)
    number = answer.context["page"].paginator.count if path == "/decks/" else answer.json()["count"]
    counts = [query["sql"] for query in asked if 'COUNT(*) AS "__count" FROM "decks_deck"' in query["sql"]]
    assert (number, len(counts)) == (6, 2) and " OR " not in "".join(counts)


@pytest.mark.both_databases
@pytest.mark.parametrize("path", ["/decks/", "/api/v1/decks/"])
def test_one_query_over_all_lines_gives_both_the_page_and_the_number_of_decks(shelf, path):
    with CaptureQueriesContext(connection) as asked:
        answer = Client().get(path, {"q": "deck:[t:gear]>=5"})
    if path == "/decks/":
        count, rows = answer.context["page"].paginator.count, answer.context["rows"]
    else:
        count, rows = answer.json()["count"], answer.json()["results"]
    assert count == len(rows) == 2
    assert sum("HAVING SUM" in query["sql"] for query in asked) == 1


@pytest.mark.both_databases
def test_outdated_verdicts_are_renewed_by_a_query_and_all_by_a_command(shelf):
    Deck.objects.filter(name="Two Kai").update(verdict="legal", judged_by="long ago")
    assert "Two Kai" not in found(Client(), "is:legal")
    assert Deck.objects.get(name="Two Kai").verdict == "incomplete"
    Deck.objects.update(verdict="illegal", judged_by="long ago")
    assert (renew_all(), renew_all()) == (6, 0)
    assert Deck.objects.get(name="Nine Tiger").verdict == "legal"


@pytest.mark.both_databases
@pytest.mark.parametrize("query", ["is:legal", "game:spycraft is:legal order:name"])
def test_the_number_of_queries_does_not_grow_with_the_decks_not_judged_yet(query):
    """There are queries for the outdated decks, their lines, cards and prints, and the update; then for the
    number of the rest, the number of all, and the page.
    """
    counts: list[int] = []
    # The first round fills the caches of this process and is not compared.
    # More than MAX_JUDGED, which a query renews, so 1 and 50 are left.
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


def tile(name, viewer: Viewer | None = None) -> DeckTile:
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
def test_each_game_chooses_the_cards_that_represent_a_deck(game, slug, wanted):
    deck = read_deck(games()[game], starter(game, slug)).deck
    assert ", ".join(card.name for card in games()[game].key_cards_of(deck, MAX_FACES)) == wanted


def test_a_game_without_a_choice_shows_cards_of_its_first_types(sixth_game):
    plain = replace(sixth_game, key_cards=())
    deck = read_deck(plain, plain.starters[0].text).deck
    order = list(plain.types_by_slug)
    shown = [order.index(card.type) for card in plain.key_cards_of(deck, MAX_FACES)]
    assert 1 <= len(shown) <= MAX_FACES and shown == sorted(shown)
    assert shown[0] == min(order.index(entry.card.type) for entry in deck)


def test_a_tile_shows_the_main_card_on_top_and_describes_the_deck(shelf):
    assert names(tile("Nine Tiger")) == ["Groundfire", "Mother of Clouds", "Mai-Tai"]
    shown = page(Client(), "/decks/", {"q": "nine tiger"}).one("li", class_="deck-tile")
    for part in ("Nine Tiger", "Legal", "Spycraft", "Agency Deck", "by anna", "4 likes", "59 cards"):
        assert part in shown.text
    assert "/decks/?q=tag%3Amirror" in shown.links


def test_a_tile_names_the_faction_that_all_leaders_share(shelf):
    tigers = tile("Nine Tiger")
    assert tigers.mark and tigers.value == tigers.mark.name == "Nine Tiger"
    named_deck(Client(), "Mixed", "Leaders:\n1 Mai-Tai\n1 Adam Razir")
    assert (tile("Mixed").value, tile("Mixed").mark) == ("", None)


def test_a_written_in_card_is_shown_on_a_tile_by_its_name(client):
    named_deck(client, "Ours", "1 Nightingale <b> | agent | power: 3 | branches: tech", game="spynet")
    assert page(client, "/decks/").one(class_="deck-tile-blank").text == "Nightingale <b>"


def test_a_deck_without_cards_has_a_tile_too(client):
    client.post("/decks/new/", {"start": "empty", "game": "spycraft"})
    assert page(client, "/decks/", {"q": "is:mine"}).one("li", class_="deck-tile").all("img") == []


@pytest.mark.both_databases
def test_a_secret_card_is_not_shown_on_the_tile_of_anothers_deck(client):
    deck = named_deck(client, "Hidden", starter("xfiles", "deck-mulder"), game="xfiles")
    deck.lines.exclude(section="xfile").delete()
    assert names(tile("Hidden")) == []
    Deck.objects.update(revealed=True)
    assert len(names(tile("Hidden"))) == 1


@pytest.mark.both_databases
def test_strangers_see_only_the_name_of_a_private_card_on_a_tile_and_the_author_all(client):
    """For the author, the card's faction becomes the deck's mark."""
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
def test_a_page_of_many_tiles_needs_no_more_queries_than_one_of_two(shelf):
    def queries(query: str, tiles: int) -> int:
        assert len(Client().get("/decks/", {"q": query}).context["tiles"]) == tiles
        return len(queries_of(lambda: Client().get("/decks/", {"q": query})))

    assert queries("nine tiger or two kai", 2) == queries("size>=0", 5)


@pytest.mark.engine("sqlite")
def test_faces_on_tiles_are_loaded_lazily(shelf):
    main = page(Client(), "/decks/").main
    faces = main.all("img", loading="lazy", alt="", width=True)
    assert len(faces) == len(main.all("img")) > MAX_FACES
    assert not main.has("svg", viewbox="0 0 63 88")
