"""Propose a correction: a form over a row of the data, and the changed row. No account, nothing stored."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from cardsdb.catalogue.current import catalogue
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import private
from cardsdb.site.shortcuts import game_or_404
from cardsdb.web.corrections.form import CorrectionForm, cells_of_card, cells_of_set, rows_of


@require_http_methods(["GET", "HEAD", "POST"])
@private
@counted_as_work("POST")
def correct_card(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """The rows of one card. POST answers with the changed rows, or 400 with the form and what is wrong in
    it.
    """
    game = game_or_404(game_slug)
    table = rows_of(game.folder / "cards.csv", code)
    if not table.rows:
        raise Http404
    found = catalogue().at(game_slug, code)
    posted = request.POST if request.method == "POST" else None
    cells = cells_of_card(game, table, found.card if found else None, request.POST.get("type-0", "")[:40])
    form = CorrectionForm(game, table, cells, posted)
    return _answer(request, form, reverse("card", args=(game_slug, code)))


@require_http_methods(["GET", "HEAD", "POST"])
@private
@counted_as_work("POST")
def correct_set(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """The row of one set, in the same way."""
    game = game_or_404(game_slug)
    table = rows_of(game.folder / "sets.csv", code)
    if code not in game.sets_by_code or not table.rows:
        raise Http404
    posted = request.POST if request.method == "POST" else None
    form = CorrectionForm(game, table, cells_of_set(game, table), posted)
    return _answer(request, form, reverse("set", args=(game_slug, code)))


def _answer(request: HttpRequest, form: CorrectionForm, back: str) -> HttpResponse:
    """The form, or what came of it."""
    what, is_made = form.table.rows[0]["name"], form.is_valid()
    context = {"game": form.game, "form": form, "what": what, "back": back, "here": "games"}
    template = "cardsdb/corrections/corrected.html" if is_made else "cardsdb/corrections/correction.html"
    return render(request, template, context, status=400 if form.is_bound and not is_made else 200)
