"""Propose a correction: a form over a row of the data, and the patch made of it. No account, nothing
stored.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_http_methods

from cardsdb.catalogue.current import catalogue
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import private
from cardsdb.site.shortcuts import game_or_404
from cardsdb.web.corrections.form import OTHER_SOURCE, CardForm, CorrectionForm, SetForm
from cardsdb.web.corrections.patch import as_csv, as_patch, rows_of


@require_http_methods(["GET", "HEAD", "POST"])
@private
@counted_as_work("POST")
def correct_card(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """The rows of one card. POST answers with the patch, or 400 with the form and what is wrong in it."""
    game = game_or_404(game_slug)
    table = rows_of(game.folder / "cards.csv", code)
    if not table.rows:
        raise Http404
    found = catalogue().at(game_slug, code)
    posted = request.POST if request.method == "POST" else None
    form = CardForm(game, table, found.card if found else None, request.POST.get("type-0", "")[:40], posted)
    return _answer(request, form, f"{game_slug}-{code}", reverse("card", args=(game_slug, code)))


@require_http_methods(["GET", "HEAD", "POST"])
@private
@counted_as_work("POST")
def correct_set(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """The row of one set, in the same way."""
    game = game_or_404(game_slug)
    table = rows_of(game.folder / "sets.csv", code) if code in game.sets_by_code else None
    if table is None or not table.rows:
        raise Http404
    form = SetForm(game, table, request.POST if request.method == "POST" else None)
    return _answer(request, form, f"{game_slug}-set-{code}", reverse("set", args=(game_slug, code)))


def _answer(request: HttpRequest, form: CorrectionForm, name: str, back: str) -> HttpResponse:
    """The form, the changed rows as CSV, or the patch."""
    if not form.is_valid():
        what = form.table.rows[0].cells["name"]
        context = {"game": form.game, "form": form, "what": what, "back": back, "here": "games"}
        return render(request, "cardsdb/correction.html", context, status=400 if form.is_bound else 200)
    if request.POST.get("as") == "row":
        return _file(as_csv(form.table, form.rows).encode(), "text/csv; charset=utf-8", f"{name}.csv")
    return _file(
        as_patch(form.table, form.rows, _about(form, name)), "text/x-diff; charset=utf-8", f"{name}.patch"
    )


def _about(form: CorrectionForm, name: str) -> list[str]:
    """The lines above the patch, for whoever reads it."""
    key, place, reason = (form.cleaned_data[field] for field in ("document", "place", "reason"))
    document = form.game.documents.get(key)
    source = (
        document.title
        if document
        else "one that is not listed"
        if key == OTHER_SOURCE
        else "as before; the copy was wrong"
    )
    lines = [
        f"A proposed correction: {form.table.rows[0].cells['name']} ({form.game.name})",
        _how_to_apply(form, name),
        "",
    ]
    lines += [f"{label}: {_short(old)} -> {_short(new)}" for label, old, new in form.changes()]
    lines += [f"Source: {source}" + (f", {place}" if place else "")]
    return [*lines, *(["Reason:", *(f"  {line}" for line in reason.splitlines())] if reason else [])]


def _how_to_apply(form: CorrectionForm, name: str) -> str:
    if form.table.is_ours:
        return f"Apply with: git apply {name}.patch"
    return f"Apply {form.table.apply_in}: git apply {name}.patch, or patch -p1 < {name}.patch"


def _short(value: str) -> str:
    return " ".join(value.split())[:120] or "(not stated)"


def _file(data: bytes, content_type: str, filename: str) -> HttpResponse:
    return HttpResponse(
        data,
        content_type=content_type,
        headers={"Content-Disposition": content_disposition_header(True, filename) or "attachment"},
    )
