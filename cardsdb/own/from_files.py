"""Packages that lie on this machine, and the texts in them for one command: no database is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from cardsdb.games.kit import Game
from cardsdb.own.comparing import compare
from cardsdb.packages.columns import guessed
from cardsdb.packages.container import MAX_LOCAL, Files, open_file, open_folder
from cardsdb.packages.reading import package_of


@contextmanager
def opened(path: Path) -> Iterator[Files]:
    """A file or a folder of this machine as a package. Raises BadPackage and OSError."""
    if path.is_dir():
        yield open_folder(path)
    else:
        with path.open("rb") as file, open_file(file, path.name, MAX_LOCAL) as files:
            yield files


def texts_of_file(game: Game, path: Path) -> tuple[Mapping[str, str], tuple[str, ...]]:
    """(card code -> text, what was not understood) of a file or a folder. Raises BadPackage and OSError."""
    with opened(path) as files:
        package = package_of(files, path.name)
        found = compare(package, game, guessed(package, game), None)
    texts = {code: new.text for code, new in found.texts.items() if new.text}
    return texts, tuple(f"{one.file}, {one.row}: {one.reason}" for one in found.not_understood)
