"""The play guide of a game: how it is played, part by part, who made it, and how far it can be played with
what is here, each statement with its source. ``folder/guides.py`` reads it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from cardsdb.games.kit.model.rulebook import CitedClaim
from cardsdb.games.kit.model.text import slugify

# How far a game can be played with what is here -> that in words.
REACHES = {
    "whole": "Can be played from here",
    "partly": "Can be played from here in part",
    "own cards": "Needs your own cards",
}


@dataclass(frozen=True)
class Reach:
    """The measure in which the game can be played with what is here: a key of ``REACHES``, and a sentence on
    what is there and what is not.
    """

    word: str
    says: str

    @property
    def title(self) -> str:
        return REACHES[self.word]


@dataclass(frozen=True)
class ImprintLine:
    """A line of a document about the game as a thing: who designed it, its number, for what age. ``url``: the
    address it gives.
    """

    label: str
    says: str
    sources: tuple[CitedClaim, ...]
    url: str = ""


@dataclass(frozen=True)
class PlayStep:
    """One statement on how the game is played. ``rulings`` are the open questions that touch it."""

    title: str
    says: str
    sources: tuple[CitedClaim, ...]
    note: str = ""
    rulings: tuple[str, ...] = ()


@dataclass(frozen=True)
class PlayTable:
    """A chart: what stands over its columns, and its rows."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class PlayPart:
    """A phase, a procedure or a chart: what it is, and its statements in order.

    ``places`` are where a marker can stand. ``card``: a short piece for the table is printed of it, for
    ``each`` player where their number is known.
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
    """The guide that ``play.toml`` declares."""

    reach: Reach | None
    imprint: tuple[ImprintLine, ...]
    parts: tuple[PlayPart, ...]

    @property
    def cited(self) -> Iterator[tuple[str, str, tuple[CitedClaim, ...]]]:
        """Every statement: what it is called, what it says, its sources."""
        for line in self.imprint:
            yield line.label, line.says, line.sources
        for part in self.parts:
            if part.sources or part.says or not part.steps:
                yield part.title, part.says, part.sources
            for step in part.steps:
                yield f"{part.title}: {step.title}", step.says, step.sources
