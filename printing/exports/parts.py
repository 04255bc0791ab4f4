"""The size of the file of the sheets and the ink that they take, said before anything is drawn; and the
sheets as several files, none larger than was asked for, because mail and shops take no larger ones.

Files are split between sheets, so that the front and the back of a sheet stay together. What one will hold is
reckoned from the pictures and faces on its sheets; one that came out too large all the same is made anew as
two.
"""

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import groupby
from tempfile import SpooledTemporaryFile
from typing import IO, NamedTuple

from cardsdb.games.kit.print.face import back_for
from printing.exports.card_pictures import Member, readme, write_zip
from printing.faces.strokes import Picture
from printing.job.job import Job
from printing.layout.imposition import SheetSide, places_of
from printing.options.values import Options
from printing.render.files import counted, pieces_drawn, sides_of, write_sides

# Bytes of a PDF: the letters and the frame of a file by its style; a face by its style, drawn and with rules
# to write on, the mean of the five games, of which each may have a quarter more or less; a back; a card that
# is placed; a side; a piece beside the cards; a card that is written in; a page of words.
LETTERS = {"light": 38_000, "full": 38_000, "saver": 15_400, "outline": 27_500}
FACES = {"light": (1_950, 1_050), "full": (1_950, 1_050), "saver": (1_150, 1_700), "outline": (0, 0)}
BACK, PLACED, SIDE, PIECE, WRITTEN, PAGE = 5_500, 138, 1_020, 1_500, 700, 6_000
# Drawings are reckoned so much larger where a file must not come out too large: it would be drawn twice.
MARGIN = 1.25
MEGABYTE = 1_000_000

# Ink of a front and of a back in each style, where a front in full is 1: the darkness of the dots, all inks
# together, by which tests/printing/faces/test_ink_saver.py measures too. The mean of the five games.
INK = {"full": (1.0, 2.6), "light": (0.45, 0.35), "saver": (0.08, 0.27), "outline": (0.09, 0.09)}
INK_WORDS = {"full": "full", "light": "light", "saver": "very light", "outline": "hardly any"}


class Estimate(NamedTuple):
    """``size`` in bytes, all files together; ``ink`` is the share of what the same print takes in full
    ink.
    """

    size: int
    ink: float
    style: str
    pictures: bool = False
    part: int = 0

    @property
    def size_words(self) -> str:
        """``200 kB``: one figure, because a second would not be true; and in how many files where each has a
        bound.
        """
        parts = -(-self.size // (self.part * MEGABYTE)) if self.part else 1
        words = amount(round(self.size, 1 - len(str(self.size)))).replace(".0", "")
        return f"{words} in about {parts} files" if parts > 1 else words

    @property
    def ink_words(self) -> str:
        """``light (about 45 % of full)``. Rounded to five, because cards differ."""
        word = INK_WORDS[self.style]
        if self.style != "full":
            word = f"{word} (about {max(5, 5 * round(20 * self.ink))}\N{NO-BREAK SPACE}% of full)"
        return f"{word}, besides your own pictures" if self.pictures else word


def amount(size: int) -> str:
    """``180 kB``, ``2.4 MB``: two figures, because more would not be true."""
    if size >= 10 * MEGABYTE:
        return f"{round(size / MEGABYTE):,}\N{NO-BREAK SPACE}MB"
    if size >= MEGABYTE:
        return f"{size / MEGABYTE:.1f}\N{NO-BREAK SPACE}MB"
    return f"{max(10, 10 * round(size / 10_000))}\N{NO-BREAK SPACE}kB"


def estimate(job: Job) -> Estimate:
    """The size of the sheets of this job and the ink they take, from its numbers alone."""
    options, pages = job.options, len(job.end_pages)
    backs = options.backs != "none"
    # Sheets to be folded have both on one side.
    front = not (backs and options.flip and options.side == "backs")
    back = backs and not (options.flip and options.side == "fronts")
    ink, full = (front * one[0] + back * one[1] for one in (INK[options.style], INK["full"]))
    size = LETTERS["light" if pages else options.style] * (2 if options.apart else 1)
    size += SIDE * job.pages + PLACED * job.cards * (front + back) + PAGE * pages
    size += sum({one.ref.sha256: one.ref.stored for one in job.every_picture}.values())
    size += 0 if options.style == "outline" else sum(_drawn(part, front, back) for part in job.parts)
    return Estimate(size, ink / full, options.style, bool(job.every_picture), options.part)


def _face(options: Options) -> int:
    return FACES[options.style][options.ruled]


def _drawn(part: Job, front: bool, back: bool) -> int:
    """The bytes of all that is drawn once: different faces, and different backs."""
    own, face = part.used_pictures, _face(part.options)
    written = face if part.options.style == "saver" else WRITTEN
    whole = {code for (code, side), ref in own.items() if side == "front" and ref.use == "card"}
    fronts = [card for card in part.distinct if card.code not in whole]
    faces = sum(written if card.written else face for card in fronts)
    drawn = [card for card in part.distinct if (card.code, "back") not in own and ("", "back") not in own]
    backs = {back_for(part.game.backs, card.type) for card in drawn}
    return PIECE * len(part.extra) + front * faces + back * BACK * len(backs)


# -- several files -----------------------------------------------------------------------

# A file of more bytes waits on the disk, and not in memory, until it is put into the archive.
SPOOLED = 8 * MEGABYTE


def write_parts(job: Job, out: IO[bytes], on_page: Callable[[int], None] = lambda pages: None) -> None:
    """Print the job as a zip of PDFs of at most ``job.options.part`` megabytes; a sheet that is larger alone
    is a file by itself.

    ``on_page`` gets the number of pages made so far; what it raises ends the work. Raises, before the first
    byte, what ``write_sheets`` raises.
    """
    pieces, progress = pieces_drawn(job, on_page)
    write_zip(_members(job, list(sides_of(job, pieces)), progress.page), out)


def _members(job: Job, sides: Sequence[SheetSide], on_page: Callable[[int], None]) -> Iterator[Member]:
    """The PDFs, each closed when it is in the archive, and the README."""
    most, digits, stem = job.options.part * MEGABYTE, len(str(job.sheets)), job.filename.removesuffix(".zip")
    ends = {"": "", "front": "-fronts", "back": "-backs"}
    waiting, lines, made = list(_reckoned(job, sides, most)), list[str](), 0
    while waiting:
        first, last = waiting.pop(0)
        own = [side for side in sides if first <= side.number <= last]
        files: dict[str, IO[bytes]] = {}
        with ExitStack() as opened:
            for side in ("front", "back") if job.options.apart else ("",):
                file = opened.enter_context(SpooledTemporaryFile(max_size=SPOOLED))
                files[side] = file
                of_side = (one for one in own if side in ("", one.side))
                write_sides(file, job, of_side, partial(counted, on_page, made))
            sizes = [file.seek(0, 2) for file in files.values()]
            if max(sizes) > most and last > first:
                middle = (first + last) // 2
                waiting[:0] = [(first, middle), (middle + 1, last)]
                continue
            made += len(own)
            on_page(made)
            too_large = f": more than {job.options.part} MB, because of the pictures on this one sheet"
            sheets = f"sheets {first} to {last}" if last > first else f"sheet {first}"
            says = f"{len(lines) + 1}: {sheets}, {' and '.join(map(amount, sizes))}"
            lines.append(says + (too_large if max(sizes) > most else ""))
            # In the order of the print, however many there are.
            numbers = "-to-".join(f"{one:0{digits}}" for one in dict.fromkeys((first, last)))
            name = f"{stem}-part-{len(lines):0{digits}}-{sheets.split()[0]}-{numbers}"
            for side, made_file in files.items():
                yield Member(f"{name}{ends[side]}.pdf", partial(_copy, made_file))
    yield readme(job, ["Print all of these files, each at 100 %."], lines)


def _copy(file: IO[bytes], out: IO[bytes]) -> None:
    file.seek(0)
    shutil.copyfileobj(file, out)


def _reckoned(job: Job, sides: Sequence[SheetSide], most: int) -> Iterator[tuple[int, int]]:
    """(first, last) sheet of files that will probably be no larger than this, and not much smaller."""
    first, last, held = 1, 0, dict[object, int]()
    weights = {"front": _face(job.options), "back": 0 if job.options.style == "outline" else BACK}
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
    """A sentence if the pictures on one sheet alone are larger than a file may be; nothing is drawn."""
    most = job.options.part * MEGABYTE
    sizes = enumerate(_pictures_by_sheet(job), 1) if most and job.every_picture else ()
    large = [(number, size) for number, size in sizes if size > most]
    if not large:
        return ()
    number, size = large[0]
    others = f", and so do {len(large) - 1} more" if len(large) > 1 else ""
    sentence = (
        f"The pictures on sheet {number} alone take {amount(size)}{others}: that file will be larger than"
        f" {job.options.part} MB."
    )
    return (f"{sentence} Use smaller pictures, or larger cards with fewer on a sheet.",)


def _pictures_by_sheet(job: Job) -> Iterator[int]:
    """The bytes of the own pictures of the cards on each sheet."""
    for part in job.parts:
        used = part.used_pictures
        copies = iter([card.code for card, count in part.entries for _ in range(count * part.options.copies)])
        for sheet in range(1, part.own_sheets + 1):
            # Places come first in zip: no card is lost when they run out.
            places = places_of(part.layout, part.options, sheet)
            codes = {code for _, code in zip(places, copies, strict=False)}
            backs = [used.get((code, "back"), used.get(("", "back"))) for code in codes]
            shown = [*backs, *(used.get((code, "front")) for code in codes)]
            yield sum({ref.sha256: ref.stored for ref in shown if ref}.values())
