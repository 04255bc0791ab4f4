"""The print page and the sheets it hands out."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from cardsdb.site.faults import Fault, Refused
from cardsdb.site.ratelimits import counted_as_work, seconds_to_look, too_many
from printing.exports.export import export_for, sheets_are_big
from printing.job.job import Job
from printing.layout.imposition import mode_to_calibrate
from printing.models import PrintJob
from printing.options.values import CannotPrint, Options, read_options
from printing.render.preview import ShownSide, shown_sides
from printing.request.assembly import NOTHING_LACKS
from printing.request.lists import refused
from printing.request.presets import PRESETS, Preset, applied
from printing.request.print_request import OWN, PrintRequest, in_address, stated
from printing.request.saved_settings import SavedSettings, Settings, lasting, save_settings, saved_settings
from printing.request.selection import all_of
from printing.web.advice import instructions
from printing.web.busy import with_headers
from printing.web.download import file_answer
from printing.web.form import form_of, told
from printing.web.offering import extras_without_use, printer_of, sections_offered, table_offered, versions_offered
from printing.web.several import decks_offered
from printing.web.unbroken import unbroken


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def print_page(request: HttpRequest) -> HttpResponse:
    """Choose how to print, and see the very sheets. A stored deck's settings stand in the address; a pasted list is not saved."""
    print_request = PrintRequest.of(request, here=True)
    if print_request.empty:
        return _without_cards(request, print_request)
    live = bool(request.htmx)
    if request.method != "POST" and not print_request.stated and not live and print_request.as_remembered:
        # So that the address says all: as a bookmark and for others it leads to the very same sheets.
        return redirect(f"{reverse('print')}?{print_request.as_remembered}")
    if live and print_request.size_awaited:
        # Nothing is wrong while a size is still to be written; the answer changes nothing on the page.
        return HttpResponse(status=204)
    if wait := math.ceil(seconds_to_look(request)):
        return _too_many_looks(request, wait) if live else too_many(request, wait)
    try:
        job = print_request.job()
        options = job.options
        sheet = min(print_request.sheet, job.sheets)
        address = print_request.query(options, sheet)
        given = in_address((name, value) for name, values in request.GET.lists() for value in values)
        if request.method != "POST" and print_request.stated and not live and address != given:
            response: HttpResponse = redirect(f"{reverse('print')}?{address}")
        elif live:
            response = page(request, print_request)
            if not print_request.pasted:
                response["HX-Replace-Url"] = f"{reverse('print')}?{address}"
        else:
            response = page(request, print_request)
    except Refused as error:
        return _told_on_page(request, print_request, error)
    _remember(response, request, print_request, options)
    return response


def _told_on_page(request: HttpRequest, print_request: PrintRequest, error: Refused, kept: SavedSettings | None = None) -> HttpResponse:
    # To own everything is good news, and no error of the page; who asks for the file itself gets none.
    good = all(one.code == NOTHING_LACKS for one in error.faults)
    return page(request, print_request, error, status=200 if good else error.status, kept=kept)


def _too_many_looks(request: HttpRequest, wait: int) -> HttpResponse:
    """The same as ``too_many`` in the place of the preview, where htmx would put no error's answer."""
    fault = Fault("throttled", f"These are more previews than one address may see in a minute. Go on in {wait} seconds.")
    context = {"faults": [told(fault)], "fault_title": "Too many previews", "form": form_of({}), "live": True}
    answer = render(request, "printing/print_result.html", context)
    answer["Retry-After"] = str(wait)
    return answer


def _remember(response: HttpResponseBase, request: HttpRequest, print_request: PrintRequest, options: Options) -> None:
    kept, subject = saved_settings(request), tuple(print_request.subject)
    if print_request.stated or subject != kept.subject:
        save_settings(response, SavedSettings(stated(options) if print_request.stated else kept.last, kept.own, subject))


@require_http_methods(["GET", "HEAD", "POST"])
@counted_as_work()
def sheets(request: HttpRequest) -> HttpResponseBase:
    """The file, made while one waits. GET for a stored deck, POST for a pasted list. A big job goes to the page that can start it."""
    print_request = PrintRequest.of(request)
    try:
        export = export_for(print_request)
        options = export.job.options
        if export.big:
            return page(request, print_request) if print_request.pasted else redirect(f"{reverse('print')}?{print_request.query(options)}")
        response = file_answer(request, export)
    except Refused as error:
        return page(request, print_request, error)
    _remember(response, request, print_request, options)
    return response


@require_POST
@never_cache
@counted_as_work()
def presets(request: HttpRequest) -> HttpResponse:
    """Keep the settings under a name, or forget some that were kept."""
    print_request = PrintRequest.of(request, here=True)
    try:
        options = _read(print_request.parse_words())
        chosen = stated(options)
        kept, forgotten = saved_settings(request), request.POST.get("forget")
        kept = kept.without(forgotten) if forgotten else kept.saved(request.POST.get("name", ""), chosen)
    except Refused as error:
        return page(request, print_request, error, title="The settings were not kept")
    kept = SavedSettings(chosen, kept.own, tuple(print_request.subject))
    address = f"{reverse('print')}?{print_request.query(options)}#presets"
    try:
        response = page(request, print_request, kept=kept) if print_request.pasted else redirect(address)
    except Refused as error:
        # The settings can be kept although these cards cannot be printed with them.
        response = _told_on_page(request, print_request, error, kept)
    save_settings(response, kept)
    return response


# -- the page -----------------------------------------------------------------------


def page(
    request: HttpRequest,
    print_request: PrintRequest,
    refused_with: Refused | None = None,
    *,
    status: int | None = None,
    kept: SavedSettings | None = None,
    title: str = "This cannot be printed yet",
) -> HttpResponse:
    """The whole page: what is wrong, or what it comes to. Raises Refused for what is wrong and was not told."""
    faults = tuple(map(told, refused_with.faults)) if refused_with else ()
    if nothing_lacks := bool(faults) and all(one.code == NOTHING_LACKS for one in faults):
        title = "Nothing lacks"
    given, kept = print_request.given, kept or saved_settings(request)
    context: dict[str, Any] = {
        "here": "decks",
        "faults": faults,
        "nothing_lacks": nothing_lacks,
        "fault_title": title,
        "by_address": not print_request.pasted,
    }
    context |= {"text": given.get("text", ""), "list_game": given.get("game", ""), "format": given.get("format", "")}
    context |= {"subject": print_request.subject, **_named(print_request)}
    if nothing_lacks:
        context["print_all"] = print_request.query(all_of(print_request.parse_options(), print_request.parse_lists().lists))
    job = None
    try:
        context |= _result(print_request, print_request.job(), min(print_request.sheet, print_request.job().sheets))
        job = print_request.job()
    except Refused:
        if not faults:
            raise
    rows, anew = table_offered(print_request, as_chosen=job is not None)
    context |= {"by_card": rows, "by_card_anew": anew, "counts": print_request.words_or_usual.get("counts", "")}
    context |= {"presets": _presets(job, kept), "own_presets": [_own_preset(job, name, own) for name, own in kept.own]}
    live = bool(request.htmx)
    if live and not (job and print_request.printer_chosen):
        # The place of the outcome says what is wrong; htmx would not put an error's answer there.
        return render(request, "printing/print_result.html", {**context, "form": form_of({}), "live": True})
    # A preset or a printer has filled in other fields than the request said.
    words = print_request.words_or_usual
    versions = versions_offered(print_request)
    # Without versions of the visitor's own nothing has changed since any.
    idle = (*(() if versions else ("since",)), *extras_without_use(print_request))
    form = form_of(words, faults, versions, sections_offered(print_request, words), rows, idle)
    context |= {
        "form": form,
        "printers": print_request.printers,
        "printer": printer_of(print_request, words),
        "several": decks_offered(print_request),
    }
    if live:
        answer = render(request, "printing/print_both.html", context)
        answer["HX-Retarget"], answer["HX-Reswap"] = "#print-page", "outerHTML"
        return answer
    status = status or (refused_with.status if refused_with else 200)
    return with_headers(render(request, "printing/print.html", context, status=status), refused_with)


def _named(print_request: PrintRequest) -> dict[str, Any]:
    """What is printed, by name, and the way back to it, also where it cannot be printed."""
    try:
        lists = print_request.parse_lists().lists
    except Refused:
        return {}
    names = list(dict.fromkeys(one.title or f"{one.game.name} cards" for one in lists))
    heading = names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
    cards_to_come = not any(one.deck.entries for one in lists) and not print_request.pasted
    return {"heading": heading, "back_to": lists[0].page if len(lists) == 1 else "", "cards_to_come": cards_to_come}


def _without_cards(request: HttpRequest, print_request: PrintRequest) -> HttpResponse:
    """Nothing to print yet. Settings in the address, such as a printer's calibration, are kept for the next print."""
    context: dict[str, Any] = {"here": "decks", "has_jobs": PrintJob.objects.of(print_request.viewer).exists()}
    if not print_request.stated:
        return render(request, "printing/print.html", context)
    kept = saved_settings(request)
    try:
        options = _read({**kept.last, **print_request.parse_words()})
    except Refused as error:
        faults = tuple(map(told, error.faults))
        return render(request, "printing/print.html", {**context, "faults": faults, "form": form_of({})}, status=error.status)
    if back := _printed_last(kept, print_request):
        response: HttpResponse = redirect(f"{reverse('print')}?{back.query(options)}")
    else:
        response = render(request, "printing/print.html", {**context, "kept_words": options.words()})
    save_settings(response, SavedSettings(stated(options), kept.own, kept.subject))
    return response


def _printed_last(kept: SavedSettings, print_request: PrintRequest) -> PrintRequest | None:
    """What this browser printed last, if it can still be seen."""
    given = QueryDict(mutable=True)
    for name, value in kept.subject:
        given.appendlist(name, value)
    back = replace(print_request, given=given, pasted=False)
    try:
        return back if kept.subject and back.parse_lists().lists else None
    except (Refused, Http404):
        return None


def _read(words: Settings) -> Options:
    try:
        return read_options(words)
    except CannotPrint as error:
        raise refused(error) from None


def _result(print_request: PrintRequest, job: Job, sheet: int) -> dict[str, Any]:
    """What it comes to: the summary, the sheet, the words beside them."""
    options = job.options
    try:
        sides = shown_sides(job, sheet)
    except CannotPrint as error:
        raise refused(error) from None
    return {
        "game": job.game,
        "job": job,
        "in_short": unbroken(job.summary()),
        "in_brief": unbroken(job.extent()),
        "details": job.details(),
        "remarks": job.remarks(),
        "calibrate": _calibration(job),
        "soft": job.soft,
        "instructions": instructions(job),
        "big": sheets_are_big(job),
        "sheet": sheet,
        "before": print_request.query(options, sheet - 1) if sheet > 1 else "",
        "after": print_request.query(options, sheet + 1) if sheet < job.sheets else "",
        "sides": [_drawn(side) for side in sides],
        "chosen": [*print_request.subject, *stated(options).items()],
    }


def _calibration(job: Job) -> str:
    """Where a calibration sheet of this job's kind is to be had, if backs are moved by what was read from another kind."""
    way = mode_to_calibrate([part.layout for part in job.parts], job.options)
    return f"{reverse('calibration')}?{urlencode({'paper': job.options.paper.slug, 'way': way.slug})}#print" if way else ""


def _drawn(side: ShownSide) -> dict[str, Any]:
    # Made by printing.render.preview, which escapes every word in it.
    return {"svg": mark_safe(side.svg), "title": side.title, "rows": side.rows}  # noqa: S308


def _presets(job: Job | None, kept: SavedSettings) -> list[dict[str, Any]]:
    def chosen(preset: Preset) -> bool:
        return job is not None and applied(preset, job.options, kept.last, job.game.trim) == job.options

    return [{"value": one.slug, "name": one.name, "help": one.help, "chosen": chosen(one)} for one in PRESETS]


def _own_preset(job: Job | None, name: str, own: Settings) -> dict[str, Any]:
    chosen = job is not None and lasting(stated(job.options)) == lasting(own)
    return {"value": f"{OWN}{name}", "name": name, "help": "Your own.", "chosen": chosen}
