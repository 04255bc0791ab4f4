"""The folders of games: those of this repository, and the sixth game's copied and changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import pytest

from cardsdb import games as folders
from cardsdb.games.kit import Game


def own_games() -> dict[str, Game]:
    """Slug -> game of this repository, whatever else is installed."""
    return {
        slug: game
        for slug, game in folders.games().items()
        if game.folder.parent == Path(folders.__file__).parent
    }


def told_otherwise(monkeypatch: pytest.MonkeyPatch, code: str, **changes: Any) -> None:
    """This card of Spycraft is another one for the time of the test, as if its folder said so."""
    # Some who use this module do without Django.
    from cardsdb.catalogue.current import catalogue

    whole, key = catalogue(), f"spycraft/{code}"
    entry, cards = whole.by_key[key], whole.games["spycraft"]._cards
    card = replace(entry.card, **changes)
    monkeypatch.setitem(cards, code, card)
    monkeypatch.setitem(whole.by_key, key, replace(entry, card=card))


@pytest.fixture
def edited(sixth_game, tmp_path):
    """The sixth game with its folder copied, and its ``cards.csv`` changed by replacing texts."""

    def edit(*changes: tuple[str, str], file: str = "cards.csv") -> Any:
        folder = tmp_path / "deaddrop"
        if not folder.exists():
            folder.mkdir()
            for path in sixth_game.folder.glob("*.*"):
                if path.suffix in (".csv", ".toml"):
                    (folder / path.name).write_bytes(path.read_bytes())
        text = (folder / file).read_text()
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        (folder / file).write_text(text)
        return replace(sixth_game, folder=folder)

    return edit


def with_cards(game: Any, tmp_path: Path, cards: int, kind: str = "courier") -> Path:
    """A folder of the sixth game with so many cards."""
    folder = tmp_path / "deaddrop"
    folder.mkdir()
    (folder / "rulebook.toml").write_bytes((game.folder / "rulebook.toml").read_bytes())
    header = "code,name,type,set,number,rarity,print_code,print_note,source,aliases,text,note,weight,city\n"
    lines = (f"c{at},Card {at},{kind},,,,,,sheet,,,,,\n" for at in range(cards))
    (folder / "cards.csv").write_text(header + "".join(lines))
    return folder


def with_guides(folder: Path, **files: str) -> Game:
    """SpyNet's rules with these guides, and a rulebook of one rule."""
    (folder / "rulebook.toml").write_text(
        '[documents.sheet]\ntitle = "Sheet"\n[rules.DD-1]\nlines = "1"\ncertainty = "stated"\nsays ='
        ' "Three."\n'
    )
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text)
    return replace(folders.games()["spynet"], folder=folder)


def with_files(game: Game, folder: Path, files: dict[str, str], *without: str) -> Game:
    """The game with a copy of its folder, in which these files say something else and others are lacking."""
    copy = folder / game.folder.name
    copytree(game.folder, copy, ignore=ignore_patterns(*without, "__pycache__"))
    for name, text in files.items():
        (copy / name).write_text(text, encoding="utf-8")
    return replace(game, folder=copy)
