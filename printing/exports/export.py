"""The base of all files that can be made of a print: their options, cost and limits, and how they are
written.

Each kind of file is a subclass of `Export` in `printing.exports.kinds`. Pages, the API and the command line
get one from ``kinds.export_for`` and write it; a worker (`printing.tasks.jobs`) writes those that are
``big``. A change must keep: everything that can go wrong is checked in the constructor, before the first byte
is sent, and `write` bounds the number of bytes. Tests: ``tests/printing/exports/test_export.py``, and
``test_kinds.py`` beside it for the single kinds.
"""

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import IO, Any, Literal, NamedTuple, Self
from urllib.parse import urlsplit

from PIL import __version__ as pillow

from cardsdb.games.kit import Decklist, Game, some
from cardsdb.watch import metrics
from printing.exports.card_pictures import OnDrawn
from printing.exports.print_services import SERVICES
from printing.faces.own_pictures import refuse_lost
from printing.job.job import Job
from printing.job.pieces import pieces_of, refuse_missing
from printing.options.sizes import millimetres
from printing.options.values import BadOption, CannotPrint, Options, declared
from printing.render.pdf import OnPage, no_report
from printing.request.assembly import build_job
from printing.request.print_request import PrintRequest

# A file with more sides or more own pictures is made by a worker. Drawing a side takes some milliseconds;
# sides with own pictures, which must be read and copied, take longer.
BIG_SIDES = 400
BIG_PICTURES = 30
SIDES_WITH_PICTURES = 100
# A file for which more pixels are drawn and read is made by a worker. Twenty million take about a second.
BIG_PIXELS = 25_000_000
# The most pixels of one file, about half a minute's work.
MAX_PIXELS = 500_000_000
# The most pixels of one picture, which is drawn at twice its size. A tarot card at 600 dpi has five million.
MAX_FACE_PIXELS = 8_000_000
# The most bytes of one file. Photographs as PNG are the largest.
MAX_BYTES = 600_000_000
# The value of ``output`` for the sheets themselves.
SHEETS = "sheets"


class Cost(NamedTuple):
    """The cost of a file: its number of pages or pictures, all their pixels, and those of the largest one."""

    steps: int
    unit: Literal["page", "picture"] = "page"
    pixels: int = 0
    largest: int = 0

    def is_big(self, job: Job) -> bool:
        """Return whether a worker makes the file, because it takes longer than a visitor waits."""
        used = job.every_picture
        if self.unit == "picture":
            # An own picture is decoded again for each card that shows it.
            return self.pixels + sum(ref.width * ref.height for _, ref, _ in used) > BIG_PIXELS
        different = {ref.sha256 for _, ref, _ in used}
        most_sides = SIDES_WITH_PICTURES if used else BIG_SIDES
        return self.steps > most_sides or len(different) > BIG_PICTURES

    @property
    def too_large(self) -> tuple[str, str] | None:
        """The fault of too many pixels in words, and the cards to choose instead (``fewer`` or ``smaller``).

        None for any other file.
        """
        if self.largest > MAX_FACE_PIXELS:
            return "one card of this size has more pixels than one picture may have", "smaller"
        if self.pixels > MAX_PIXELS:
            return f"these {self.steps} pictures have more pixels than one file may have", "fewer"
        return None


class TooLarge(CannotPrint):
    """The file would keep a machine busy for minutes, or fill its disk."""

    code = "too_large"
    field = ""


class Bounded:
    """A file that takes at most ``left`` more bytes, and raises the error that ``full`` makes beyond them.

    ``on_write`` is called at each write.
    """

    def __init__(
        self,
        file: IO[bytes],
        left: int,
        full: Callable[[], Exception],
        on_write: Callable[[], None] = lambda: None,
    ) -> None:
        self.file, self.left, self.full, self.on_write = file, left, full, on_write

    def write(self, data: bytes) -> int:
        self.on_write()
        self.left -= len(data)
        if self.left < 0:
            raise self.full()
        return self.file.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)


def _too_many_bytes() -> TooLarge:
    most = f"{MAX_BYTES // 1_000_000} MB"
    return TooLarge(f"this file has more than {most}: choose fewer cards, or smaller pictures")


# -- options ------------------------------------------------------------------------------


@dataclass(frozen=True)
class ExportOptions:
    """The options of an export, in addition to those of the print.

    Each is a table of ``options.toml`` in this room, which says what it means; `read_export_options` reads
    them. ``radius`` is in micrometres; None is that of the sheet's corners.
    """

    dpi: Literal["150", "300", "600"]
    image: Literal["png", "webp", "jpeg"]
    grid: Literal["large", "readable"]
    sheet_image: Literal["png", "jpeg"]
    base_url: str
    service: str
    cut_sheet: int
    radius: int | None


FIELDS = declared(__file__, {"service": {service.slug: service.name for service in SERVICES.values()}})
NAMED_FIELDS = {field.name: field for field in FIELDS}


def read_export_options(request: Mapping[str, Any]) -> ExportOptions:
    """Return the export options of a request. Options that it does not state have their defaults.

    Raise BadOption for a value that is not allowed.
    """
    options = ExportOptions(**{field.name: field.read(request.get(field.name)) for field in FIELDS})
    if not options.base_url:
        return options
    # File names are appended to the address.
    options = replace(options, base_url=options.base_url.removesuffix("/") + "/")
    if not is_address(options.base_url):
        allowed = ("an address such as https://example.org/cards/",)
        raise BadOption(NAMED_FIELDS["base_url"], options.base_url, allowed)
    return options


def is_address(text: str) -> bool:
    """Return whether the text is an address to which a file name or a path can be appended."""
    if not text.isprintable() or any(char.isspace() or char in "\"'<>\\" for char in text):
        return False
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    rooted = (parts.scheme in ("http", "https") and bool(parts.netloc)) or parts.scheme == "file"
    return rooted and not parts.query and not parts.fragment


# -- files --------------------------------------------------------------------------------


class Export:
    """A file made of a print. From a request to its bytes, with the methods that subclasses replace::

        of            reads the export options; ``options`` changes those of the print for ``job_of``
        constructor   refuses what ``cost`` finds too large, and calls ``contents`` for the summary
        key           is made of the print, the export options and ``further_key``
        write         bounds and times ``make``, which counts how often ``draw`` calls ``on_drawn``

    ``job`` and the jobs of ``lists`` have the options of this kind of file. ``lists``: (job, chosen cards);
    they may be an iterator, so a subclass goes through them once and keeps what it needs. ``wanted`` are the
    export options; ``chosen`` are those that the request states, in its own words.

    Class attributes: ``slug`` names the kind in requests; ``file`` is the end of its address; ``title`` and
    ``help`` are shown in the form; ``fields`` are the names of its export options; ``shows_cards``: all
    characters of the cards must be in our fonts and all pictures must exist; ``extras``: it also holds the
    extra pieces beside the cards.

    The constructor raises BadOption, CannotPrint, TooLarge, MissingCharacters or PictureLost.
    """

    slug = file = title = help = ""
    content_type = "application/zip"
    fields: tuple[str, ...] = ()
    shows_cards = extras = True

    def __init__(
        self,
        job: Job,
        wanted: ExportOptions,
        lists: Iterable[tuple[Job, Decklist]] = (),
        chosen: Mapping[str, str] = {},
    ) -> None:
        self.job, self.wanted, self.lists, self.chosen = job, wanted, lists, chosen
        # Extra pieces count as cards of the job.
        has_content = job.cards and (self.extras or any(part.entries for part in job.parts))
        if not has_content:
            raise CannotPrint("this file contains only cards, and none are chosen")
        self.work = self.cost()
        less = "a lower resolution, or " if "dpi" in self.fields else ""
        if too_large := self.work.too_large:
            fault, cards_to_choose = too_large
            raise TooLarge(f"{fault}: choose {less}{cards_to_choose} cards", "dpi" if less else "")
        if self.shows_cards:
            refuse_lost(job.every_picture)
            refuse_missing(job, pieces_of(job))
        self.filename = f"{job.filename.rpartition('.')[0]}-{self.file}"
        self.summary = f"{self.title}: {self.contents()}"

    @classmethod
    def of(cls, asked: PrintRequest) -> Self:
        """Return the file that a request asks for. Raise Refused if it cannot be made."""
        wanted, data = export_options_of(asked), asked.fields.data
        job = cls.job_of(asked, wanted)
        chosen = {name: data[name] for name in cls.fields if data.get(name)}
        return cls(job, wanted, lists_for(asked, job), chosen)

    @classmethod
    def job_of(cls, asked: PrintRequest, wanted: ExportOptions) -> Job:
        """Return the request's job with the options of this kind of file. Raise Refused."""
        return build_job(asked, cls.options(asked.read, wanted, asked.game))

    @classmethod
    def options(cls, chosen: Options, wanted: ExportOptions, game: Game) -> Options:
        """Return the options of the file, made from those of the print."""
        return chosen

    def cost(self) -> Cost:
        """Return the cost of the file."""
        return Cost(1)

    def further_key(self) -> str:
        """Return everything else that decides the bytes of the file, besides the job and the options."""
        return ""

    def remarks(self) -> tuple[str, ...]:
        """Return sentences that the reader should consider."""
        return ()

    def contents(self) -> str:
        """Return the content of the file in words: ``60 cards of 63 × 88 mm``."""
        parts = (part for part in self.job.parts if part.own_cards)
        return " and ".join(f"{some(part.own_cards, 'card')} of {millimetres(part.size)}" for part in parts)

    @property
    def key(self) -> str:
        """A hash of everything that decides the bytes of the file. Equal keys mean equal files."""
        # Pillow's version matters, because it encodes the pictures.
        parts = (self.job.key, self.slug, self.wanted, self.further_key(), pillow)
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]

    @property
    def big(self) -> bool:
        """True if a worker makes the file."""
        return self.work.is_big(self.job)

    def write(self, out: IO[bytes], on_step: OnPage = no_report) -> None:
        """Write the file.

        ``on_step`` gets the number of pages or pictures made so far; its errors stop the work.

        Raise Refused.
        """
        began = time.perf_counter()
        # ``Bounded`` is no IO[bytes], but it has everything that the writers use.
        self.make(Bounded(out, MAX_BYTES, _too_many_bytes), on_step)  # type: ignore[arg-type]
        metrics.made(self.slug, time.perf_counter() - began, self.work.steps)

    def make(self, out: IO[bytes], on_step: OnPage) -> None:
        """Write the file and report each step."""
        steps = count(1)
        self.draw(out, lambda: on_step(next(steps)))

    def draw(self, out: IO[bytes], on_drawn: OnDrawn) -> None:
        """Write the file, and call ``on_drawn`` for each picture or page. Subclasses implement this."""


def export_options_of(asked: PrintRequest) -> ExportOptions:
    """Return the export options of a request. Raise Refused, also if the print itself is refused."""
    # The options of the print are read for their errors, which come before those of the export options.
    _ = asked.read
    return read_export_options(asked.fields.data)


def lists_for(asked: PrintRequest, job: Job) -> Iterator[tuple[Job, Decklist]]:
    """Yield the job and the chosen cards in their sections for each list of a request.

    A single list has the given job; each of several lists gets a job like it, made only when it is needed,
    because most files need none. Lists without a chosen card are left out. Raise the errors of `build_job`.
    """
    options = replace(job.options, extras=(), qr="none")
    is_single = len(asked.selections) == 1
    for selection in asked.selections:
        if is_single or selection.entries:
            own = job if is_single else build_job(asked, options, [selection])
            yield own, Decklist(selection.entries, name=own.title)
