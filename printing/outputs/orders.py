"""What a request orders: sheets or another file, with everything checked that can be before the first of it is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import IO, Any

from cardsdb.errors import Fault, Refused
from cardsdb.games.kit import Game
from printing.asked import refused
from printing.job import Job
from printing.options import NAMED, BadOption, CannotPrint, Options
from printing.outputs import bounds
from printing.outputs.bounds import Bounded, Work
from printing.outputs.fields import NAMED_FIELDS, Wanted, read_wanted
from printing.outputs.lists import list_for
from printing.outputs.output_table import OUTPUTS, Output, made
from printing.page.asking import Asking
from printing.pictures.used import refuse_lost
from printing.sheets import write_sheets

SHEETS = "sheets"


@dataclass(frozen=True, slots=True)
class Order:
    """A file that can be made. ``output``: sheets, or a line of ``OUTPUTS``. ``key`` is a hash of all that decides its bytes.

    ``title`` and ``summary`` say what it is; ``fields`` are those that it was asked for with besides the options of printing.
    """

    output: str
    job: Job
    filename: str
    content_type: str
    key: str
    summary: str
    work: Work
    make: Callable[[IO[bytes], Callable[[int], None]], None]
    fields: Mapping[str, str]

    @property
    def title(self) -> str:
        return self.job.heading

    @property
    def big(self) -> bool:
        """Whether it takes longer than one waits."""
        return bounds.is_big(self.job, self.work)

    def write(self, out: IO[bytes], on_step: Callable[[int], None] = lambda steps: None) -> None:
        """Make it. ``on_step`` is told how many pages or pictures are drawn; what it raises ends the work. Raises Refused."""
        try:
            # A file as far as anybody looks who writes one.
            self.make(Bounded(out), on_step)  # type: ignore[arg-type]
        except CannotPrint as error:
            raise refused(error) from None


def order_of(asking: Asking, output: str = SHEETS) -> Order:
    """What a request orders. Raises Refused, and Http404 for what its visitor may not see."""
    return _sheets(asking.job) if output == SHEETS else _other(asking, OUTPUTS[output])


def sheets_are_big(job: Job) -> bool:
    """Whether the sheets of this job take longer than one waits."""
    return bounds.is_big(job, bounds.pages(job.pages))


def _sheets(job: Job) -> Order:
    try:
        refuse_lost(job.every_picture)
    except CannotPrint as error:
        raise refused(error) from None
    kind = "application/zip" if job.filename.endswith(".zip") else "application/pdf"
    work = bounds.pages(job.pages)
    return Order(SHEETS, job, job.filename, kind, job.key, job.summary(), work, partial(write_sheets, job), {})


def _other(asking: Asking, output: Output) -> Order:
    wanted = wanted_of(asking)
    job = job_of(output, asking, wanted)
    try:
        file = made(output, job, wanted, list_for(asking.chosen, job))
    except CannotPrint as error:
        raise _refused(error) from None
    given = {name: asking.given[name] for name in output.fields if asking.given.get(name)}
    return Order(output.slug, job, file.filename, file.content_type, file.key, file.about, file.work, file.write, given)


def wanted_of(asking: Asking) -> Wanted:
    """The fields besides the options of printing. Raises Refused."""
    try:
        return read_wanted(asking.given)
    except CannotPrint as error:
        raise _refused(error) from None


def job_of(output: Output, asking: Asking, wanted: Wanted) -> Job:
    """The job with the options that this output turns those of the print into. Raises Refused."""
    game: Game = asking.asked.game
    try:
        options = output.options(asking.job.options, wanted, game)
    except CannotPrint as error:
        raise refused(error) from None
    return _asking_for(asking, options).job


def _asking_for(asking: Asking, options: Options) -> Asking:
    """The same request with these options and no others."""
    given = asking.given.copy()
    for name in (*NAMED, "preset", "printer"):
        given.pop(name, None)
    words: dict[str, Any] = {"paper": options.paper.slug, **options.query()}
    given.update(words)
    return replace(asking, given=given)


def _refused(error: CannotPrint) -> Refused:
    """The error in the site's shape; a field of ours is called as its form calls it, since the form of options has none of that name."""
    if not isinstance(error, BadOption) or error.field not in NAMED_FIELDS:
        return refused(error)
    said = f"{NAMED_FIELDS[error.field].label} must be {' or '.join(error.allowed)}, not “{error.value}”."
    return Refused(Fault(error.code, said))
