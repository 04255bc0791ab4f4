"""What a request orders: sheets or another file, with everything checked that can be before the first of it is drawn."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import IO

from PIL import __version__ as pillow

from cardsdb.games.kit import Decklist
from cardsdb.site.faults import Fault, Refused
from printing.exports import cost
from printing.exports.cost import Bounded, Cost
from printing.exports.fields import NAMED_FIELDS, ExportOptions, read_export_options
from printing.exports.table import EXPORT_KINDS, ExportKind, ExportSource
from printing.job.job import Job
from printing.job.pictures import refuse_lost
from printing.job.pieces import pieces_of, refuse_missing
from printing.options.values import BadOption, CannotPrint
from printing.render.files import write_sheets
from printing.request.assembly import assembled
from printing.request.lists import refused
from printing.request.print_request import PrintRequest

SHEETS = "sheets"


@dataclass(frozen=True, slots=True)
class Export:
    """A file that can be made. ``output``: sheets, or a line of ``OUTPUTS``. ``key`` is a hash of all that decides its bytes.

    ``title`` and ``summary`` say what it is; ``fields`` are those that it was asked for with besides the options of printing.
    """

    output: str
    job: Job
    filename: str
    content_type: str
    key: str
    summary: str
    work: Cost
    make: Callable[[IO[bytes], Callable[[int], None]], None]
    fields: Mapping[str, str]

    @property
    def title(self) -> str:
        return self.job.heading

    @property
    def big(self) -> bool:
        """Whether it takes longer than one waits."""
        return cost.is_big(self.job, self.work)

    def write(self, out: IO[bytes], on_step: Callable[[int], None] = lambda steps: None) -> None:
        """Make it. ``on_step`` is told how many pages or pictures are drawn; what it raises ends the work. Raises Refused."""
        try:
            # A file as far as anybody looks who writes one.
            self.make(Bounded(out), on_step)  # type: ignore[arg-type]
        except CannotPrint as error:
            raise refused(error) from None


def export_for(print_request: PrintRequest, output: str = SHEETS) -> Export:
    """What a request orders. Raises Refused, and Http404 for what its visitor may not see."""
    return _sheets(print_request.job()) if output == SHEETS else _other(print_request, EXPORT_KINDS[output])


def sheets_are_big(job: Job) -> bool:
    """Whether the sheets of this job take longer than one waits."""
    return cost.is_big(job, cost.pages(job.pages))


def _sheets(job: Job) -> Export:
    try:
        refuse_lost(job.every_picture)
    except CannotPrint as error:
        raise refused(error) from None
    work = cost.pages(job.pages)
    return Export(SHEETS, job, job.filename, job.content_type, job.key, job.summary(), work, partial(write_sheets, job), {})


def _other(print_request: PrintRequest, output: ExportKind) -> Export:
    wanted = export_options_of(print_request)
    job = job_of(output, print_request, wanted)
    given = {name: print_request.given[name] for name in output.fields if print_request.given.get(name)}
    try:
        return made(output, job, wanted, lists_for(print_request, job), given)
    except CannotPrint as error:
        raise _refused(error) from None


def export_options_of(print_request: PrintRequest) -> ExportOptions:
    """The fields besides the options of printing. Raises Refused."""
    try:
        return read_export_options(print_request.given)
    except CannotPrint as error:
        raise _refused(error) from None


def job_of(output: ExportKind, print_request: PrintRequest, wanted: ExportOptions) -> Job:
    """The job with the options that this output turns those of the print into. Raises Refused."""
    try:
        options = output.options(print_request.parse_options(), wanted, print_request.parse_lists().game)
    except CannotPrint as error:
        raise refused(error) from None
    return print_request.job_with(options)


def made(
    output: ExportKind, job: Job, wanted: ExportOptions, lists: Iterable[tuple[Job, Decklist]], fields: Mapping[str, str] = {}
) -> Export:
    """A file besides the sheets. ``job`` has the options of its output, and so have those of its ``lists``.

    Raises before its first byte: BadOption, TooLarge, MissingCharacters for what no font can write, PictureLost.
    """
    source = ExportSource(job, wanted, lists)
    if not job.cards or not (output.extras or any(part.entries for part in job.parts)):
        raise CannotPrint("this file has cards, and none were chosen")
    work = output.work(source)
    less = "a lower resolution, or " if "dpi" in output.fields else ""
    cost.refuse_too_large(work, "dpi" if less else "", less)
    if output.drawn:
        refuse_lost(job.every_picture)
        refuse_missing(job, pieces_of(job))
    name = f"{job.filename.rpartition('.')[0]}-{output.file}"
    key = hashlib.sha256(repr((job.key, output.slug, wanted, output.says(source), pillow)).encode()).hexdigest()[:32]
    about = f"{output.title}: {output.holds(source)}"
    return Export(output.slug, job, name, output.content_type, key, about, work, partial(_write, output, source), fields)


def _write(output: ExportKind, source: ExportSource, out: IO[bytes], on_step: Callable[[int], None]) -> None:
    steps = count(1)
    output.write(source, out, lambda: on_step(next(steps)))


def _refused(error: CannotPrint) -> Refused:
    """The error in the site's shape. For a field of a file it names no place: the form of options has none of that name."""
    if not isinstance(error, BadOption) or error.field not in NAMED_FIELDS:
        return refused(error)
    return Refused(Fault(error.code, f"{error}."))


# Of what is printed besides the cards, what is cards.
CARDS_BESIDES = ("tokens",)


def lists_for(print_request: PrintRequest, job: Job) -> Iterator[tuple[Job, Decklist]]:
    """What was chosen of each list, each card in its section. One list is the job's own; of several each becomes a job like it.

    Lists that nothing was chosen of are left out. Made as they are asked for: most files need none. Raises as ``assembled`` does.
    """
    options = replace(job.options, extras=tuple(one for one in job.options.extras if one in CARDS_BESIDES), qr="none")
    for one in print_request.selections():
        if len(print_request.selections()) == 1:
            yield job, Decklist(one.entries, name=job.title)
        elif one.entries:
            own = assembled([one], options, print_request.viewer, print_request.root.rstrip("/"))
            yield own, Decklist(one.entries, name=own.title)
