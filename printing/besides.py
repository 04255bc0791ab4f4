"""What a print has besides the cards of one list: other lists, whole pages, what its margins say of it. Pure data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardsdb.games.kit.game import Game
from printing.header import Code
from printing.strokes import Drawing

if TYPE_CHECKING:
    from printing.sheets import Job


@dataclass(frozen=True)
class Besides:
    """``version`` stands behind the title on every sheet, ``about`` before its settings; ``chosen`` are the cards in the summary's words.

    ``codes``: the first for which the margins have room is printed there. ``others``: games whose cards are among the
    extra pieces. ``following``: jobs of other card sizes that begin sheets of their own, on the same paper. ``pages``: whole
    pages at the end, each on paper of its own. ``remarks``: sentences for whoever prints it. ``code_elsewhere``: a page has the code too.
    """

    version: str = ""
    about: tuple[str, ...] = ()
    chosen: str = ""
    codes: tuple[Code, ...] = ()
    others: tuple[Game, ...] = ()
    following: tuple[Job, ...] = ()
    pages: tuple[Drawing, ...] = ()
    remarks: tuple[str, ...] = ()
    code_elsewhere: bool = False


NOTHING = Besides()
