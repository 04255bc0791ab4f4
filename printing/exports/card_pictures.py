"""Pictures of the cards of a job, one file for each different front and back, in an archive.

Also the parts that the other modules of this room share: writing an archive (`write_zip`), safe file names,
the README, and options for files that are not printed at home (`file_options`). Archives must not depend on
the date or on anything else outside the job: the same job gives the same bytes, because files are cached by
their key. Every file states its content and the rights in the game.
Tests: ``tests/printing/exports/test_card_pictures.py``.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from textwrap import TextWrapper
from typing import IO, Literal, NamedTuple
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from PIL import Image
from PIL.Image import Transpose

from cardsdb.games.kit import Game, slugify, some
from printing.faces import wording
from printing.faces.strokes import Drawing, Picture, moved
from printing.job.job import Job
from printing.job.pieces import pieces_of
from printing.layout.imposition import Piece
from printing.options.sizes import PAPERS, Size, shown
from printing.options.values import USUAL, Options
from printing.render.png import card_image, encoded

# The permissions of a file in an archive: readable by all, writable by its owner. Unix has them in the upper
# half of 32 bits.
MODE = 0o644 << 16
# The number by which an archive says that its permissions are those of Unix.
UNIX = 3


class Member(NamedTuple):
    """One file of an archive: its name, and its bytes or a function that writes them to a file.

    `plain_name` makes safe names.
    """

    name: str
    data: bytes | Callable[[IO[bytes]], None]


def write_zip(members: Iterable[Member], out: IO[bytes]) -> None:
    """Write an archive into a seekable file, member by member.

    Members are not compressed: pictures already are.
    """
    with ZipFile(out, "w", ZIP_STORED) as archive:
        for member in members:
            # Without a date, so that the same members give the same bytes.
            entry = ZipInfo(member.name)
            entry.external_attr, entry.create_system = MODE, UNIX
            with archive.open(entry, "w") as file:
                if callable(member.data):
                    member.data(file)
                else:
                    file.write(member.data)


# The most letters of a file's name.
MAX_NAME = 60
BACK = "back"


def plain_name(words: str, otherwise: str = "card") -> str:
    """Return a safe file name: ``RS-9, "The Koffin"`` -> ``rs-9-the-koffin``."""
    return slugify(words)[:MAX_NAME].strip("-") or otherwise


def each_once(names: Iterable[str]) -> list[str]:
    """Return the names, with a number after each that came before: ``a, b, a`` -> ``a, b, a-2``."""
    # Keys stay in the order in which they are added.
    unique: dict[str, None] = {}
    for name in names:
        number, numbered = 1, name
        while numbered in unique:
            number += 1
            numbered = f"{name}-{number}"
        unique[numbered] = None
    return list(unique)


def front_names(pieces: Sequence[Piece]) -> list[str]:
    """Return a name for each piece, with its number of copies: ``02x-kai``."""
    return each_once(f"{piece.count:02d}x-{plain_name(piece.name)}" for piece in pieces)


def back_names(pieces: Sequence[Piece]) -> dict[int, tuple[str, Drawing]]:
    """Return the backs as id of the drawing -> (name, drawing).

    The back that most cards have is called ``back``.
    """
    copies, backs = Counter[int](), dict[int, Drawing]()
    for piece in pieces:
        if piece.back:
            copies[id(piece.back)] += piece.count
            backs[id(piece.back)] = piece.back
    ranked = [backs[key] for key, _ in copies.most_common()]
    names = each_once(plain_name(back.name, BACK) if place else BACK for place, back in enumerate(ranked))
    return {id(back): (name, back) for name, back in zip(names, ranked, strict=True)}


# The length of lines of a README, in characters.
WIDTH = 90


def readme(job: Job, *parts: Iterable[str]) -> Member:
    """Return the README of an archive: a heading, the parts with empty lines between them, and the credits.

    Each part is a sequence of lines.
    """
    head = [job.heading, f"{' and '.join(game.name for game in job.games)}, made by Cutout"]
    if job.about:
        head.append(f"{some(job.cards, 'card')} {', '.join(job.about)}")
    credits = [wording.sheet_credit(game) or game.name for game in job.games]
    filled = TextWrapper(WIDTH, break_long_words=False, break_on_hyphens=False).fill
    blocks = ["\n".join(map(filled, part)) for part in (head, *parts, credits)]
    return Member("README.txt", ("\n\n".join(filter(None, blocks)) + "\n").encode())


# Called after each picture or page is drawn. An error that it raises stops the work.
OnDrawn = Callable[[], None]

# The options that concern sheets only.
_ABOUT_SHEETS = (
    "orientation margin turn gap gap_y corner marks_where cut_order fold heads header start skip"
    " back_x back_y back_turn back_read"
)


def file_options(chosen: Options, bleed: int = 0, trim: Size | None = None) -> Options:
    """Return the options for the same cards in the same style, with backs, in a file without sheets.

    Options of sheets get their defaults; the paper is large enough for any card.
    """
    return replace(
        chosen,
        **{name: getattr(USUAL, name) for name in _ABOUT_SHEETS.split()},
        paper=PAPERS["a3"],
        trim=trim or chosen.trim,
        sleeves=chosen.sleeves and trim is None,
        bleed=bleed,
        bleed_where="outside",
        marks="none",
        backs="long",
        style=in_full(chosen),
    )


def in_full(chosen: Options) -> Literal["full", "saver", "outline"]:
    """Return the style of a file that is not printed at home: ``light``, which saves ink, becomes full."""
    return "full" if chosen.style == "light" else chosen.style


def cards_of(job: Job) -> tuple[Piece, ...]:
    """Return the different pieces of a job with `file_options`.

    Pieces that look alike on both sides become one piece with the sum of their copies.
    """
    unique: dict[tuple[int, int, str], Piece] = {}
    for piece in (piece for part in job.parts for piece in pieces_of(part)):
        key = (id(piece.front), id(piece.back), piece.name)
        known = unique.get(key, piece._replace(count=0))
        unique[key] = known._replace(count=known.count + piece.count)
    return tuple(unique.values())


def with_bleed(drawing: Drawing, bleed: int) -> Drawing:
    """Return the drawing enlarged by its bleed on every side, so that the bleed becomes a part of it."""
    if not bleed:
        return drawing
    strokes = tuple(moved(drawing.strokes, bleed, bleed))
    return drawing._replace(
        width=drawing.width + 2 * bleed, height=drawing.height + 2 * bleed, strokes=strokes
    )


SUFFIXES = {"png": "png", "webp": "webp", "jpeg": "jpg"}


def about(title: str, game: Game) -> dict[str, str]:
    """Return the description that is written into a picture file, as PNG keyword -> text."""
    return {
        "Title": title,
        "Author": "Cutout",
        "Software": "Cutout",
        "Copyright": wording.sheet_credit(game) or game.name,
    }


def upright(image: Image.Image, wide: bool = False) -> Image.Image:
    """Return the picture, turned anticlockwise by a quarter if it is wider than high.

    ``wide`` makes it wider than high instead: it is turned if it is higher than wide.
    """
    is_upright = tuple(sorted(image.size, reverse=wide)) == image.size
    return image if is_upright else image.transpose(Transpose.ROTATE_90)


def card_file(drawing: Drawing, game: Game, kind: str, dpi: int, *, standing: bool = False) -> bytes:
    """Return the drawing as the bytes of a picture file.

    ``standing`` turns a drawing that is wider than high.
    """
    image = card_image(drawing, dpi)
    # Drawings are smaller without loss, photographs with it.
    lossless = not any(isinstance(stroke, Picture) for stroke in drawing.strokes)
    words = about(f"{drawing.name}, {game.name}", game)
    return encoded(upright(image) if standing else image, kind, words, dpi, lossless=lossless)


def card_pictures(
    job: Job, kind: str = "png", dpi: int = 300, on_drawn: OnDrawn = lambda: None
) -> Iterator[Member]:
    """Yield the members of the archive of a job with `file_options`: README, fronts (``02x-kai.png``), backs.

    Pictures include the job's bleed.
    """
    bleed, pieces, side, suffix = job.options.bled, cards_of(job), job.options.side, SUFFIXES[kind]
    fronts = [] if side == "backs" else list(zip(front_names(pieces), pieces, strict=True))
    backs = {} if side == "fronts" else back_names(pieces)
    # The lines of the README, such as ``02x-kai.png: 2 x Kai, back back.png``.
    files = []
    for name, piece in fronts:
        back = f", back {backs[id(piece.back)][0]}.{suffix}" if id(piece.back) in backs else ""
        files.append(f"{name}.{suffix}: {piece.count} x {piece.name}{back}")
    files = files or [f"{name}.{suffix}: {drawing.name}" for name, drawing in backs.values()]
    around = f"{shown(bleed)} mm of bleed on every side included" if bleed else "cut at the edge: no bleed"
    yield readme(job, [f"One picture for each different card, {dpi} pixels an inch, {around}."], files)
    for name, drawing in (*((name, piece.front) for name, piece in fronts), *backs.values()):
        yield Member(f"{name}.{suffix}", card_file(with_bleed(drawing, bleed), job.game, kind, dpi))
        on_drawn()
