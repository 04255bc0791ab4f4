"""The awkward game, which other tools may know."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardsdb.games.kit import Game
from tests.support.awkward_names import EXPORTS, awkward_game


@pytest.fixture(scope="session")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return awkward_game(tmp_path_factory.mktemp("awkward"))


@pytest.fixture(scope="session")
def known(game: Game) -> Game:
    """The same game, known to other tools."""
    return replace(game, exports=EXPORTS)
