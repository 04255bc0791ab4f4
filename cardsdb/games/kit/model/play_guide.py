"""The play guide of a game, as ``play.toml`` declares it: how it is played, who made it, and how far it can
be played with what this site has.

``folder/guides.py`` makes these values; the play pages and the printed reference cards
(``printing/extras/pieces.py``) show them. Every statement carries its sources; ``CitedClaim`` is defined in
``rulebook.py``. Tests: ``tests/cardsdb/games/kit/folder/test_guides.py``,
``tests/cardsdb/web/test_guide_views.py``.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from cardsdb.games.kit.model.rulebook import CitedClaim
from cardsdb.games.kit.model.text import slugify

# Word of ``play.toml`` -> the title that pages show for it.
REACHES = {
    "whole": "Can be played from here",
    "partly": "Can be played from here in part",
    "own cards": "Needs your own cards",
}


@dataclass(frozen=True)
class Reach:
    """How far the game can be played with what this site has. ``word``: a key of ``REACHES``. ``says``: a
    sentence about what is here and what is missing.
    """

    word: str
    says: str

    @property
    def title(self) -> str:
        return REACHES[self.word]


@dataclass(frozen=True)
class ImprintLine:
    """A line about the game as a product: its designer, its product number, its age group. ``url``: a web
    address given there.
    """

    label: str
    says: str
    sources: tuple[CitedClaim, ...]
    url: str = ""


@dataclass(frozen=True)
class PlayStep:
    """One statement on how the game is played. ``rulings``: ids of the rulings that concern it."""

    title: str
    says: str
    sources: tuple[CitedClaim, ...]
    note: str = ""
    rulings: tuple[str, ...] = ()


@dataclass(frozen=True)
class PlayTable:
    """A chart: the headings of its columns, and its rows."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class PlayPart:
    """A phase, a procedure or a chart of the game.

    ``places``: spaces of a track on which a marker can stand. ``card``: a reference card can be printed of
    it; with ``each`` one for every player, if their number is known. ``ordered``: the steps are numbered.
    """

    title: str
    says: str
    sources: tuple[CitedClaim, ...]
    steps: tuple[PlayStep, ...] = ()
    table: PlayTable | None = None
    places: tuple[str, ...] = ()
    card: bool = False
    ordered: bool = True
    each: bool = False

    @property
    def slug(self) -> str:
        return slugify(self.title)


@dataclass(frozen=True)
class PlayGuide:
    """The content of ``play.toml``."""

    reach: Reach | None
    imprint: tuple[ImprintLine, ...]
    parts: tuple[PlayPart, ...]

    @property
    def cited(self) -> Iterator[tuple[str, str, tuple[CitedClaim, ...]]]:
        """Every statement as (title, what it says, its sources). A part with only steps states nothing."""
        for line in self.imprint:
            yield line.label, line.says, line.sources
        for part in self.parts:
            if part.sources or part.says or not part.steps:
                yield part.title, part.says, part.sources
            for step in part.steps:
                yield f"{part.title}: {step.title}", step.says, step.sources
