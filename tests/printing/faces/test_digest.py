"""The digest by which a browser asks whether a face changed is of all that draws it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cardsdb.games import games
from printing.faces import compose
from printing.options import values
from printing.render import png


@pytest.mark.parametrize("name", ["face.py", "game.toml", "sets.csv"])
def test_the_digest_changes_with_what_a_game_declares(tmp_path: Path, name: str) -> None:
    told, game = set(), games()["agentdecker"]
    for place, text in (("one", "1"), ("two", "2")):
        (tmp_path / place).mkdir()
        (tmp_path / place / name).write_text(text)
        told |= {compose.digest_of_drawing(replace(game, folder=tmp_path / place)) for _ in range(2)}
    assert len(told) == 2


def test_the_digest_is_of_the_code_that_shows_the_colours_of_pictures() -> None:
    assert Path(png.in_srgb.__code__.co_filename) in compose.code_of_drawing()


def test_the_digest_is_of_the_words_that_options_have_in_the_header() -> None:
    assert Path(values.__file__).with_name("options.toml") in compose.code_of_drawing()
