"""The tutorial docs/a-game-of-your-own.md works when it is followed word for word.

The fixture ``followed`` runs its commands and writes its files, in the page's order, into a temporary data
folder.
"""

from __future__ import annotations

import csv
import io
import re
import shlex
from pathlib import Path

import pytest
from django.core.management import call_command

from cardsdb import games as folders
from cardsdb.catalogue.loader import load
from cardsdb.games.kit.contract.checks import problems
from cardsdb.games.kit.listtext.deck import read_deck
from tests import ROOT
from tests.support.data_games import site_data

__all__ = ["site_data"]

PAGE = (ROOT / "docs" / "a-game-of-your-own.md").read_text(encoding="utf-8")
# A code block with (language, file to change, text); a ``sh`` block names no file.
CHANGES = r"^```(sh|toml|csv) ?(\S*)\n(.*?)^```$"


@pytest.fixture
def followed(site_data, settings):
    """Run the page's commands and write its files, in order. Return the site's data folder."""
    settings.VAR_DIR = site_data
    for kind, place, text in re.findall(CHANGES, PAGE, re.MULTILINE | re.DOTALL):
        if kind == "sh":
            folders.games.cache_clear()
            _, *command = shlex.split(text)
            call_command(*command, stdout=io.StringIO(), stderr=io.StringIO())
            continue
        path = site_data / place.removeprefix("var/")
        path.parent.mkdir(exist_ok=True)
        if kind == "csv":
            add_rows(path, text)
        else:
            with path.open("a", encoding="utf-8") as file:
                file.write(f"\n{text}")
    folders.games.cache_clear()
    return site_data


def add_rows(path: Path, text: str) -> None:
    """Add the rows of a CSV text to the file. Existing rows get an empty cell for each column that is new."""
    header, *new = csv.reader(io.StringIO(text))
    with path.open(encoding="utf-8", newline="") as file:
        before, *rows = csv.reader(file)
    assert header[: len(before)] == before
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(
            [header, *([*row, *[""] * (len(header) - len(before))] for row in rows), *new]
        )


@pytest.mark.django_db
def test_the_game_of_the_tutorial_works(followed, client):
    game = folders.games()["paper-moon"]
    assert folders.faults() == problems(game) == problems(folders.games()["spycraft"]) == []
    load(game)
    assert client.get("/games/paper-moon/").status_code == 200
    found = client.get("/api/v1/cards/", {"q": "game:paper-moon loud:yes"}).json()["results"]
    assert [card["key"] for card in found] == ["paper-moon/whistle"]
    in_words = client.get("/api/v1/cards/", {"q": "paper moon noisy tricks"}).json()
    assert in_words["understood"]["query"] == "game:paper-moon is:loud type=trick"
    assert in_words["results"] == found

    quiet = game.formats_by_slug["quiet"]
    text = game.starters[0].text.replace("3 Ada Quill", "1 Ada Quill")
    with_whistle = text.replace("Places:", "1 Whistle\n\nPlaces:")
    assert game.judge(read_deck(game, text, quiet).deck, quiet).codes() == ("QUIET-1",)
    assert game.judge(read_deck(game, with_whistle, quiet).deck, quiet).codes() == ("QUIET-1", "QUIET-2")
    assert game.citations["QUIET-1"].says == "Famous faces cost points."


def test_the_league_of_the_tutorial_is_a_format_of_its_game(followed):
    game = folders.games()["spycraft"]
    format = game.formats_by_slug["tuesday"]
    assert "TUESDAY-1" in game.judge(read_deck(game, "1 Termite", format).deck, format).codes()


def test_the_error_message_of_the_tutorial_is_the_real_one(followed):
    path = followed / "games" / "paper-moon" / "game.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('kind = "flag"', 'kind = "sound"'), encoding="utf-8")
    faults = folders.faults()
    assert f"such as `{faults[0]}`" in PAGE, faults
