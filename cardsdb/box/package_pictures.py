"""The pictures of a package: which card each shows, and those of a whole package stored for one owner, or
taken for one print.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from django.core.files.base import ContentFile

from cardsdb.box.intake import AS_FOUND, Wish, settled, take
from cardsdb.box.picture_files.bounds import Rejected
from cardsdb.box.picture_files.ref import PictureRef, name_of
from cardsdb.box.pictures import has_window
from cardsdb.box.placing import Place
from cardsdb.box.reading.container import MAX_NAME, MAX_PICTURE
from cardsdb.box.reading.matching import (
    ENDING,
    EXTRAS,
    NOBODYS,
    Matcher,
    card_and_side,
    cards_called,
    own_card_in_set,
    own_card_stated,
)
from cardsdb.box.reading.rows import MAX_KEY, Columns, NotUnderstood, Package, Stated
from cardsdb.catalogue.current import games
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.folder.files import FolderError
from cardsdb.games.kit.model.cards import OWN_CODE
from cardsdb.games.kit.model.names import NameIndex
from cardsdb.games.kit.model.text import listed, slugify, some
from cardsdb.models import Side
from cardsdb.storage.contract import FolderStore

How = Literal["row", "id", "number", "name", "back"]
# Names of a package's pictures by which its game is known.
SAMPLE = 100
# Cards that are named where a picture may be of several.
MAX_NAMED = 4
# What other programs put between a picture's name and its ending.
_KIND_OF_COPY = re.compile(r"\.(?:full|xlhq|hq|lq|crop|thumb)$", re.IGNORECASE)


@dataclass
class PlacedPictures:
    """Tells where the pictures of a package belong: place -> name in the package. The first of two for
    one place has it.

    ``found``: how many found their card in which way; ``several`` of the others fit more than one card.
    """

    places: dict[Place, str] = field(default_factory=dict)
    found: Counter[How] = field(default_factory=Counter)
    several: int = 0
    problems: list[NotUnderstood] = field(default_factory=list)

    def pass_over(self, name: str, why: str) -> None:
        """Note why a picture is not taken."""
        self.problems.append(NotUnderstood(name, 0, "", why))


def place_pictures(
    package: Package, game: Game, columns: Columns, own: NameIndex = NOBODYS
) -> PlacedPictures:
    """Find the card of every picture: by the row that names it, by its set’s folder, by the card’s id, else
    by its name.

    ``own``: cards of their owner's own, which come after the game's.
    """
    placed = PlacedPictures()
    if not package.pictures:
        return placed
    finder = _Finder(package, game, columns, own)
    for name in package.pictures:
        place, how, candidates = finder.find(name)
        if place is None:
            placed.several += bool(candidates)
            names = listed(tuple(f"{card.name} ({card.code})" for card in candidates[:MAX_NAMED]))
            placed.pass_over(
                name, f"It may be {names}." if candidates else "Its name is no card’s id, number or name."
            )
        elif place in placed.places:
            placed.pass_over(name, f"{placed.places[place]} is for the same card.")
        else:
            placed.places[place] = name
            placed.found[how] += 1
    return placed


def likely_game_of_pictures(package: Package) -> Game | None:
    """The game of whose cards most of the first pictures are, if any are; for packages without rows."""
    best: tuple[int, Game | None] = (0, None)
    for game in games().values() if package.pictures else ():
        try:
            finder = _Finder(package, game, Columns({}))
        except FolderError:
            continue
        places = (finder.find(name)[0] for name in package.pictures[:SAMPLE])
        # A back of all cards is called so in every game.
        found = sum(bool(place and place[1]) for place in places)
        best = max(best, (found, game), key=lambda pair: pair[0])
    return best[1]


class _Finder:
    """Finds the card that a picture of a package shows."""

    def __init__(self, package: Package, game: Game, columns: Columns, own: NameIndex = NOBODYS) -> None:
        self._game, self._matcher, self._own = game, Matcher(game), own
        self._sets = {word.casefold() for one in game.sets for word in (one.code, one.name)}
        self._named = dict(self._rows(package, columns)) if columns.of("picture") else {}

    def _rows(self, package: Package, columns: Columns) -> Iterable[tuple[str, str]]:
        """(the end of a picture's path, the code of the row's card); the code is empty where rows of several
        cards name the same.
        """
        named: dict[str, str] = {}
        for row in package.rows():
            stated = columns.read(row)
            said = stated.picture
            if said and len(said) <= MAX_NAME and (card := self._card_of(stated)):
                for path in (_stem(said), f"{stated.set.casefold()}/{_stem(said)}"):
                    named[path] = card.code if named.get(path, card.code) == card.code else ""
        return named.items()

    def _card_of(self, stated: Stated) -> Card | None:
        card = None if stated.id.startswith(OWN_CODE) else self._matcher.match(stated).card
        return card or own_card_stated(self._own, stated)

    def find(self, name: str) -> tuple[Place | None, How, tuple[Card, ...]]:
        """(place, how it was found, the cards between which the name does not decide)."""
        parts = _stem(name).split("/")
        ends = ("/".join(parts[at:]) for at in range(len(parts)))
        if said := next((self._named[end] for end in ends if self._named.get(end)), ""):
            return self._front(said), "row", ()
        if by_folder := self._in_folder(parts):
            return by_folder
        if card := self._matcher.match(Stated(id=parts[-1][:MAX_KEY])).card:
            return self._front(card.code), "id", ()
        shown, side, for_all = card_and_side(name, self._game, self._own)
        if for_all:
            return (self._game.slug, "", Side.BACK.value), "back", ()
        if shown:
            how: How = "name" if slugify(shown.name) in slugify(parts[-1]) else "number"
            return (self._game.slug, shown.code, side or Side.FRONT.value), how, ()
        return None, "name", cards_called(_words(parts[-1]), self._game, self._own)

    def _in_folder(self, parts: list[str]) -> tuple[Place, How, tuple[Card, ...]] | None:
        """By name or number within the set that the folder is called by."""
        folder, words = "".join(parts[-2:-1])[:MAX_KEY], _words(parts[-1])[:MAX_KEY]
        if folder and (card := own_card_in_set(self._own, folder, words)):
            return self._front(card.code), "name" if slugify(card.name) == slugify(words) else "number", ()
        if folder not in self._sets:
            return None
        number = re.match(r"\d{1,4}(?!\d)", words)
        for stated in (
            Stated(set=folder, name=words),
            Stated(set=folder, number=number[0] if number else ""),
        ):
            match = self._matcher.match(stated)
            if match.card and match.how in ("number", "name"):
                return self._front(match.card.code), match.how, ()
        return None

    def _front(self, code: str) -> Place:
        return self._game.slug, code, Side.FRONT.value


def _stem(path: str) -> str:
    """A path without its ending, in small letters."""
    return _KIND_OF_COPY.sub("", ENDING.sub("", path.replace("\\", "/"))).casefold()


def _words(stem: str) -> str:
    return EXTRAS.sub("", re.sub(r"[_+]|%20", " ", stem)).strip()


# -- for one print ---------------------------------------------------------------------


def pictures_for_one_print(
    package: Package, placed: PlacedPictures, folder: Path, game: Game, wish: Wish = AS_FOUND
) -> Mapping[tuple[str, str], PictureRef]:
    """(card's code, side) -> the picture, its file in a folder that goes when the print is made."""
    refs, files = {}, FolderStore(str(folder))
    for (_, code, side), name in placed.places.items():
        try:
            picture = take(package.files.read(name, MAX_PICTURE))
        except Rejected as error:
            placed.pass_over(name, f"The picture {error.message}")
            continue
        values = settled(wish, picture, game, side)
        ref = PictureRef(
            picture.sha256,
            picture.kind,  # type: ignore[arg-type]
            picture.width,
            picture.height,
            files,
            "",
            picture.turn,
            picture.mirrored,
            edge=values["edge"],
            bleed=values["bleed"],
            label=name,
            use=values["use"] if has_window(game, code) else "card",
        )
        for part, data in picture.parts.items():
            if data:
                files.save(name_of(picture.sha256, part), ContentFile(data))
        refs[code, side] = ref
    return refs


def in_words(placed: PlacedPictures) -> str:
    """``412 pictures: 400 by id, 12 by name``."""
    ways = {
        "row": "by the row that names them",
        "id": "by id",
        "number": "by number",
        "name": "by name",
        "back": "as the back of all",
    }
    return f"{some(len(placed.places), 'picture')}: " + ", ".join(
        f"{placed.found[how]:,} {words}" for how, words in ways.items() if placed.found[how]
    )
