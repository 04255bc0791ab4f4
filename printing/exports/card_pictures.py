"""Make a picture file of each different card of a job, fronts and backs. Each file states its content and its
rights.
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

# Permissions as Unix has them: readable by all, writable by their owner.
MODE = 0o644 << 16
UNIX = 3


class Member(NamedTuple):
    """One file of an archive: its name, and its bytes or the function that writes them. ``plain_name`` makes
    names safe.
    """

    name: str
    data: bytes | Callable[[IO[bytes]], None]


def write_zip(members: Iterable[Member], out: IO[bytes]) -> None:
    """Write the archive into a seekable file, member by member. Members are stored, because pictures are
    compressed already.
    """
    with ZipFile(out, "w", ZIP_STORED) as archive:
        for member in members:
            # No date: the same members give the same bytes.
            entry = ZipInfo(member.name)
            entry.external_attr, entry.create_system = MODE, UNIX
            with archive.open(entry, "w") as file:
                if callable(member.data):
                    member.data(file)
                else:
                    file.write(member.data)


MAX_NAME = 60
BACK = "back"


def plain_name(words: str, otherwise: str = "card") -> str:
    """A safe file name of small letters, digits and ``-``: ``RS-9, "The Koffin"`` -> ``rs-9-the-koffin``."""
    return slugify(words)[:MAX_NAME].strip("-") or otherwise


def each_once(names: Iterable[str]) -> list[str]:
    """The names, with a number added to each that came before."""
    taken: set[str] = set()
    unique = []
    for name in names:
        number, one = 1, name
        while one in taken:
            number += 1
            one = f"{name}-{number}"
        taken.add(one)
        unique.append(one)
    return unique


def front_names(pieces: Sequence[Piece]) -> list[str]:
    """A name for each piece: how often it is printed and what it is, as ``02x-kai``."""
    return each_once(f"{piece.count:02d}x-{plain_name(piece.name)}" for piece in pieces)


def back_names(pieces: Sequence[Piece]) -> dict[int, tuple[str, Drawing]]:
    """The name and the drawing of each back, by the id of the drawing. The back that most cards have is
    called ``back``.
    """
    copies, backs = Counter[int](), dict[int, Drawing]()
    for piece in pieces:
        if piece.back:
            copies[id(piece.back)] += piece.count
            backs[id(piece.back)] = piece.back
    ranked = [one for one, _ in copies.most_common()]
    names = each_once([BACK, *(plain_name(backs[one].name, BACK) for one in ranked[1:])])
    return {one: (name, backs[one]) for one, name in zip(ranked, names, strict=False)}


WIDTH = 90


def readme(job: Job, *parts: Iterable[str]) -> Member:
    """The README of an archive. Each part is a sequence of lines; an empty line separates the parts."""
    head = [job.heading, f"{' and '.join(game.name for game in job.games)}, made by Cutout"]
    if job.about:
        head.append(f"{some(job.cards, 'card')} {', '.join(job.about)}")
    whose = [wording.sheet_credit(game) or game.name for game in job.games]
    filled = TextWrapper(WIDTH, break_long_words=False, break_on_hyphens=False).fill
    blocks = ["\n".join(map(filled, part)) for part in (head, *parts, whose)]
    return Member("README.txt", ("\n\n".join(filter(None, blocks)) + "\n").encode())


# A function that is called for each picture or page that is drawn; an error that it raises ends the work.
Drawn = Callable[[], None]

# The options that concern sheets alone.
_ABOUT_SHEETS = (
    "orientation margin turn gap gap_y corner marks_where cut_order fold heads header start skip"
    " back_x back_y back_turn back_read"
)


def file_options(chosen: Options, bleed: int = 0, trim: Size | None = None) -> Options:
    """The options for the same cards in the same style, with backs. Options of sheets get their defaults; the
    paper holds any card.
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
    """The style of a file that no home printer prints: light ink becomes full ink."""
    return "full" if chosen.style == "light" else chosen.style


def cards_of(job: Job) -> tuple[Piece, ...]:
    """The different pieces of a job with ``file_options``. Pieces that look alike on both sides become one,
    with the sum of their counts.
    """
    unique: dict[tuple[int, int, str], Piece] = {}
    for piece in (piece for part in job.parts for piece in pieces_of(part)):
        key = (id(piece.front), id(piece.back), piece.name)
        same = unique.get(key, piece._replace(count=0))
        unique[key] = same._replace(count=same.count + piece.count)
    return tuple(unique.values())


def with_bleed(drawing: Drawing, bleed: int) -> Drawing:
    """The drawing enlarged by its bleed on every side."""
    if not bleed:
        return drawing
    strokes = tuple(moved(drawing.strokes, bleed, bleed))
    return drawing._replace(
        width=drawing.width + 2 * bleed, height=drawing.height + 2 * bleed, strokes=strokes
    )


SUFFIXES = {"png": "png", "webp": "webp", "jpeg": "jpg"}


def about(title: str, game: Game) -> dict[str, str]:
    """The description that is written into a picture file, by PNG keyword."""
    return {
        "Title": title,
        "Author": "Cutout",
        "Software": "Cutout",
        "Copyright": wording.sheet_credit(game) or game.name,
    }


def upright(image: Image.Image, wide: bool = False) -> Image.Image:
    """The picture turned to be higher than wide, or with ``wide`` wider than high. A picture that is turned
    has its head on the left.
    """
    lies = tuple(sorted(image.size, reverse=wide)) == image.size
    return image if lies else image.transpose(Transpose.ROTATE_90)


def card_file(drawing: Drawing, game: Game, kind: str, dpi: int, *, standing: bool = False) -> bytes:
    """The bytes of the drawing as a picture file; ``standing`` turns a drawing that is wider than high."""
    image = card_image(drawing, dpi)
    drawn = not any(isinstance(stroke, Picture) for stroke in drawing.strokes)
    words = about(f"{drawing.name}, {game.name}", game)
    return encoded(upright(image) if standing else image, kind, words, dpi, lossless=drawn)


def card_pictures(
    job: Job, kind: str = "png", dpi: int = 300, drawn: Drawn = lambda: None
) -> Iterator[Member]:
    """The members of the archive: the README, the fronts (``02x-kai.png``) and the backs of a job with
    ``file_options``, with the job's bleed.
    """
    bleed, pieces, side, suffix = job.options.bled, cards_of(job), job.options.side, SUFFIXES[kind]
    fronts = [] if side == "backs" else list(zip(front_names(pieces), pieces, strict=True))
    backs = {} if side == "fronts" else back_names(pieces)
    files = [
        f"{name}.{suffix}: {piece.count} x {piece.name}"
        + (f", back {backs[id(piece.back)][0]}.{suffix}" if id(piece.back) in backs else "")
        for name, piece in fronts
    ] or [f"{name}.{suffix}: {drawing.name}" for name, drawing in backs.values()]
    around = f"{shown(bleed)} mm of bleed on every side included" if bleed else "cut at the edge: no bleed"
    yield readme(job, [f"One picture for each different card, {dpi} pixels an inch, {around}."], files)
    for name, drawing in (*((name, piece.front) for name, piece in fronts), *backs.values()):
        yield Member(f"{name}.{suffix}", card_file(with_bleed(drawing, bleed), job.game, kind, dpi))
        drawn()
