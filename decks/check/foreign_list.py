"""A file of another program where a list is expected, given to the command line or pasted whole: recognised
and turned into our text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cardsdb.catalogue.current import games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Game
from cardsdb.games.kit.model.marks import has_control
from cardsdb.games.kit.model.text import some
from decks.core.judging import game_or_refuse
from decks.formats import FORMATS, Loss, Unreadable, format_of
from decks.importing.file_import import OurText, as_text, read_file, reading_losses


@dataclass(frozen=True, slots=True)
class ForeignList:
    """The list in a file of another program: as our text, with name, notes and the lines that nobody knows;
    what it was, what was lost.
    """

    game: Game
    written: OurText
    taken_for: str
    losses: tuple[Loss, ...]

    @property
    def text(self) -> str:
        return self.written.text

    @property
    def words(self) -> str:
        """``Read as a file of Cockatrice. 2 things were set aside: ...``"""
        said = " ".join(
            f"{loss.message} ({loss.where})" if loss.where else loss.message for loss in self.losses[:3]
        )
        more = f" And {some(len(self.losses) - 3, 'thing')} more." if len(self.losses) > 3 else ""
        return f"Read as a file of {self.taken_for}." + (f" {said}{more}" if said else "")

    def as_json(self) -> dict[str, Any]:
        losses = [{"code": loss.code, "message": loss.message, "where": loss.where} for loss in self.losses]
        return {"taken_for": self.taken_for, "losses": losses}


def foreign_list(data: bytes, filename: str = "", game: str = "") -> ForeignList | None:
    """The list that another program's file holds; None for plain text, which is read line by line.

    ``game``: a slug, or empty where the file says it. Raises Refused for a file that is damaged, too large or
    no deck.
    """
    try:
        format = format_of(data, filename)
    except Unreadable as error:
        if error.code == "not_a_deck" and _is_text(data):
            return None  # A list may be called “MZ”, as programs begin.
        raise Refused(
            Fault(error.code, error.message, "text" if error.where == "file" else error.where)
        ) from None
    if format == "text" or not data.strip():
        return None
    read = read_file(game_or_refuse(game, games()) if game else None, data, filename, format)
    title = f"{FORMATS[format].title}, as {read.dialect} writes it" if read.dialect else FORMATS[format].title
    return ForeignList(
        read.game, as_text(read, whole=True), title, (*read.losses, *reading_losses(read, whole=True))
    )


def _is_text(data: bytes) -> bool:
    """Whether these bytes are text that people write, whatever they begin with."""
    try:
        return not has_control(data.decode("utf-8-sig").replace("\r", "").replace("\n", " "))
    except UnicodeDecodeError:
        return False
