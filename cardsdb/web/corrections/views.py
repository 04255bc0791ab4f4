"""Propose a correction: a form over a row of the data, and the patch that comes of it. No account, nothing stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from cardsdb.games.kit import Game
from cardsdb.models import Card
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.shortcuts import game_or_404
from cardsdb.web.corrections.form import (
    ELSEWHERE,
    KEPT,
    Proposal,
    check_card,
    check_reason,
    check_set,
    fill,
    for_card,
    for_set,
    with_source,
)
from cardsdb.web.corrections.patch import as_csv, as_patch, rows_of
from cardsdb.web.pages.card_page import source_of

# The longest field is a reason of two thousand letters; a card has a hundred cells at most.
MOST_BYTES = 200_000


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@counted_as_work("POST")
def correct_card(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """The rows of one card. POST answers with the patch, or 400 with the form and what is wrong in it."""
    game = game_or_404(game_slug)
    table = rows_of(game.folder / "cards.csv", code)
    if not table.rows:
        raise Http404
    proposal = for_card(game, table, request.POST.get("type-0", "")[:40])
    row = Card.objects.in_game(game_slug).filter(code=code).prefetch_related("prints").first()
    card = row.as_card() if row else None
    for cell in proposal.cells() if card else ():
        if cell.row == 0 and cell.column in (*card.facts, "name", "type", "text"):
            cell.sources = tuple(source_of(game, claim) for claim in card.claims(cell.column)[:3])
    context = {"what": table.rows[0].cells["name"], "back": reverse("card", args=(game_slug, code))}
    if request.method != "POST":
        return _form(request, game, proposal, context)
    fill(proposal, _posted(request))
    check_reason(game, proposal)
    check_card(game, proposal, proposal.rows())
    rows = proposal.rows()
    if not proposal.faults:
        facts = [cell.column for cell in proposal.cells() if cell.column in game.facts_by_key and cell.value not in ("", cell.old)]
        untouched = rows[0]["source"] == table.rows[0].cells["source"]
        if facts and untouched and proposal.document not in (KEPT, ELSEWHERE):
            rows[0]["source"] = with_source(rows[0]["source"], facts, proposal.document, proposal.place)
            check_card(game, proposal, rows)
    return _answer(request, game, proposal, rows, context, f"{game_slug}-{code}")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@counted_as_work("POST")
def correct_set(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """The row of one set, in the same way."""
    game = game_or_404(game_slug)
    table = rows_of(game.folder / "sets.csv", code) if code in game.sets_by_code else None
    if table is None or not table.rows:
        raise Http404
    proposal = for_set(game, table)
    context = {"what": table.rows[0].cells["name"], "back": reverse("set", args=(game_slug, code))}
    if request.method != "POST":
        return _form(request, game, proposal, context)
    fill(proposal, _posted(request))
    check_reason(game, proposal)
    check_set(proposal)
    return _answer(request, game, proposal, proposal.rows(), context, f"{game_slug}-set-{code}")


def _posted(request: HttpRequest) -> Mapping[str, str]:
    return {name: value for name, value in request.POST.items() if isinstance(value, str) and len(value) < MOST_BYTES}


def _answer(
    request: HttpRequest, game: Game, proposal: Proposal, rows: list[dict[str, str]], context: dict[str, Any], name: str
) -> HttpResponse:
    if proposal.faults:
        return _form(request, game, proposal, context, 400)
    if request.POST.get("as") == "row":
        return _file(as_csv(proposal.table, rows).encode(), "text/csv; charset=utf-8", f"{name}.csv")
    return _file(
        as_patch(proposal.table, rows, _about(game, proposal, context["what"], name)), "text/x-diff; charset=utf-8", f"{name}.patch"
    )


def _about(game: Game, proposal: Proposal, what: str, name: str) -> list[str]:
    """What a reader of the patch should know, above it."""
    document = game.documents.get(proposal.document)
    said = document.title if document else "one that is not listed" if proposal.document == ELSEWHERE else "as before; the copy was wrong"
    lines = [f"A proposed correction: {what} ({game.name})", _how_to_apply(proposal, name), ""]
    lines += [f"{label}: {_short(old)} -> {_short(new)}" for label, old, new in proposal.changes()]
    lines += [f"Source: {said}" + (f", {proposal.place}" if proposal.place else "")]
    return [*lines, *(["Reason:", *(f"  {line}" for line in proposal.reason.splitlines())] if proposal.reason else [])]


def _how_to_apply(proposal: Proposal, name: str) -> str:
    if proposal.table.is_ours:
        return f"Apply with: git apply {name}.patch"
    return f"Apply {proposal.table.apply_in}: git apply {name}.patch, or patch -p1 < {name}.patch"


def _short(value: str) -> str:
    return " ".join(value.split())[:120] or "(not stated)"


def _file(data: bytes, content_type: str, filename: str) -> HttpResponse:
    return HttpResponse(
        data, content_type=content_type, headers={"Content-Disposition": content_disposition_header(True, filename) or "attachment"}
    )


def _form(request: HttpRequest, game: Game, proposal: Proposal, context: dict[str, Any], status: int = 200) -> HttpResponse:
    documents = [(KEPT, "The sources stay: the file copied them wrongly"), *((one.key, one.title) for one in game.documents.values())]
    context |= {
        "game": game,
        "proposal": proposal,
        "faults": proposal.faults,
        "documents": [*documents, (ELSEWHERE, "A source that is not in this list (say which below)")],
        "here": "games",
    }
    return render(request, "cardsdb/correction.html", context, status=status)
