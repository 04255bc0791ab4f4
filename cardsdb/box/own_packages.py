"""A package that somebody brings, rows and pictures together: looked at, and taken in whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from cardsdb.box import picture_store as storage
from cardsdb.box.comparing import BUSY, Comparison, Progress, add_compared, likely_game
from cardsdb.box.intake import Wish
from cardsdb.box.package_pictures import (
    PlacedPictures,
    in_words,
    likely_game_of_pictures,
    place_pictures,
    ready_pictures,
)
from cardsdb.box.picture_files.names import OwnNames
from cardsdb.box.pictures import own_names
from cardsdb.box.reading.rows import Package
from cardsdb.box.report import ComparedRows, OwnReport, compare_rows, take_in
from cardsdb.box.set_rows import SetRows
from cardsdb.box.texts import box_for_everyone, box_of
from cardsdb.catalogue.current import games
from cardsdb.faults import SOON, Fault, Refused
from cardsdb.games.kit import Game
from cardsdb.games.kit.model.text import some
from cardsdb.identity.viewer import Viewer
from cardsdb.models import Everyone, Side, UploadedPicture


@dataclass(frozen=True, slots=True)
class DryRun:
    """What a package would come to: its rows compared with its owner's box, and the cards that its pictures
    show.
    """

    compared: ComparedRows
    placed: PlacedPictures
    owner: Viewer | Everyone

    def with_passed_over(self) -> Comparison:
        """The comparison, with the pictures that were passed over. For the end: taking them in passes over
        more.
        """
        for problem in self.placed.problems:
            self.compared.found.report(problem)
        return self.compared.found

    def codes_of_new_cards(self) -> set[str]:
        """The codes of the cards that rows would make."""
        return (
            {values["code"] for values in self.compared.found.own.made} if self.compared.found.own else set()
        )

    def report(self) -> OwnReport:
        """What the page of a dry run shows."""
        self.with_passed_over()
        places = (
            UploadedPicture.objects.of(self.owner)
            .exclude(side=Side.UNPLACED)
            .values_list("game", "card_code", "side")
        )
        there = len(self.placed.places.keys() & set(places)) if self.placed.places else 0
        return OwnReport.of(
            self.compared, in_words(self.placed) if self.placed.places else "", len(self.placed.places), there
        )


def dry_run(
    package: Package, posted: Mapping[str, Any], owner: Viewer, progress: Progress = lambda rows: None
) -> DryRun:
    """Compare the rows, and find the cards of the pictures by their names; none is opened. Raises
    BadPackage.
    """
    if game := game_of(package, posted.get("game", "")):
        posted = {**posted, "game": game.slug}
    one = compare_rows(package, posted, owner, progress)
    return DryRun(one, placed_of(one, owner), owner)


def placed_of(one: ComparedRows, owner: Viewer | Everyone) -> PlacedPictures:
    """The cards that the pictures show: the game's, else their owner's own, those too that the rows would
    make.
    """
    if not one.package.pictures:
        return PlacedPictures()
    own = OwnNames((*own_names(owner, one.game).cards, *(one.found.own.cards if one.found.own else ())))
    return place_pictures(one.package, one.game, one.columns, own)


def game_of(package: Package, said: str = "") -> Game | None:
    """The game that was said; else that of most rows, else that of most pictures."""
    return games().get(said) or likely_game(package) or likely_game_of_pictures(package)


def keep(
    once: Callable[[], DryRun],
    wish: Wish,
    progress: Progress = lambda pictures: None,
    then: Callable[[DryRun], None] = lambda looked: None,
) -> DryRun:
    """Take in rows and pictures, and do what comes ``then``, all of it or nothing. Raises BadPackage and
    Refused.

    Rows are compared, and pictures read one at a time, before anything is locked; what fails takes their
    files away again.
    """
    first = [once()]
    looked, new = first[0], first[0].codes_of_new_cards()
    if new and not looked.compared.found.own.into.is_sure:
        # Their cards are not made.
        looked.placed.places = {
            place: name for place, name in looked.placed.places.items() if place[1] not in new
        }

    def write(one: DryRun) -> None:
        if one is not looked and new.intersection(code for _, code, _ in looked.placed.places):
            # Compared anew, the cards would have other codes than their pictures.
            raise Refused(Fault("busy", BUSY, "file"), status=503, wait=SOON)
        take_in(one.compared, box_for_everyone() if isinstance(one.owner, Everyone) else box_of(one.owner))
        ready.write()
        then(one)

    with (
        ready_pictures(looked.owner, looked.compared.package, looked.placed, wish, progress) as ready,
        storage.locked(),
    ):
        return add_compared(lambda: first.pop() if first else once(), write)


def words_of(looked: DryRun) -> str:
    """What was taken in, as a sentence."""
    found, pictures = looked.compared.found, len(looked.placed.places)
    rows = f"{len(found.changed):,} changed, {len(found.unchanged):,} left alone"
    cards = f"{some(len(found.added), 'card')} of {looked.compared.game.name} added, {rows}"
    made = list(_made(found.own))
    return (
        "; ".join(
            [
                *([cards] if found.texts or not made else []),
                *made,
                *([in_words(looked.placed)] if pictures else []),
            ]
        )
        + "."
    )


def _made(own: SetRows | None) -> Iterator[str]:
    if own and own.into.is_sure:
        changed = f", {len(own.changed):,} of it changed" if own.changed else ""
        yield f"{some(len(own.made), 'card')} made in your set “{own.into.name}”{changed}"
    elif own and (left := len(own.made) + len(own.changed) + own.more):
        yield f"{some(left, 'row')} that {'is' if left == 1 else 'are'} no card left out"


def set_of(looked: DryRun) -> str:
    """The address of the set in which cards were made; empty for none."""
    return looked.compared.found.own.link if looked.compared.found.own else ""
