"""Own pictures as a visitor sees them: their own, else everyone's on a private site; of which cards a visitor
has a face of their own; and the pictures of a package: which card each shows.
"""

import re
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from django.core.files.base import ContentFile
from django.db.models import Count
from django.urls import reverse

from cardsdb.box import picture_store as storage
from cardsdb.box.intake import CleanPicture, Wish, hash_of, settled, take
from cardsdb.box.picture_files.bounds import MEGABYTE, PRIVATE, Bounds, Rejected
from cardsdb.box.picture_files.kinds import kind_of
from cardsdb.box.picture_files.ref import PictureRef, name_of
from cardsdb.box.reading.container import MAX_NAME, BadPackage
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
from cardsdb.box.sets import cards_in, in_its_set
from cardsdb.catalogue.current import games
from cardsdb.games.kit import OWN_CODE, Card, Game, NameIndex, listed, slugify, some
from cardsdb.identity.viewer import Viewer, may_see_own
from cardsdb.models import Everyone, OwnBox, OwnCard, OwnText, Side, UploadedPicture, Use
from cardsdb.models.box import Boxes, Place
from cardsdb.storage.contract import FolderStore

# The game's slug and the card's code.
CardKey = tuple[str, str]
# The columns of a picture that its file says.
SEEN = ("sha256", "kind", "width", "height", "turn", "mirrored", "edge_colour")
# Faces in one picture. A deck of more different cards has some pictures more.
MAX_IN_STRIP = 120


def has_window(game: Game, code: str, own_type: str = "") -> bool:
    """Say whether the card's face has a window for a picture; a picture for one that has none can only be
    the whole card.

    ``own_type``: the type of an own card.
    """
    card = game.card(code)
    of_type = card.type if card else own_type
    return of_type in game.types_by_slug and bool(game.face_named(of_type).art_window)


def own_cards_of(rows: Iterable[UploadedPicture]) -> Mapping[str, Card]:
    """Code -> the own card that a picture of its owner is of. One query, none where there are no
    such pictures.
    """
    codes = {row.card_code for row in rows if row.card_code.startswith(OWN_CODE)}
    cards = OwnCard.objects.all_owners("a picture is only ever put onto a card of its own owner").filter(
        code__in=codes
    )
    found = cards.select_related("in_set") if codes else ()
    return {row.code: in_its_set(row) for row in found}


def ref_of(picture: UploadedPicture, own: Card | None) -> PictureRef:
    """The picture as printing knows it. On a face without a window it is the whole card, whatever was wished.

    ``own``: the own card that it is of, if any.
    """
    game = games().get(picture.game)
    in_window = (
        picture.use == Use.ART
        and game is not None
        and has_window(game, picture.card_code, own.type if own else "")
    )
    return PictureRef(
        files=storage.store(),
        address=reverse("picture_file", args=[picture.sha256]),
        crop=tuple(picture.crop) or (0, 0, 1000, 1000),  # type: ignore[arg-type]
        use="art" if in_window else "card",
        **{name: getattr(picture, name) for name in (*SEEN, "fit", "edge", "bleed", "label")},
    )


def pictures_of(
    viewer: Viewer, game: Game, codes: Collection[str] | None = None
) -> Mapping[tuple[str, str], PictureRef]:
    """(card's code, front or back) -> the picture this visitor sees for it: their own, else everyone's on a
    private site.

    The code is empty for the back of all cards. Of some cards, or all. One query.
    """
    rows = UploadedPicture.objects.visible_to(viewer).placed().filter(game=game.slug)
    if codes is not None:
        rows = rows.filter(card_code__in=codes)
    own = own_cards_of(rows)
    return {(row.card_code, row.side): ref_of(row, own.get(row.card_code)) for row in rows}


def pictures_on_pages(viewer: Viewer, game: Game, codes: Collection[str]) -> Mapping[str, PictureRef]:
    """Card code -> the picture of its front that this visitor sees, from the small copy, for some cards. One
    query.
    """
    return {
        code: ref._replace(address=reverse("picture_small", args=[ref.sha256]))
        for (code, side), ref in pictures_of(viewer, game, codes).items()
        if side == Side.FRONT
    }


def own_names(owner: Viewer | Everyone, game: Game) -> NameIndex:
    """The owner's cards of a game that are their own, to find by the names of files. One query."""
    boxes = OwnBox.objects.for_everyone() if isinstance(owner, Everyone) else OwnBox.objects.of(owner)
    return NameIndex(cards_in(boxes.first(), game))


def pictures_by_game(owner: Viewer | Everyone) -> Mapping[str, int]:
    """Game -> how many pictures of its cards this owner has."""
    rows = UploadedPicture.objects.of(owner).exclude(game="").order_by("game").values_list("game")
    return dict(rows.annotate(number=Count("pk")))


def face_states(viewer: Viewer, cards: Collection[CardKey]) -> Mapping[CardKey, int]:
    """Return, of those cards of which this visitor sees an own text or picture, a number that is another
    when its face is. Two queries.
    """
    codes = {code for _, code in cards}
    rows = OwnText.objects.visible_to(viewer).filter(card_code__in=codes).exclude(text="")
    texts = {(game, code): state for game, code, state in rows.values_list("game", "card_code", "box__state")}
    fronts = UploadedPicture.objects.visible_to(viewer).filter(card_code__in=codes, side=Side.FRONT)
    looks = fronts.values_list(
        "game", "card_code", "sha256", "use", "edge", "bleed", "crop", "turn", "mirrored", "fit"
    )
    pictures = {(game, code): zlib.crc32(repr(look).encode()) for game, code, *look in looks}
    seen = texts.keys() | pictures.keys()
    return {card: texts.get(card, 0) ^ pictures.get(card, 0) for card in cards if card in seen}


def may_have_faces(reader: Viewer, boxes: Boxes | None) -> bool:
    """Say whether the reader of a page has anything of their own, or everyone has. Three short queries at
    most, one where neither has.
    """
    if reader != Viewer():
        return True
    if not may_see_own(reader):
        return False
    if OwnBox.objects.states_seen_by(reader) if boxes is None else boxes:
        return True
    return UploadedPicture.objects.visible_to(reader).filter(side=Side.FRONT).order_by().exists()


# -- of a package ----------------------------------------------------------------------

How = Literal["row", "id", "number", "name", "back"]
# Names of a package's pictures by which its game is known.
SAMPLE = 100
# Cards that are named where a picture may be of several.
MAX_NAMED = 4
# What other programs put between a picture's name and its ending.
_KIND_OF_COPY = re.compile(r"\.(?:full|xlhq|hq|lq|crop|thumb)$", re.IGNORECASE)


@dataclass
class PlacedPictures:
    """Tells where the pictures of a package belong: place -> name in the package. The first of two for one
    place has it.

    ``ways``: how each found its card. ``left`` and ``refused`` are counts of the others: of no card or
    several, and those that cannot be read. ``problems`` has them all, and what is not as it was of those that
    are taken.
    """

    places: dict[Place, str] = field(default_factory=dict)
    ways: dict[Place, How] = field(default_factory=dict)
    left: int = 0
    refused: int = 0
    problems: list[NotUnderstood] = field(default_factory=list)

    @property
    def found(self) -> Counter[How]:
        """Return how many found their card in which way."""
        return Counter(self.ways[place] for place in self.places)

    @property
    def lacks(self) -> bool:
        """Say whether any of the pictures that came is not taken."""
        return bool(self.left or self.refused)

    def note(self, name: str, why: str) -> None:
        """Note why a picture is not taken, or is not as it was."""
        self.problems.append(NotUnderstood(name, 0, "", why))

    def refuse(self, name: str, error: Rejected, place: Place | None = None) -> None:
        """Note that a picture cannot be read, and take it from its place."""
        self.refused += 1
        if place:
            del self.places[place]
        self.note(name, f"The picture {error.message}")

    def take(self, package: Package, place: Place, bounds: Bounds, there: str = "") -> CleanPicture | None:
        """The picture at this place; None for one that is refused, or whose hash is the one that is
        ``there``. Raises BadPackage for a damaged package.
        """
        name = self.places[place]
        try:
            data = package.files.read(name, bounds.bytes)
            if there and hash_of(data, bounds) == there:
                return None
            picture = take(data, bounds=bounds)
            if picture.sha256 == there:
                return None
        except Rejected as error:
            return self.refuse(name, error, place)
        except BadPackage as error:
            if error.code != "too_large" or error.faults[0].where != name:
                raise
            megabytes = bounds.bytes // MEGABYTE
            too_large = Rejected("too_large", f"has more than {megabytes} MB. Save it smaller.")
            return self.refuse(name, too_large, place)
        for remark in picture.remarks:
            self.note(name, f"The picture {remark}")
        return picture


NAMELESS = (
    "Its name is no card’s id, number or name. Call it as its card, or bring it alone at “Your pictures”,"
    " which ask for its card."
)


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
        try:
            kind_of(package.files.beginning(name))
        except Rejected as error:
            placed.refuse(name, error)
            continue
        place, how, candidates = finder.find(name)
        if place and place not in placed.places:
            placed.places[place], placed.ways[place] = name, how
            continue
        placed.left += 1
        names = listed(tuple(f"{card.name} ({card.code})" for card in candidates[:MAX_NAMED]))
        why = f"It may be {names}." if candidates else NAMELESS
        placed.note(name, f"{placed.places[place]} is for the same card." if place else why)
    return placed


def known_pictures(package: Package, game: Game) -> int:
    """Return how many of the first pictures of a package are of the game's cards."""
    finder = _Finder(package, game, Columns({}))
    places = (finder.find(name)[0] for name in package.pictures[:SAMPLE])
    # A back of all cards is called so in every game.
    return sum(bool(place and place[1]) for place in places)


class _Finder:
    """Finds the card that a picture of a package shows."""

    def __init__(self, package: Package, game: Game, columns: Columns, own: NameIndex = NOBODYS) -> None:
        self._game, self._matcher, self._own = game, Matcher(game), own
        self._sets = {word.casefold() for one in game.sets for word in (one.code, one.name)}
        self._named = self._rows(package, columns) if columns.of("picture") else {}

    def _rows(self, package: Package, columns: Columns) -> dict[str, str]:
        """The end of a picture's path -> the code of the row's card; the code is empty where rows of several
        cards name the same.
        """
        named: dict[str, str] = {}
        for row in package.rows():
            stated = columns.read(row)
            stem = _stem(stated.picture)
            if 0 < len(stated.picture) <= MAX_NAME and (card := self._card_of(stated)):
                for path in (stem, f"{stated.set.casefold()}/{stem}"):
                    named[path] = card.code if named.get(path, card.code) == card.code else ""
        return named

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
        """The place by name or number within the set that the folder is called by; None without one."""
        folder, words = "".join(parts[-2:-1])[:MAX_KEY], _words(parts[-1])[:MAX_KEY]
        if folder and (card := own_card_in_set(self._own, folder, words)):
            return self._front(card.code), "name" if slugify(card.name) == slugify(words) else "number", ()
        number = re.match(r"\d{1,4}(?!\d)", words)
        for said in ({"name": words}, {"number": number[0] if number else ""}):
            match = self._matcher.match(Stated(set=folder, **said)) if folder in self._sets else None
            if match and match.card and match.how in ("number", "name"):
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
    package: Package, placed: PlacedPictures, folder: Path, game: Game, wish: Wish
) -> Mapping[tuple[str, str], PictureRef]:
    """(card's code, side) -> the picture, its file in a folder that goes when the print is made."""
    refs, files = {}, FolderStore(str(folder))
    for place, label in list(placed.places.items()):
        if (picture := placed.take(package, place, PRIVATE)) is None:
            continue
        _, code, side = place
        values = settled(wish, picture, game, side)
        if not has_window(game, code):
            values["use"] = "card"
        seen = {name: getattr(picture, name) for name in SEEN}
        refs[code, side] = PictureRef(files=files, address="", label=label, **seen, **values)
        for part, data in picture.parts.items():
            if data:
                files.save(name_of(picture.sha256, part), ContentFile(data))
    return refs


def in_words(placed: PlacedPictures) -> str:
    """``416 pictures: 412 taken (400 by id, 12 by name), 3 left, 1 refused``."""
    ways = {
        "row": "by the row that names them",
        "id": "by id",
        "number": "by number",
        "name": "by name",
        "back": "as the back of all",
    }
    taken, found = len(placed.places), placed.found
    told = ", ".join(f"{found[how]:,} {words}" for how, words in ways.items() if found[how])
    brought = some(taken + placed.left + placed.refused, "picture")
    told = f" ({told})" if told else ""
    return f"{brought}: {taken:,} taken{told}, {placed.left:,} left, {placed.refused:,} refused"
