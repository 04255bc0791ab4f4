"""Files of a deck besides its sheets: GET for a stored deck, POST for a pasted list."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.http import content_disposition_header, parse_etags
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from cardsdb.errors import Fault, Refused
from cardsdb.games.kit import Game
from cardsdb.limits import counted_as_work
from printing.jobs import refused
from printing.options import NAMED, BadOption, CannotPrint, Options
from printing.outputs.fields import NAMED_FIELDS, Wanted, read_wanted
from printing.outputs.lists import list_for
from printing.outputs.output_table import OUTPUTS, Made, Output, made
from printing.outputs.print_services import SERVICES
from printing.outputs.service_files import service_remarks
from printing.page.asking import LIST_FIELDS, Asking
from printing.papers import INCH, millimetres
from printing.sheets import Job
from printing.views import asking_of, page

# A picture of a card at 600 dpi has three million pixels; drawing so many takes half a minute.
MOST_PIXELS = 500_000_000
# Of one picture alone, which is drawn at twice its size: a tarot card at 600 dpi has five million.
MOST_FACE = 8_000_000


@require_http_methods(["GET", "HEAD", "POST"])
@counted_as_work()
def output_file(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The file, made while it is sent, or 304 for a browser that has these very bytes."""
    asking = asking_of(request)
    try:
        return _answer(request, _made(OUTPUTS[slug], asking))
    except Refused as error:
        return page(request, asking, error.faults, error.status)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@counted_as_work()
def service_page(request: HttpRequest) -> HttpResponse:
    """What to look at before ordering from a print service: size, count, words near the cut, soft pictures."""
    asking = asking_of(request)
    try:
        wanted = _wanted(asking)
        job = _job(OUTPUTS["service"], asking, wanted)
        service = SERVICES[wanted.service]
        remarks = service_remarks(job, service)
    except Refused as error:
        return page(request, asking, error.faults, error.status)
    told, given = asking.job.options, asking.given
    context = {
        "here": "decks",
        "game": job.game,
        "job": job,
        "service": service,
        "remarks": remarks,
        "size": millimetres(job.size),
        "by_address": not asking.pasted,
        "chosen": [("paper", told.paper.slug), *told.query().items(), ("service", service.slug)],
        "subject": [*asking.subject, *((name, given.get(name, "")) for name in LIST_FIELDS if asking.pasted)],
    }
    return render(request, "printing/outputs_service.html", context)


def _made(output: Output, asking: Asking) -> Made:
    wanted = _wanted(asking)
    job = _job(output, asking, wanted)
    _refuse_too_large(output, job, wanted)
    try:
        return made(output, job, wanted, list_for(asking.asked, job))
    except CannotPrint as error:
        raise _refused(error) from None


def _wanted(asking: Asking) -> Wanted:
    try:
        return read_wanted(asking.given)
    except CannotPrint as error:
        raise _refused(error) from None


def _job(output: Output, asking: Asking, wanted: Wanted) -> Job:
    """The job with the options that this output turns those of the print into. Raises Refused."""
    game: Game = asking.asked.game
    try:
        options = output.options(asking.job.options, wanted, game)
    except CannotPrint as error:
        raise refused(error) from None
    return _asking_for(asking, options).job


def _refused(error: CannotPrint) -> Refused:
    """The error in the site's shape; a field of ours is called as its form calls it, since the form of options has none of that name."""
    if not isinstance(error, BadOption) or error.field not in NAMED_FIELDS:
        return refused(error)
    said = f"{NAMED_FIELDS[error.field].label} must be {' or '.join(error.allowed)}, not “{error.value}”."
    return Refused(Fault(error.code, said))


def _asking_for(asking: Asking, options: Options) -> Asking:
    """The same request with these options and no others."""
    given = asking.given.copy()
    for name in (*NAMED, "preset"):
        given.pop(name, None)
    given.update({"paper": options.paper.slug, **options.query()})
    return replace(asking, given=given)


def _refuse_too_large(output: Output, job: Job, wanted: Wanted) -> None:
    """Pictures of many cards at a high resolution keep a server busy for minutes."""
    if "dpi" not in output.fields:
        return
    dpi = int(wanted.dpi)
    if job.size[0] * job.size[1] * dpi * dpi > MOST_FACE * INCH * INCH:
        sentence = f"One card of this size has more pixels at {dpi} an inch than one picture may have. Choose a lower resolution."
        raise Refused(Fault("too_large", sentence, "dpi"))
    faces = sum(len(part.distinct) + len(part.extra) for part in job.parts)
    if faces * job.size[0] * job.size[1] * dpi * dpi > MOST_PIXELS * INCH * INCH:
        sentence = f"{faces} pictures at {dpi} pixels an inch are more than one file may have. Choose a lower resolution, or fewer cards."
        raise Refused(Fault("too_large", sentence, "dpi"))


def _answer(request: HttpRequest, file: Made) -> HttpResponseBase:
    etag = f'"{file.key}"'
    if etag in [tag.removeprefix("W/") for tag in parse_etags(request.headers.get("If-None-Match", ""))]:
        return HttpResponse(status=304, headers={"ETag": etag})
    headers = {
        "ETag": etag,
        "Cache-Control": "private, no-cache",
        "Content-Disposition": content_disposition_header(True, file.filename) or "attachment",
        # Pictures and PDFs are compressed already; once more would only keep the server busy.
        "Content-Encoding": "identity",
    }
    if request.method == "HEAD":
        return HttpResponse(content_type=file.content_type, headers=headers)
    return StreamingHttpResponse(file.chunks, content_type=file.content_type, headers=headers)
