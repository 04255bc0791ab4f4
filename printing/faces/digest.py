"""A digest of what draws the cards of a game besides the cards themselves: code, fonts and what the game's
folder declares.

Whatever was drawn is as good as new while it is the same, in every process and on every machine.
"""

from __future__ import annotations

import sys
from functools import cache
from hashlib import blake2b
from pathlib import Path

import printing
from cardsdb.games import kit
from cardsdb.games.kit import Game
from printing.faces.fonts import CUTS, file_of

# The rooms of ``printing`` whose code decides what a face looks like.
ROOMS = ("faces", "options", "pictures", "render")
DIGEST = 20
# Of a game's folder: what is declared in code or as data, and the words that stand on cards.
_DECLARED = ("*.py", "*.toml", "*.csv")


def digest_of_drawing(game: Game) -> str:
    """The same for the same code, fonts and files of the game's folder, as they were when a process asked
    first.
    """
    return _of_folder(game.folder)


@cache
def _of_folder(folder: Path) -> str:
    found = blake2b(_of_code(), digest_size=DIGEST)
    for path in sorted(path for pattern in _DECLARED for path in folder.rglob(pattern)):
        found.update(path.read_bytes())
    return found.hexdigest()


@cache
def _of_code() -> bytes:
    found = blake2b(sys.version.encode(), digest_size=DIGEST)
    rooms = [Path(printing.__file__).parent / room for room in ROOMS]
    code = sorted(path for room in (Path(kit.__file__).parent, *rooms) for path in room.rglob("*.py"))
    for path in (*code, *sorted({file_of(font) for font in CUTS})):
        found.update(path.read_bytes())
    return found.digest()
