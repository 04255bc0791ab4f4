"""The faces of the catalogue's cards as pages show them, drawn once when the site is prepared and read one by one.

A file for each game in the folder of the site's data: a key that says of which cards, declarations, fonts and code it is, how long
each face is, and the faces, packed one by one, in the order of their cards' codes. A face is read by its place, and a process holds no more
than these places. What is damaged, of something else or not there is drawn as ever; nothing in such a file is run.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
import weakref
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Iterable
from hashlib import blake2b
from itertools import accumulate
from operator import attrgetter
from pathlib import Path

from cardsdb.games import site_data
from cardsdb.games.kit import Card, Game
from printing.faces.digest import DIGEST, digest_of_drawing
from printing.render.svg import card_svg

# More would take longer than whoever prepares a site waits: a thousand take a second and three megabytes.
MAX_CARDS = 5_000
SUFFIX = ".faces"
# Seconds after which nobody is still writing what lies there half.
OLD = 60 * 60
_says = attrgetter("name", "type", "facts", "text", "sources", "prints", "aliases", "note", "written")


def kept_face(card: Card, game: Game) -> str | None:
    """The card's face as ``card_svg`` draws it, in its game's size; None where none is kept, or the card says other than the game's."""
    # Pages about games show a card or two, and read no game's cards for that.
    known = game.held_card(card.code)
    if known is None or (known is not card and _says(known) != _says(card)):
        return None
    with contextlib.suppress(OSError, ValueError, zlib.error):
        if (faces := _known.get(game)) is None:
            faces = _known[game] = _Faces(game)
        return faces.read(card.code)
    return None


def keep_faces(games: Iterable[Game]) -> list[Game]:
    """Draw the cards of these games, as far as they do not lie drawn already, and forget those of others. Returns those that were drawn.

    A disk that is full or may not be written to is no fault: the cards are drawn when they are asked for.
    """
    if (folder := _folder()) is None:
        return []
    wanted = {_path(folder, game): game for game in games if len(game.cards) <= MAX_CARDS}
    drawn = []
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        for path in set(folder.iterdir()) - wanted.keys():
            if path.suffix == SUFFIX or path.stat().st_mtime < time.time() - OLD:
                path.unlink()
    for path, game in wanted.items():
        # One at a time: another process may take away what this one has begun.
        with contextlib.suppress(OSError):
            if not _lies_there(game):
                _write(path, game)
                drawn.append(game)
    return drawn


class _Faces:
    """The faces of a game in its file. Raises OSError or ValueError for a file that is not there, not whole or of something else."""

    def __init__(self, game: Game) -> None:
        if (folder := _folder()) is None:
            raise FileNotFoundError
        # Open for as long as the game is known: a file that takes its place has other places.
        self._file = os.open(_path(folder, game), os.O_RDONLY)
        weakref.finalize(self, os.close, self._file)
        if os.pread(self._file, DIGEST, 0) != _key(game):
            raise ValueError("The file is of something else.")
        self._codes = _codes(game)
        lengths = array("I")
        told = os.pread(self._file, DIGEST + lengths.itemsize * len(self._codes), DIGEST)
        lengths.frombytes(told[DIGEST:])
        if told != _told(lengths):
            raise ValueError("The file is damaged.")
        self._places = array("Q", accumulate(lengths, initial=DIGEST + len(told)))

    def read(self, code: str) -> str:
        """The face of one of the game's cards. Raises zlib.error for one that is damaged."""
        at = bisect_left(self._codes, code)
        start, end = self._places[at : at + 2]
        return zlib.decompress(os.pread(self._file, end - start, start)).decode()


# What a process has open, for as long as it has the game.
_known: weakref.WeakKeyDictionary[Game, _Faces] = weakref.WeakKeyDictionary()


def _lies_there(game: Game) -> bool:
    with contextlib.suppress(OSError, ValueError):
        return bool(_Faces(game))
    return False


def _write(path: Path, game: Game) -> None:
    """Written whole and renamed then: another process reads the old file or the new one."""
    faces = [_packed(game, code) for code in _codes(game)]
    fresh = path.with_suffix(f".{os.getpid()}")
    fresh.write_bytes(b"".join((_key(game), _told(array("I", map(len, faces))), *faces)))
    fresh.replace(path)


def _packed(game: Game, code: str) -> bytes:
    """One face, with zlib's checksum; nothing for a card that the code of somebody's game fails to draw: its own page says so."""
    card = game.card(code)
    with contextlib.suppress(Exception):
        return zlib.compress(card_svg(card, game).encode()) if card else b""
    return b""


def _codes(game: Game) -> list[str]:
    """The codes of the cards, in the order in which their faces lie."""
    return sorted(card.code for card in game.cards)


def _key(game: Game) -> bytes:
    """Of what a file is. Numbers lie in it as this machine has them in memory."""
    words = f"{game.slug} {game.cards_digest} {digest_of_drawing(game)} {sys.byteorder} {array('I').itemsize}"
    return blake2b(words.encode(), digest_size=DIGEST).digest()


def _told(lengths: array[int]) -> bytes:
    """The lengths as they stand in a file, behind a digest of them."""
    return blake2b(lengths.tobytes(), digest_size=DIGEST).digest() + lengths.tobytes()


def _folder() -> Path | None:
    folder = site_data()
    return folder / "faces" if folder else None


def _path(folder: Path, game: Game) -> Path:
    return folder / f"{game.slug}{SUFFIX}"
