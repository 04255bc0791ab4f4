"""Pages of games and sets, and the home page: an evening, and statistics from loading."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any
from urllib.parse import quote

import pytest

from cardsdb.catalogue.stats import stats_of
from cardsdb.games import games
from cardsdb.games.kit import Game, PrintExtras
from cardsdb.games.kit.contract.optional import set_up_problems
from cardsdb.models import Card, Edition, Print
from cardsdb.search.results import parse_query, results_of
from cardsdb.web.game_page import FACES_AT_HOME, MAX_CHARTS, PER_PAGE, cards_of_set, tonight_of
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
    back = cards_of_set(game, game.sets_by_code["TRU"], "", listed["before"])
    end = listed["first"] - 1
    assert [card.code for card, _, _ in back["rows"]] == met[end - PER_PAGE : end]
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


# -- an evening -------------------------------------------------------------------------


def test_the_form_of_a_games_first_page_prints_what_home_prints(client):
    slug = "spynet"
    form = page(client, f"/games/{slug}/").one("form", class_="evening-print")
    assert form["action"] == "/print/sheets.pdf" and form.get("method") in (None, "get")
    fields = [(box["name"], box["value"]) for box in form.all("input") if box.get("type") == "hidden"]
    fields += [(box["name"], box["value"]) for box in form.all("input", checked=True)]
    query = "&".join(f"{name}={value}" for name, value in fields)
    answer = client.get(f"{form['action']}?{query}&paper=a4")
    assert answer["Content-Type"] == "application/pdf"
    door = page(client, "/").one("li", class_=f"game-{slug}").all("li", class_="door")[0]
    (home,) = door.links
    assert home.startswith(f"/print/sheets.pdf?evening={slug}/")
    assert door.one(class_="door-meta").text.split()[1] in ("sheet", "sheets")
    assert answer.content == client.get(home).content


@pytest.mark.parametrize("slug", [slug for slug, game in games().items() if game.set_up_guide])
def test_a_game_page_says_first_what_to_bring_and_every_link_of_its_evening_works(client, slug):
    guide, shown = games()[slug].set_up_guide, page(client, f"/games/{slug}/")
    assert guide and shown.one("p", class_="evening-lead").text.startswith(guide.evening.bring)
    for door in shown.one(class_="evening-doors").all("li", class_="door"):
        for address in door.links:
            assert client.get(address).status_code == 200, address


@pytest.mark.parametrize(("players", "left"), [(2, 71), (4, 69)])
def test_the_table_of_spynet_is_laid_for_the_players_chosen(client, players, left):
    shown = page(client, f"/games/spynet/?players={players}")
    assert len(shown.all(class_="seat")) == players
    assert f"{left} cards are left in the deck." in shown.one("ol", class_="evening-steps").text
    assert shown.one("h2", id="evening-print").text == f"Print everything for {players} players"
    chosen = shown.one("nav", class_="segments").one("a", aria_current="true")
    assert chosen.text.startswith(str(players))


def test_an_impossible_number_of_players_is_refused_and_the_usual_table_shown(client):
    shown = page(client, "/games/spynet/?players=9", status=400)
    assert "SpyNet is for 2 to 4 players, not 9." in shown.one(id="errors").text
    assert len(shown.all(class_="seat")) == 3
    assert page(client, "/games/spynet/").one(class_="evening-paper").text.startswith("1 sheet, 9 cards")


@pytest.mark.parametrize(("players", "without"), [(2, 0), (3, 0), (4, 1)])
def test_players_without_a_starter_deck_are_counted(players, without):
    assert tonight_of(games()["xfiles"], {"players": str(players)}).without_deck == without


def bare(game: Game, **changed: Any) -> Game:
    """Return a copy of a game with some of what is read from its folder replaced."""
    copied = replace(game)
    vars(copied).update(changed)
    return copied


@pytest.mark.parametrize("lacks", ["nothing", "a set-up", "things to print"])
def test_a_game_has_a_first_page_with_an_evening_as_far_as_it_declares_one(
    client, monkeypatch, sixth_game, lacks
):
    guide = sixth_game.set_up_guide
    nothing_printed = {"play_guide": None, "print_extras": PrintExtras(), "glossary": ()}
    game = {
        "nothing": sixth_game,
        "a set-up": bare(sixth_game, set_up_guide=None),
        "things to print": bare(sixth_game, set_up_guide=replace(guide, steps=()), **nothing_printed),
    }[lacks]
    monkeypatch.setitem(games(), game.slug, game)
    shown = page(client, f"/games/{game.slug}/")
    assert shown.has("form", class_="evening-print") is (lacks == "nothing")
    assert shown.has(class_="evening-table") is (lacks != "a set-up")
    assert "Build a deck" in shown.one(class_="evening-doors").text


# -- its file -------------------------------------------------------------------------------


def with_evening(tmp_path: Path, evening: str) -> Game:
    """Return SpyNet with this evening in its ``set_up.toml``."""
    game = games()["spynet"]
    folder = tmp_path / "spynet"
    copytree(game.folder, folder)
    steps = '[[steps]]\ntitle = "Begin"\nsays = "Begin."\nsection = "A"\nlines = "1"\ncertainty = "stated"\n'
    head = '[players]\nnumbers = "2-4"\nsection = "A"\nlines = "1"\ncertainty = "stated"\n'
    (folder / "set_up.toml").write_text(f"{head}[evening]\n{evening}\n{steps}")
    return replace(game, folder=folder)


@pytest.mark.parametrize(
    ("evening", "says"),
    [
        ('bring = "The box"', "bring must say a sentence"),
        ("usual = 9", "is not for 9 players"),
        ('decks = ["draw-2", "draw-2"]', "'draw-2' is named twice"),
        ('decks = ["nothing"]', "'nothing' is no starter"),
        ('spare = "draw-{players}x"', "'draw-2x' is no starter"),
        ('sheets = ["nothing"]', "'nothing' is no worksheet"),
        ('doors = [{ to = "moon", title = "A", says = "B" }]', "'moon' is no worksheet"),
    ],
)
def test_an_evening_that_names_something_missing_breaks_the_contract(tmp_path, evening, says):
    assert any(says in problem for problem in set_up_problems(with_evening(tmp_path, evening)))
