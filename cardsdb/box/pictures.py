"""Own pictures for reading: which pictures a visitor sees for which cards, and which card each picture of an
uploaded package shows.

A visitor sees their own picture of a card, else everyone's on a private site. ``pictures_of`` gives printing
and pages a ``PictureRef`` per card and side. ``place_pictures`` finds the cards of a package's pictures by
row, folder, id or file name; it opens no picture. ``taking_in.py`` and the command ``print_deck`` then read
the pictures one by one. Tests of matching: ``tests/printing/web/test_package_pictures.py``.
"""

import re
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from django.core.files.base import ContentFile
from django.db.models import Count
from django.urls import reverse

from cardsdb.box import picture_store as storage
from cardsdb.box.intake import CleanPicture, hash_of, take
from cardsdb.box.picture_files.bounds import MEGABYTE, PRIVATE, Bounds, Rejected
from cardsdb.box.picture_files.kinds import kind_of
from cardsdb.box.picture_files.ref import PictureRef, name_of
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
from cardsdb.box.sets import cards_in, in_its_set
from cardsdb.box.wish import Wish, settled
from cardsdb.catalogue.current import games
from cardsdb.games.kit import OWN_CODE, Card, Game, NameIndex, listed, slugify, some
from cardsdb.identity.viewer import Viewer, may_see_own
from cardsdb.models import Everyone, OwnBox, OwnCard, OwnText, Side, UploadedPicture, Use
from cardsdb.models.box import Boxes, Place
from cardsdb.storage.contract import FolderStore

# (game slug, card code)
CardKey = tuple[str, str]
# Columns of a picture that are measured from its file; a ``CleanPicture`` has attributes of the same names.
SEEN = ("sha256", "kind", "width", "height", "turn", "mirrored", "edge_colour")
# Faces that one combined picture of a deck holds; a deck of more different cards gets several.
MAX_IN_STRIP = 120


def has_window(game: Game, code: str, own_type: str = "") -> bool:
    """True if the face of this card has a window for art. Otherwise its picture can only be the whole card.

    ``own_type``: the type, for an own card.
    """
    card = game.card(code)
    of_type = card.type if card else own_type
    return of_type in game.types_by_slug and bool(game.face_named(of_type).art_window)


def own_cards_of(rows: Iterable[UploadedPicture]) -> Mapping[str, Card]:
    """Return code -> the own card that a picture shows. One query, or none without such pictures."""
    codes = {row.card_code for row in rows if row.card_code.startswith(OWN_CODE)}
    cards = OwnCard.objects.all_owners("a picture is only ever put onto a card of its own owner").filter(
        code__in=codes
    )
    found = cards.select_related("in_set") if codes else ()
    return {row.code: in_its_set(row) for row in found}


def ref_of(picture: UploadedPicture, own: Card | None) -> PictureRef:
    """Return the picture in the form that printing takes. On a face without a window it is the whole card,
    whatever was asked for.

    ``own``: the own card that it shows, if any.
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
    """Return (card code, "front" or "back") -> the picture that this visitor sees: their own, else everyone's
    on a private site.

    The code "" stands for the back of all cards. ``codes`` limits the cards. One query, and one more if some
    are of own cards.
    """
    rows = UploadedPicture.objects.visible_to(viewer).placed().filter(game=game.slug)
    if codes is not None:
        rows = rows.filter(card_code__in=codes)
    own = own_cards_of(rows)
    return {(row.card_code, row.side): ref_of(row, own.get(row.card_code)) for row in rows}


def pictures_on_pages(viewer: Viewer, game: Game, codes: Collection[str]) -> Mapping[str, PictureRef]:
    """Return card code -> the front's picture that this visitor sees, with the address of its small copy."""
    return {
        code: ref._replace(address=reverse("picture_small", args=[ref.sha256]))
        for (code, side), ref in pictures_of(viewer, game, codes).items()
        if side == Side.FRONT
    }


def own_names(owner: Viewer | Everyone, game: Game) -> NameIndex:
    """Return an index of the owner's own cards of a game, for finding them by file names."""
    boxes = OwnBox.objects.for_everyone() if isinstance(owner, Everyone) else OwnBox.objects.of(owner)
    return NameIndex(cards_in(boxes.first(), game))


def pictures_by_game(owner: Viewer | Everyone) -> Mapping[str, int]:
    """Return game slug -> the number of pictures that this owner has."""
    rows = UploadedPicture.objects.of(owner).exclude(game="").order_by("game").values_list("game")
    return dict(rows.annotate(number=Count("pk")))


def face_states(viewer: Viewer, cards: Collection[CardKey]) -> Mapping[CardKey, int]:
    """Return card -> a number that changes with its face, for those cards that this visitor sees with an own
    text or picture. It serves in cache keys. Two queries.
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
    # Both numbers look random, so that combining them by XOR changes the result if one of them changes.
    return {card: texts.get(card, 0) ^ pictures.get(card, 0) for card in cards if card in seen}


def may_have_faces(reader: Viewer, boxes: Boxes | None) -> bool:
    """True if the reader may see own texts or pictures, their own or everyone's, so that a shared cached page
    will not do. ``boxes``: the reader's, if they are known already. At most three short queries.
    """
    if reader != Viewer():
        return True
    if not may_see_own(reader):
        return False
    if OwnBox.objects.states_seen_by(reader) if boxes is None else boxes:
        return True
    return UploadedPicture.objects.visible_to(reader).filter(side=Side.FRONT).order_by().exists()


# -- pictures of a package -------------------------------------------------------------

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
