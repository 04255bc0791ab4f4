"""A format beside those of a game, such as a league's: ``game = "spycraft"``, ``by``, ``title``, ``url``, and
the keys of ``formats.py``.

As a file it stands among the site's data and belongs to the game. On the site somebody makes one without a
file: it builds on a format of the game, and decks that name its link are judged by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from cardsdb.games.kit.contract.checks import card_list_problems
from cardsdb.games.kit.declared.bounds import read_declared
from cardsdb.games.kit.declared.formats import DeclaredFormat, FormatReader
from cardsdb.games.kit.declared.table import SLUG, Faults, Table
from cardsdb.games.kit.folder.files import FolderError
from cardsdb.games.kit.folder.rulebook import Rulebook
from cardsdb.games.kit.game import Game
from cardsdb.games.kit.model.format import Format, League
from cardsdb.games.kit.model.rulebook import Document
from cardsdb.games.kit.model.text import slugify

_MAX_CODE = 16


def with_format(games: Mapping[str, Game], path: Path) -> Game:
    """The game that the file names, with the format that it declares. Raises FolderError with every fault of
    the file.
    """
    faults = Faults()
    table = Table(read_declared(path), f"{path.parent.name}/{path.name}", "", faults)
    slug = path.stem.replace("_", "-")
    if not SLUG.fullmatch(slug):
        table.fault(
            "name",
            "stands in addresses as the file is called; call it by at most 40 small letters, digits and"
            " hyphens",
        )
    game = games.get(table.choice("game", tuple(games), "", needed=True))
    if game is None:
        faults.end()
        raise AssertionError("a format without its game is a fault")
    declared, document = _read(game, slug, table)
    faults.end()
    return replace(
        game,
        formats=(*game.formats, replace(declared.format, declared_in=path)),
        said_beside=game.said_beside.followed_by(Rulebook({document.key: document}, declared.citations, ())),
    )


def read_league(game: Game, link: str, values: object, place: str = "The format") -> Format:
    """The format that somebody made of the game, under the slug of the one that it builds on. Raises
    FolderError with every fault.

    ``values`` is what its file would say; ``place`` is what faults call it.
    """
    faults = Faults()
    table = Table(values, place, "", faults)
    table.choice("game", (game.slug,), "", needed=True)
    base = table.choice("based_on", game.formats_by_slug, "", needed=True)
    code = _code(slugify(table.text("name"))) or "league"
    declared, document = _read(game, code if code not in game.formats_by_slug else f"league-{code}", table)
    faults.end()
    if found := list(card_list_problems(game, (declared.format,))):
        raise FolderError(*(f"{place}: {problem}" for problem in found))
    return replace(
        declared.format,
        slug=base,
        official=False,
        league=League(link, declared.format.name, document, declared.citations),
    )


def _code(slug: str) -> str:
    """What the codes of the format's rules begin with: whole words of its name, as far as there is room."""
    return slug if len(slug) <= _MAX_CODE else slug[: _MAX_CODE + 1].rpartition("-")[0] or slug[:_MAX_CODE]


def _read(game: Game, slug: str, table: Table) -> tuple[DeclaredFormat, Document]:
    key = f"format-{slug}"
    url = table.text("url")
    if url and not url.startswith(("https://", "http://")):
        table.fault("url", f"must begin with https://, not {url[:40]!r}")
    document = Document(
        key, table.text("title", f"Format of {table.text('name')}"), "house rules", table.text("by"), url=url
    )
    return FormatReader(game, game.formats_by_slug, key, official=False).read(slug, table), document
