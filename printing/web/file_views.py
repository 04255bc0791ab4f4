"""The files of a print: made while one waits, or by a stored job. GET for a stored deck, POST for a pasted
list.

A stored job is there for its owner alone.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cardsdb.box.jobs import OWN
from cardsdb.faults import Fault, Refused
from cardsdb.identity.viewer import browser_of, viewer_of
from cardsdb.models import RowState
from cardsdb.site.errors import with_headers
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import private
from printing.exports.export import SHEETS, Export, export_for, export_options_of, job_of
from printing.exports.kinds import EXPORT_KINDS
from printing.exports.print_services import SERVICES, service_remarks
from printing.models import PrintJob
from printing.options.sizes import millimetres
from printing.request.print_request import PrintFields, PrintRequest, stated
from printing.tasks import jobs
from printing.tasks.files import file_of, sweep_now_and_then
from printing.web.download import NoTurn, file_answer, stored_file, turn
from printing.web.print_views import page, remember

MAX_SHOWN = 20


@require_http_methods(["GET", "HEAD", "POST"])
@private
@counted_as_work()
def sheets(request: HttpRequest) -> HttpResponseBase:
    """The sheets, made while one waits. A big job goes to the page that can start it."""
    return _in_turn(request, _sheets)


@require_http_methods(["GET", "HEAD", "POST"])
@private
@counted_as_work()
def export_file(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Another file, made while one waits, or 304 for a browser that has these very bytes. For a big one the
    page that can start it.
    """
    return _in_turn(request, partial(_export_file, slug=slug))


def _in_turn(
    request: HttpRequest, answer: Callable[[HttpRequest, PrintFields], HttpResponseBase]
) -> HttpResponseBase:
    """The answer; while enough other files are made the page that says so, for which nothing of the request
    is looked into.
    """
    fields = PrintFields.of(request)
    try:
        with turn(request):
            return answer(request, fields)
    except NoTurn as error:
        return page(request, PrintRequest.unread(fields, error), error)


def _sheets(request: HttpRequest, fields: PrintFields) -> HttpResponseBase:
    asked = PrintRequest.parse(fields)
    try:
        export = export_for(asked)
        options = export.job.options
        if export.big:
            return (
                page(request, asked, job=export.job)
                if fields.pasted
                else redirect(f"{reverse('print')}?{fields.query(options)}")
            )
        response = file_answer(request, export)
    except Refused as error:
        return page(request, asked, error)
    remember(response, request, fields, options)
    return response


def _export_file(request: HttpRequest, fields: PrintFields, slug: str) -> HttpResponseBase:
    asked = PrintRequest.parse(fields)
    try:
        export = export_for(asked, slug)
        return _offer(request, asked, export) if export.big else file_answer(request, export)
    except Refused as error:
        return page(request, asked, error)


def _offer(request: HttpRequest, asked: PrintRequest, export: Export) -> HttpResponse:
    """The page that says what the file will be, with the button that starts it."""
    hidden = [
        *asked.fields.subject,
        *asked.fields.list_fields,
        *stated(asked.read).items(),
        *export.fields.items(),
        ("output", export.output),
    ]
    answer = render(
        request, "printing/export_big.html", {"here": "decks", "export": export, "hidden": hidden}
    )
    answer["Cache-Control"] = "private, no-store"
    return answer


@require_http_methods(["GET", "HEAD", "POST"])
@private
@counted_as_work()
def service_page(request: HttpRequest) -> HttpResponse:
    """What to look at before ordering from a print service: size, count, words near the cut, soft
    pictures.
    """
    asked = PrintRequest.parse(PrintFields.of(request))
    try:
        wanted = export_options_of(asked)
        job = job_of(EXPORT_KINDS["service"], asked, wanted)
        service = SERVICES[wanted.service]
        remarks = service_remarks(job, service)
    except Refused as error:
        return page(request, asked, error)
    context = {
        "here": "decks",
        "game": job.game,
        "job": job,
        "service": service,
        "remarks": remarks,
        "size": millimetres(job.size),
        "by_address": not asked.fields.pasted,
        "chosen": [*stated(asked.read).items(), ("service", service.slug)],
        "subject": [*asked.fields.subject, *asked.fields.list_fields],
    }
    return render(request, "printing/export_service.html", context)


# -- stored jobs ------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@private
@counted_as_work("POST")
def print_jobs(request: HttpRequest) -> HttpResponse:
    """The visitor's jobs of the last week; POST asks for one."""
    if request.method != "POST":
        sweep_now_and_then()
        jobs.recover_now_and_then()
        rows = (
            PrintJob.objects.of(viewer_of(request))
            .exclude(request__output=OWN)
            .order_by("-made", "-pk")[:MAX_SHOWN]
        )
        return render(request, "printing/print_jobs.html", {"jobs": list(rows), "here": "decks"})
    browser_of(request)
    asked = PrintRequest.parse(PrintFields.of(request))
    try:
        output = _known_output(request.POST.get("output", "") or SHEETS)
        row = jobs.ask(asked, output, network=jobs.network_of(request))
    except Refused as error:
        return page(request, asked, error, title="Not started")
    return redirect("print_job", row.link)


def _known_output(slug: str) -> str:
    """The kind of file of this name. Raises Refused for one that there is not."""
    if slug != SHEETS and slug not in EXPORT_KINDS:
        raise Refused(Fault("unknown_output", "There is no such file: choose one on the print page."))
    return slug


@require_safe
@private
def print_job(request: HttpRequest, link: str) -> HttpResponse:
    """How far the job is. The page loads it again and again while it is under way."""
    row = _own_or_404(request, link)
    if row.request.get("output") == OWN:
        return redirect("own_job", link)
    if row.state in jobs.OPEN:
        jobs.recover_now_and_then()
        row = _own_or_404(request, link)
    template = "printing/print_job_state.html" if request.htmx else "printing/print_job.html"
    return render(request, template, {**_state_of(row), "here": "decks"})


@require_safe
@private
def job_file(request: HttpRequest, link: str) -> HttpResponseBase:
    """The finished file."""
    return stored_file(_own_or_404(request, link))


@require_POST
@private
def cancel_job(request: HttpRequest, link: str) -> HttpResponse:
    """Stop it, or delete its file."""
    row = _own_or_404(request, link)
    jobs.cancel(row)
    return redirect("print_job", row.link)


@require_POST
@private
@counted_as_work()
def repeat_job(request: HttpRequest, link: str) -> HttpResponse:
    """Make the same again, for one that failed, was cancelled or whose file is gone."""
    row = _own_or_404(request, link)
    try:
        row = jobs.ask_again(row, viewer_of(request), jobs.network_of(request))
    except Refused as error:
        context = {**_state_of(row), "faults": error.faults, "here": "decks"}
        return with_headers(render(request, "printing/print_job.html", context, status=error.status), error)
    return redirect("print_job", row.link)


def _own_or_404(request: HttpRequest, link: str) -> PrintJob:
    row = PrintJob.objects.of(viewer_of(request)).filter(link=link).first()
    if row is None:
        raise Http404
    return row


def _state_of(row: PrintJob) -> dict[str, object]:
    ready = bool(file_of(row))
    return {
        "job": row,
        "open": row.state in jobs.OPEN,
        "broken_off": row.state == RowState.WAITING and row.attempts > 0,
        "unattended": jobs.is_unattended(row),
        "ready": ready,
        "gone": row.state == RowState.DONE and not ready,
        "unit": row.request.get("unit", "page"),
    }
