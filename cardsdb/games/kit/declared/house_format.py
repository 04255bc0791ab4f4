"""A file that adds one format to a game: a league's, a house's. ``game = "spycraft"``, ``by``, and the keys of ``formats.py``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from cardsdb.games.kit.declared.bounds import read_declared
from cardsdb.games.kit.declared.formats import FormatReader
from cardsdb.games.kit.declared.table import SLUG, Faults, Table
from cardsdb.games.kit.folder.rulebook import Rulebook
from cardsdb.games.kit.game import Game
from cardsdb.games.kit.model.rulebook import Document


def with_format(games: Mapping[str, Game], path: Path) -> Game:
    """The game that the file names, with the format that it declares. Raises FolderError with every fault of the file."""
    faults = Faults()
    table = Table(read_declared(path), f"{path.parent.name}/{path.name}", "", faults)
    slug = path.stem.replace("_", "-")
    if not SLUG.fullmatch(slug):
        table.fault("name", "stands in addresses as the file is called; call it by at most 40 small letters, digits and hyphens")
    game = games.get(table.choice("game", tuple(games), "", needed=True))
    if game is None:
        faults.end()
        raise AssertionError("a format without its game is a fault")
    key = f"format-{slug}"
    document = Document(key, table.text("title", f"House rules of {table.text('name')}"), kind="house rules", by=table.text("by"))
    declared = FormatReader(game, game.formats_by_slug, key, official=False).read(slug, table)
    faults.end()
    return replace(
        game,
        formats=(*game.formats, replace(declared.format, declared_in=path)),
        said_beside=game.said_beside.followed_by(Rulebook({key: document}, declared.citations, ())),
    )
