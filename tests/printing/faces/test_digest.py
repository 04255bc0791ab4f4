"""The digest by which a browser asks whether a face changed is of all that draws it."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import printing
from cardsdb.games import games
from printing.faces import digest
from tests import ROOT


def test_the_digest_is_of_all_code_of_ours_that_draws() -> None:
    code = (
        "import sys, printing.render.svg as s; print(*(m.__file__ for m in sys.modules.values() if getattr(m,"
        " '__file__', None)))"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    house = Path(printing.__file__).parent
    used = {Path(path).relative_to(house).parts[0] for path in told if Path(path).is_relative_to(house)} - {
        "__init__.py"
    }
    assert used <= set(digest.ROOMS)


@pytest.mark.parametrize("name", ["face.py", "game.toml", "sets.csv"])
def test_the_digest_changes_with_what_a_game_declares(tmp_path: Path, name: str) -> None:
    told, game = set(), games()["agentdecker"]
    for place, text in (("one", "1"), ("two", "2")):
        (tmp_path / place).mkdir()
        (tmp_path / place / name).write_text(text)
        told |= {digest.digest_of_drawing(replace(game, folder=tmp_path / place)) for _ in range(2)}
    assert len(told) == 2
