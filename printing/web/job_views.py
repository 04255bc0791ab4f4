"""The views of stored jobs: the page that lists and starts them, and the progress and file of each. Only its
owner may see a job.

``print_views._offer`` and the print page have the buttons that start a job; ``printing/tasks/jobs.py`` stores
and makes it; ``api.py`` sends files with ``stored_file``. Tests: ``tests/printing/tasks`` and
``tests/printing/exports``.
"""

from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from cardsdb.box.jobs import OWN
from cardsdb.faults import Fault, Refused
from cardsdb.identity.viewer import browser_of, owner_of, viewer_of
from cardsdb.models import RowState
from cardsdb.site.errors import with_headers
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.shortcuts import private_action, private_form, private_page
from printing.exports.export import SHEETS
from printing.exports.kinds import EXPORT_KINDS
from printing.models import PastPrint, PrintJob
from printing.request.past_prints import remember_print
from printing.request.print_request import PrintFields, PrintRequest
from printing.tasks import jobs
from printing.tasks.files import file_of, store, sweep_now_and_then
from printing.web.mine import shown
from printing.web.print_views import page

# Stored jobs on the page of prints.
MAX_SHOWN = 20
# Bytes of a stored file that are sent at a time.
BLOCK = 256 * 1024


@private_form
def print_jobs(request: HttpRequest) -> HttpResponse:
    """List the visitor's past prints and stored jobs. A POST stores a new job and redirects to its page."""
    if request.method == "POST":
        return _start(request)
    sweep_now_and_then()
    jobs.recover_now_and_then()
    viewer = viewer_of(request)
    # Jobs of own files (OWN) are shown by own_views.py.
    rows = PrintJob.objects.of(viewer).exclude(request__output=OWN).order_by("-made", "-pk")[:MAX_SHOWN]
    prints = list(PastPrint.objects.of(viewer))
    _, shown_prints = shown(viewer, prints, wanted=prints)
    return render(request, "printing/jobs/jobs.html", {"jobs": list(rows), "prints": shown_prints})


def _start(request: HttpRequest) -> HttpResponse:
    """Store the job of a sent form, and redirect to its page."""
    # A visitor without an account gets a browser key, which owns the job. It must be there before the request
    # is read, which names the viewer.
    browser_of(request)
    print_request = PrintRequest.parse(PrintFields.of(request))
    try:
        output = request.POST.get("output", "") or SHEETS
        if output != SHEETS and output not in EXPORT_KINDS:
            sentence = "There is no such file: choose one on the print page."
            raise Refused(Fault("unknown_output", sentence))
        row = jobs.ask(print_request, output, network=jobs.network_of(request))
        if output == SHEETS:
            remember_print(owner_of(request), print_request, row.request["title"], row.request["summary"])
    except Refused as error:
        return page(request, print_request, error, title="Not started")
    return redirect("print_job", row.link)


@private_page
def print_job(request: HttpRequest, link: str) -> HttpResponse:
    """Show the progress of a job. The page reloads the state by htmx until the job has ended."""
    row = jobs.job_or_404(viewer_of(request), link)
    if row.request.get("output") == OWN:
        return redirect("own_job", link)
    template = "printing/jobs/job_state.html" if request.htmx else "printing/jobs/job.html"
    return render(request, template, _state_of(row))


@private_page
def job_file(request: HttpRequest, link: str) -> HttpResponseBase:
    """Send the finished file of a job."""
    return stored_file(jobs.job_or_404(viewer_of(request), link))


@private_action
def cancel_job(request: HttpRequest, link: str) -> HttpResponse:
    """Stop a job, or delete its file if it is done."""
    jobs.cancel(jobs.job_or_404(viewer_of(request), link))
    return redirect("print_job", link)


@private_action
@counted_as_work()
def repeat_job(request: HttpRequest, link: str) -> HttpResponse:
    """Store the same job again, if it failed, was cancelled, or its file is gone."""
    row = jobs.job_or_404(viewer_of(request), link)
    try:
        row = jobs.ask_again(row, viewer_of(request), jobs.network_of(request))
    except Refused as error:
        context = {**_state_of(row), "faults": error.faults}
        return with_headers(render(request, "printing/jobs/job.html", context, status=error.status), error)
    return redirect("print_job", row.link)


def _state_of(row: PrintJob) -> dict[str, object]:
    """The template context for the state of a job.

    - open: it waits or is being made; unattended: it waits, and no worker is running;
    - broken_off: its worker died, and it waits for another one;
    - ready: its file can be fetched; gone: it was made, and is deleted.
    """
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


def stored_file(row: PrintJob) -> HttpResponseBase:
    """The response with the file of a stored job. Raises Http404 if it is not finished or no longer kept."""
    name = file_of(row)
    try:
        opened = store().stream(name) if name else None
    except OSError:
        opened = None
    if opened is None:
        raise Http404
    # "identity" stops the site's compression, because PDF and zip are compressed already.
    headers = {
        "Cache-Control": "private, no-store",
        "Content-Encoding": "identity",
        "Content-Length": str(opened.size),
    }
    answer = FileResponse(opened, as_attachment=True, filename=row.request["filename"], headers=headers)
    answer.block_size = BLOCK
    return answer
