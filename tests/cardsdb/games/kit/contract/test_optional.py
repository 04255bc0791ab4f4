"""A game does without any file that a folder may lack: the contract holds, the folder loads, and every page
answers. What such a file says wrong is named.
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
from cardsdb.games.kit.contract.optional import document_problems, glossary_problems
from tests.support.game_folders import with_files

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
    pages = ("", "edit/", "numbers/", "numbers/hands/", "missing/")
    answers = {page: client.get(f"/decks/{link}/{page}", follow=True).status_code for page in pages}
    assert answers == dict.fromkeys(pages, 200)
    assert client.get(f"/print/?deck={link}").status_code == 200
    assert client.get(f"/print/sheets.pdf?deck={link}").content.startswith(b"%PDF")


@pytest.mark.django_db
@pytest.mark.parametrize("missing", [(), FILES], ids=["none", "all"])
def test_a_game_works_without_the_files_that_a_folder_may_lack(
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


@pytest.mark.parametrize("missing", FILES)
def test_without_one_of_them_the_others_say_what_they_said(
    sixth_game: Game, tmp_path: Path, missing: str
) -> None:
    game = without(with_every_file(sixth_game, tmp_path / "whole"), tmp_path / "less", missing)
    zorka = game.card("zorka")
    said = (game.glossary, game.set_up_guide, game.play_guide, zorka and zorka.disagreements(), game.sets)
    assert problems(game) == []
    assert [bool(one) for one in (*said, game.starters)] == [name != missing for name in FILES]


@pytest.mark.parametrize(("lines", "beyond"), [("2", None), ("1-2", None), ("3", 3), ("1, 2-4", 4)])
def test_a_rule_cites_no_line_beyond_the_end_of_its_document(
    sixth_game: Game, tmp_path: Path, lines: str, beyond: int | None
) -> None:
    rulebook = f"""
[documents.sheet]
title = "Sheet"
file = "sheet.txt"
[rules.DD-1]
section = "Cards"
lines = "{lines}"
certainty = "stated"
says = "Two of each."
"""
    game = with_files(sixth_game, tmp_path, {"rulebook.toml": rulebook, "sheet.txt": "One.\nTwo.\n"})
    told = [said for said in document_problems(game) if "credit" not in said]
    assert told == [f"rule DD-1 cites line {beyond} of sheet.txt, which has 2"] * (beyond is not None)


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ('meaning = "A thing."\nfacts = ["shape"]', "explains 'shape', which is no fact"),
        ('meaning = "A thing."\nsee = ["Other"]', "sends the reader to 'Other'"),
        ('meaning = "A thing."\naliases = ["drop"]', "'drop' is explained twice"),
        (f'meaning = "{"a" * 240}."', "at most 240 characters"),
    ],
)
def test_a_glossary_that_breaks_a_promise_is_named(
    sixth_game: Game, tmp_path: Path, entry: str, says: str
) -> None:
    text = f'[terms.Drop]\nsection = "A"\nlines = "1"\n{entry}\n'
    game = with_files(sixth_game, tmp_path, {"glossary.toml": text})
    assert any(says in problem for problem in glossary_problems(game))
