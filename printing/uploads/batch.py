"""Several files at once become pictures: each is looked at for itself, and put where its name says it belongs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from cardsdb.games.kit import Game
from cardsdb.site.faults import Fault, Refused
from decks.identity.viewer import Viewer
from printing.models import UploadedPicture
from printing.models.pictures import Side
from printing.pictures.limits import MAX_BYTES, MAX_UPLOAD_FILES, Allowance, Rejected
from printing.pictures.matching import card_and_side
from printing.uploads.intake import take
from printing.uploads.pictures import Place, add

# What a whole upload is for.
FRONTS, BACKS, ALL_BACKS = "front", "back", "all"


class Uploaded(NamedTuple):
    """What came of an upload: the pictures that were kept, those that were there already, what is wrong with the others.

    ``refused``: why the rest was not looked at.
    """

    kept: list[UploadedPicture]
    already: list[UploadedPicture]
    faults: list[Fault]
    refused: Refused | None = None


def upload(viewer: Viewer, sent: Iterable[Any], game: Game, meant: str, **values: Any) -> Uploaded:
    """Keep the pictures among these files, so printed. ``meant``: fronts or backs where their names do not say, or one back for all."""
    kept: list[UploadedPicture] = []
    already: list[UploadedPicture] = []
    faults: list[Fault] = []
    refused, allowance = None, Allowance()
    placed: set[Place] = set()
    for number, file in enumerate(sent):
        name = _shown(file.name)
        if number >= MAX_UPLOAD_FILES:
            faults.append(Fault("too_many", f"{name} and what follows: at most {MAX_UPLOAD_FILES} at once. Send these next.", "files"))
            break
        try:
            # One byte more than is taken tells that it is too large, whatever the size is said to be; the size is for the words.
            taken = take(file.read(MAX_BYTES + 1), file.size or 0, allowance)
            place = _place(file.name, game, meant)
            if place in placed:
                place = (game.slug, "", Side.UNPLACED.value)
            picture, fresh = add(viewer, taken, name, place, **values)
            (kept if fresh else already).append(picture)
            placed.add(place)
        except Rejected as error:
            faults.append(Fault(error.code, f"{name} {error.message}", "files"))
        except Refused as error:
            faults += error.faults
            refused = error
            break
    return Uploaded(kept, already, faults, refused)


def _place(name: str, game: Game, meant: str) -> Place:
    if meant == ALL_BACKS:
        return (game.slug, "", Side.BACK.value)
    card, side, for_all = card_and_side(name, game)
    if for_all:
        return (game.slug, "", Side.BACK.value)
    return (game.slug, card.code, side or meant) if card else (game.slug, "", Side.UNPLACED.value)


def _shown(name: str) -> str:
    """What a file is called, as far as it can be shown."""
    return "".join(char for char in name if char.isprintable())[:80] or "a file without a name"
