"""Estimates of a print's size and ink before it is drawn; and the sheets as several files of a bounded size.

The print page shows an `estimate`. Mail and print shops refuse large files, so `write_parts` splits a print
between sheets: front and back of a sheet stay in one file. Where to split is planned from estimated sizes; a
file that turns out too large is made again as two. `kinds` calls it.

The constants are measurements of real prints. To measure one anew, print a deck of each game twice, the
second time with more of that thing, and divide the difference of the files by its number.
``tests/printing/exports/test_parts.py`` compares estimates with files.
"""

import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import groupby
from os import SEEK_END
from tempfile import SpooledTemporaryFile
from typing import IO, NamedTuple

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.games.kit.print.face import back_for
from printing.exports.card_pictures import Member, readme, write_zip
from printing.faces.strokes import Picture
from printing.job.job import Job
from printing.layout.geometry import SideName
from printing.layout.imposition import SheetSide, places_of
from printing.options.values import Options
from printing.render.files import pieces_drawn, report_after, sides_of, write_sides
from printing.render.pdf import OnPage, no_report

# Bytes of a thing in a PDF. Each is the mean of the five games, from which a game may differ by a quarter.
# The fonts and the frame of a file, by style.
FONTS = {"light": 38_000, "full": 38_000, "saver": 15_400, "outline": 27_500}
# A face, by style; and a face with rules to write on instead of its text. Outlines are all alike.
FACE = {"light": 2_350, "full": 2_350, "saver": 1_300, "outline": 0}
RULED_FACE = {"light": 1_050, "full": 1_050, "saver": 1_700, "outline": 0}
# The face of a card that the author of a list wrote in: it has a name and little else.
WRITTEN_FACE = 700
# The words of a card for a screen reader.
SPOKEN = 450
BACK = 5_500
# A copy of a card in its slot.
COPY = 138
# A side of a sheet, without its cards.
SIDE = 1_020
PIECE = 1_500
# A page of words, such as a register.
PAGE = 6_000
# When files are planned, drawings count as so much larger: a file that turns out too large is drawn twice.
SAFETY = 1.32
MEGABYTE = 1_000_000

# The ink of a front and of a back in each style, as a share of a front in full ink. Ink is the darkness of
# all dots, as tests/printing/faces/test_colours.py measures it; the mean of the five games.
INK: dict[SideName, dict[str, float]] = {
    "front": {"full": 1.0, "light": 0.35, "saver": 0.12, "outline": 0.07},
    "back": {"full": 2.6, "light": 0.35, "saver": 0.2, "outline": 0.07},
}
INK_WORDS = {"full": "full", "light": "light", "saver": "very light", "outline": "hardly any"}


class Estimate(NamedTuple):
    """``size`` is the bytes of all files; ``ink`` is the share of the ink that the full style would take.

    ``pictures``: own pictures are printed, whose ink is not counted. ``part``: the most megabytes of a file,
    0 for one file.
    """

    size: int
    ink: float
    style: str
    pictures: bool = False
    part: int = 0

    @property
    def size_words(self) -> str:
        """``200 kB``, or ``20 MB in about 3 files``.

        One significant figure, because an estimate is no more exact.
        """
        parts = -(-self.size // (self.part * MEGABYTE)) if self.part else 1
        words = amount(round(self.size, 1 - len(str(self.size)))).replace(".0", "")
        return f"{words} in about {parts} files" if parts > 1 else words

    @property
    def ink_words(self) -> str:
        """``light (about 45 % of full)``, rounded to five per cent, because cards differ."""
        words = INK_WORDS[self.style]
        if self.style != "full":
            # A twentieth is five per cent.
            per_cent = 5 * round(20 * self.ink)
            words += f" (about {max(5, per_cent)}\N{NO-BREAK SPACE}% of full)"
        return words + ", besides your own pictures" if self.pictures else words


def amount(size: int) -> str:
    """Return bytes in words with two significant figures: ``180 kB``, ``2.4 MB``."""
    if size >= MEGABYTE:
        return f"{size / MEGABYTE:,.{int(size < 10 * MEGABYTE)}f}\N{NO-BREAK SPACE}MB"
    return f"{max(10, 10 * round(size / 10_000))}\N{NO-BREAK SPACE}kB"


def estimate(job: Job) -> Estimate:
    """Return the estimated size and ink of the sheets of a job. Nothing is drawn for it.

    Size: files, sides, copies in their slots, end pages, own pictures, and each different drawing once. Ink:
    that of the printed sides of a card in this style, divided by theirs in full ink.
    """
    options, pages, pictures = job.options, len(job.end_pages), job.every_picture
    sides = _printed_sides(job)
    size = FONTS["light" if pages else options.style] * (2 if options.apart else 1)
    size += SIDE * job.pages + COPY * job.cards * len(sides) + PAGE * pages
    # A picture that is used several times is in the file once.
    size += sum({ref.sha256: ref.stored for _, ref, _ in pictures}.values())
    if options.style != "outline":
        size += sum(_size_of_drawings(part, sides) for part in job.parts)
    ink, full = (sum(INK[side][style] for side in sides) for style in (options.style, "full"))
    return Estimate(size, ink / full, options.style, bool(pictures), options.part)


def _printed_sides(job: Job) -> list[SideName]:
    """Return the sides of a card that are printed. A sheet to be folded has both on one side of the paper.

    Extra pieces alone may have no backs.
    """
    options = job.options
    has_backs = any(part.entries or any(piece.back for piece in part.extra) for part in job.parts)
    if options.backs == "none" or not has_backs:
        return ["front"]
    if options.flip and options.side != "both":
        return ["front" if options.side == "fronts" else "back"]
    return ["front", "back"]


def _size_of_drawings(part: Job, sides: Sequence[SideName]) -> int:
    """Return the bytes of the different faces, backs and extra pieces of a part."""
    pictures, size = part.used_pictures, PIECE * len(part.extra)
    if "front" in sides:
        size += SPOKEN * len(part.distinct)
        for card in part.distinct:
            picture = pictures.get((card.code, "front"))
            # An own picture may be the whole card. Then no face is drawn.
            if not picture or picture.use != "card":
                size += _size_of_face(part.options, card.written)
    if "back" in sides and ("", "back") not in pictures:
        drawn = (card for card in part.distinct if (card.code, "back") not in pictures)
        size += BACK * len({back_for(part.game.backs, card.type) for card in drawn})
    return size


def _size_of_face(options: Options, written: bool = False) -> int:
    if written and options.style != "saver":
        return WRITTEN_FACE
    return (RULED_FACE if options.ruled else FACE)[options.style]


# -- several files -----------------------------------------------------------------------

# Until it is put into the archive, a file with more bytes than this is kept on disk instead of in memory.
SPOOLED = 8 * MEGABYTE


def write_parts(job: Job, out: IO[bytes], on_page: OnPage = no_report) -> None:
    """Write a job as a zip of PDFs of at most ``job.options.part`` megabytes each.

    A single sheet that is larger is a file by itself. ``on_page`` gets the number of pages made so far; its
    errors stop the work. Raise the errors of `write_sheets` before the first byte.
    """
    pieces, progress = pieces_drawn(job, on_page)
    write_zip(_members(job, list(sides_of(job, pieces)), progress.page), out)


def _members(job: Job, sides: Sequence[SheetSide], on_page: OnPage) -> Iterator[Member]:
    """Yield the PDFs, then the README. Each PDF is closed once it is in the archive.

    ``waiting``: the (first, last) sheets of files to be made. If the file of sheets 1 to 9 is too large, it
    is discarded, and (1, 5) and (6, 9) wait in its place.
    """
    most, digits, stem = job.options.part * MEGABYTE, len(str(job.sheets)), job.filename.removesuffix(".zip")
    # The ends of file names -> the side that each file has; "" for both.
    ends = {"-fronts": "front", "-backs": "back"} if job.options.apart else {"": ""}
    waiting, lines, pages_made = list(_planned(job, sides, most)), list[str](), 0
    while waiting:
        first, last = waiting.pop(0)
        in_range = [side for side in sides if first <= side.number <= last]
        with ExitStack() as opened:
            files = {end: opened.enter_context(SpooledTemporaryFile(max_size=SPOOLED)) for end in ends}
            for end, file in files.items():
                in_file = (side for side in in_range if ends[end] in ("", side.side))
                write_sides(file, job, in_file, partial(report_after, on_page, pages_made))
            sizes = [file.seek(0, SEEK_END) for file in files.values()]
            is_too_large = max(sizes) > most
            if is_too_large and last > first:
                middle = (first + last) // 2
                waiting[:0] = [(first, middle), (middle + 1, last)]
                continue
            pages_made += len(in_range)
            on_page(pages_made)
            sheets = f"sheets {first} to {last}" if last > first else f"sheet {first}"
            line = f"{len(lines) + 1}: {sheets}, {' and '.join(map(amount, sizes))}"
            if is_too_large:
                line += f": more than {job.options.part} MB, because of the pictures on this one sheet"
            lines.append(line)
            # Numbers have leading zeros, so that the names sort in the order of the print.
            name = f"{stem}-part-{len(lines):0{digits}}-sheet"
            name += f"s-{first:0{digits}}-to-{last:0{digits}}" if last > first else f"-{first:0{digits}}"
            for end, file in files.items():
                file.seek(0)
                yield Member(f"{name}{end}.pdf", partial(shutil.copyfileobj, file))
    yield readme(job, ["Print all of these files, each at 100 %."], lines)


def _planned(job: Job, sides: Sequence[SheetSide], most: int) -> Iterator[tuple[int, int]]:
    """Yield the first and the last sheet of each file, which is then probably within ``most`` bytes."""
    in_file: dict[object, int] = {}
    first, last = 1, 0
    for last, sides_of_sheet in groupby(sides, key=lambda side: side.number):
        on_sheet = _sizes_on_sheet(job, sides_of_sheet)
        if in_file and FONTS["light"] + sum((in_file | on_sheet).values()) > most:
            yield first, last - 1
            first, in_file = last, {}
        in_file |= on_sheet
    yield first, last


def _sizes_on_sheet(job: Job, sides: Iterable[SheetSide]) -> dict[object, int]:
    """Return the bytes of each thing on a sheet. Things that are stored once in a file have one key.

    ``{(3, "front"): 2262, 140: 3102, "9f…": 80000}`` is a side with nine cards, a drawing by its id, and a
    picture by its hash.
    """
    sizes: dict[object, int] = {}
    for side in sides:
        sizes[side.number, side.side] = SIDE + COPY * len(side.placed)
        drawn = _size_of_face(job.options) if side.side == "front" else BACK
        drawn = 0 if job.options.style == "outline" else drawn
        for placed in side.placed:
            sizes[id(placed.drawing)] = PAGE if side.role == "P" else round(SAFETY * drawn)
            for stroke in placed.drawing.strokes:
                if isinstance(stroke, Picture):
                    sizes[stroke.image.sha256] = stroke.image.stored
    return sizes


def part_remarks(job: Job) -> tuple[str, ...]:
    """Return a sentence if the pictures on a single sheet are larger than a file may be. Nothing is drawn."""
    most = job.options.part * MEGABYTE
    sizes = enumerate(_pictures_by_sheet(job), 1) if most and job.every_picture else ()
    large = [(number, size) for number, size in sizes if size > most]
    if not large:
        return ()
    number, size = large[0]
    others = f", and so do {len(large) - 1} more" if len(large) > 1 else ""
    return (
        f"The pictures on sheet {number} alone take {amount(size)}{others}: that file will be larger than"
        f" {job.options.part} MB. Use smaller pictures, or larger cards with fewer on a sheet.",
    )


def _pictures_by_sheet(job: Job) -> Iterator[int]:
    """Yield the bytes of the own pictures on each sheet."""
    for part in job.parts:
        used = part.used_pictures
        copies = iter([card.code for card, count in part.entries for _ in range(count * part.options.copies)])
        for sheet in range(1, part.own_sheets + 1):
            # Places must be the first argument of zip, or a card would be lost when they run out.
            places = places_of(part.layout, part.options, sheet)
            shown = set[PictureRef | None]()
            for _, code in zip(places, copies, strict=False):
                shown |= {used.get((code, "front")), used.get((code, "back"), used.get(("", "back")))}
            yield sum({ref.sha256: ref.stored for ref in shown if ref}.values())
