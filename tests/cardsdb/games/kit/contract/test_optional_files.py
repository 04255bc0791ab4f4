"""A game does without any file that a folder may lack: the contract holds, the folder loads, and every page
answers.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest
from django.test import Client

from cardsdb.catalogue.current import catalogue
from cardsdb.catalogue.loader import load
from cardsdb.games import games
from cardsdb.games.kit import Game
from cardsdb.games.kit.contract.checks import problems
from cardsdb.games.kit.game import NO_EXTRAS

# Reads what is stored as every page does. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = pytest.mark.engine("sqlite")

FILES = ("glossary.toml", "set_up.toml", "play.toml", "claims.csv", "sets.csv", "starters")


def without(game: Game, folder: Path, *names: str) -> Game:
    """The game with a copy of its folder that lacks these files; without ``sets.csv`` its cards are in no
    set.
    """
    copy = folder / game.folder.name
    copytree(game.folder, copy, ignore=ignore_patterns(*names, "__pycache__"))
    if "sets.csv" in names:
        cards = copy / "cards.csv"
        cards.write_text(cards.read_text().replace(",ONE,", ",,"))
    return replace(game, folder=copy)


def with_every_file(game: Game, folder: Path) -> Game:
    """The sixth game with the two optional files that its folder lacks."""
    whole = without(game, folder)
    line = "zorka,city,Vienna,sheet,Cards,3,conflicting,"
    (whole.folder / "claims.csv").write_text(
        f"code,fact,value,document,section,lines,certainty,note\n{line}\n"
    )
    (whole.folder / "play.toml").write_text(
        '[[parts]]\ntitle = "A turn"\n[[parts.steps]]\ntitle = "Draw"\nsays = "Draw a card."\n'
        'section = "Cards"\nlines = "3"\ncertainty = "stated"\n'
    )
    return whole


def addresses(game: Game) -> dict[str, int]:
    """Address -> the status with which it answers."""
    slug, code = game.slug, game.cards[0].code
    return {
        "/": 200,
        "/games/": 200,
        f"/games/{slug}/": 200,
        f"/games/{slug}/rules/": 200,
        f"/games/{slug}/glossary/": 200 if game.glossary else 404,
        f"/games/{slug}/set-up/": 200 if game.set_up_guide else 404,
        f"/games/{slug}/play/": 200 if game.play_guide else 404,
        f"/games/{slug}/aids/": 200 if game.worksheets else 404,
        f"/games/{slug}/house/?format={game.formats[0].slug}": 200,
        f"/games/{slug}/lackey.zip": 200,
        f"/games/{slug}/cockatrice.xml": 200,
        f"/cards/?q=game:{slug}": 200,
        f"/cards/{slug}/{code}/": 200,
        f"/cards/{slug}/{code}/face.svg": 200,
        f"/cards/{slug}/{code}/correct/": 200,
        "/sets/": 200,
        f"/check/?game={slug}": 200,
        f"/decks/new/?game={slug}": 200,
        f"/api/v1/games/{slug}/": 200,
        f"/api/v1/cards/{slug}/{code}/": 200,
        f"/api/v1/cards/?q=game:{slug}": 200,
        "/api/v1/sets/": 200,
        "/bulk/": 200,
    }


def assert_works(client: Client, game: Game) -> None:
    """Contract, load, pages, verdict, deck, sheets."""
    assert problems(game) == []
    load(game)
    assert {address: client.get(address).status_code for address in addresses(game)} == addresses(game)

    text = next(example.text for example in game.examples() if example.verdict == "legal")
    body = json.dumps({"game": game.slug, "format": game.formats[0].slug, "text": text})
    verdict = client.post("/api/v1/decks/validate/", body, content_type="application/json").json()
    assert verdict["verdict"] == "legal"
    made = client.post(
        "/decks/new/", {"game": game.slug, "format": game.formats[0].slug, "name": "Run", "text": text}
    )["Location"]
    link = made.split("/")[2]
    pages = (
        "",
        "edit/",
        "edit/text/",
        "numbers/",
        "numbers/hands/",
        "history/",
        "files/",
        "share/",
        "missing/",
        "settings/",
    )
    assert {
        page: client.get(f"/decks/{link}/{page}", follow=True).status_code for page in pages
    } == dict.fromkeys(pages, 200)
    assert client.get(f"/print/?deck={link}").status_code == 200
    assert client.get(f"/print/sheets.pdf?deck={link}").content.startswith(b"%PDF")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "missing", [(), *((name,) for name in FILES), FILES], ids=lambda names: " ".join(names) or "none"
)
def test_a_game_works_without_any_file_that_a_folder_may_lack(
    client: Client,
    sixth_game: Game,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    missing: tuple[str, ...],
) -> None:
    game = without(with_every_file(sixth_game, tmp_path / "whole"), tmp_path / "less", *missing)
    assert [name for name in FILES if not (game.folder / name).exists()] == list(missing)
    monkeypatch.setitem(games(), game.slug, game)
    monkeypatch.setitem(catalogue().games, game.slug, game)
    assert_works(client, game)
    assert bool(game.sets) == ("sets.csv" not in missing)
    assert (game.set_up_guide is None) == ("set_up.toml" in missing)
    zorka = game.card("zorka")
    assert zorka and bool(zorka.disagreements()) == ("claims.csv" not in missing)


def bare(game: Game, folder: Path) -> Game:
    """A game that declares nothing it need not, without the files of that."""
    less = without(game, folder, "glossary.toml", "set_up.toml", "play.toml", "starters")
    return replace(
        less,
        statistics=(),
        opening=None,
        worksheets=(),
        print_extras=NO_EXTRAS,
        backs=(),
        exports={},
        set_up=(),
        not_known=(),
    )


@pytest.mark.parametrize("slug", sorted(games()))
def test_every_game_keeps_the_contract_without_what_it_may_leave_out(tmp_path: Path, slug: str) -> None:
    assert problems(bare(games()[slug], tmp_path)) == []


@pytest.mark.django_db
def test_the_game_with_the_most_sheets_works_without_what_it_may_leave_out(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = bare(games()["agentdecker"], tmp_path)
    monkeypatch.setitem(games(), game.slug, game)
    monkeypatch.setitem(catalogue().games, game.slug, game)
    assert_works(client, game)
