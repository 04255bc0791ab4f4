"""Pages of games and sets, and the home page: statistics from loading."""

from collections import Counter
from urllib.parse import quote

import pytest

from cardsdb.catalogue.stats import stats_of
from cardsdb.games import games
from cardsdb.models import Card, Edition, Print
from cardsdb.search.results import parse_query, results_of
from cardsdb.web.game_page import FACES_AT_HOME, MAX_CHARTS, cards_of_set
from cardsdb.web.game_statistics import charts_of
from tests.support.game_folders import own_games
from tests.support.pages import page

# SQLite suffices: these pages only read, and tests/house/test_permissions.py requests each address on
# PostgreSQL as well.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]


# -- a set ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "prints", "words"),
    [
        ("/sets/spycraft/ON/", "349 of 349", ""),
        # A card printed twice counts twice.
        ("/sets/xfiles/PRE/", "354 of 354", "350 cards by name"),
    ],
)
def test_a_set_counts_its_known_prints(client, address, prints, words):
    shown = page(client, address)
    assert shown.row("Prints known")[0].text == prints and words in shown.text


def test_each_count_of_a_set_links_to_its_cards(client):
    shown = page(client, "/sets/xfiles/PRE/")
    types, rarities = shown.context["types"], shown.context["rarities"]
    prints = [
        (card, print_) for card in games()["xfiles"].cards for print_ in card.prints if print_.set == "PRE"
    ]
    assert sum(tally.count for tally in types) == len(prints)
    assert {tally.label: tally.count for tally in rarities} == Counter(one.rarity for _, one in prints)
    for tally in [*types, *(rarity for rarity in rarities if rarity.label)]:
        assert results_of(parse_query(tally.query)).total >= 1, tally.query
        assert shown.link(tally.label) == f"/cards/?q={quote(tally.query, safe='')}"
    assert shown.link("Collector numbers known").endswith("+has%3Anumber")


def test_a_set_counts_cards_components_and_terms_apart():
    game = games()["steamspy"]
    in_set = [
        next(card.code for card in game.cards if game.kind_of(card) == kind) for kind in ("component", "term")
    ]
    for row in Card.objects.filter(game=game.slug, code__in=in_set):
        Print.objects.create(card=row, set_code="IP")
        Card.objects.filter(pk=row.pk).update(digest="", terms=f"{row.terms}set=ip|")
    Edition.objects.create(number=Edition.objects.current().number + 1)
    listed = cards_of_set(game, game.sets[0], "", "")
    assert (listed["counted"], listed["cards"]) == ("1 component, 1 term", 'game:steamspy set:"IP" is:card')
    assert sorted(named.partition(", ")[2] for _, named, _ in listed["rows"]) == ["component", "term"]


def test_the_pages_of_a_set_have_every_card_once():
    game, place, met = games()["xfiles"], "", list[str]()
    while place or not met:
        listed = cards_of_set(game, game.sets_by_code["TRU"], place, "")
        assert listed["first"] == len(met) + 1
        met += [card.code for card, _, _ in listed["rows"]]
        place = listed["after"]
    wanted = Card.objects.current().in_game("xfiles").filter(prints__set_code="TRU").distinct().by_name()
    assert met == [card.code for card in wanted]


@pytest.mark.parametrize("mark", ["x", "xfiles/nobody", "\x01", "é" * 3_000])
def test_any_place_in_a_set_is_answered(client, mark):
    for way in ("after", "before"):
        assert client.get("/sets/xfiles/TRU/", {way: mark}).status_code == 200


def test_the_sets_of_all_games_are_on_one_page_even_before_a_game_is_loaded(client, sixth_game):
    links = page(client, "/sets/").main.links
    for game in games().values():
        assert {
            f"/games/{game.slug}/",
            *(f"/sets/{game.slug}/{card_set.code}/" for card_set in game.sets),
        } <= {*links}
    for address in ("/games/deaddrop/", f"/sets/deaddrop/{sixth_game.sets[0].code}/"):
        assert client.get(address).status_code == 200
    assert client.get("/sets/xfiles/ZZ/").status_code == 404


# -- a game -----------------------------------------------------------------------------


@pytest.mark.parametrize("slug", ["spycraft", "agentdecker"])
def test_the_game_page_shows_a_card_of_each_type_with_named_cards(client, slug):
    game = games()[slug]
    tiles = page(client, f"/games/{slug}/").one("ul", class_="game-types").all("li")
    counts = {
        kind.plural: sum(game.kind_of(card) == "card" for card in game.cards if card.type == kind.slug)
        for kind in game.types
    }
    named = [tile for tile in tiles if tile.has("svg", class_="card-face")]
    assert [tile.one("b").text for tile in named] == [
        f"{plural} {count}" for plural, count in counts.items() if count
    ]
    to_write_in = [link for tile in tiles if tile not in named for link in tile.links]
    assert to_write_in == ([f"/games/{slug}/checklist/"] if game.places else [])


def test_a_game_of_many_facts_shows_the_first_charts_and_folds_the_others(client):
    charts = charts_of(games()["spycraft"], stats_of("spycraft"))
    shown = page(client, "/games/spycraft/about/")
    (folded,) = [part for part in shown.all("details", class_="more") if part.has("table", class_="chart")]
    assert len(shown.all("table", class_="chart")) == len(charts)
    assert len(folded.all("table", class_="chart")) == len(charts) - MAX_CHARTS > 1


def test_the_home_page_counts_catalogue_cards_alone(client):
    tiles = {
        tile.one("h3").text: tile.one(class_="meta").text
        for tile in page(client, "/").all("li", class_="evening-tile")
    }
    own = {game.name for game in own_games().values()}
    assert {name: words for name, words in tiles.items() if name in own} == {
        "Spycraft": "2 or more players · 858 cards known by name",
        "The X-Files CCG": "2 or more players · 529 cards known by name",
        "SpyNet": "2 to 4 players · 11 cards known by name",
        "Agent Decker": "Alone · 9 cards known by name",
        "Steam Spy": "2 or more players · no cards known by name",
    }


def test_each_face_on_the_home_page_is_a_link_named_after_its_card(client):
    """Voice control names a link by its visible text, so no other label may replace it."""
    faces = page(client, "/").all("a", class_="face")
    assert len(faces) >= FACES_AT_HOME + sum(bool(game.showcase) for game in games().values())
    for face in faces:
        game, code = face["href"].split("/")[2:4]
        name = Card.objects.in_game(game).get(code=code).name
        assert not face.get("aria-label") and face.one("title").text.startswith(name)
