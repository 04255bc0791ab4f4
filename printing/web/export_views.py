"""Files of a deck besides its sheets: GET for a stored deck, POST for a pasted list."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from cardsdb.site.faults import Refused
from cardsdb.site.ratelimits import counted_as_work
from printing.exports.export import Export, export_for, export_options_of, job_of
from printing.exports.print_services import SERVICES
from printing.exports.service_files import service_remarks
from printing.exports.table import EXPORT_KINDS
from printing.options.sizes import millimetres
from printing.request.print_request import LIST_FIELDS, PrintRequest
from printing.web.download import file_answer
from printing.web.print_views import page


@require_http_methods(["GET", "HEAD", "POST"])
@counted_as_work()
def output_file(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The file, made while one waits, or 304 for a browser that has these very bytes. For a big one the page that can start it."""
    print_request = PrintRequest.of(request)
    try:
        export = export_for(print_request, slug)
        return _offer(request, print_request, export) if export.big else file_answer(request, export)
    except Refused as error:
        return page(request, print_request, error)


def _offer(request: HttpRequest, print_request: PrintRequest, export: Export) -> HttpResponse:
    """What it will be, and the button that asks for it."""
    hidden = [*_subject(print_request), *_chosen(print_request), *export.fields.items(), ("output", export.output)]
    answer = render(request, "printing/outputs_big.html", {"here": "decks", "export": export, "hidden": hidden})
    answer["Cache-Control"] = "private, no-store"
    return answer


def _subject(print_request: PrintRequest) -> list[tuple[str, str]]:
    """Which cards, as fields of a form."""
    return [*print_request.subject, *((name, print_request.given.get(name, "")) for name in LIST_FIELDS if print_request.pasted)]


def _chosen(print_request: PrintRequest) -> list[tuple[str, str]]:
    """The settings of the print, as fields of a form."""
    told = print_request.parse_options()
    return [("paper", told.paper.slug), *told.query().items()]


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@counted_as_work()
def service_page(request: HttpRequest) -> HttpResponse:
    """What to look at before ordering from a print service: size, count, words near the cut, soft pictures."""
    print_request = PrintRequest.of(request)
    try:
        wanted = export_options_of(print_request)
        job = job_of(EXPORT_KINDS["service"], print_request, wanted)
        service = SERVICES[wanted.service]
        remarks = service_remarks(job, service)
    except Refused as error:
        return page(request, print_request, error)
    context = {
        "here": "decks",
        "game": job.game,
        "job": job,
        "service": service,
        "remarks": remarks,
        "size": millimetres(job.size),
        "by_address": not print_request.pasted,
        "chosen": [*_chosen(print_request), ("service", service.slug)],
        "subject": _subject(print_request),
    }
    return render(request, "printing/outputs_service.html", context)
