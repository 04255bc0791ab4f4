"""Pictures that come together: each is stored where its name says, and what came of all of them is told."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from cardsdb.box.intake import AS_FOUND, Wish, settled, take
from cardsdb.box.picture_files.bounds import MAX_BYTES, MAX_UPLOAD_FILES, Allowance, Rejected
from cardsdb.box.picture_files.names import OwnNames, card_and_side
from cardsdb.box.pictures import own_names
from cardsdb.box.placing import ALL_BACKS, Place, add, shown_name
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Game
from cardsdb.games.kit.model.text import plural
from cardsdb.identity.viewer import Viewer
from cardsdb.models import Side, UploadedPicture


class Uploaded(NamedTuple):
    """The result of an upload: the pictures that are stored now, those that were there already, what is wrong
    with the others.

    ``refused``: why the rest was not read. ``notes``: what was changed of pictures that are stored, a
    sentence each.
    """

    stored: list[UploadedPicture]
    already: list[UploadedPicture]
    faults: list[Fault]
    refused: Refused | None = None
    notes: tuple[str, ...] = ()

    @property
    def sentences(self) -> list[str]:
        """What came of the pictures that are good."""
        stored, already = len(self.stored), len({picture.pk for picture in self.already})
        sentences = [f"{stored} {plural(stored, 'picture is', 'pictures are')} kept."] if stored else []
        if already:
            # The settings of this upload change nothing of them.
            same = plural(
                already,
                "was already yours: its cut, turn and bleed stay",
                "were already yours: their cuts, turns and bleed stay",
            )
            sentences.append(f"{already} {plural(already, 'picture')} {same} as you set them.")
        loose = len({picture.pk for picture in (*self.stored, *self.already) if not picture.side})
        if loose:
            sentences.append(
                f"{loose} could not be matched to a card. Your pictures ask where"
                f" {plural(loose, 'it belongs', 'they belong')}."
            )
        return sentences


def upload(viewer: Viewer, sent: Iterable[Any], game: Game, meant: str, wish: Wish = AS_FOUND) -> Uploaded:
    """Store the pictures among these files as is wished. ``meant``: fronts or backs where names do not say,
    or one back for all.
    """
    stored: list[UploadedPicture] = []
    already: list[UploadedPicture] = []
    faults: list[Fault] = []
    refused, allowance = None, Allowance()
    placed: set[Place] = set()
    notes: list[str] = []
    own = own_names(viewer, game)
    for number, file in enumerate(sent):
        name = shown_name(file.name)
        if number >= MAX_UPLOAD_FILES:
            faults.append(
                Fault(
                    "too_many",
                    f"{name} and what follows: at most {MAX_UPLOAD_FILES} at once. Send these next.",
                    "files",
                )
            )
            break
        try:
            # One byte above the bound shows that a file is too large, whatever size the request states; that
            # size is for the message.
            taken = take(file.read(MAX_BYTES + 1), file.size or 0, allowance)
            place = _place(file.name, game, meant, own)
            if place in placed:
                place = (game.slug, "", Side.UNPLACED.value)
            picture, fresh = add(viewer, taken, name, place, **settled(wish, taken, game, place[2]))
            (stored if fresh else already).append(picture)
            placed.add(place)
            if taken.lost_profile:
                notes.append(
                    f"{name}: its colour profile is broken and was left out. Its colours are printed as those"
                    " of sRGB."
                )
        except Rejected as error:
            faults.append(Fault(error.code, f"{name} {error.message}", "files"))
        except Refused as error:
            faults += error.faults
            refused = error
            break
    return Uploaded(stored, already, faults, refused, tuple(notes))


def _place(name: str, game: Game, meant: str, own: OwnNames) -> Place:
    if meant == ALL_BACKS:
        return (game.slug, "", Side.BACK.value)
    card, side, for_all = card_and_side(name, game, own)
    if for_all:
        return (game.slug, "", Side.BACK.value)
    return (game.slug, card.code, side or meant) if card else (game.slug, "", Side.UNPLACED.value)
