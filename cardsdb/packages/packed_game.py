"""A game of data in a zip or tgz: looked at as any package, unpacked to names that we choose, kept only if
the game is whole.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import IO

from cardsdb.games.kit.contract.checks import problems
from cardsdb.games.kit.declared.game_file import read_game
from cardsdb.games.kit.declared.table import (
    DECLARED,
    MAX_DECLARED,
    MAX_STARTER,
    MAX_STARTERS,
    MAX_TABLE,
    SLUG,
    TABLES,
)
from cardsdb.games.kit.folder.files import GAME_FILE, LICENCE_FILE, FolderError
from cardsdb.games.kit.folder.rulebook import TEXT_FILE
from cardsdb.games.kit.model.text import slugify
from cardsdb.packages.container import BadPackage, Files, open_file

# Texts of documents, which rulebook.toml names.
MAX_TEXTS = 20
STARTER = re.compile(r"starters/[^/]+\.txt")


def unpack_game(file: IO[bytes], name: str, place: Path, slug: str = "", taken: Iterable[str] = ()) -> Path:
    """Unpack the game that the file holds into a folder of ``place`` and return that.

    It is called ``slug``, else as its folder in the archive, else as the archive. Raises BadPackage for a
    file that is no such archive, FolderError with every fault of the game, and FileExistsError where
    something of that name stands; nothing is written then. ``taken``: slugs of games that stand elsewhere.
    """
    with open_file(file, name) as files:
        root = _root(files)
        slug = slug or slugify(root.rstrip("/").rpartition("/")[2] or PurePosixPath(name).stem)
        if not SLUG.fullmatch(slug):
            raise BadPackage(
                "bad_name",
                f"“{slug}” cannot stand in addresses: call the folder of the game by small letters, digits"
                " and hyphens.",
            )
        if slug in taken:
            raise BadPackage(
                "taken", f"There is a game “{slug}” already: call the folder of this one otherwise."
            )
        if (place / slug).exists():
            raise FileExistsError(place / slug)
        place.mkdir(parents=True, exist_ok=True)
        # Beside its place, so that it can be moved there in one step; games are not looked for in folders
        # with a dot.
        with tempfile.TemporaryDirectory(prefix=".unpacking-", dir=place) as beside:
            folder = Path(beside, slug)
            _write(files, root, folder)
            if found := problems(read_game(folder)):
                raise FolderError(*found)
            folder.rename(place / slug)
    return place / slug


def _root(files: Files) -> str:
    """The folder in the archive that holds the game, with a / behind it unless it is the archive itself."""
    found = files.named(GAME_FILE)
    if not found:
        raise BadPackage(
            "no_game", f"There is no {GAME_FILE} in it: pack the folder of a game of data as a zip."
        )
    if len(found) > 1:
        raise BadPackage(
            "several_games",
            f"There are {len(found)} games in it ({found[0]}, {found[1]}): pack each by itself.",
        )
    return found[0][: -len(GAME_FILE)]


def _write(files: Files, root: str, folder: Path) -> None:
    """Write the files that a game of data has; others are left out, and an archive with code is refused."""
    bounds = dict.fromkeys(TABLES, MAX_TABLE) | dict.fromkeys(DECLARED, MAX_DECLARED)
    inside = [name.removeprefix(root) for name in files.names if name.startswith(root)]
    if code := next((name for name in inside if name.casefold().endswith((".py", ".pyc", ".so"))), None):
        raise BadPackage(
            "code",
            f"{root}{code} is code. A game of data has none, and none is run: leave it out.",
            root + code,
        )
    texts = [name for name in inside if TEXT_FILE.fullmatch(name)]
    if len(texts) > MAX_TEXTS:
        raise BadPackage(
            "too_many", f"{root or 'It'} has {len(texts)} text files; {MAX_TEXTS} at most are read.", root
        )
    bounds |= dict.fromkeys((*texts, LICENCE_FILE), MAX_DECLARED)
    starters = [name for name in inside if STARTER.fullmatch(name)]
    if len(starters) > MAX_STARTERS:
        raise BadPackage(
            "too_many",
            f"{root}starters has {len(starters)} decks; {MAX_STARTERS} at most are read.",
            f"{root}starters",
        )
    (folder / "starters").mkdir(parents=True) if starters else folder.mkdir()
    for name in inside:
        if name in bounds:
            (folder / name).write_bytes(files.read(root + name, bounds[name]))
    for number, name in enumerate(starters, start=1):
        stem = slugify(PurePosixPath(name).stem)[:60] or f"deck-{number}"
        path = folder / "starters" / f"{stem}.txt"
        if path.exists():
            raise BadPackage(
                "bad_name",
                f"{root}{name} has the name of another deck of the game: call it otherwise.",
                root + name,
            )
        path.write_bytes(files.read(root + name, MAX_STARTER))
