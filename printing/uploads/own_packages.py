"""A package that somebody brings, rows and pictures together: looked at, and taken in whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cardsdb.games import games
from cardsdb.games.kit import Game
from cardsdb.games.kit.model.text import some
from cardsdb.identity.viewer import Viewer
from cardsdb.own.comparing import Comparison, Progress, add_compared, likely_game
from cardsdb.own.report import Compared, OwnReport, compared, take_in
from cardsdb.own.texts import box_for_everyone, box_of
from cardsdb.packages.contract import Package
from printing.models import Everyone, Side, UploadedPicture
from printing.uploads import storage
from printing.uploads.package_pictures import PlacedPictures, in_words, likely_game_of_pictures, place_pictures, ready_pictures
from printing.uploads.wishes import Wish


@dataclass(frozen=True, slots=True)
class LookedAt:
    """A package compared with its owner's box, and the cards that its pictures show."""

    compared: Compared
    placed: PlacedPictures
    owner: Viewer | Everyone

    def with_passed_over(self) -> Comparison:
        """The comparison, with the pictures that were passed over. For the end: taking them in passes over more."""
        for problem in self.placed.problems:
            self.compared.found.report(problem)
        return self.compared.found

    def report(self) -> OwnReport:
        """What the page of a dry run shows."""
        self.with_passed_over()
        places = UploadedPicture.objects.of(self.owner).exclude(side=Side.UNPLACED).values_list("game", "card_code", "side")
        there = len(self.placed.places.keys() & set(places)) if self.placed.places else 0
        return OwnReport.of(self.compared, in_words(self.placed) if self.placed.places else "", len(self.placed.places), there)


def looked_at(package: Package, posted: Mapping[str, Any], owner: Viewer, progress: Progress = lambda rows: None) -> LookedAt:
    """Compare the rows, and find the cards of the pictures by their names; none is opened. Raises BadPackage."""
    if game := game_of(package, posted.get("game", "")):
        posted = {**posted, "game": game.slug}
    one = compared(package, posted, owner, progress)
    return LookedAt(one, place_pictures(package, one.game, one.columns), owner)


def game_of(package: Package, said: str = "") -> Game | None:
    """The game that was said; else that of most rows, else that of most pictures."""
    return games().get(said) or likely_game(package) or likely_game_of_pictures(package)


def keep(
    once: Callable[[], LookedAt],
    wish: Wish,
    progress: Progress = lambda pictures: None,
    then: Callable[[LookedAt], None] = lambda looked: None,
) -> LookedAt:
    """Take in rows and pictures, and do what comes ``then``, all of it or nothing. Raises BadPackage and Refused.

    Rows are compared, and pictures read one at a time, before anything is locked; what fails takes their files away again.
    """
    first = [once()]
    looked = first[0]

    def write(one: LookedAt) -> None:
        take_in(one.compared, box_for_everyone() if isinstance(one.owner, Everyone) else box_of(one.owner))
        ready.write()
        then(one)

    with ready_pictures(looked.owner, looked.compared.package, looked.placed, wish, progress) as ready, storage.locked():
        return add_compared(lambda: first.pop() if first else once(), write)


def words_of(looked: LookedAt) -> str:
    """What was taken in, as a sentence."""
    found, pictures = looked.compared.found, len(looked.placed.places)
    rows = f"{len(found.changed):,} changed, {len(found.unchanged):,} left alone"
    cards = f"{some(len(found.added), 'card')} of {looked.compared.game.name} added, {rows}"
    return f"{cards}; {in_words(looked.placed)}." if pictures else f"{cards}."
