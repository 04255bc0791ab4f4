"""The cards of a folder as they were read before: the very same cards, and never those of other files."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.folder import cache
from cardsdb.games.kit.folder.cards import CardFiles


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Path]:
    cache.keep_in(tmp_path)
    yield tmp_path / "cards"
    cache.keep_in(None)


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """A game whose folder may be changed."""
    steamspy = games()["steamspy"]
    return replace(steamspy, folder=Path(shutil.copytree(steamspy.folder, tmp_path / "game")))


def again(game: Game) -> Game:
    """The game as another process has it that starts now."""
    return replace(game)


def values(cards: tuple[Card, ...]) -> list[list[object]]:
    return [[getattr(card, field.name) for field in fields(Card)] for card in cards]


@pytest.mark.parametrize("slug", sorted(games()))
def test_cards_read_before_are_the_same_to_the_last_claim(
    slug: str, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = again(games()[slug]).cards
    monkeypatch.setattr(CardFiles, "cards", None)
    assert values(again(games()[slug]).cards) == values(first)


def test_a_changed_cell_is_read(kept: Path, game: Game) -> None:
    name = game.cards[0].name
    path = game.folder / "cards.csv"
    path.write_text(path.read_text().replace(name, name + " again", 1))
    assert again(game).cards[0].name == name + " again"


def test_a_changed_declaration_is_heeded(kept: Path, game: Game) -> None:
    assert game.cards
    with pytest.raises(ValueError, match="neither a standard column nor a declared fact"):
        _ = replace(game, facts=game.facts[1:]).cards


@pytest.mark.parametrize("damage", [b"", b"short", b"another"])
def test_a_damaged_file_is_made_anew(kept: Path, game: Game, damage: bytes) -> None:
    first, path = game.cards, kept / "steamspy.cards"
    whole = path.read_bytes()
    path.write_bytes(whole[: -len(damage)] + damage if damage else b"")
    assert values(again(game).cards) == values(first)
    assert path.read_bytes() == whole


def test_without_the_sites_data_nothing_is_kept(tmp_path: Path, game: Game) -> None:
    assert game.cards
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game"]


def test_a_folder_that_may_not_be_written_to_costs_only_time(tmp_path: Path, game: Game) -> None:
    (tmp_path / "file").write_text("")
    cache.keep_in(tmp_path / "file")
    try:
        assert game.cards
    finally:
        cache.keep_in(None)
