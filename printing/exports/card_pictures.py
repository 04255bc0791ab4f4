"""Every different card of a job as a picture file, fronts and backs, with what it is and whose it is written inside."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from html import escape
from io import BytesIO

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from cardsdb.games.kit import Game
from printing.exports.archive import Member, back_names, front_names, readme
from printing.faces import wording
from printing.faces.strokes import Drawing, Line, Path, Picture, Rect, Stroke, TextRun
from printing.job.job import Job
from printing.job.pieces import pieces_of
from printing.layout.imposition import Piece
from printing.options.sizes import PAPERS, Size, shown
from printing.options.values import USUAL, Options
from printing.render.png import card_image

# What only sheets have.
_ABOUT_SHEETS = ("orientation", "margin", "turn", "gap", "gap_y", "corner", "marks_where", "fold", "heads", "header", "start", "skip")
_ABOUT_BACKS_OF_SHEETS = ("back_x", "back_y", "back_turn", "back_read")


def file_options(told: Options, bleed: int = 0, trim: Size | None = None) -> Options:
    """The same cards in the same style, with backs. What only sheets have is as usual, on a paper that holds any card."""
    as_usual = {name: getattr(USUAL, name) for name in (*_ABOUT_SHEETS, *_ABOUT_BACKS_OF_SHEETS)}
    sleeves = told.sleeves and trim is None
    return replace(
        told,
        **as_usual,
        paper=PAPERS["a3"],
        trim=trim or told.trim,
        sleeves=sleeves,
        bleed=bleed,
        bleed_where="outside",
        marks="none",
        backs="long",
    )


def different(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """The pieces, those that look alike on both sides together as one."""
    found: dict[tuple[int, int, str], Piece] = {}
    for piece in pieces:
        key = (id(piece.front), id(piece.back), piece.name)
        before = found.get(key)
        found[key] = before._replace(count=before.count + piece.count) if before else piece
    return tuple(found.values())


def cards_of(job: Job) -> tuple[Piece, ...]:
    """What a job with ``file_options`` prints."""
    return different(tuple(piece for part in job.parts for piece in pieces_of(part)))


def with_bleed(drawing: Drawing, bleed: int) -> Drawing:
    """The drawing and its bleed, as a drawing that is so much larger."""
    if not bleed:
        return drawing
    strokes = tuple(_moved(stroke, bleed) for stroke in drawing.strokes)
    return drawing._replace(width=drawing.width + 2 * bleed, height=drawing.height + 2 * bleed, strokes=strokes)


def _moved(one: Stroke, by: int) -> Stroke:
    match one:
        case Rect() | TextRun() | Picture():
            return one._replace(x=one.x + by, y=one.y + by)
        case Line():
            return one._replace(x1=one.x1 + by, y1=one.y1 + by, x2=one.x2 + by, y2=one.y2 + by)
        case Path():
            return one._replace(steps=tuple((letter, tuple(number + by for number in numbers)) for letter, numbers in one.steps))


SUFFIXES = {"png": "png", "webp": "webp", "jpeg": "jpg"}
# Below this, letters on coloured ground grow a fringe.
QUALITY = 92
# Names of TIFF, which JPEG files use for what they say of themselves.
_DESCRIPTION, _ARTIST, _SOFTWARE, _COPYRIGHT = 0x010E, 0x013B, 0x0131, 0x8298


def about(title: str, game: Game) -> dict[str, str]:
    """What a file says of itself."""
    return {"Title": title, "Author": "Cutout", "Software": "Cutout", "Copyright": wording.sheet_credit(game) or game.name}


def upright(image: Image.Image, wide: bool = False) -> Image.Image:
    """The picture standing, or with ``wide`` lying across; its head to the left where it had to be turned."""
    return image.transpose(Image.Transpose.ROTATE_90) if (image.width > image.height) != wide and image.width != image.height else image


def card_file(drawing: Drawing, game: Game, kind: str, dpi: int, *, standing: bool = False) -> bytes:
    """The drawing as a file; ``standing`` turns one that lies across."""
    image = card_image(drawing, dpi)
    drawn = not any(isinstance(stroke, Picture) for stroke in drawing.strokes)
    return encoded(upright(image) if standing else image, kind, about(f"{drawing.name}, {game.name}", game), dpi, lossless=drawn)


def encoded(image: Image.Image, kind: str, said: Mapping[str, str], dpi: int, *, lossless: bool = True) -> bytes:
    """The picture as PNG, WebP or JPEG. The same input gives the same bytes.

    WebP without loss is small for what we draw, and enormous for photographs.
    """
    out = BytesIO()
    match kind:
        case "webp":
            image.save(out, "WEBP", lossless=lossless, quality=80 if lossless else QUALITY, method=4, xmp=_xmp(said))
        case "jpeg":
            image.save(out, "JPEG", quality=QUALITY, subsampling=0, optimize=True, dpi=(dpi, dpi), exif=_exif(said))
        case _:
            info = PngInfo()
            for keyword, text in said.items():
                info.add_itxt(keyword, text)
            image.save(out, "PNG", pnginfo=info, dpi=(dpi, dpi), compress_level=6)
    return out.getvalue()


def _xmp(said: Mapping[str, str]) -> bytes:
    spaces = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    words = "".join(
        f'<dc:{name}><rdf:Alt><rdf:li xml:lang="x-default">{escape(said[key])}</rdf:li></rdf:Alt></dc:{name}>'
        for name, key in (("title", "Title"), ("rights", "Copyright"))
    )
    body = f'<rdf:RDF {spaces}><rdf:Description rdf:about="">{words}</rdf:Description></rdf:RDF>'
    return f'<x:xmpmeta xmlns:x="adobe:ns:meta/">{body}</x:xmpmeta>'.encode()


def _exif(said: Mapping[str, str]) -> bytes:
    exif = Image.Exif()
    tags = ((_DESCRIPTION, "Title"), (_ARTIST, "Author"), (_SOFTWARE, "Software"), (_COPYRIGHT, "Copyright"))
    for tag, key in tags:
        exif[tag] = said[key]
    return exif.tobytes()


def card_pictures(job: Job, kind: str = "png", dpi: int = 300, drawn: Callable[[], None] = lambda: None) -> Iterator[Member]:
    """``02x-kai.png`` and so on, then the backs, of a job with ``file_options``. They have its bleed. ``drawn`` is called for each."""
    bleed = job.options.bled
    pieces = cards_of(job)
    side, suffix = job.options.side, SUFFIXES[kind]
    fronts = [] if side == "backs" else list(zip(front_names(pieces), pieces, strict=True))
    backs = {} if side == "fronts" else back_names(pieces)
    files = [
        f"{name}.{suffix}: {piece.count} x {piece.name}"
        + (f", back {backs[id(piece.back)][0]}.{suffix}" if id(piece.back) in backs else "")
        for name, piece in fronts
    ]
    files += [f"{name}.{suffix}: {drawing.name}" for name, drawing in backs.values() if not fronts]
    around = f", {shown(bleed)} mm of bleed on every side included" if bleed else ", cut at the edge: no bleed"
    yield readme(job, [f"One picture for each different card, {dpi} pixels an inch{around}."], files)
    drawings = [(name, piece.front) for name, piece in fronts] + list(backs.values())
    for name, drawing in drawings:
        yield Member(f"{name}.{suffix}", card_file(with_bleed(drawing, bleed), job.game, kind, dpi))
        drawn()
