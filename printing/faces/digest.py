"""A digest of what draws the cards of a game besides the cards themselves: code, fonts and what the game's
folder declares.

Whatever was drawn is as good as new while it is the same, in every process and on every machine.
"""

import sys
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path

import printing
from cardsdb import box
from cardsdb.box import picture_files
from cardsdb.games import kit
from cardsdb.games.kit import Game
from printing.faces.fonts import CUTS, file_of

_DIGEST = 20
# Of a game's folder: what is declared in code or as data, and the words that stand on cards.
_DECLARED = ("*.py", "*.toml", "*.csv")


def digest_of_drawing(game: Game) -> str:
    """The same for the same code, libraries, fonts and files of the game's folder, as they were when a
    process asked first.
    """
    return _of_folder(game.folder)


def code_of_drawing() -> list[Path]:
    """The files of the code that draws, in order: the rooms of it, and the colours of own pictures in sRGB."""
    rooms = [Path(str(room.__file__)).parent for room in (kit, picture_files, printing)]
    return sorted(
        [
            Path(str(box.__file__)).with_name("intake.py"),
            *(path for room in rooms for path in room.rglob("*.py")),
        ]
    )


@cache
def _of_folder(folder: Path) -> str:
    found = blake2b(f"{sys.version} {version('reportlab')}".encode(), digest_size=_DIGEST)
    declared = [path for pattern in _DECLARED for path in folder.rglob(pattern)]
    for path in (*code_of_drawing(), *sorted({file_of(font) for font in CUTS}), *sorted(declared)):
        found.update(path.read_bytes())
    return found.hexdigest()
