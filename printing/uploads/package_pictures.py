"""The pictures of a package: which card each shows, taken in for an account, or for one print without any database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from cardsdb.games.kit import Game
from cardsdb.identity.viewer import Viewer
from cardsdb.own.comparing import stated_by
from cardsdb.packages.columns import Columns
from cardsdb.packages.container import MAX_NAME, MAX_PICTURE
from cardsdb.packages.contract import NotUnderstood, Package
from cardsdb.packages.matching import Matcher, Stated
from cardsdb.site.faults import Fault, Refused
from printing.models import Side, UploadedPicture
from printing.pictures.limits import MAX_PICTURES, Rejected
from printing.pictures.matching import ENDING, card_and_side
from printing.pictures.ref import PictureRef
from printing.uploads.intake import CleanPicture, take
from printing.uploads.pictures import Place, add, room_left


@dataclass
class PlacedPictures:
    """Where the pictures of a package belong: place -> name in the package. The first of two for one place has it."""

    places: dict[Place, str] = field(default_factory=dict)
    problems: list[NotUnderstood] = field(default_factory=list)


def place_pictures(package: Package, game: Game, columns: Columns) -> PlacedPictures:
    """Find the card of every picture: by the row that names it, by the card's id, else by the name of the file."""
    placed, matcher = PlacedPictures(), Matcher(game)
    named = _named(package, columns, matcher)
    for name in package.pictures:
        place = _place(name, game, matcher, named)
        if place is None:
            placed.problems.append(NotUnderstood(name, 0, "", "Its name is no card’s id, number or name."))
        elif place in placed.places:
            placed.problems.append(NotUnderstood(name, 0, "", f"{placed.places[place]} is for the same card."))
        else:
            placed.places[place] = name
    return placed


def _named(package: Package, columns: Columns, matcher: Matcher) -> Mapping[str, str]:
    """The end of a picture's path, as a row says it, -> the code of the row's card."""
    named: dict[str, str] = {}
    if not columns.of("picture"):
        return named
    for row in package.rows():
        said = columns.cell(row.cells, "picture")
        if said and len(said) <= MAX_NAME and (card := matcher.match(stated_by(row, columns)).card):
            named.setdefault(_stem(said), card.code)
    return named


def _stem(path: str) -> str:
    """A path without its ending, in small letters."""
    return ENDING.sub("", path.replace("\\", "/")).casefold()


def _place(name: str, game: Game, matcher: Matcher, named: Mapping[str, str]) -> Place | None:
    parts = _stem(name).split("/")
    said = next((named[end] for at in range(len(parts)) if (end := "/".join(parts[at:])) in named), "")
    if said:
        return game.slug, said, Side.FRONT.value
    if card := matcher.match(Stated(id=parts[-1])).card:
        return game.slug, card.code, Side.FRONT.value
    shown, side, for_all = card_and_side(name, game)
    if for_all:
        return game.slug, "", Side.BACK.value
    return (game.slug, shown.code, side or Side.FRONT.value) if shown else None


def taken(package: Package, placed: PlacedPictures) -> Iterator[tuple[Place, str, CleanPicture]]:
    """Each picture that can be taken in; why another cannot is noted among the problems."""
    for place, name in placed.places.items():
        try:
            yield place, name, take(package.files.read(name, MAX_PICTURE))
        except Rejected as error:
            placed.problems.append(NotUnderstood(name, 0, "", f"The picture {error.message}"))


@contextmanager
def kept_pictures(viewer: Viewer, package: Package, placed: PlacedPictures) -> Iterator[None]:
    """Store for an account all pictures that can be taken; none where there is no room for them, or what follows fails. Raises Refused."""
    there = set(UploadedPicture.objects.of(viewer).values_list("game", "card_code", "side"))
    if len(placed.places.keys() - there) > room_left(viewer)[0]:
        raise Refused(Fault("too_many", f"{MAX_PICTURES} pictures are the most, and these would be more. Nothing was kept.", "file"))
    made: list[UploadedPicture] = []
    try:
        for place, name, picture in taken(package, placed):
            row, fresh = add(viewer, picture, name.rpartition("/")[2], place)
            made += [row] if fresh else []
        yield
    except BaseException:
        for row in made:
            row.delete()
        raise


def pictures_for_one_print(package: Package, placed: PlacedPictures, folder: Path) -> Mapping[tuple[str, str], PictureRef]:
    """(card's code, side) -> the picture, its file in a folder that goes when the print is made."""
    refs = {}
    for (_, code, side), name, picture in taken(package, placed):
        ref = PictureRef(
            picture.sha256,
            picture.kind,  # type: ignore[arg-type]
            picture.width,
            picture.height,
            str(folder),
            "",
            picture.turn,
            picture.mirrored,
            label=name,
        )
        for part, data in (("", picture.data), ("colour", picture.colour), ("mask", picture.mask)):
            if data:
                Path(ref.file(part)).parent.mkdir(exist_ok=True)
                Path(ref.file(part)).write_bytes(data)
        refs[code, side] = ref
    return refs
