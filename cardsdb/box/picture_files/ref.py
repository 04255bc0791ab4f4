"""``PictureRef``: an own picture as printing and pages use it, with its file, crop and treatment of the edge.

Plain values without Django. ``cardsdb.box.pictures`` makes them from database rows, and all of ``printing``
draws them; they are tested there (``tests/printing/pictures``). The second half judges a new picture by its
shape: is it a whole card, and how much bleed does it have? ``intake.py`` and ``placing.py`` ask that. Tests:
``tests/cardsdb/box/picture_files/test_ref.py``; of ``Border.edge`` ``tests/cardsdb/box/test_pixels.py``.
"""

from collections.abc import Iterable, Mapping
from typing import IO, Literal, NamedTuple, Protocol


def name_of(sha256: str, part: str = "") -> str:
    """Return the name of a picture's file in its store, or of a derived part: "colour", "mask" or "small"."""
    return f"{sha256[:2]}/{sha256}{'.' if part else ''}{part}"


class PictureFiles(Protocol):
    """The store that holds the picture files, as printing knows it. Raises OSError for a missing file."""

    def read(self, name: str) -> bytes: ...

    def open(self, name: str) -> IO[bytes]: ...

    def sizes(self, names: Iterable[str]) -> Mapping[str, int]: ...


def upright(width: int, height: int, turn: int) -> tuple[int, int]:
    """Return (width, height) in pixels after this turn."""
    return (height, width) if turn % 180 else (width, height)


class PictureRef(NamedTuple):
    """An own picture, ready to be drawn on a card.

    ``width`` and ``height`` are the pixels of the file; ``mirrored``, then ``turn`` (degrees clockwise), make
    it upright. ``crop`` is (left, top, right, bottom) of the upright picture in thousandths. ``files`` holds
    the file under its ``sha256``; ``address`` is the URL for its owner's browser. ``use``: it is the whole
    card ("card") or stands in the window of the drawn face ("art").

    ``edge`` says what is printed in the bleed, outside the cut line: the picture "mirrored"; its outermost
    pixels "repeated"; the "colour" of its border, ``edge_colour``; "included": the outer ``bleed``
    micrometres of the picture itself, mirrored beyond that; or "none", white.
    """

    sha256: str
    kind: Literal["jpeg", "png", "webp"]
    width: int
    height: int
    files: PictureFiles
    address: str
    turn: int = 0
    mirrored: bool = False
    crop: tuple[int, int, int, int] = (0, 0, 1000, 1000)
    fit: Literal["fill", "whole"] = "fill"
    edge: Literal["mirrored", "repeated", "colour", "included", "none"] = "mirrored"
    bleed: int = 0
    label: str = ""
    use: Literal["card", "art"] = "card"
    edge_colour: str = ""

    def with_edge(self, edge: Literal["each", "mirrored", "repeated", "colour"]) -> "PictureRef":
        """Return the picture with an edge that is set for a whole print; "each" sets none. It keeps its own
        edge if that is "included", or if "colour" is asked for and its border has none.
        """
        if edge == "each" or self.edge == "included" or (edge == "colour" and not self.edge_colour):
            return self
        return self._replace(edge=edge)

    def read(self, part: str = "") -> bytes:
        """Return the bytes of the file, or of a derived part: "colour" or "mask"."""
        return self.files.read(name_of(self.sha256, part))

    def open(self) -> IO[bytes]:
        """Open the file, seekable."""
        return self.files.open(name_of(self.sha256))

    @property
    def sizes(self) -> Mapping[str, int]:
        """Part -> its bytes, for those that exist; "" is the file itself."""
        names = {name_of(self.sha256, part): part for part in ("", "colour", "mask")}
        return {names[name]: size for name, size in self.files.sizes(names).items()}

    @property
    def see_through(self) -> bool:
        """True if any pixel is see-through; such a picture has a stored mask."""
        # A JPEG never is, so the store need not be asked.
        return self.kind != "jpeg" and "mask" in self.sizes

    @property
    def stored(self) -> int:
        """Bytes of its pixels as stored and as a PDF embeds them; 0 if the file is missing."""
        sizes = self.sizes
        # The parts "colour" and "mask" exist only for a picture that a PDF cannot hold as it is.
        return sizes.get("colour", 0) + sizes.get("mask", 0) or sizes.get("", 0)

    @property
    def own_bleed(self) -> int:
        """Micrometres by which the picture itself continues beyond the cut line."""
        return self.bleed if self.edge == "included" else 0

    @property
    def upright(self) -> tuple[int, int]:
        """(width, height) in pixels of the upright picture."""
        return upright(self.width, self.height, self.turn)

    @property
    def shown(self) -> tuple[float, float, float, float]:
        """The crop as (left, top, width, height) in pixels of the upright picture."""
        width, height = self.upright
        left, top, right, bottom = self.crop
        return (
            left * width / 1000,
            top * height / 1000,
            (right - left) * width / 1000,
            (bottom - top) * height / 1000,
        )


# Micrometres of a border that is just visible, and of one that is wider than any bleed.
_NARROW = 500
_WIDE = 3_300


class Border(NamedTuple):
    """The border of a picture.

    ``margin``: its narrowest even margin, in thousandths of the shorter side. ``cut_corners``: the corners
    are rounded off like a card's. ``colour``: that of most of the edge, "" if see-through. ``is_even``:
    nearly all of the edge has that colour.
    """

    margin: int = 0
    cut_corners: bool = False
    colour: str = ""
    is_even: bool = False

    def edge(self, side: int) -> Literal["mirrored", "repeated", "colour"]:
        """Return the best edge for a picture whose shorter side is ``side`` micrometres long.

        A border narrower than the bleed, if mirrored, would show as a frame, so it is repeated. Rounded
        corners, mirrored, would show as stars, so the bleed gets the border's colour.
        """
        if _NARROW <= self.margin * side // 1000 < _WIDE:
            return "repeated"
        return "colour" if self.cut_corners and self.is_even else "mirrored"


# The border of a picture that was not looked at: nothing speaks against a bleed.
UNSEEN = Border()


class Shape(NamedTuple):
    """The shape of a picture compared with a card. ``bleed``: micrometres outside the card, on each side."""

    is_card: bool
    bleed: int = 0


# The bounds of ``shape_of``. It first compares the ratio of the picture's sides with that of the card's, in
# thousandths of the latter: up to _SAME away, the picture is a card without bleed.
_SAME = 12
# Else it calculates the bleed that would explain the ratio. Micrometres: less than _LEAST is a scan's
# inaccuracy, more than _MOST another shape.
_LEAST = 1_500
_MOST = 5_500
# Usual widths of bleed in micrometres; 3,175 is an eighth of an inch. A bleed that is at most _NEAR away from
# one becomes it; where two are near, the first.
_USUAL = (3_175, 3_000, 2_000, 5_000)
_NEAR = 400
# Per cent of that bleed. An even margin that ends before this is the edge of a scan, so there is no bleed.
_ENDS_INSIDE = 60
# Without a bleed, a picture up to _OTHER thousandths away is still a card; beyond, none.
_OTHER = 45


def shape_of(size: tuple[int, int], trim: tuple[int, int], border: Border) -> Shape:
    """Return the shape of an upright picture of this many pixels for cards of this trim (width and height in
    micrometres). A card in landscape is a card as well.

    For cards of 63 x 88 mm: 1050 x 1466 pixels are a card; 1150 x 1566, the same with 3 mm more on each side,
    a card with the bleed 3175 (the nearest usual width); 800 x 800 no card.
    """
    (short_px, long_px), (short, long) = sorted(size), sorted(trim)
    ratio, card_ratio = short_px / long_px, short / long
    off = round(abs(ratio / card_ratio - 1) * 1000)
    if off <= _SAME:
        return Shape(True)
    # A bleed of b on each side gives ratio = (short + 2b) / (long + 2b); solved for b.
    bleed = round((ratio * long - short) / (2 * (1 - ratio))) if ratio < 1 else 0
    if _LEAST <= bleed <= _MOST and not border.cut_corners:
        bleed = next((usual for usual in _USUAL if abs(usual - bleed) <= _NEAR), bleed)
        # As ``margin`` is stated: in thousandths of the picture's shorter side.
        depth = 1000 * bleed // (short + 2 * bleed)
        ends_inside = 0 < border.margin * 100 < depth * _ENDS_INSIDE
        if not ends_inside:
            return Shape(True, bleed)
    return Shape(off <= _OTHER)
