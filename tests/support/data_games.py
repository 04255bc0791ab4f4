"""Fixtures for games and formats that are data: the two of ``tests/data_games``, and new ones in the site's
data folder.

Games are cached by ``games()``; everything here clears that cache after it changes a folder.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from cardsdb import games as folders
from cardsdb.management.commands.new_game import write_new_game
from tests import ROOT

# Two games: Lantern Street, which uses every kind of rule, fact and layout, and French Pack, the pack of 52
# cards.
DATA_GAMES = ROOT / "tests" / "data_games"


@pytest.fixture
def site_data(tmp_path):
    """An empty data folder in which the site looks for games and formats, in ``games/`` and ``formats/``."""
    folders.look_in(tmp_path)
    try:
        yield tmp_path
    finally:
        folders.look_in(None)


@pytest.fixture(scope="module")
def data_games():
    """The games of ``tests/data_games`` (slug -> game), installed for one module. In ``make test-sixth`` they
    are installed already.
    """
    installed = str(DATA_GAMES) in (str(Path(place).resolve()) for place in folders.__path__)
    if not installed:
        folders.__path__.append(str(DATA_GAMES))
        folders.games.cache_clear()
    try:
        yield {
            slug: game for slug, game in folders.games().items() if game.folder.resolve().parent == DATA_GAMES
        }
    finally:
        if not installed:
            folders.__path__.remove(str(DATA_GAMES))
            folders.games.cache_clear()


@pytest.fixture
def night_train(site_data):
    """The example game that ``manage.py new_game`` writes, installed in the site's data folder."""
    write_new_game(site_data / "games" / "night-train", "Night Train")
    folders.games.cache_clear()
    return folders.games()["night-train"]


@pytest.fixture
def changed(night_train):
    """A function that replaces texts in a file of ``night_train`` and returns the faults of all games, one
    sentence each.
    """

    def change(*changes: tuple[str, str], file: str = "game.toml") -> list[str]:
        path = night_train.folder / file
        text = path.read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text, old
            text = text.replace(old, new, 1)
        path.write_text(text, encoding="utf-8")
        folders.games.cache_clear()
        return folders.faults()

    return change


def write_format(site_data: Path, name: str, text: str) -> list[str]:
    """Write a format file into the site's data folder; return the faults of all games and formats, one
    sentence each.
    """
    (site_data / "formats").mkdir(exist_ok=True)
    (site_data / "formats" / name).write_text(text, encoding="utf-8")
    folders.games.cache_clear()
    return folders.faults()
