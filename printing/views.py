"""The print page and the sheets it hands out."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header, parse_etags
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from cardsdb.errors import Refused
from cardsdb.limits import counted_as_work
from decks.visitors import visitor_of
from printing import geometry
from printing.jobs import Asked, job_for, pasted_list, refused, stored_deck
from printing.sheets import DEFAULTS, CannotPrint, Job, make_sheets


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@counted_as_work("POST")
def print_page(request: HttpRequest) -> HttpResponse:
    """Choose paper and card size, see what it comes to. A pasted list comes by POST and is not saved."""
    given = request.POST if request.method == "POST" else request.GET
    context: dict[str, Any] = {"papers": geometry.PAPERS, "trims": geometry.TRIMS, "options": _options(given), "here": "decks"}
    if not given.get("deck") and not given.get("text"):
        return render(request, "printing/print.html", context)
    status = 200
    try:
        asked = _asked(request)
        job = job_for(asked, _options(given))
        context |= {"game": asked.game, "job": job, "summary": _summary(job), "deck_link": given.get("deck", "")}
    except Refused as error:
        status, context["faults"] = error.status, error.faults
    context |= {"text": given.get("text", ""), "list_game": given.get("game", ""), "format": given.get("format", "")}
    return render(request, "printing/print.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@counted_as_work()
def sheets(request: HttpRequest) -> HttpResponse:
    """The PDF. GET for a stored deck, POST for a pasted list."""
    given = request.POST if request.method == "POST" else request.GET
    try:
        job = job_for(_asked(request), _options(given))
        return pdf_answer(request, job)
    except Refused as error:
        context = {"papers": geometry.PAPERS, "trims": geometry.TRIMS, "options": _options(given), "faults": error.faults, "here": "decks"}
        return render(request, "printing/print.html", context, status=error.status)


def pdf_answer(request: HttpRequest, job: Job) -> HttpResponse:
    """The sheets, or 304 for a browser that has these very bytes. Raises Refused when a character cannot be printed."""
    etag = f'"{job.key}"'
    # Compression on the way makes the tag a weak one (W/"..."), which comes back as such.
    if etag in [tag.removeprefix("W/") for tag in parse_etags(request.headers.get("If-None-Match", ""))]:
        return HttpResponse(status=304, headers={"ETag": etag})
    try:
        made = make_sheets(job)
    except CannotPrint as error:
        raise refused(error) from None
    disposition = content_disposition_header(True, made.filename) or "attachment"
    headers = {"ETag": etag, "Content-Disposition": disposition, "Cache-Control": "private, no-cache"}
    return HttpResponse(made.data, content_type=made.content_type, headers=headers)


def _asked(request: HttpRequest) -> Asked:
    if request.method == "POST":
        return pasted_list(request.POST.get("game", ""), request.POST.get("text", ""), request.POST.get("format", ""))
    return stored_deck(request.GET.get("deck", ""), visitor_of(request))


def _options(given: Any) -> dict[str, str]:
    return {name: given.get(name, default) for name, default in DEFAULTS.items()}


def _summary(job: Job) -> list[tuple[str, str]]:
    layout = job.layout
    return [
        ("Cards", f"{job.cards}, {len(job.distinct)} different"),
        ("Sheets", f"{job.pages} of {layout.per_sheet} cards"),
        ("Paper", geometry.PAPERS[job.paper].name),
        ("Card size", geometry.millimetres(job.size)),
        ("Why this size", "As asked." if job.trim else job.game.trim_source),
    ]
