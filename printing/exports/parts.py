"""The size and the ink of the file of the sheets, estimated before anything is drawn; and the sheets split
into files of a bounded size, because mail and shops refuse larger ones.

Files are split between sheets, so that the front and the back of a sheet stay together. The size of a file is
estimated from the pictures and faces on its sheets. A file that comes out too large all the same is made anew
as two.
"""

import shutil
from collections.abc import Callable, Iterator, Sequence
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
from printing.render.files import counted, pieces_drawn, sides_of, write_sides

# Bytes of a PDF: the letters and the frame of a file by its style; a face by its style, drawn and with rules
# to write on, the mean of the five games, of which each may have a quarter more or less; a back; a card that
# is placed; a side; a piece beside the cards; a card that is written in; a page of words.
LETTERS = {"light": 38_000, "full": 38_000, "saver": 15_400, "outline": 27_500}
FACES = {"light": (2_350, 1_050), "full": (2_350, 1_050), "saver": (1_300, 1_700), "outline": (0, 0)}
BACK, PLACED, SIDE, PIECE, WRITTEN, PAGE = 5_500, 138, 1_020, 1_500, 700, 6_000
# The words of a card for a screen reader.
TOLD = 450
# Drawings are reckoned so much larger where a file must not come out too large: it would be drawn twice.
MARGIN = 1.32
MEGABYTE = 1_000_000

# Ink of a front and of a back in each style, where a front in full is 1: the darkness of the dots, all inks
# together, by which tests/printing/faces/test_colours.py measures too. The mean of the five games.
INK = {"full": (1.0, 2.6), "light": (0.35, 0.35), "saver": (0.12, 0.2), "outline": (0.07, 0.07)}
INK_WORDS = {"full": "full", "light": "light", "saver": "very light", "outline": "hardly any"}


class Estimate(NamedTuple):
    """``size`` is in bytes, all files together; ``ink`` is the share of the ink that the same print takes in
    full ink.
    """

    size: int
    ink: float
    style: str
    pictures: bool = False
    part: int = 0

    @property
    def size_words(self) -> str:
        """``200 kB`` with one significant figure, because a second would not be true; and the number of files
        where each has a bound.
        """
        parts = -(-self.size // (self.part * MEGABYTE)) if self.part else 1
        words = amount(round(self.size, 1 - len(str(self.size)))).replace(".0", "")
        return f"{words} in about {parts} files" if parts > 1 else words

    @property
    def ink_words(self) -> str:
        """``light (about 45 % of full)``, rounded to five, because cards differ."""
        word = INK_WORDS[self.style]
        if self.style != "full":
            word += f" (about {max(5, 5 * round(20 * self.ink))}\N{NO-BREAK SPACE}% of full)"
        return word + ", besides your own pictures" * self.pictures


def amount(size: int) -> str:
    """``180 kB``, ``2.4 MB``: the bytes with two significant figures, because more would not be true."""
    if size >= MEGABYTE:
        return f"{size / MEGABYTE:,.{int(size < 10 * MEGABYTE)}f}\N{NO-BREAK SPACE}MB"
    return f"{max(10, 10 * round(size / 10_000))}\N{NO-BREAK SPACE}kB"


def estimate(job: Job) -> Estimate:
    """The estimated size and ink of the sheets of this job, calculated from its numbers alone."""
    options, pages, pictures = job.options, len(job.end_pages), job.every_picture
    backs = options.backs != "none"
    # Sheets to be folded have both on one side.
    front = not (backs and options.flip and options.side == "backs")
    back = backs and not (options.flip and options.side == "fronts")
    ink, full = (front * one[0] + back * one[1] for one in (INK[options.style], INK["full"]))
    size = LETTERS["light" if pages else options.style] * (2 if options.apart else 1)
    size += SIDE * job.pages + PLACED * job.cards * (front + back) + PAGE * pages
    size += sum({one.ref.sha256: one.ref.stored for one in pictures}.values())
    face = FACES[options.style][options.ruled]
    # All that is drawn once: different faces, and different backs.
    for part in job.parts if options.style != "outline" else ():
        own = part.used_pictures
        whole = {code for (code, side), ref in own.items() if side == "front" and ref.use == "card"}
        written = face if options.style == "saver" else WRITTEN
        faces = sum(written if card.written else face for card in part.distinct if card.code not in whole)
        drawn = (card for card in part.distinct if own.keys().isdisjoint({(card.code, "back"), ("", "back")}))
        different = {back_for(part.game.backs, card.type) for card in drawn}
        faces += TOLD * len(part.distinct)
        size += PIECE * len(part.extra) + front * faces + back * BACK * len(different)
    return Estimate(size, ink / full, options.style, bool(pictures), options.part)


# -- several files -----------------------------------------------------------------------

# A file of more bytes waits on the disk, and not in memory, until it is put into the archive.
SPOOLED = 8 * MEGABYTE


def write_parts(job: Job, out: IO[bytes], on_page: Callable[[int], None] = lambda pages: None) -> None:
    """Print the job as a zip of PDFs of at most ``job.options.part`` megabytes. A sheet that is larger alone
    is a file by itself.

    ``on_page`` gets the number of pages made so far; an error that it raises ends the work. Raises, before
    the first byte, the errors of ``write_sheets``.
    """
    pieces, progress = pieces_drawn(job, on_page)
    write_zip(_members(job, list(sides_of(job, pieces)), progress.page), out)


def _members(job: Job, sides: Sequence[SheetSide], on_page: Callable[[int], None]) -> Iterator[Member]:
    """The PDFs, each closed once it is in the archive, and the README."""
    most, digits, stem = job.options.part * MEGABYTE, len(str(job.sheets)), job.filename.removesuffix(".zip")
    ends = {"-fronts": "front", "-backs": "back"} if job.options.apart else {"": ""}
    waiting, lines, made = list(_reckoned(job, sides, most)), list[str](), 0
    while waiting:
        first, last = waiting.pop(0)
        own = [side for side in sides if first <= side.number <= last]
        with ExitStack() as opened:
            files = {end: opened.enter_context(SpooledTemporaryFile(max_size=SPOOLED)) for end in ends}
            for end, file in files.items():
                of_side = (one for one in own if ends[end] in ("", one.side))
                write_sides(file, job, of_side, partial(counted, on_page, made))
            sizes = [file.seek(0, 2) for file in files.values()]
            if max(sizes) > most and last > first:
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
            # The names sort in the order of the print.
            numbers = "-to-".join(f"{one:0{digits}}" for one in dict.fromkeys((first, last)))
            name = f"{stem}-part-{len(lines):0{digits}}-{sheets.split()[0]}-{numbers}"
            for end, file in files.items():
                file.seek(0)
                yield Member(f"{name}{end}.pdf", partial(shutil.copyfileobj, file))
    yield readme(job, ["Print all of these files, each at 100 %."], lines)


def _reckoned(job: Job, sides: Sequence[SheetSide], most: int) -> Iterator[tuple[int, int]]:
    """The first and the last sheet of each file, chosen so that the file is probably no larger than this, and
    not much smaller.
    """
    first, last, held = 1, 0, dict[object, int]()
    style = job.options.style
    weights = {"front": FACES[style][job.options.ruled], "back": 0 if style == "outline" else BACK}
    for last, group in groupby(sides, key=lambda side: side.number):
        # Each drawing and each picture is in a file once.
        new: dict[object, int] = {}
        for side in group:
            new[last, side.side] = SIDE + PLACED * len(side.placed)
            for drawing in (placed.drawing for placed in side.placed):
                new[id(drawing)] = PAGE if side.role == "P" else round(MARGIN * weights[side.side])
                images = (one.image for one in drawing.strokes if isinstance(one, Picture))
                new |= {image.sha256: image.stored for image in images}
        if held and LETTERS["light"] + sum((held | new).values()) > most:
            yield first, last - 1
            first, held = last, {}
        held |= new
    yield first, last


def part_remarks(job: Job) -> tuple[str, ...]:
    """A sentence if the pictures on one sheet alone are larger than a file may be. Nothing is drawn."""
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
    """The bytes of the own pictures on each sheet."""
    for part in job.parts:
        used = part.used_pictures
        copies = iter([card.code for card, count in part.entries for _ in range(count * part.options.copies)])
        for sheet in range(1, part.own_sheets + 1):
            # Places come first in zip: no card is lost when they run out.
            places = places_of(part.layout, part.options, sheet)
            shown = set[PictureRef | None]()
            for _, code in zip(places, copies, strict=False):
                shown |= {used.get((code, "front")), used.get((code, "back"), used.get(("", "back")))}
            yield sum({ref.sha256: ref.stored for ref in shown if ref}.values())
