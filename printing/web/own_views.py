"""The page on which people bring along the words of their cards: a file, its dry run, and then all of it or nothing."""

from __future__ import annotations

import io
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cardsdb.games import games
from cardsdb.games.kit.model.text import some, whole_number
from cardsdb.identity.viewer import Viewer, browser_of, viewer_of
from cardsdb.models import OwnBox
from cardsdb.own.choices import remember
from cardsdb.own.comparing import add, add_compared
from cardsdb.own.contents import as_table, contents, forget
from cardsdb.own.texts import box_of
from cardsdb.packages.container import MAX_SENT, open_file, plain_name
from cardsdb.packages.contract import BadPackage
from cardsdb.packages.reading import package_of
from cardsdb.site.errors import with_headers
from cardsdb.site.faults import Fault, Refused
from cardsdb.site.ratelimits import counted_as_work
from printing.uploads import waiting
from printing.web.own_report import OwnReport, report_of

MAX_PASTED = 500_000
TOO_MUCH = f"This is more than {waiting.MAX_FILE // waiting.MEGABYTE} MB. Send its sets one after another."
NOTHING = "Choose a file, or paste some text."


@csrf_exempt
def own(request: HttpRequest) -> HttpResponse:
    """What one has, and the form that brings more. A request that is too large is refused before it is read."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    if request.method == "POST" and whole_number(length, waiting.MAX_FILE) is None:
        context = {"title": "Too much at once", "message": TOO_MUCH, "advice": "Nothing was kept. Go back and choose another file."}
        return render(request, "error.html", context, status=413)
    return _own(request)


@csrf_protect
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@counted_as_work("POST")
def _own(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _page(request)
    viewer = owner_of(request)
    sent, pasted = request.FILES.get("file"), request.POST.get("text", "")
    try:
        if sent is None and not pasted.strip():
            raise Refused(Fault("required", NOTHING, "file"))
        if len(pasted) > MAX_PASTED:
            raise Refused(
                Fault("too_long", f"The text has {len(pasted):,} letters; {MAX_PASTED:,} are the most. Send it as a file.", "text")
            )
        data: Any = sent or io.BytesIO(pasted.encode("utf-8", "replace"))
        token = waiting.keep(viewer, data, plain_name(sent.name or "file") if sent else "pasted.txt")
    except Refused as refused:
        return _page(request, refused)
    return _looked_at(request, viewer, token)


@require_POST
@never_cache
@counted_as_work()
def own_add(request: HttpRequest) -> HttpResponse:
    """Look at a file once more with other columns or choices, or take it in: all of it or nothing."""
    viewer, token = owner_of(request), request.POST.get("token", "")[:2_000]
    if request.POST.get("do") == "forget":
        waiting.drop(viewer, token)
        return redirect("own")
    return _looked_at(request, viewer, token, is_sure=request.POST.get("do") == "add")


def _looked_at(request: HttpRequest, viewer: Viewer, token: str, is_sure: bool = False) -> HttpResponse:
    """The dry run of a waiting file; or, if its owner is sure, what came of it. The file waits on only where its dry run is shown."""
    posted, is_shown = request.POST.dict(), False
    try:
        with waiting.opened(viewer, token) as (file, name), open_file(file, name, MAX_SENT) as files:
            package = package_of(files, name)
            if not is_sure:
                report = report_of(package, posted, viewer)
                context = {"report": report, "token": token, "game": report.game, "here": "cards"}
                answer = render(request, "printing/own_report.html", context)
                is_shown = True
                return answer
            report = add_compared(lambda: report_of(package, posted, viewer), lambda report: _take_in(report, viewer))
    except BadPackage as bad:
        return _page(request, Refused(Fault(bad.code, bad.message, bad.where)))
    except Refused as refused:
        return _page(request, refused)
    finally:
        if not is_shown:
            waiting.drop(viewer, token)
    added, changed = len(report.found.added), len(report.found.changed)
    messages.success(
        request, f"{some(added, 'card')} of {report.game.name} added, {changed:,} changed, {len(report.found.unchanged):,} left alone."
    )
    return redirect("own")


def _take_in(report: OwnReport, viewer: Viewer) -> None:
    box = box_of(viewer)
    add(report.found, box, report.package.name)
    remember(box, report.game, report.chosen)


@require_safe
@never_cache
def own_export(request: HttpRequest) -> StreamingHttpResponse:
    """All texts as a table that can be brought again."""
    box = OwnBox.objects.of(viewer_of(request)).first()
    slug = request.GET.get("game", "")
    lines = as_table(box, slug if slug in games() else "") if box else iter(())
    headers = {"Content-Disposition": 'attachment; filename="cutout-own-texts.csv"'}
    return StreamingHttpResponse(("\ufeff", *lines) if box else ("\ufeff",), content_type="text/csv; charset=utf-8", headers=headers)


@require_POST
@never_cache
def own_forget(request: HttpRequest) -> HttpResponse:
    """Delete one's texts of a game."""
    box, slug = OwnBox.objects.of(viewer_of(request)).first(), request.POST.get("game", "")
    if box and slug in {one.game for one in contents([box])}:
        messages.success(request, f"{some(forget(box, slug), 'text')} deleted.")
    else:
        messages.warning(request, "Nothing was deleted: you have no texts of that game.")
    return redirect("own")


def owner_of(request: HttpRequest) -> Viewer:
    """The visitor; the browser of one without an account gets a token now."""
    viewer = viewer_of(request)
    return viewer if viewer.user_id else Viewer(browser=browser_of(request))


def _page(request: HttpRequest, refused: Refused | None = None) -> HttpResponse:
    viewer = viewer_of(request)
    mine, everyones = (list(boxes) for boxes in (OwnBox.objects.of(viewer), OwnBox.objects.for_everyone()))
    context = {
        "faults": refused.faults if refused else (),
        "mine": [(one, games().get(one.game)) for one in contents(mine)],
        "everyones": [(one, games().get(one.game)) for one in contents(everyones)],
        "games": games().values(),
        "chosen": request.POST.get("game") or request.GET.get("game", ""),
        "pasted": request.POST.get("text", "")[:MAX_PASTED],
        "max_megabytes": waiting.MAX_FILE // waiting.MEGABYTE,
        "here": "cards",
    }
    return with_headers(render(request, "printing/own.html", context, status=refused.status if refused else 200), refused)
