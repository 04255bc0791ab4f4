"""A file that is made of a print: its content and its cost. Everything that can be checked is checked before
anything is drawn.

Each kind of file is a class (``printing.exports.kinds``).
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
from printing.exports.card_pictures import Drawn
from printing.exports.print_services import SERVICES
from printing.faces.own_pictures import refuse_lost
from printing.job.job import Job
from printing.job.pieces import pieces_of, refuse_missing
from printing.options.sizes import millimetres
from printing.options.values import BadOption, CannotPrint, Options, declared
from printing.request.assembly import build_job
from printing.request.print_request import PrintRequest

# A file of more sides or pages, or of more own pictures, is left to a worker. What we draw takes some
# milliseconds a side; a side with own pictures, which are read and copied, counts as several.
BIG_SIDES, BIG_PICTURES = 400, 30
SIDES_WITH_PICTURES = 100
# A file for which more pixels are drawn and read is left to a worker; some twenty million take a second.
BIG_PIXELS = 25_000_000
# The most pixels of one file: half a minute's work.
MAX_PIXELS = 500_000_000
# The most pixels of one picture, which is drawn at twice its size: a tarot card at 600 dpi has five million.
MAX_FACE_PIXELS = 8_000_000
# The most bytes of one file. Photographs as PNG are the largest.
MAX_BYTES = 600_000_000
SHEETS = "sheets"


class Cost(NamedTuple):
    """The cost of a file: its number of pages or pictures, the pixels of all of them, and the pixels of the
    largest.
    """

    steps: int
    unit: Literal["page", "picture"] = "page"
    pixels: int = 0
    largest: int = 0

    def is_big(self, job: Job) -> bool:
        """True if a worker makes the file, because it takes longer than a visitor waits."""
        used = job.every_picture
        if self.unit == "picture":
            # Each picture is unpacked for each card that shows it.
            return self.pixels + sum(one.ref.width * one.ref.height for one in used) > BIG_PIXELS
        return (
            self.steps > (SIDES_WITH_PICTURES if used else BIG_SIDES)
            or len({one.ref.sha256 for one in used}) > BIG_PICTURES
        )

    @property
    def too_large(self) -> tuple[str, str] | None:
        """The fault and the number of cards that a file may have, for a file with too many pixels; None for
        other files.
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
    """A file that takes a bounded number of bytes: beyond them it raises the error that ``full`` makes.
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
    """The options of an export besides those of the print, each a table of ``options.toml`` beside this
    module.

    ``radius`` None is that of the sheet's corners.
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
    """The options of an export from the words of a request. Absent options have their defaults. Raises
    BadOption.
    """
    options = ExportOptions(**{field.name: field.read(request.get(field.name)) for field in FIELDS})
    if not options.base_url:
        return options
    # File names are put behind it.
    options = replace(options, base_url=options.base_url.removesuffix("/") + "/")
    if not is_address(options.base_url):
        allowed = ("an address such as https://example.org/cards/",)
        raise BadOption(NAMED_FIELDS["base_url"], options.base_url, allowed)
    return options


def is_address(text: str) -> bool:
    """True if the text is an address, to which a file name or a path can be added."""
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
    """A file besides the sheets. ``job`` has the options of its kind, and so have the jobs of its ``lists``,
    which are iterated over once at most. ``chosen`` are the export options of the request in its words.

    ``file`` is the end of its address; ``fields`` are the names of its export options. ``drawn``: the file
    shows cards, all of whose characters must be in our fonts, and all of whose pictures must exist.
    ``extras``: the file holds the extra pieces besides the list's cards.

    Raises, before the first byte: BadOption, TooLarge, MissingCharacters for characters that no font has,
    PictureLost.
    """

    slug = file = title = help = ""
    content_type = "application/zip"
    fields: tuple[str, ...] = ()
    drawn = extras = True

    def __init__(
        self,
        job: Job,
        wanted: ExportOptions,
        lists: Iterable[tuple[Job, Decklist]] = (),
        chosen: Mapping[str, str] = {},
    ) -> None:
        self.job, self.wanted, self.lists, self.chosen = job, wanted, lists, chosen
        if not job.cards or not (self.extras or any(part.entries for part in job.parts)):
            raise CannotPrint("this file has cards, and none were chosen")
        self.work = self.cost()
        less = "a lower resolution, or " if "dpi" in self.fields else ""
        if too_large := self.work.too_large:
            raise TooLarge(f"{too_large[0]}: choose {less}{too_large[1]} cards", "dpi" if less else "")
        if self.drawn:
            refuse_lost(job.every_picture)
            refuse_missing(job, pieces_of(job))
        self.filename = f"{job.filename.rpartition('.')[0]}-{self.file}"
        self.summary = f"{self.title}: {self.holds()}"

    @classmethod
    def of(cls, asked: PrintRequest) -> Self:
        """The file that a request asks for. Raises Refused."""
        wanted, data = export_options_of(asked), asked.fields.data
        job = cls.job_of(asked, wanted)
        return cls(
            job, wanted, lists_for(asked, job), {name: data[name] for name in cls.fields if data.get(name)}
        )

    @classmethod
    def job_of(cls, asked: PrintRequest, wanted: ExportOptions) -> Job:
        """The job with the options of this kind of file. Raises Refused."""
        return build_job(asked, cls.options(asked.read, wanted, asked.game))

    @classmethod
    def options(cls, chosen: Options, wanted: ExportOptions, game: Game) -> Options:
        """The options of the file, made from the options of the print."""
        return chosen

    def cost(self) -> Cost:
        """The cost of the file: one page unless its kind says another number."""
        return Cost(1)

    def says(self) -> str:
        """Everything that decides the file's bytes besides the job and the options."""
        return ""

    def remarks(self) -> tuple[str, ...]:
        """Sentences for the reader to consider; none unless the kind has some."""
        return ()

    def holds(self) -> str:
        """The content of the file in words."""
        parts = (part for part in self.job.parts if part.own_cards)
        return " and ".join(f"{some(part.own_cards, 'card')} of {millimetres(part.size)}" for part in parts)

    @property
    def key(self) -> str:
        """A hash of everything that decides the file's bytes."""
        decides = (self.job.key, self.slug, self.wanted, self.says(), pillow)
        return hashlib.sha256(repr(decides).encode()).hexdigest()[:32]

    @property
    def big(self) -> bool:
        """True if a worker makes the file, because it takes longer than a visitor waits."""
        return self.work.is_big(self.job)

    def write(self, out: IO[bytes], on_step: Callable[[int], None] = lambda steps: None) -> None:
        """Write the file. ``on_step`` gets the number of pages or pictures made so far; an error that it
        raises ends the work. Raises Refused.
        """
        began = time.perf_counter()
        # The code that writes the file uses no more of it than ``Bounded`` has.
        self.make(Bounded(out, MAX_BYTES, _too_many_bytes), on_step)  # type: ignore[arg-type]
        metrics.made(self.slug, time.perf_counter() - began, self.work.steps)

    def make(self, out: IO[bytes], on_step: Callable[[int], None]) -> None:
        """Write the file, and report each step."""
        steps = count(1)
        self.draw(out, lambda: on_step(next(steps)))

    def draw(self, out: IO[bytes], drawn: Drawn) -> None:
        """Write the file, and call ``drawn`` for each picture or page."""


def export_options_of(asked: PrintRequest) -> ExportOptions:
    """The export options of a request. Raises Refused, also for a request that cannot be printed."""
    _ = asked.read
    return read_export_options(asked.fields.data)


def lists_for(asked: PrintRequest, job: Job) -> Iterator[tuple[Job, Decklist]]:
    """A pair of the job and the chosen cards in their sections, for each list. A single list has the given
    job; each of several lists gets a job like it.

    Lists without a chosen card are left out. Each job is made when it is needed, because most files need
    none. Raises the errors of ``build_job``.
    """
    options = replace(job.options, extras=(), qr="none")
    for one in asked.selections:
        if len(asked.selections) == 1 or one.entries:
            own = job if len(asked.selections) == 1 else build_job(asked, options, [one])
            yield own, Decklist(one.entries, name=own.title)
