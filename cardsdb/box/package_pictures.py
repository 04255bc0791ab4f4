"""Pictures of an uploaded package: which card each of them shows.

``place_pictures`` finds the cards by row, folder, id or file name; it opens no picture. ``comparing.py`` and
the command ``print_deck`` call it; ``taking_in.py`` and the command then read the pictures one by one
(``read_or_refuse``). Tests: ``tests/cardsdb/box/test_pictures.py``, and of matching
``tests/printing/web/test_package_pictures.py``.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from django.core.files.base import ContentFile

from cardsdb.box.intake import CleanPicture, hash_of, take
from cardsdb.box.picture_files.bounds import MEGABYTE, PRIVATE, Bounds, Rejected
from cardsdb.box.picture_files.kinds import kind_of
from cardsdb.box.picture_files.ref import PictureRef, name_of
from cardsdb.box.pictures import SEEN, has_window
from cardsdb.box.reading.container import MAX_NAME, BadPackage
from cardsdb.box.reading.matching import (
    ENDING,
    NOBODYS,
    Matcher,
    card_and_side,
    cards_called,
    own_card_in_set,
    own_card_stated,
    words_in,
)
from cardsdb.box.reading.rows import MAX_KEY, Columns, NotUnderstood, Package, Stated
from cardsdb.box.wish import Wish, settled
from cardsdb.games.kit import OWN_CODE, Card, Game, NameIndex, listed, slugify, some
from cardsdb.models import Side
from cardsdb.models.box import Place
from cardsdb.storage.contract import FolderStore

How = Literal["row", "id", "number", "name", "back"]
# Pictures of a package that are tried to guess its game.
SAMPLE = 100
# Candidate cards that a message names.
MAX_NAMED = 4
# What other programs put between a picture's name and its ending, as in "Ace.full.jpg".
_KIND_OF_COPY = re.compile(r"\.(?:full|xlhq|hq|lq|crop|thumb)$", re.IGNORECASE)


@dataclass
class PlacedPictures:
    """The places of a package's pictures: place -> name in the package. Of two pictures for one place, the
    first gets it.

    ``ways``: how each card was found. ``left`` counts pictures of no card, of several, or for a taken place;
    ``refused`` those that cannot be read. ``problems`` explains these, and changes made to pictures that are
    taken. ``read_or_refuse`` removes the place of a picture that it refuses.
    """

    places: dict[Place, str] = field(default_factory=dict)
    ways: dict[Place, How] = field(default_factory=dict)
    left: int = 0
    refused: int = 0
    problems: list[NotUnderstood] = field(default_factory=list)

    @property
    def found(self) -> Counter[How]:
        """The number of placed pictures for each way of finding the card."""
        return Counter(self.ways[place] for place in self.places)

    @property
    def lacks(self) -> bool:
        """True if some picture is not taken."""
        return bool(self.left or self.refused)

    def note(self, name: str, why: str) -> None:
        """Record why a picture is not taken, or how it was changed."""
        self.problems.append(NotUnderstood(name, 0, "", why))

    def refuse(self, name: str, error: Rejected, place: Place | None = None) -> None:
        """Record that a picture cannot be read, and free its place."""
        self.refused += 1
        if place:
            del self.places[place]
        self.note(name, f"The picture {error.message}")

    def leave(self, codes: Collection[str]) -> None:
        """Take the pictures of these cards off their places."""
        for place in [place for place in self.places if place.card_code in codes]:
            del self.places[place]
            self.left += 1

    def read_or_refuse(
        self, package: Package, place: Place, bounds: Bounds, known: str = ""
    ) -> CleanPicture | None:
        """Read and return the picture for this place. None if its hash is ``known``, that of the picture
        which its owner has there already; also if it is refused, which removes its place. Raises BadPackage
        for a damaged package.
        """
        name = self.places[place]
        try:
            picture = _read_unless_known(package, name, bounds, known)
        except Rejected as error:
            self.refuse(name, error, place)
            return None
        for remark in picture.remarks if picture else ():
            self.note(name, f"The picture {remark}")
        return picture


def _read_unless_known(package: Package, name: str, bounds: Bounds, known: str) -> CleanPicture | None:
    """Return a picture of a package; None if its hash is ``known``. Raises Rejected and BadPackage."""
    try:
        data = package.files.read(name, bounds.bytes)
    except BadPackage as error:
        # If only this picture is too large, and not the whole package, the others are still taken.
        if error.code == "too_large" and error.faults[0].where == name:
            megabytes = bounds.bytes // MEGABYTE
            raise Rejected("too_large", f"has more than {megabytes} MB. Save it smaller.") from None
        raise
    # This spares the full decoding, except where corners are filled, which changes the hash.
    if known and hash_of(data, bounds) == known:
        return None
    picture = take(data, bounds=bounds)
    return None if picture.sha256 == known else picture


NAMELESS = (
    "Its name is no card’s id, number or name. Rename it after its card, or upload it alone at “Your"
    " pictures” and choose its card."
)


def place_pictures(
    package: Package, game: Game, columns: Columns, own: NameIndex = NOBODYS
) -> PlacedPictures:
    """Find the card of every picture: by the row that names it, its set's folder, the card's id, or its name.

    ``own``: the owner's own cards, tried after the game's.
    """
    placed = PlacedPictures()
    if not package.pictures:
        return placed
    finder = _Finder(package, game, columns, own)
    for name in package.pictures:
        try:
            kind_of(package.files.beginning(name))
        except Rejected as error:
            placed.refuse(name, error)
            continue
        found = finder.find(name)
        if found.place and found.place not in placed.places:
            placed.places[found.place] = name
            placed.ways[found.place] = found.how
        else:
            placed.left += 1
            placed.note(name, _why_left(found, placed))
    return placed


def _why_left(found: "_Found", placed: PlacedPictures) -> str:
    """Return the reason why a picture gets no place."""
    if found.place:
        return f"{placed.places[found.place]} is for the same card."
    if not found.candidates:
        return NAMELESS
    cards = tuple(f"{card.name} ({card.code})" for card in found.candidates[:MAX_NAMED])
    return f"It may be {listed(cards)}."


def known_pictures(package: Package, game: Game) -> int:
    """The number of the package's first pictures that show a card of this game."""
    finder = _Finder(package, game, Columns({}))
    found = (finder.find(name) for name in package.pictures[:SAMPLE])
    # The picture of a back that all cards share fits every game, so it does not count.
    return sum(one.place is not None and one.how != "back" for one in found)


class _Found(NamedTuple):
    """What a picture's name says: its place, and ``how`` it was found; or the cards that may be meant."""

    place: Place | None
    how: How
    candidates: tuple[Card, ...] = ()


class _Finder:
    """Finds the card that a picture of a package shows.

    ``_named``: end of a picture's path -> code of the card whose row names the picture. A row with the set
    Core and the picture ``Scans/Kai.full.jpg`` gives ``{"scans/kai": "kai", "core/scans/kai": "kai"}``.
    """

    def __init__(self, package: Package, game: Game, columns: Columns, own: NameIndex = NOBODYS) -> None:
        self._game, self._matcher, self._own = game, Matcher(game), own
        # A folder may be called like a set.
        self._sets = {name.casefold() for card_set in game.sets for name in (card_set.code, card_set.name)}
        self._named = self._codes_in_rows(package, columns) if columns.of("picture") else {}

    def _codes_in_rows(self, package: Package, columns: Columns) -> dict[str, str]:
        """Return ``_named`` for a package with a column of pictures."""
        named: dict[str, str] = {}
        for row in package.rows():
            stated = columns.read(row)
            if not 0 < len(stated.picture) <= MAX_NAME:
                continue
            card, stem = self._card_of(stated), _stem(stated.picture)
            if card is None:
                continue
            for path in (stem, f"{stated.set.casefold()}/{stem}"):
                # A picture that rows of two cards name is the picture of neither.
                is_of_other = named.get(path, card.code) != card.code
                named[path] = "" if is_of_other else card.code
        return named

    def _card_of(self, stated: Stated) -> Card | None:
        card = None if stated.id.startswith(OWN_CODE) else self._matcher.match(stated).card
        return card or own_card_stated(self._own, stated)

    def find(self, name: str) -> _Found:
        """Return the place of a picture by the surest way that finds a card, else the candidates: the row
        that names it, its set's folder, its id, its own name. In Spycraft, ``scans/Kai_back.jpg`` is the back
        of Kai by its name, ``spycraft-back.png`` the back of all.
        """
        stem = _stem(name)
        folders, _, last = stem.rpartition("/")
        if code := self._code_in_row(stem):
            return _Found(self._front(code), "row")
        if in_folder := self._in_folder(folders.rpartition("/")[2][:MAX_KEY], words_in(last)[:MAX_KEY]):
            return in_folder
        if card := self._matcher.match(Stated(id=last[:MAX_KEY])).card:
            return _Found(self._front(card.code), "id")
        named = card_and_side(name, self._game, self._own)
        if named.for_all:
            return _Found(Place(self._game.slug, "", Side.BACK.value), "back")
        if named.card:
            how: How = "name" if slugify(named.card.name) in slugify(last) else "number"
            return _Found(Place(self._game.slug, named.card.code, named.side or Side.FRONT.value), how)
        return _Found(None, "name", cards_called(words_in(last), self._game, self._own))

    def _code_in_row(self, path: str) -> str:
        """Return the code of the card whose row names a picture, with or without folders; "" if none does."""
        parts = path.split("/")
        for start in range(len(parts)):
            # "a/b/ace", then "b/ace", then "ace"
            if code := self._named.get("/".join(parts[start:])):
                return code
        return ""

    def _in_folder(self, folder: str, words: str) -> _Found | None:
        """Return the place of a picture by its name or number (``words``) within the set that its folder is
        named after; None if the folder is no set. ``folder`` is "" for a picture outside of folders.
        """
        if folder and (card := own_card_in_set(self._own, folder, words)):
            how: How = "name" if slugify(card.name) == slugify(words) else "number"
            return _Found(self._front(card.code), how)
        if folder not in self._sets:
            return None
        # A collector number may come before the name, as in "012 Ace".
        number = re.match(r"\d{1,4}(?!\d)", words)
        for hint in ({"name": words}, {"number": number[0] if number else ""}):
            match = self._matcher.match(Stated(set=folder, **hint))
            if match.card and match.how in ("number", "name"):
                return _Found(self._front(match.card.code), match.how)
        return None

    def _front(self, code: str) -> Place:
        return Place(self._game.slug, code, Side.FRONT.value)


def _stem(path: str) -> str:
    """Return a path without its ending, in lower case: ``Scans\\Kai.full.jpg`` -> ``scans/kai``."""
    return _KIND_OF_COPY.sub("", ENDING.sub("", path.replace("\\", "/"))).casefold()


# -- pictures for a single print -------------------------------------------------------


def pictures_for_one_print(
    package: Package, placed: PlacedPictures, folder: Path, game: Game, wish: Wish
) -> Mapping[tuple[str, str], PictureRef]:
    """Return (card code, side) -> picture, with files in ``folder``, which the caller deletes afterwards."""
    refs, files = {}, FolderStore(str(folder))
    # A copy, because ``read_or_refuse`` removes places.
    for place, label in list(placed.places.items()):
        picture = placed.read_or_refuse(package, place, PRIVATE)
        if picture is None:
            continue
        values = settled(wish, picture, game, place.side)
        if not has_window(game, place.card_code):
            values["use"] = "card"
        seen = {name: getattr(picture, name) for name in SEEN}
        refs[place.card_code, place.side] = PictureRef(files=files, address="", label=label, **seen, **values)
        for part, data in picture.parts.items():
            if data:
                files.save(name_of(picture.sha256, part), ContentFile(data))
    return refs


def in_words(placed: PlacedPictures) -> str:
    """Return a summary: ``416 pictures: 412 taken (400 by id, 12 by name), 3 left, 1 refused``."""
    ways = {
        "row": "by the row that names them",
        "id": "by id",
        "number": "by number",
        "name": "by name",
        "back": "as the back of all",
    }
    number, found = len(placed.places), placed.found
    taken = f"{number:,} taken"
    if number:
        by_way = (f"{found[how]:,} {words}" for how, words in ways.items() if found[how])
        taken += f" ({', '.join(by_way)})"
    brought = some(number + placed.left + placed.refused, "picture")
    return f"{brought}: {taken}, {placed.left:,} left, {placed.refused:,} refused"
