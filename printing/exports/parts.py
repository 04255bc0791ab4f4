"""The sheets as several files of a bounded size; and estimates of a print's size and ink before it is drawn.

Mail and print shops refuse large files. A print is split between sheets, so that front and back of a sheet
stay in one file. Where to split is planned from estimated sizes; a file that turns out too large is made
again as two. The print page shows the estimates; `kinds` writes the files. The constants below are
measurements of real prints: ``tests/printing/exports/test_parts.py`` compares them with the files.
"""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import groupby
from tempfile import SpooledTemporaryFile
from typing import IO, NamedTuple

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.games.kit.print.face import back_for
from printing.exports.card_pictures import Member, readme, write_zip
from printing.faces.strokes import Picture
from printing.job.job import Job
from printing.layout.imposition import SheetSide, places_of
from printing.render.files import pieces_drawn, report_after, sides_of, write_sides
from printing.render.pdf import OnPage, no_report

# Bytes in a PDF, the mean of the five games, from which each game may differ by a quarter:
# The fonts and the frame of a file, by style.
LETTERS = {"light": 38_000, "full": 38_000, "saver": 15_400, "outline": 27_500}
# A face, by style: (as usual, with rules to write on).
FACES = {"light": (2_350, 1_050), "full": (2_350, 1_050), "saver": (1_300, 1_700), "outline": (0, 0)}
BACK = 5_500
# A copy of a card in its slot.
PLACED = 138
SIDE = 1_020
# An extra piece.
PIECE = 1_500
# The face of a card that the author of a list wrote in.
WRITTEN = 700
# A page of words, such as a register.
PAGE = 6_000
# The words of a card for a screen reader.
TOLD = 450
# When files are planned, drawings count as so much larger: a file that turns out too large is drawn twice.
MARGIN = 1.32
MEGABYTE = 1_000_000

# The ink of (a front, a back) in each style, as a share of a front in full ink. Ink is the darkness of all
# dots, as tests/printing/faces/test_colours.py measures it; the mean of the five games.
INK = {"full": (1.0, 2.6), "light": (0.35, 0.35), "saver": (0.12, 0.2), "outline": (0.07, 0.07)}
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
    """Return the estimated size and ink of the sheets of a job. Nothing is drawn for it."""
    options, pages, pictures = job.options, len(job.end_pages), job.every_picture
    backs = options.backs != "none"
    # One side may be left out, except on sheets to be folded, which have fronts and backs on one side. True
    # counts as 1 below.
    front = not (backs and options.flip and options.side == "backs")
    back = backs and not (options.flip and options.side == "fronts")
    ink, full = (front * of_front + back * of_back for of_front, of_back in (INK[options.style], INK["full"]))
    size = LETTERS["light" if pages else options.style] * (2 if options.apart else 1)
    size += SIDE * job.pages + PLACED * job.cards * (front + back) + PAGE * pages
    size += sum({ref.sha256: ref.stored for _, ref, _ in pictures}.values())
    face = FACES[options.style][options.ruled]
    # Different faces and different backs are in the file once. Outlines are all alike.
    for part in job.parts if options.style != "outline" else ():
        own = part.used_pictures
        # The cards whose front is an own picture, so that no face is drawn.
        whole = {code for (code, side), ref in own.items() if side == "front" and ref.use == "card"}
        written = face if options.style == "saver" else WRITTEN
        faces = sum(written if card.written else face for card in part.distinct if card.code not in whole)
        # The cards whose back is drawn, because neither they nor all cards have an own picture there.
        drawn = (card for card in part.distinct if own.keys().isdisjoint({(card.code, "back"), ("", "back")}))
        different = {back_for(part.game.backs, card.type) for card in drawn}
        faces += TOLD * len(part.distinct)
        size += PIECE * len(part.extra) + front * faces + back * BACK * len(different)
    return Estimate(size, ink / full, options.style, bool(pictures), options.part)


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

    ``waiting`` are the (first, last) sheets of the files to be made. If the file of sheets 1 to 9 is too
    large, it is discarded, and (1, 5) and (6, 9) wait in its place.
    """
    most, digits, stem = job.options.part * MEGABYTE, len(str(job.sheets)), job.filename.removesuffix(".zip")
    # The ends of file names, with the side that each file has: both in one file, or each in its own.
    ends = {"-fronts": "front", "-backs": "back"} if job.options.apart else {"": ""}
    waiting, lines, made = list(_planned(job, sides, most)), list[str](), 0
    while waiting:
        first, last = waiting.pop(0)
        own = [side for side in sides if first <= side.number <= last]
        with ExitStack() as opened:
            files = {end: opened.enter_context(SpooledTemporaryFile(max_size=SPOOLED)) for end in ends}
            for end, file in files.items():
                in_file = (side for side in own if ends[end] in ("", side.side))
                write_sides(file, job, in_file, partial(report_after, on_page, made))
            sizes = [file.seek(0, 2) for file in files.values()]
            if max(sizes) > most and last > first:
                # Too large after all: discard it and make two files of its sheets.
                middle = (first + last) // 2
                waiting[:0] = [(first, middle), (middle + 1, last)]
                continue
            made += len(own)
            on_page(made)
            sheets = f"sheets {first} to {last}" if last > first else f"sheet {first}"
            line = f"{len(lines) + 1}: {sheets}, {' and '.join(map(amount, sizes))}"
            if max(sizes) > most:
                line += f": more than {job.options.part} MB, because of the pictures on this one sheet"
            lines.append(line)
            # Numbers have leading zeros, so that the names sort in the order of the print.
            numbers = "-to-".join(f"{sheet:0{digits}}" for sheet in dict.fromkeys((first, last)))
            name = f"{stem}-part-{len(lines):0{digits}}-{sheets.split()[0]}-{numbers}"
            for end, file in files.items():
                file.seek(0)
                yield Member(f"{name}{end}.pdf", partial(shutil.copyfileobj, file))
    yield readme(job, ["Print all of these files, each at 100 %."], lines)


def _planned(job: Job, sides: Sequence[SheetSide], most: int) -> Iterator[tuple[int, int]]:
    """Yield the first and the last sheet of each file, which is then probably within ``most`` bytes."""
    # The bytes of each thing in the current file: ``{(3, "front"): 2262, 140: 3102, "9f…": 80000}`` is a side
    # with nine cards, a drawing by its id, and a picture by its hash. Things stored once have one key.
    in_file: dict[object, int] = {}
    first, last = 1, 0
    style = job.options.style
    weights = {"front": FACES[style][job.options.ruled], "back": 0 if style == "outline" else BACK}
    for last, group in groupby(sides, key=lambda side: side.number):
        on_sheet: dict[object, int] = {}
        for side in group:
            on_sheet[last, side.side] = SIDE + PLACED * len(side.placed)
            for drawing in (placed.drawing for placed in side.placed):
                on_sheet[id(drawing)] = PAGE if side.role == "P" else round(MARGIN * weights[side.side])
                images = (stroke.image for stroke in drawing.strokes if isinstance(stroke, Picture))
                on_sheet |= {image.sha256: image.stored for image in images}
        if in_file and LETTERS["light"] + sum((in_file | on_sheet).values()) > most:
            yield first, last - 1
            first, in_file = last, {}
        in_file |= on_sheet
    yield first, last


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
