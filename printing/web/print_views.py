"""The views of a print: its page, saved settings, and its files.

A GET prints stored decks, with all settings in the address; a POST prints a pasted list, which is not stored.
Small files are made while the visitor waits, within a ``turn`` (also by ``api.py``); big ones by a stored job
(``job_views.py``). Tests: ``test_print_views.py``, ``test_print_presets.py`` and ``test_print_cards.py`` in
``tests/printing/web``, and ``tests/printing/exports``.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from tempfile import SpooledTemporaryFile
from typing import IO, Any, cast
from urllib.parse import urlencode

from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header, parse_etags
from django.views.decorators.http import require_http_methods

from cardsdb.catalogue.current import games
from cardsdb.faults import SOON, Fault, Refused
from cardsdb.identity.viewer import Viewer, owner_of
from cardsdb.site.errors import with_headers
from cardsdb.site.middleware import sent_from_here
from cardsdb.site.ratelimits import Places, counted_as_work, seconds_to_look, sender, too_many
from cardsdb.site.sharing import private
from cardsdb.site.shortcuts import private_action
from printing.exports.export import SHEETS, Export, export_options_of
from printing.exports.kinds import EXPORT_KINDS, export_for
from printing.exports.print_services import SERVICES, service_remarks
from printing.options.sizes import millimetres
from printing.options.values import Options, read_options
from printing.request.assembly import NOTHING_LACKS, build_job
from printing.request.lists import parse_lists
from printing.request.past_prints import remember_print
from printing.request.print_request import PrintFields, PrintRequest, in_address, stated
from printing.request.settings import SavedSettings, save_settings, saved_settings
from printing.tasks.files import no_room
from printing.web.form import decks_of
from printing.web.print_page import CANNOT_PRINT, Outcome, PrintPage

# The id of the element with form and outcome. A button that changes other fields replaces all of it.
WHOLE = "print-page"


@sent_from_here
@require_http_methods(["GET", "HEAD", "POST"])
@private
def print_page(request: HttpRequest) -> HttpResponse:
    """Show the print page: the form, and a preview of the sheets. An htmx request gets only what has
    changed.
    """
    fields, live = PrintFields.of(request, here=True), bool(request.htmx)
    if fields.empty:
        return _without_cards(request, PrintRequest.parse(fields))
    by_address = request.method != "POST" and not live
    if by_address and not fields.stated and fields.as_remembered:
        # Redirect to the address with all settings, so that as a bookmark or a link it leads to the same
        # sheets.
        return redirect(f"{reverse('print')}?{fields.as_remembered}")
    if live and fields.size_awaited:
        # The visitor is about to type another size. htmx leaves the page as it is on 204.
        return HttpResponse(status=204)
    if wait := seconds_to_look(request):
        if not live:
            return too_many(request, wait)
        sentence = f"These are more previews than one address may see in a minute. Go on in {wait} seconds."
        error = Refused(Fault("throttled", sentence), wait=wait)
        return page(request, PrintRequest.unread(fields, error), error, title="Too many previews")
    print_request = PrintRequest.parse(fields)
    try:
        job = build_job(print_request)
        # The one way of writing this address, without defaults and empty fields; a GET is redirected to it.
        address = fields.query(job.options, min(fields.sheet, job.sheets))
        sent = in_address((name, value) for name, values in request.GET.lists() for value in values)
        if by_address and fields.stated and address != sent:
            response: HttpResponse = redirect(f"{reverse('print')}?{address}")
        else:
            response = page(request, print_request, outcome=Outcome(print_request, job))
            if live and not fields.pasted:
                response["HX-Replace-Url"] = f"{reverse('print')}?{address}"
    except Refused:
        return page(request, print_request)
    remember(response, request, fields, job.options)
    return response


def remember(response: HttpResponseBase, request: HttpRequest, fields: PrintFields, options: Options) -> None:
    """Save the printed cards in the browser's cookie, and the settings if the request states any."""
    saved, subject = saved_settings(request), tuple(fields.subject)
    if fields.stated:
        save_settings(response, saved.printed(stated(options), subject))
    elif subject != saved.subject:
        save_settings(response, replace(saved, subject=subject))


@private_action
@counted_as_work()
def presets(request: HttpRequest) -> HttpResponse:
    """Save the settings of the form under a name (``name``), or delete saved ones (``forget``)."""
    fields = PrintFields.of(request, here=True)
    print_request = PrintRequest.parse(fields)
    try:
        options = print_request.settings
        saved = saved_settings(request)
        if forgotten := request.POST.get("forget"):
            saved = saved.without(forgotten)
        else:
            saved = saved.kept_as(request.POST.get("name", ""), stated(options))
    except Refused as error:
        return page(request, print_request, error, title="The settings were not kept")
    saved = saved.printed(stated(options), tuple(fields.subject))
    address = f"{reverse('print')}?{fields.query(options)}#presets"
    response = page(request, print_request, saved=saved) if fields.pasted else redirect(address)
    save_settings(response, saved)
    return response


def page(
    request: HttpRequest,
    print_request: PrintRequest,
    refusal: Refused | None = None,
    *,
    outcome: Outcome | None = None,
    saved: SavedSettings | None = None,
    title: str = CANNOT_PRINT,
) -> HttpResponse:
    """Render the print page with the outcome of the request, or with its faults.

    ``refusal``: a fault to show even if the request itself can be printed. ``outcome``: the outcome, if it is
    made already. ``saved``: settings that are newer than the request.
    """
    status = refusal.status if refusal else 200
    try:
        outcome = outcome or Outcome(print_request, build_job(print_request))
    except Refused as error:
        if refusal is None:
            # To own every card is no error of the page. ``print_file`` passes the same refusal as an
            # argument, and then its status counts: 400.
            owns_all = all(fault.code == NOTHING_LACKS for fault in error.faults)
            refusal, status = error, 200 if owns_all else error.status
    shown = PrintPage(print_request, saved or print_request.fields.saved, outcome, refusal, title)
    if request.htmx:
        return _part_of(request, shown)
    answer = render(request, "printing/page/print.html", _context(shown), status=status)
    return with_headers(answer, refusal)


def _context(shown: PrintPage) -> dict[str, Any]:
    return {"page": shown, "game": shown.outcome.job.game if shown.outcome else None}


def _part_of(request: HttpRequest, shown: PrintPage) -> HttpResponse:
    """The answer to an htmx request: the outcome alone, or form and outcome if other fields have changed."""
    if shown.outcome and (shown.asked.fields.printer_chosen or request.htmx.target == WHOLE):
        # A chosen printer or a pressed button has changed other fields, so the form is replaced too.
        answer = render(request, "printing/page/both.html", _context(shown))
        # htmx usually settles after 20 ms, and until then the pressed button has lost the focus.
        answer["HX-Retarget"], answer["HX-Reswap"] = f"#{WHOLE}", "outerHTML settle:0ms"
        return answer
    # Faults are shown in the place of the outcome, with status 200, because htmx ignores answers with an
    # error.
    answer = render(request, "printing/page/result.html", {"page": replace(shown, live=True)})
    answer["HX-Retarget"], answer["HX-Reswap"] = "#outcome", "innerHTML"
    return with_headers(answer, shown.refusal)


def _without_cards(request: HttpRequest, print_request: PrintRequest) -> HttpResponse:
    """The print page of a request that names no cards. Settings in the address, such as those of a calibrated
    printer, are saved for the next print, and lead to the last print if there was one.
    """
    fields, saved = print_request.fields, saved_settings(request)
    # Without cards there is always a refusal. It counts only if the options cannot be read either.
    refusal = None if print_request.options else print_request.refusal
    options = read_options({**saved.last, **print_request.words}) if fields.stated and not refusal else None
    # The cards that this browser printed last. They may be gone or hidden by now.
    last = replace(fields, data=QueryDict(urlencode(saved.subject)), pasted=False)
    response: HttpResponse | None = None
    try:
        if options and parse_lists(last.cards, last.viewer):
            response = redirect(f"{reverse('print')}?{last.query(options)}")
    except (Refused, Http404):
        pass
    if response is None:
        context = {
            "page": PrintPage(
                print_request,
                saved,
                refusal=refusal,
                without_cards=True,
                kept_words=options.words() if options else (),
            ),
            "games": games().values(),
            "decks": decks_of(fields.viewer),
        }
        status = refusal.status if refusal else 200
        response = render(request, "printing/page/print.html", context, status=status)
    if options:
        save_settings(response, saved.printed(stated(options), saved.subject))
    return response


# -- files ----------------------------------------------------------------------------

# Bytes. A larger file is buffered on disk instead of in memory. ``test_export.py`` sets it.
SPOOLED = 8 * 1024 * 1024
# Files being made in one process at the same time, in all and for one address, so that threads are left for
# pages.
FILES = Places(most=3, of_one=2)
FULL = "Several files are being made for others just now. Ask again in a moment."
BUSY = (
    "Other files are being made for you, or for another visitor in your network. Wait until they are done,"
    " then ask again."
)
# Drawing is bound by the processor, so threads of one process take turns: side by side they would not be
# faster and would slow down pages.
_drawing = threading.RLock()


@contextmanager
def turn(request: HttpRequest) -> Iterator[None]:
    """Take a place for making a file, for the time of the ``with`` block. Enter it before the request is
    read. Raises Refused (503) if all places are taken.
    """
    who = sender(request)
    with FILES.one(who) as is_free:
        if not is_free:
            sentence = BUSY if FILES.taken[who] >= FILES.of_one else FULL
            raise Refused(Fault("busy", sentence), status=503, wait=SOON)
        yield


def file_answer(request: HttpRequest, export: Export) -> HttpResponseBase:
    """The response with a file, or 304 if the browser has it already. Call it within a ``turn``. Raises
    Refused if the file cannot be made.
    """
    etag = f'"{export.key}"'
    # A proxy that compresses turns the tag into a weak one (W/"..."), and the browser sends it back so.
    if etag in [tag.removeprefix("W/") for tag in parse_etags(request.headers.get("If-None-Match", ""))]:
        return HttpResponse(status=304, headers={"ETag": etag})
    # "identity" stops the site's compression, because pictures and PDFs are compressed already.
    headers = {"ETag": etag, "Cache-Control": "private, no-cache", "Content-Encoding": "identity"}
    headers["Content-Disposition"] = content_disposition_header(True, export.filename) or "attachment"
    if request.method == "HEAD":
        return HttpResponse(content_type=export.content_type, headers=headers)
    file = SpooledTemporaryFile(max_size=SPOOLED)  # noqa: SIM115  the answer closes it
    try:
        with _drawing:
            export.write(cast("IO[bytes]", file))
        size = file.seek(0, 2)
        file.seek(0)
    except BaseException as error:
        file.close()
        if isinstance(error, OSError):
            raise no_room(error) from None
        raise
    if size <= SPOOLED:
        with file:
            return HttpResponse(file.read(), content_type=export.content_type, headers=headers)
    return FileResponse(file, content_type=export.content_type, headers=headers)


@require_http_methods(["GET", "HEAD", "POST"])
@private
@counted_as_work()
def print_file(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Send the sheets, or the export ``slug``, made while the visitor waits. For a big file, show or redirect
    to a page that offers to start a stored job.
    """
    fields = PrintFields.of(request)
    # If all places are taken, the request is not read, and this one is shown with the refusal.
    print_request = PrintRequest.unread(fields, Refused())
    try:
        with turn(request):
            print_request = PrintRequest.parse(fields)
            export = export_for(print_request, slug)
            if not export.big:
                response = file_answer(request, export)
            elif slug != SHEETS:
                return _offer(request, print_request, export)
            elif fields.pasted:
                return page(request, print_request, outcome=Outcome(print_request, export.job))
            else:
                return redirect(f"{reverse('print')}?{fields.query(export.job.options)}")
    except Refused as error:
        return page(request, print_request, error)
    if slug == SHEETS:
        # A browser key is given only to a visitor who has one of our cookies already: programs have none.
        if request.method != "HEAD" and (fields.viewer != Viewer() or fields.saved.subject):
            remember_print(owner_of(request), print_request, export.job.heading, export.summary)
        remember(response, request, fields, export.job.options)
    return response


def _offer(request: HttpRequest, print_request: PrintRequest, export: Export) -> HttpResponse:
    """The page that describes a big file, with a button that starts its stored job."""
    chosen = {**stated(print_request.read), **export.chosen, "output": export.slug}
    hidden = [*print_request.fields.subject, *print_request.fields.list_fields, *chosen.items()]
    context = {"export": export, "hidden": hidden}
    answer = render(request, "printing/exports/big.html", context)
    answer["Cache-Control"] = "private, no-store"
    return answer


@require_http_methods(["GET", "HEAD", "POST"])
@private
@counted_as_work()
def service_page(request: HttpRequest) -> HttpResponse:
    """Show what to know before ordering from a print service: size, number of cards, and remarks on words
    near the cut and soft pictures.
    """
    print_request = PrintRequest.parse(PrintFields.of(request))
    try:
        options = export_options_of(print_request)
        job = EXPORT_KINDS["service"].job_of(print_request, options)
        service = SERVICES[options.service]
        remarks = service_remarks(job, service)
    except Refused as error:
        return page(request, print_request, error)
    context = {
        "game": job.game,
        "job": job,
        "service": service,
        "remarks": remarks,
        "size": millimetres(job.size),
        "by_address": not print_request.fields.pasted,
        "chosen": [*stated(print_request.read).items(), ("service", service.slug)],
        "subject": [*print_request.fields.subject, *print_request.fields.list_fields],
    }
    return render(request, "printing/exports/service.html", context)
