"""The print page: choose how to print, see the very sheets, and keep settings under a name."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from cardsdb.catalogue.current import games
from cardsdb.faults import Fault, Refused
from cardsdb.site.errors import with_headers
from cardsdb.site.middleware import sent_from_here
from cardsdb.site.ratelimits import counted_as_work, seconds_to_look, too_many
from cardsdb.site.sharing import private
from printing.job.job import Job
from printing.models import PrintJob
from printing.options.values import Options, read_options
from printing.request.assembly import NOTHING_LACKS, build_job
from printing.request.lists import parse_lists
from printing.request.print_request import PrintFields, PrintRequest, in_address, stated
from printing.request.settings import SavedSettings, save_settings, saved_settings
from printing.web.form import decks_of
from printing.web.print_page import CANNOT_PRINT, Outcome, PrintPage

# The id of form and outcome together, which a button's answer fills in anew.
WHOLE = "print-page"


@sent_from_here
@require_http_methods(["GET", "HEAD", "POST"])
@private
def print_page(request: HttpRequest) -> HttpResponse:
    """Choose how to print, and see the very sheets. A stored deck's settings stand in the address; a pasted
    list is not saved.
    """
    fields = PrintFields.of(request, here=True)
    if fields.empty:
        return _without_cards(request, PrintRequest.parse(fields))
    live = bool(request.htmx)
    if request.method != "POST" and not fields.stated and not live and fields.as_remembered:
        # So that the address says all: as a bookmark and for others it leads to the very same sheets.
        return redirect(f"{reverse('print')}?{fields.as_remembered}")
    if live and fields.size_awaited:
        # Nothing is wrong while a size is still to be written; the answer changes nothing on the page.
        return HttpResponse(status=204)
    if wait := seconds_to_look(request):
        return _too_many_looks(request, fields, wait) if live else too_many(request, wait)
    asked = PrintRequest.parse(fields)
    try:
        job = build_job(asked)
    except Refused:
        return page(request, asked)
    address = fields.query(job.options, min(fields.sheet, job.sheets))
    query = in_address((name, value) for name, values in request.GET.lists() for value in values)
    if request.method != "POST" and fields.stated and not live and address != query:
        response: HttpResponse = redirect(f"{reverse('print')}?{address}")
    else:
        response = page(request, asked, job=job)
        if live and not fields.pasted:
            response["HX-Replace-Url"] = f"{reverse('print')}?{address}"
    remember(response, request, fields, job.options)
    return response


def _too_many_looks(request: HttpRequest, fields: PrintFields, wait: int) -> HttpResponse:
    """The same as ``too_many`` in the place of the preview, where htmx would put no error's answer."""
    sentence = f"These are more previews than one address may see in a minute. Go on in {wait} seconds."
    error = Refused(Fault("throttled", sentence), wait=wait)
    shown = PrintPage(
        PrintRequest.unread(fields, error), fields.saved, refusal=error, title="Too many previews", live=True
    )
    return with_headers(_in_its_place(render(request, "printing/print_result.html", {"page": shown})), error)


def remember(response: HttpResponseBase, request: HttpRequest, fields: PrintFields, options: Options) -> None:
    """Save in the browser what it printed, and the settings of a request that states any."""
    saved, subject = saved_settings(request), tuple(fields.subject)
    if fields.stated or subject != saved.subject:
        save_settings(
            response,
            saved.printed(stated(options), subject) if fields.stated else replace(saved, subject=subject),
        )


@require_POST
@private
@counted_as_work()
def presets(request: HttpRequest) -> HttpResponse:
    """Save the settings under a name, or forget those of a name."""
    fields = PrintFields.of(request, here=True)
    asked = PrintRequest.parse(fields)
    try:
        options = asked.settings
        saved, forgotten = saved_settings(request), request.POST.get("forget")
        saved = (
            saved.without(forgotten)
            if forgotten
            else saved.kept_as(request.POST.get("name", ""), stated(options))
        )
    except Refused as error:
        return page(request, asked, error, title="The settings were not kept")
    saved = saved.printed(stated(options), tuple(fields.subject))
    address = f"{reverse('print')}?{fields.query(options)}#presets"
    response = page(request, asked, saved=saved) if fields.pasted else redirect(address)
    save_settings(response, saved)
    return response


def page(
    request: HttpRequest,
    asked: PrintRequest,
    refusal: Refused | None = None,
    *,
    job: Job | None = None,
    saved: SavedSettings | None = None,
    title: str = CANNOT_PRINT,
) -> HttpResponse:
    """The whole page: what is wrong, and what the print comes to where it can be printed. ``job`` is the
    print, if it is made already.
    """
    outcome, status = None, refusal.status if refusal else 200
    try:
        outcome = Outcome(asked, job or build_job(asked))
    except Refused as error:
        if refusal is None:
            # To own everything is good news, and no error of the page; who asks for the file itself gets none.
            good = all(one.code == NOTHING_LACKS for one in error.faults)
            refusal, status = error, 200 if good else error.status
    shown = PrintPage(asked, saved or asked.fields.saved, outcome, refusal, title)
    context = {"page": shown, "here": "print", "game": outcome.job.game if outcome else None}
    if not request.htmx:
        return with_headers(render(request, "printing/print.html", context, status=status), refusal)
    if outcome and (asked.fields.printer_chosen or request.htmx.target == WHOLE):
        # The printer, or a button, has filled in other fields than the request said.
        answer = render(request, "printing/print_both.html", context)
        # Settled at once: a key that is pressed meanwhile would find no button with the focus.
        answer["HX-Retarget"], answer["HX-Reswap"] = f"#{WHOLE}", "outerHTML settle:0ms"
        return answer
    return _in_its_place(render(request, "printing/print_result.html", {"page": replace(shown, live=True)}))


def _in_its_place(answer: HttpResponse) -> HttpResponse:
    """The answer in the place of the outcome, which says what is wrong too; htmx would not put an error's
    answer anywhere.
    """
    answer["HX-Retarget"], answer["HX-Reswap"] = "#outcome", "innerHTML"
    return answer


def _without_cards(request: HttpRequest, asked: PrintRequest) -> HttpResponse:
    """Nothing to print yet. Settings in the address, such as a printer's calibration, are kept for the next
    print.
    """
    fields, saved = asked.fields, saved_settings(request)
    refusal = None if asked.options else asked.refusal
    options = read_options({**saved.last, **asked.words}) if fields.stated and not refusal else None
    if options and (back := _printed_last(fields, saved)):
        response: HttpResponse = redirect(f"{reverse('print')}?{back.query(options)}")
    else:
        shown = PrintPage(
            asked,
            saved,
            refusal=refusal,
            without_cards=True,
            has_jobs=PrintJob.objects.of(fields.viewer).exists(),
            kept_words=options.words() if options else (),
        )
        context = {
            "page": shown,
            "here": "print",
            "games": games().values(),
            "decks": decks_of(fields.viewer),
        }
        status = refusal.status if refusal else 200
        response = render(request, "printing/print.html", context, status=status)
    if options:
        save_settings(response, saved.printed(stated(options), saved.subject))
    return response


def _printed_last(fields: PrintFields, saved: SavedSettings) -> PrintFields | None:
    """The fields of what this browser printed last, if it can still be seen."""
    back = replace(fields, data=QueryDict(urlencode(saved.subject)), pasted=False)
    try:
        parse_lists(back.cards, back.viewer)
    except (Refused, Http404):
        return None
    return back
