"""The invented game of the measurements: it keeps the contract, and one seed makes one game."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.generator import write_game


def test_the_invented_game_keeps_the_contract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    from cardsdb import games as folders
    from cardsdb.games import games
    from cardsdb.games.kit.contract.checks import problems

    write_game(tmp_path, 300)
    monkeypatch.setattr(folders, "__path__", [*folders.__path__, str(tmp_path)])
    games.cache_clear()
    try:
        game = games()["paperwar"]
        assert problems(game) == []
        assert any(card.disagreements() for card in game.cards)
    finally:
        games.cache_clear()
        for name in [name for name in sys.modules if name.startswith("cardsdb.games.paperwar")]:
            del sys.modules[name]


def test_the_same_seed_makes_the_same_game(tmp_path: Path) -> None:
    files = [(write_game(tmp_path / name, 50) / "cards.csv").read_bytes() for name in ("one", "two")]
    assert files[0] == files[1]
