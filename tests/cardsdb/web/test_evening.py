"""A game's evening on its first page: what to bring, the table, links, and printing everything with one
press.
"""

from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Game, PrintExtras
from cardsdb.games.kit.contract.optional import set_up_problems
from cardsdb.web.evening import tonight_of
from tests.support.pages import page

pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
SLUGS = sorted(games())


@pytest.mark.parametrize("slug", ["spynet", "spycraft"])
def test_the_form_of_a_games_first_page_prints_what_home_prints(client, slug):
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


@pytest.mark.parametrize("slug", SLUGS)
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


# -- the file -------------------------------------------------------------------------------


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
