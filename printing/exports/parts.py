"""The sheets as several files, none larger than was asked for, because mail and shops take no larger ones.

Files are split between sheets, so that the front and the back of a sheet stay together. What one will hold is
reckoned from the pictures and faces on its sheets; one that came out too large all the same is made anew as
two.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from tempfile import SpooledTemporaryFile
from typing import IO, NamedTuple, cast

from cardsdb.box.picture_files.ref import PictureRef
from printing.exports.archive import Member, readme, write_zip
from printing.exports.estimate import MEGABYTE, Contents, amount, file_size, packed_size
from printing.faces.strokes import Drawing, Picture
from printing.job.job import Job
from printing.job.pictures import refuse_lost
from printing.job.pieces import pieces_of, refuse_missing
from printing.layout.imposition import SheetSide, places_of
from printing.render.files import sides_of, write_sides
from printing.render.progress import PrintProgress

# A file of more bytes waits on the disk, and not in memory, until it is put into the archive.
SPOOLED = 8 * MEGABYTE
# The reckoning comes within 5 % of what is drawn: a file is begun that much sooner, so that few are made
# twice.
SOONER = 1.05

Progress = Callable[[int], None]


class Part(NamedTuple):
    """Sheets of one file, from 1, both included."""

    first: int
    last: int

    @property
    def words(self) -> str:
        return f"sheet {self.first}" if self.first == self.last else f"sheets {self.first} to {self.last}"

    def name(self, number: int, digits: int) -> str:
        """``part-02-sheets-05-to-08``: in the order of the print, however many there are."""
        sheets = "-to-".join(f"{one:0{digits}}" for one in dict.fromkeys(self))
        return f"part-{number:0{digits}}-sheet{'s' if self.last > self.first else ''}-{sheets}"


def write_parts(job: Job, out: IO[bytes], on_page: Progress = lambda pages: None) -> None:
    """Print the job as a zip of PDFs of at most ``job.options.part`` megabytes; a sheet that is larger alone
    is a file by itself.

    ``on_page`` gets the number of pages made so far; what it raises ends the work. Raises, before the first
    byte, what ``write_sheets`` raises.
    """
    pictures = job.every_picture
    refuse_lost(pictures)
    progress = PrintProgress(on_page, job, bool(pictures))
    pieces = pieces_of(job, progress.card)
    refuse_missing(job, pieces)
    write_zip(_members(job, list(sides_of(job, pieces)), progress.page), out)


def _members(job: Job, sides: Sequence[SheetSide], on_page: Progress) -> Iterator[Member]:
    most, digits, stem = job.options.part * MEGABYTE, len(str(job.sheets)), job.filename.removesuffix(".zip")
    waiting, lines, number, done = (
        list(_reckoned(sides, job.options.style, most)),
        list[str](),
        0,
        _Done(on_page),
    )
    while waiting:
        part = waiting.pop(0)
        files = [
            (end, _file(job, own, done))
            for end, own in _by_file(job, [one for one in sides if part.first <= one.number <= part.last])
        ]
        sizes = [_size(file) for _, file in files]
        if max(sizes) > most and part.last > part.first:
            for _, file in files:
                file.close()
            middle = (part.first + part.last) // 2
            waiting[:0] = [Part(part.first, middle), Part(middle + 1, part.last)]
            continue
        number += 1
        done.before += sum(part.first <= one.number <= part.last for one in sides)
        done(0)
        lines.append(
            f"{number}: {part.words}, {' and '.join(map(amount, sizes))}"
            + (_too_large(job) if max(sizes) > most else "")
        )
        for end, file in files:
            yield Member(f"{stem}-{part.name(number, digits)}{end}.pdf", _copied(file))
    yield readme(job, ["Print all of these files, each at 100 %."], lines)


def _reckoned(sides: Sequence[SheetSide], style: str, most: int) -> Iterator[Part]:
    """Parts that will probably be no larger than this, and not much smaller."""
    first, last, held, seen = 1, 0, Contents(), _Seen()
    for last, group in groupby(sides, key=lambda side: side.number):
        sheet = list(group)
        more = seen.add(sheet)
        if last > first and file_size(style, held.plus(more)) > most:
            yield Part(first, last - 1)
            first, held, seen = last, Contents(), _Seen(seen.packed)
            more = seen.add(sheet)
        held = held.plus(more)
    yield Part(first, last)


class _Seen:
    """What one file has already: each drawing and each picture is in it once. ``packed``: the sizes of the
    drawings of all files.
    """

    def __init__(self, packed: dict[int, int] | None = None) -> None:
        self.packed = {} if packed is None else packed
        self.keys = set[object]()

    def add(self, sides: Iterable[SheetSide]) -> Contents:
        """What is new with these sides."""
        added = Contents()
        for side in sides:
            added = added.plus(Contents(1, len(side.placed), pages=side.role == "P"))
            drawings = () if side.role == "P" else (placed.drawing for placed in side.placed)
            for drawing in drawings:
                if self._is_new(id(drawing)):
                    added = added.plus(Contents(packed=self._packed(drawing)))
                    pictures = (stroke.image for stroke in drawing.strokes if isinstance(stroke, Picture))
                    added = added.plus(
                        Contents(stored=sum(one.stored for one in pictures if self._is_new(one.sha256)))
                    )
        return added

    def _is_new(self, key: object) -> bool:
        is_new = key not in self.keys
        self.keys.add(key)
        return is_new

    def _packed(self, drawing: Drawing) -> int:
        """With the margin."""
        if id(drawing) not in self.packed:
            self.packed[id(drawing)] = round(SOONER * packed_size(drawing))
        return self.packed[id(drawing)]


def _by_file(job: Job, sides: list[SheetSide]) -> list[tuple[str, list[SheetSide]]]:
    """(end of the name, sides): one file, or one of fronts and one of backs."""
    if not job.options.apart:
        return [("", sides)]
    return [(f"-{side}s", [one for one in sides if one.side == side]) for side in ("front", "back")]


class _Done:
    """Tells how many pages are made. A part that is made anew makes no page twice."""

    def __init__(self, on_page: Progress) -> None:
        self.on_page, self.before, self.told = on_page, 0, 0

    def __call__(self, pages: int) -> None:
        if self.before + pages > self.told:
            self.told = self.before + pages
            self.on_page(self.told)


def _file(job: Job, sides: list[SheetSide], on_page: Progress) -> IO[bytes]:
    file = cast("IO[bytes]", SpooledTemporaryFile(max_size=SPOOLED))  # noqa: SIM115  closed when it is copied
    try:
        write_sides(file, job, sides, on_page, duplex=job.options.side == "both" and not job.options.apart)
    except BaseException:
        file.close()
        raise
    return file


def _size(file: IO[bytes]) -> int:
    return file.seek(0, 2)


def _copied(file: IO[bytes]) -> Callable[[IO[bytes]], None]:
    def copy(out: IO[bytes]) -> None:
        with file:
            file.seek(0)
            shutil.copyfileobj(file, out)

    return copy


def _too_large(job: Job) -> str:
    return f": more than {job.options.part} MB, because of the pictures on this one sheet"


# -- before anything is drawn ------------------------------------------------------------


def part_remarks(job: Job) -> tuple[str, ...]:
    """A sentence if the pictures on one sheet alone are larger than a file may be."""
    most = job.options.part * MEGABYTE
    if not most or not job.every_picture:
        return ()
    large = [(number, size) for number, size in _pictures_by_sheet(job) if size > most]
    if not large:
        return ()
    number, size = large[0]
    others = f", and so do {len(large) - 1} more" if len(large) > 1 else ""
    sentence = (
        f"The pictures on sheet {number} alone take {amount(size)}{others}: that file will be larger than"
        f" {job.options.part} MB."
    )
    return (f"{sentence} Use smaller pictures, or larger cards with fewer on a sheet.",)


def _pictures_by_sheet(job: Job) -> Iterator[tuple[int, int]]:
    """(number of the sheet, bytes of the own pictures of its cards)."""
    before = 0
    for part in job.parts:
        own = {code: _pictures_of(part, code) for code in {card.code for card in part.distinct}}
        copies = iter([card.code for card, count in part.entries for _ in range(count * part.options.copies)])
        for sheet in range(1, part.own_sheets + 1):
            # Places come first in zip: no card is lost when they run out.
            codes = {
                code for _, code in zip(places_of(part.layout, part.options, sheet), copies, strict=False)
            }
            yield (
                before + sheet,
                sum({ref.sha256: ref.stored for code in codes for ref in own[code]}.values()),
            )
        before += part.own_sheets


def _pictures_of(part: Job, code: str) -> list[PictureRef]:
    used = part.used_pictures
    return [
        ref for ref in (used.get((code, "front")), used.get((code, "back")) or used.get(("", "back"))) if ref
    ]
