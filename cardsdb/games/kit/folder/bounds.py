"""The files that a game folder may have, and the most bytes of each.

Files of games may come from visitors. So ``read_game`` checks a folder before it reads anything from it, and
``cardsdb/box/reading/packed_games.py`` takes only these files, within these bounds, out of a packed game.
"""

from pathlib import Path
from typing import Any

from cardsdb.games.kit.folder.files import GAME_FILE, AllProblems, FolderError, read_toml

# Bytes of one file.
MAX_TABLE = 64 * 1024 * 1024  # a CSV file
MAX_DECLARED = 1024 * 1024  # a TOML file or another text
MAX_STARTER = 256 * 1024
MAX_STARTERS = 200  # files in ``starters``
TABLES = ("cards.csv", "sets.csv", "claims.csv", "effects.csv")
DECLARED = (
    GAME_FILE,
    "rulebook.toml",
    "glossary.toml",
    "set_up.toml",
    "play.toml",
    "effects.toml",
    "examples.toml",
    "roles.toml",
)


def check_files(folder: Path) -> None:
    """Raise FolderError if files of the folder are too large, links, or no plain files, naming each of them.
    Files of games may come from visitors, so this comes before any is read.
    """
    starters = sorted(folder.glob("starters/*.txt"))
    bounds = {folder / name: MAX_TABLE for name in TABLES} | {
        folder / name: MAX_DECLARED for name in DECLARED
    }
    bounds |= dict.fromkeys(folder.glob("*.txt"), MAX_DECLARED) | dict.fromkeys(starters, MAX_STARTER)
    with AllProblems() as files:
        files.each(lambda path_and_most: check_file(*path_and_most), bounds.items())
        if len(starters) > MAX_STARTERS:
            raise FolderError(
                f"{folder.name}/starters: {len(starters)} decks; {MAX_STARTERS} at most are read"
            )


def check_file(path: Path, most: int) -> None:
    """Raise FolderError for a file that is a link, no plain file, or larger than ``most`` bytes. A file that
    does not exist is all right.
    """
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
    """The values of a TOML file; empty if there is none. Raises FolderError if it is too large or no TOML."""
    check_file(path, MAX_DECLARED)
    return read_toml(path)
