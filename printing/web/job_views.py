"""The pages of stored print jobs. Only who asked for a job sees it; to all others there is nothing here."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cardsdb.site.faults import Fault, Refused
from cardsdb.site.ratelimits import counted_as_work
from decks.identity.viewer import browser_of, viewer_of
from printing.exports.export import SHEETS
from printing.exports.table import EXPORT_KINDS
from printing.models import PrintJob
from printing.models.jobs import JobState
from printing.request.print_request import PrintRequest
from printing.tasks import jobs
from printing.tasks.files import file_of, sweep_now_and_then
from printing.tasks.worker import wake, wake_for
from printing.web.busy import with_headers
from printing.web.download import stored_file
from printing.web.print_views import page

MAX_SHOWN = 20


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@counted_as_work("POST")
def print_jobs(request: HttpRequest) -> HttpResponse:
    """The visitor's jobs of the last week; POST asks for one."""
    if request.method != "POST":
        sweep_now_and_then()
        jobs.settle()
        rows = PrintJob.objects.of(viewer_of(request)).order_by("-made", "-pk")[:MAX_SHOWN]
        return render(request, "printing/print_jobs.html", {"jobs": list(rows), "here": "decks"})
    browser_of(request)
    print_request = PrintRequest.of(request)
    try:
        row = jobs.ask(print_request, _output(request.POST.get("output", "") or SHEETS), network=jobs.network_of(request))
    except Refused as error:
        return page(request, print_request, error, title="Not started")
    wake()
    return redirect("print_job", row.link)


@require_safe
@never_cache
def print_job(request: HttpRequest, link: str) -> HttpResponse:
    """How far the job is. Asked again and again while it is under way."""
    row = _own_or_404(request, link)
    if row.state in jobs.OPEN:
        jobs.settle()
        row = _own_or_404(request, link)
        wake_for(row)
    template = "printing/print_job_state.html" if request.htmx else "printing/print_job.html"
    return render(request, template, {**_shown(row), "here": "decks"})


@require_safe
def job_file(request: HttpRequest, link: str) -> HttpResponseBase:
    """The finished file."""
    return stored_file(_own_or_404(request, link))


@require_POST
@never_cache
def cancel_job(request: HttpRequest, link: str) -> HttpResponse:
    """Stop it, or delete its file."""
    row = _own_or_404(request, link)
    jobs.cancel(row)
    return redirect("print_job", row.link)


@require_POST
@never_cache
@counted_as_work()
def repeat_job(request: HttpRequest, link: str) -> HttpResponse:
    """Make the same again, for one that failed, was cancelled or whose file is gone."""
    row = _own_or_404(request, link)
    try:
        row = jobs.ask_again(row, viewer_of(request), jobs.network_of(request))
    except Refused as error:
        context = {**_shown(row), "faults": error.faults, "here": "decks"}
        return with_headers(render(request, "printing/print_job.html", context, status=error.status), error)
    wake()
    return redirect("print_job", row.link)


def _output(slug: str) -> str:
    """What kind of file is asked for. Raises Refused."""
    if slug != SHEETS and slug not in EXPORT_KINDS:
        raise Refused(Fault("unknown_output", "There is no such file: choose one on the print page."))
    return slug


def _own_or_404(request: HttpRequest, link: str) -> PrintJob:
    row = PrintJob.objects.of(viewer_of(request)).filter(link=link).first()
    if row is None:
        raise Http404
    return row


def _shown(row: PrintJob) -> dict[str, object]:
    ready = file_of(row) is not None
    return {
        "job": row,
        "open": row.state in jobs.OPEN,
        "broken_off": row.state == JobState.WAITING and row.attempts > 0,
        "ready": ready,
        "gone": row.state == JobState.DONE and not ready,
        "unit": row.request.get("unit", "page"),
    }
