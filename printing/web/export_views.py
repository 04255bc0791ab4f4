"""Files of a deck besides its sheets: GET for a stored deck, POST for a pasted list."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from cardsdb.site.faults import Refused
from cardsdb.site.ratelimits import counted_as_work
from printing.exports.export import Order, job_of, order_of, wanted_of
from printing.exports.print_services import SERVICES
from printing.exports.service_files import service_remarks
from printing.exports.table import OUTPUTS
from printing.options.sizes import millimetres
from printing.request.print_request import LIST_FIELDS, Asking
from printing.web.download import file_answer
from printing.web.print_views import asking_of, page


@require_http_methods(["GET", "HEAD", "POST"])
@counted_as_work()
def output_file(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The file, made while one waits, or 304 for a browser that has these very bytes. For a big one the page that can start it."""
    asking = asking_of(request)
    try:
        order = order_of(asking, slug)
        return _offer(request, asking, order) if order.big else file_answer(request, order)
    except Refused as error:
        return page(request, asking, error.faults, error.status)


def _offer(request: HttpRequest, asking: Asking, order: Order) -> HttpResponse:
    """What it will be, and the button that asks for it."""
    hidden = [*_subject(asking), *_chosen(asking), *order.fields.items(), ("output", order.output)]
    answer = render(request, "printing/outputs_big.html", {"here": "decks", "order": order, "hidden": hidden})
    answer["Cache-Control"] = "private, no-store"
    return answer


def _subject(asking: Asking) -> list[tuple[str, str]]:
    """Which cards, as fields of a form."""
    return [*asking.subject, *((name, asking.given.get(name, "")) for name in LIST_FIELDS if asking.pasted)]


def _chosen(asking: Asking) -> list[tuple[str, str]]:
    """The settings of the print, as fields of a form."""
    told = asking.options
    return [("paper", told.paper.slug), *told.query().items()]


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@counted_as_work()
def service_page(request: HttpRequest) -> HttpResponse:
    """What to look at before ordering from a print service: size, count, words near the cut, soft pictures."""
    asking = asking_of(request)
    try:
        wanted = wanted_of(asking)
        job = job_of(OUTPUTS["service"], asking, wanted)
        service = SERVICES[wanted.service]
        remarks = service_remarks(job, service)
    except Refused as error:
        return page(request, asking, error.faults, error.status)
    context = {
        "here": "decks",
        "game": job.game,
        "job": job,
        "service": service,
        "remarks": remarks,
        "size": millimetres(job.size),
        "by_address": not asking.pasted,
        "chosen": [*_chosen(asking), ("service", service.slug)],
        "subject": _subject(asking),
    }
    return render(request, "printing/outputs_service.html", context)
