"""Game folders for tests: which games belong to this repository, and copies of a game with changed cards or
files.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import Any

import pytest

from cardsdb import games as folders
from cardsdb.games.kit import Game


def own_games() -> dict[str, Game]:
    """Return the games of this repository (slug -> game), without any others that are installed."""
    return {
        slug: game
        for slug, game in folders.games().items()
        if game.folder.parent == Path(folders.__file__).parent
    }


def told_otherwise(monkeypatch: pytest.MonkeyPatch, code: str, **changes: Any) -> None:
    """Change these fields of a Spycraft card in the loaded catalogue until the test ends, as if its folder
    said so.
    """
    # Imported here, because some users of this module run without Django.
    from cardsdb.catalogue.current import catalogue

    whole, key = catalogue(), f"spycraft/{code}"
    entry, cards = whole.by_key[key], whole.games["spycraft"]._cards
    card = replace(entry.card, **changes)
    monkeypatch.setitem(cards, code, card)
    monkeypatch.setitem(whole.by_key, key, replace(entry, card=card))


@pytest.fixture
def edited(sixth_game, tmp_path):
    """A function that replaces texts in a file of a copy of the sixth game, and returns the game with that
    folder.
    """

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
    """Write a folder of the sixth game with this number of cards and return it."""
    folder = tmp_path / "deaddrop"
    folder.mkdir()
    (folder / "rulebook.toml").write_bytes((game.folder / "rulebook.toml").read_bytes())
    header = "code,name,type,set,number,rarity,print_code,print_note,source,aliases,text,note,weight,city\n"
    lines = (f"c{at},Card {at},{kind},,,,,,sheet,,,,,\n" for at in range(cards))
    (folder / "cards.csv").write_text(header + "".join(lines))
    return folder


def with_guides(folder: Path, **files: str) -> Game:
    """Write a folder with these guides (``name="text"`` of ``name.toml``) and a rulebook of one rule; return
    SpyNet with that folder.
    """
    (folder / "rulebook.toml").write_text(
        '[documents.sheet]\ntitle = "Sheet"\n[rules.DD-1]\nlines = "1"\ncertainty = "stated"\nsays ='
        ' "Three."\n'
    )
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text)
    return replace(folders.games()["spynet"], folder=folder)


def with_files(game: Game, folder: Path, files: dict[str, str], *without: str) -> Game:
    """Return the game with a copy of its folder in which ``files`` (path -> text) are replaced and
    ``without`` (patterns) are missing.
    """
    copy = folder / game.folder.name
    copytree(game.folder, copy, ignore=ignore_patterns(*without, "__pycache__"))
    for name, text in files.items():
        (copy / name).write_text(text, encoding="utf-8")
    return replace(game, folder=copy)
