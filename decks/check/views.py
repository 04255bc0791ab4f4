"""Check a pasted list: its verdict, as a page or while it is typed, its repairs and its numbers. Nothing is saved.

No account is needed, and no trace is left.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import write_deck
from cardsdb.site.faults import Refused
from cardsdb.site.ratelimits import counted_as_work, seconds_to_wait, too_many
from decks.check.house_rules import HouseCheckForm
from decks.core.charts import shown
from decks.core.judging import Judged, judge_text
from decks.repairs.search import repaired
from decks.repairs.views import part_or_page, repairs_context
from decks.statistics.views import sources
from decks.web.judgement import judged_context
from decks.web.list_form import corrected

# Characters of a list that is judged while it is typed, from where on that is work.
LARGE = 20_000


@require_http_methods(["GET", "HEAD", "POST"])
@counted_as_work("POST")
def check(request: HttpRequest) -> HttpResponse:
    """Paste a list, get the verdict. ``?game=&format=&house=`` say by which rules."""
    if request.method != "POST":
        initial = {field: request.GET.get(field, "") for field in ("game", "format", "house")}
        return _page(request, HouseCheckForm(initial=initial))
    posted = corrected(request.POST, games().get(request.POST.get("game", "")))
    form = HouseCheckForm(posted)
    return _page(request, form, *_read(form))


@require_POST
@never_cache
def check_verdict(request: HttpRequest) -> HttpResponse:
    """The verdict alone, while a list is being typed. Small and frequent, so it is but a read; a large list is work all the same."""
    if len(request.POST.get("text", "")) > LARGE and (wait := seconds_to_wait(request, work=True)):
        return too_many(request, math.ceil(wait))
    judged, _ = _read(HouseCheckForm(request.POST))
    return render(request, "decks/check_verdict.html", {"live": True, **(judged_context(judged) if judged else {})})


def _of_a_list(view: Callable[[HttpRequest, HouseCheckForm, Judged], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """For what is asked of a pasted list: the view gets it judged; one that cannot be judged leads back to its form."""

    @require_POST
    @never_cache
    @counted_as_work()
    @wraps(view)
    def judged_first(request: HttpRequest) -> HttpResponse:
        form = HouseCheckForm(request.POST)
        judged, status = _read(form)
        return _page(request, form, None, status) if judged is None else view(request, form, judged)

    return judged_first


@_of_a_list
def check_repairs(request: HttpRequest, form: HouseCheckForm, judged: Judged) -> HttpResponse:
    """What would make the pasted list legal."""
    context = {"form": form, "games": games().values(), "here": "check", **repairs_context(judged)}
    return render(request, part_or_page(request, "decks/check_repairs.html"), context)


@_of_a_list
def check_numbers(request: HttpRequest, form: HouseCheckForm, judged: Judged) -> HttpResponse:
    """The statistics of the pasted list. Odds and sample hands are asked by address, and so of a deck that has one."""
    declared = enumerate(judged.game.measure(judged.deck), start=1)
    tables = [(shown(table, f"table-{n}", lambda row: ""), *sources(judged.game, table)) for n, table in declared]
    context = {"form": form, "game": judged.game, "judged": judged, "tables": tables, "here": "check"}
    return render(request, "decks/check_statistics.html", context)


@_of_a_list
def check_repair(request: HttpRequest, form: HouseCheckForm, judged: Judged) -> HttpResponse:
    """The pasted list with the changes of a repair, in the field where it was pasted, and its new verdict."""
    try:
        deck = repaired(judged, request.POST.getlist("change"))
    except Refused as refused:
        for fault in refused.faults:
            form.add_error("text", fault.message)
        return _page(request, form, judged, refused.status)
    text = write_deck(judged.game, deck, judged.game.formats_by_slug[judged.format.slug])
    form = HouseCheckForm({**request.POST.dict(), "text": text})
    return _page(request, form, *_read(form))


def _read(form: HouseCheckForm) -> tuple[Judged | None, int]:
    """The form's list judged, and the status of the answer; nothing if it cannot be judged, which the form then says."""
    if not form.is_valid():
        return None, 400
    values = form.cleaned_data
    game = games()[values["game"]]
    try:
        return judge_text(game, values["text"], game.formats_by_slug.get(values["format"]), house=values["house"]), 200
    except Refused as refused:
        for fault in refused.faults:
            form.add_error("house" if fault.where == "house" else "text", fault.message)
        return None, refused.status


def _page(request: HttpRequest, form: HouseCheckForm, judged: Judged | None = None, status: int = 200) -> HttpResponse:
    context: dict[str, Any] = {"form": form, "games": games().values(), "here": "check", "game": games().get(form["game"].value() or "")}
    return render(request, "decks/check.html", context | (judged_context(judged) if judged else {}), status=status)
