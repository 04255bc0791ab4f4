"""The awkward game, which other tools may know."""

from dataclasses import replace

import pytest

from tests.support.awkward_names import EXPORTS, awkward_game


@pytest.fixture(scope="session")
def game(tmp_path_factory):
    return awkward_game(tmp_path_factory.mktemp("awkward"))


@pytest.fixture(scope="session")
def known(game):
    """The same game, known to other tools."""
    return replace(game, exports=EXPORTS)
