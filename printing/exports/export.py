"""The export that a request asks for: sheets or another file. Everything that can be checked is checked
before anything is drawn.
"""

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import IO

from PIL import __version__ as pillow

from cardsdb.games.kit import Decklist
from cardsdb.watch import metrics
from printing.exports import cost
from printing.exports.cost import Bounded, Cost
from printing.exports.fields import ExportOptions, read_export_options
from printing.exports.kinds import EXPORT_KINDS, ExportKind, ExportSource
from printing.exports.parts import write_parts
from printing.faces.own_pictures import refuse_lost
from printing.job.job import Job
from printing.job.pieces import pieces_of, refuse_missing
from printing.options.values import CannotPrint
from printing.render.files import write_sheets
from printing.request.assembly import build_job
from printing.request.print_request import PrintRequest

SHEETS = "sheets"


@dataclass(frozen=True, slots=True)
class Export:
    """A file that can be made. ``output``: ``sheets`` or a slug of ``EXPORT_KINDS``. ``decides``: what
    besides the job decides its bytes.

    ``title`` and ``summary`` describe it; ``fields`` are the export options of the request, besides the
    options of printing.
    """

    output: str
    job: Job
    filename: str
    content_type: str
    summary: str
    work: Cost
    make: Callable[[IO[bytes], Callable[[int], None]], None]
    fields: Mapping[str, str]
    decides: tuple[object, ...] = ()

    @property
    def key(self) -> str:
        """A hash of all that decides its bytes. It is reckoned anew each time, and not for who makes the file
        without asking for it.
        """
        if not self.decides:
            return self.job.key
        return hashlib.sha256(repr((self.job.key, *self.decides)).encode()).hexdigest()[:32]

    @property
    def title(self) -> str:
        return self.job.heading

    @property
    def big(self) -> bool:
        """Say whether a worker makes it, because it takes longer than a visitor waits."""
        return cost.is_big(self.job, self.work)

    def write(self, out: IO[bytes], on_step: Callable[[int], None] = lambda steps: None) -> None:
        """Write the file. ``on_step`` gets the number of pages or pictures made so far; what it raises ends
        the work. Raises Refused.
        """
        began = time.perf_counter()
        # What writes the file uses no more of it than ``Bounded`` has.
        self.make(Bounded(out), on_step)  # type: ignore[arg-type]
        metrics.made(self.output, time.perf_counter() - began, self.work.steps)


def export_for(print_request: PrintRequest, output: str = SHEETS) -> Export:
    """The export that a request asks for. Raises Refused."""
    return (
        _sheets(build_job(print_request)) if output == SHEETS else _other(print_request, EXPORT_KINDS[output])
    )


def sheets_are_big(job: Job) -> bool:
    """Say whether the sheets of this job take longer than a visitor waits."""
    return cost.is_big(job, cost.pages(job.pages))


def _sheets(job: Job) -> Export:
    refuse_lost(job.every_picture)
    work = cost.pages(job.pages)
    return Export(
        SHEETS,
        job,
        job.filename,
        job.content_type,
        job.summary(),
        work,
        partial(write_parts if job.options.part else write_sheets, job),
        {},
    )


def _other(print_request: PrintRequest, kind: ExportKind) -> Export:
    wanted = export_options_of(print_request)
    job = job_of(kind, print_request, wanted)
    data = print_request.fields.data
    fields = {name: data[name] for name in kind.fields if data.get(name)}
    return made(kind, job, wanted, lists_for(print_request, job), fields)


def export_options_of(print_request: PrintRequest) -> ExportOptions:
    """The export options of a request. Raises Refused, also for one that cannot be printed."""
    _ = print_request.read
    return read_export_options(print_request.fields.data)


def job_of(kind: ExportKind, print_request: PrintRequest, wanted: ExportOptions) -> Job:
    """The job with the options of this kind of export, which are made from those of the print. Raises
    Refused.
    """
    return build_job(print_request, kind.options(print_request.read, wanted, print_request.game))


def made(
    kind: ExportKind,
    job: Job,
    wanted: ExportOptions,
    lists: Iterable[tuple[Job, Decklist]],
    fields: Mapping[str, str] = {},
) -> Export:
    """An export besides the sheets. ``job`` has the options of its kind, and so have the jobs of its
    ``lists``.

    Raises, before the first byte: BadOption, TooLarge, MissingCharacters for what no font can write,
    PictureLost.
    """
    source = ExportSource(job, wanted, lists)
    if not job.cards or not (kind.extras or any(part.entries for part in job.parts)):
        raise CannotPrint("this file has cards, and none were chosen")
    work = kind.work(source)
    less = "a lower resolution, or " if "dpi" in kind.fields else ""
    cost.refuse_too_large(work, "dpi" if less else "", less)
    if kind.drawn:
        refuse_lost(job.every_picture)
        refuse_missing(job, pieces_of(job))
    name = f"{job.filename.rpartition('.')[0]}-{kind.file}"
    decides = (kind.slug, wanted, kind.says(source), pillow)
    about = f"{kind.title}: {kind.holds(source)}"
    return Export(
        kind.slug, job, name, kind.content_type, about, work, partial(_write, kind, source), fields, decides
    )


def _write(kind: ExportKind, source: ExportSource, out: IO[bytes], on_step: Callable[[int], None]) -> None:
    steps = count(1)
    kind.write(source, out, lambda: on_step(next(steps)))


def lists_for(print_request: PrintRequest, job: Job) -> Iterator[tuple[Job, Decklist]]:
    """(job, chosen cards in their sections) of each list. A single list has the given job; of several each
    gets a job like it.

    Lists of which nothing is chosen are left out. Each is made when it is needed: most files need none.
    Raises what ``build_job`` raises.
    """
    options = replace(job.options, extras=(), qr="none")
    for one in print_request.selections:
        if len(print_request.selections) == 1:
            yield job, Decklist(one.entries, name=job.title)
        elif one.entries:
            own = build_job(print_request, options, [one])
            yield own, Decklist(one.entries, name=own.title)
