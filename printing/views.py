"""The print page and the sheets it hands out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from tempfile import SpooledTemporaryFile
from typing import Any

from django.http import FileResponse, Http404, HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header, parse_etags
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from cardsdb.errors import Fault, Refused
from cardsdb.limits import counted_as_work
from decks.visitors import visitor_of
from printing.jobs import refused
from printing.models import PrintJob
from printing.options import CannotPrint, Options, read_options
from printing.page.advice import instructions
from printing.page.asking import OWN, Asking, stated
from printing.page.form import form_of, told
from printing.page.offering import printer_of, versions_offered
from printing.page.presets import PRESETS, Preset, applied
from printing.page.remembered import Remembered, Settings, lasting, remember, remembered
from printing.preview import ShownSide, shown_sides
from printing.sheets import Job, make_sheets, write_sheets
from printing.stored_jobs import is_big

# So many bytes of sheets wait in memory, more of them on the disk.
SPOOLED = 8 * 1024 * 1024


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@counted_as_work("POST")
def print_page(request: HttpRequest) -> HttpResponse:
    """Choose how to print, and see the very sheets. A stored deck's settings stand in the address; a pasted list is not saved."""
    asking = asking_of(request)
    if asking.empty:
        return _without_cards(request, asking)
    live = request.headers.get("HX-Request") == "true"
    if live and asking.size_awaited:
        # Nothing is wrong while a size is still to be written; the answer changes nothing on the page.
        return HttpResponse(status=204)
    try:
        job = asking.job
        options = job.options
        sheet = min(asking.sheet, job.sheets)
        address = asking.query(options, sheet)
        if request.method != "POST" and asking.stated and not live and address != request.GET.urlencode():
            response: HttpResponse = redirect(f"{reverse('print')}?{address}")
        elif live:
            response = page(request, asking)
            if not asking.pasted:
                response["HX-Replace-Url"] = f"{reverse('print')}?{address}"
        else:
            response = page(request, asking)
    except Refused as error:
        return page(request, asking, error.faults, error.status)
    _remember(response, request, asking, options)
    return response


def _remember(response: HttpResponseBase, request: HttpRequest, asking: Asking, options: Options) -> None:
    kept, subject = remembered(request), tuple(asking.subject)
    if asking.stated or subject != kept.subject:
        remember(response, Remembered(stated(options) if asking.stated else kept.last, kept.own, subject))


@require_http_methods(["GET", "HEAD", "POST"])
@counted_as_work()
def sheets(request: HttpRequest) -> HttpResponseBase:
    """The file, made while one waits. GET for a stored deck, POST for a pasted list. A big job goes to the page that can start it."""
    asking = asking_of(request)
    try:
        job = asking.job
        if is_big(job):
            return page(request, asking) if asking.pasted else redirect(f"{reverse('print')}?{asking.query(job.options)}")
        response: HttpResponseBase = pdf_answer(request, job)
    except Refused as error:
        return page(request, asking, error.faults, error.status)
    _remember(response, request, asking, job.options)
    return response


@require_POST
@never_cache
@counted_as_work()
def presets(request: HttpRequest) -> HttpResponse:
    """Keep the settings under a name, or forget some that were kept."""
    asking = asking_of(request)
    try:
        options = _read(asking.words)
        chosen = stated(options)
        kept, forgotten = remembered(request), request.POST.get("forget")
        kept = kept.without(forgotten) if forgotten else kept.saved(request.POST.get("name", ""), chosen)
    except Refused as error:
        return page(request, asking, error.faults, error.status, title="The settings were not kept")
    kept = Remembered(chosen, kept.own, tuple(asking.subject))
    address = f"{reverse('print')}?{asking.query(options)}#presets"
    response = page(request, asking, kept=kept) if asking.pasted else redirect(address)
    remember(response, kept)
    return response


def asking_of(request: HttpRequest) -> Asking:
    """What the request says is to be printed."""
    given = request.POST if request.method == "POST" else request.GET
    pasted = request.method == "POST" and "text" in given
    return Asking(given, pasted, visitor_of(request), remembered(request), request.build_absolute_uri("/"))


def pdf_answer(request: HttpRequest, job: Job) -> HttpResponseBase:
    """The sheets, or 304 for a browser that has these very bytes. Raises Refused when a character cannot be printed."""
    etag = f'"{job.key}"'
    # Compression on the way makes the tag a weak one (W/"..."), which comes back as such.
    if etag in [tag.removeprefix("W/") for tag in parse_etags(request.headers.get("If-None-Match", ""))]:
        return HttpResponse(status=304, headers={"ETag": etag})
    headers = {"ETag": etag, "Cache-Control": "private, no-cache"}
    try:
        if job.pictures:
            # A hundred megabytes go by way of the disk, and are not compressed once more.
            file = SpooledTemporaryFile(max_size=SPOOLED)  # noqa: SIM115  the answer closes it
            write_sheets(job, file)
            file.seek(0)
            return FileResponse(file, as_attachment=True, filename=job.filename, headers=headers | {"Content-Encoding": "identity"})
        made = make_sheets(job)
    except CannotPrint as error:
        raise refused(error) from None
    headers["Content-Disposition"] = content_disposition_header(True, made.filename) or "attachment"
    return HttpResponse(made.data, content_type=made.content_type, headers=headers)


# -- the page -----------------------------------------------------------------------


def page(
    request: HttpRequest,
    asking: Asking,
    faults: Iterable[Fault] = (),
    status: int = 200,
    *,
    kept: Remembered | None = None,
    title: str = "This cannot be printed yet",
) -> HttpResponse:
    """The whole page: what is wrong, or what it comes to. Raises Refused for what is wrong and was not told."""
    faults = tuple(map(told, faults))
    given, kept = asking.given, kept or remembered(request)
    context: dict[str, Any] = {"here": "decks", "faults": faults, "fault_title": title, "by_address": not asking.pasted}
    context |= {"text": given.get("text", ""), "list_game": given.get("game", ""), "format": given.get("format", "")}
    context |= {"subject": asking.subject, **_named(asking)}
    job = None
    try:
        context |= _result(asking, asking.job, min(asking.sheet, asking.job.sheets))
        job = asking.job
    except Refused:
        if not faults:
            raise
    context |= {"presets": _presets(job, kept), "own_presets": [_own_preset(job, name, own) for name, own in kept.own]}
    live = request.headers.get("HX-Request") == "true"
    if live and not (job and asking.printer_chosen):
        # The place of the outcome says what is wrong; htmx would not put an error's answer there.
        return render(request, "printing/print_result.html", {**context, "form": form_of({}), "live": True})
    # A preset or a printer has filled in other fields than the request said.
    words = asking.words_or_usual
    context |= {"form": form_of(words, faults, versions_offered(asking)), "printers": asking.printers, "printer": printer_of(asking, words)}
    if live:
        answer = render(request, "printing/print_both.html", context)
        answer["HX-Retarget"], answer["HX-Reswap"] = "#print-page", "outerHTML"
        return answer
    return render(request, "printing/print.html", context, status=status)


def _named(asking: Asking) -> dict[str, Any]:
    """What is printed, by name, and the way back to it, also where it cannot be printed."""
    try:
        lists = asking.asked.lists
    except Refused:
        return {}
    names = list(dict.fromkeys(one.title or f"{one.game.name} cards" for one in lists))
    heading = names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
    cards_to_come = not any(one.deck.entries for one in lists) and not asking.pasted
    return {"heading": heading, "back_to": lists[0].page if len(lists) == 1 else "", "cards_to_come": cards_to_come}


def _without_cards(request: HttpRequest, asking: Asking) -> HttpResponse:
    """Nothing to print yet. Settings in the address, such as a printer's calibration, are kept for the next print."""
    context: dict[str, Any] = {"here": "decks", "has_jobs": PrintJob.objects.of(asking.visitor).exists()}
    if not asking.stated:
        return render(request, "printing/print.html", context)
    kept = remembered(request)
    try:
        options = _read({**kept.last, **asking.words})
    except Refused as error:
        faults = tuple(map(told, error.faults))
        return render(request, "printing/print.html", {**context, "faults": faults, "form": form_of({})}, status=error.status)
    if back := _printed_last(kept, asking):
        response: HttpResponse = redirect(f"{reverse('print')}?{back.query(options)}")
    else:
        response = render(request, "printing/print.html", {**context, "kept_words": options.words()})
    remember(response, Remembered(stated(options), kept.own, kept.subject))
    return response


def _printed_last(kept: Remembered, asking: Asking) -> Asking | None:
    """What this browser printed last, if it can still be seen."""
    given = QueryDict(mutable=True)
    for name, value in kept.subject:
        given.appendlist(name, value)
    back = replace(asking, given=given, pasted=False)
    try:
        return back if kept.subject and back.asked.lists else None
    except (Refused, Http404):
        return None


def _read(words: Settings) -> Options:
    try:
        return read_options(words)
    except CannotPrint as error:
        raise refused(error) from None


def _result(asking: Asking, job: Job, sheet: int) -> dict[str, Any]:
    """What it comes to: the summary, the sheet, the words beside them."""
    options = job.options
    try:
        sides = shown_sides(job, sheet)
    except CannotPrint as error:
        raise refused(error) from None
    return {
        "game": job.game,
        "job": job,
        "in_short": job.summary(),
        "details": job.details(),
        "remarks": job.remarks(),
        "soft": job.soft,
        "instructions": instructions(job),
        "big": is_big(job),
        "sheet": sheet,
        "before": asking.query(options, sheet - 1) if sheet > 1 else "",
        "after": asking.query(options, sheet + 1) if sheet < job.sheets else "",
        "sides": [_drawn(side) for side in sides],
        "chosen": [*asking.subject, *stated(options).items()],
    }


def _drawn(side: ShownSide) -> dict[str, Any]:
    # Made by printing.preview, which escapes every word in it.
    return {"svg": mark_safe(side.svg), "title": side.title, "rows": side.rows}  # noqa: S308


def _presets(job: Job | None, kept: Remembered) -> list[dict[str, Any]]:
    def chosen(preset: Preset) -> bool:
        return job is not None and applied(preset, job.options, kept.last, job.game.trim) == job.options

    return [{"value": one.slug, "name": one.name, "help": one.help, "chosen": chosen(one)} for one in PRESETS]


def _own_preset(job: Job | None, name: str, own: Settings) -> dict[str, Any]:
    chosen = job is not None and lasting(stated(job.options)) == lasting(own)
    return {"value": f"{OWN}{name}", "name": name, "help": "Your own.", "chosen": chosen}
