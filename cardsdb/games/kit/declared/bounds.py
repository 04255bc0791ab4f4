"""How much a folder of data may hold. It may come from anywhere, so its files are looked at before one is
read.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cardsdb.games.kit.folder.files import GAME_FILE, AllProblems, FolderError, read_toml

MAX_TABLE, MAX_DECLARED, MAX_STARTER = 64 * 1024 * 1024, 1024 * 1024, 256 * 1024
MAX_STARTERS = 200
TABLES = ("cards.csv", "sets.csv", "claims.csv", "effects.csv")
DECLARED = (GAME_FILE, "rulebook.toml", "glossary.toml", "set_up.toml", "play.toml", "effects.toml")


def check_files(folder: Path) -> None:
    """Raises FolderError with the files of the folder that are too large to be read, or no files of the
    folder at all.
    """
    starters = sorted(folder.glob("starters/*.txt"))
    bounds = {folder / name: MAX_TABLE for name in TABLES} | {
        folder / name: MAX_DECLARED for name in DECLARED
    }
    bounds |= dict.fromkeys(folder.glob("*.txt"), MAX_DECLARED) | dict.fromkeys(starters, MAX_STARTER)
    with AllProblems() as files:
        files.each(lambda bound: check_file(*bound), bounds.items())
        if len(starters) > MAX_STARTERS:
            raise FolderError(
                f"{folder.name}/starters: {len(starters)} decks; {MAX_STARTERS} at most are read"
            )


def check_file(path: Path, most: int) -> None:
    """Raises FolderError for a file that is a link, no plain file, or larger than ``most`` bytes."""
    place = f"{path.parent.name}/{path.name}"
    if path.is_symlink():
        raise FolderError(
            f"{place}: a link; put the file itself here, for nothing outside of the folder is read"
        )
    if not path.exists():
        return
    if not path.is_file():
        raise FolderError(f"{place}: no plain file")
    if (size := path.stat().st_size) > most:
        raise FolderError(f"{place}: {size:,} bytes; {most:,} at most are read")


def read_declared(path: Path) -> dict[str, Any]:
    """A TOML file of data, if it is none too large. Raises FolderError."""
    check_file(path, MAX_DECLARED)
    return read_toml(path)
