"""A game with awkward names (``game``), and the same game with names for other tools (``known``)."""

from dataclasses import replace

import pytest

from tests.support.awkward_names import EXPORTS, awkward_game


@pytest.fixture(scope="session")
def game(tmp_path_factory):
    return awkward_game(tmp_path_factory.mktemp("awkward"))


@pytest.fixture(scope="session")
def known(game):
    """The awkward game with ``exports``, so that other tools know it."""
    return replace(game, exports=EXPORTS)
