"""The pages of the catalogue."""

from __future__ import annotations

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from cardsdb.browsing import browse, names_like, page_of, short_facts
from cardsdb.card_page import card_sources, fact_rows, source_of
from cardsdb.games import game_named, games
from cardsdb.games.kit import Game
from cardsdb.games.kit.cards import as_words, fold
from cardsdb.games.kit.face import Notes
from cardsdb.models import Card


def game_or_404(slug: str) -> Game:
    game = game_named(slug)
    if game is None:
        raise Http404
    return game


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return render(request, "cardsdb/home.html", {"games": games().values()})


@require_safe
def game_list(request: HttpRequest) -> HttpResponse:
    return render(request, "cardsdb/game_list.html", {"games": games().values(), "here": "games"})


@require_safe
def game_page(request: HttpRequest, slug: str) -> HttpResponse:
    game = game_or_404(slug)
    counts: dict[str, int] = {}
    for card in game.cards:
        counts[card.type] = counts.get(card.type, 0) + 1
    types = [(card_type, counts[card_type.slug]) for card_type in game.types if card_type.slug in counts]
    set_up = [(number, game.citations[number.cites]) for number in game.set_up]
    sets = [(card_set, sum(any(p.set == card_set.code for p in card.prints) for card in game.cards)) for card_set in game.sets]
    context = {"game": game, "types": types, "most": max(counts.values()), "sets": sets, "set_up": set_up, "here": "games"}
    return render(request, "cardsdb/game.html", context)


@require_safe
def rules_page(request: HttpRequest, slug: str) -> HttpResponse:
    game = game_or_404(slug)
    rules = [(citation, game.documents[citation.document], game.formats_with(citation.code)) for citation in game.citations.values()]
    return render(request, "cardsdb/rules.html", {"game": game, "rules": rules, "here": "games"})


@require_safe
def card_list(request: HttpRequest) -> HttpResponse:
    shown = browse(request.GET.dict())
    page = page_of(shown.cards, request.GET.get("page", "1"))
    rows = []
    for card in page.object_list:
        game = games().get(card.game)
        if game is None:
            continue
        cells = [(fact, as_words(card.facts[fact.key]) if fact.key in card.facts else "") for fact in shown.columns]
        rows.append(
            {
                "card": card,
                "game": game,
                "type": game.types_by_slug[card.type],
                "facts": short_facts(game, card, shown.asked),
                "cells": cells,
            }
        )
    params = request.GET.copy()
    params.pop("page", None)
    context = {
        "browse": shown,
        "game": shown.game,
        "games": games().values(),
        "page": page,
        "pages": page.paginator.get_elided_page_range(page.number, on_each_side=2, on_ends=1),
        "rows": rows,
        "alike": names_like(shown.query, shown.game) if not rows and not shown.advice else [],
        "games_named": [game for game in games().values() if shown.query and fold(shown.query) in fold(game.name)],
        "query": shown.query,
        "address": params.urlencode(),
        "here": "cards",
    }
    return render(request, "cardsdb/card_list.html", context)


@require_safe
def card_page(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    game = game_or_404(game_slug)
    row = get_object_or_404(Card.objects.in_game(game_slug).prefetch_related("prints"), code=code)
    card = row.as_card()
    rows = fact_rows(game, card)
    context = {
        "game": game,
        "card": card,
        "row": row,
        "type": game.types_by_slug[card.type],
        "facts": rows,
        "unknown": any(not row.value for row in rows),
        "sources": card_sources(game, card),
        "text_sources": [source_of(game, claim) for claim in card.claims("text")],
        "room_to_write": any(isinstance(element, Notes) for element in game.faces[card.type].elements),
        "prints": [(print_, game.sets_by_code.get(print_.set)) for print_ in card.prints],
        "here": "cards",
    }
    return render(request, "cardsdb/card.html", context)


@require_safe
def set_page(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    game = game_or_404(game_slug)
    card_set = game.sets_by_code.get(code)
    if card_set is None:
        raise Http404
    page = page_of(
        Card.objects.current().in_game(game_slug).filter(prints__set_code=code).distinct().by_name(), request.GET.get("page", "1")
    )
    rows = []
    for card in page.object_list:
        printed = ", ".join(f"{p.number} {p.rarity}".strip() for p in card.prints.all() if p.set_code == code)
        rows.append({"card": card, "type": game.types_by_slug[card.type], "facts": short_facts(game, card), "print": printed})
    pages = page.paginator.get_elided_page_range(page.number, on_each_side=2, on_ends=1)
    document = game.documents.get(card_set.source)
    context = {"game": game, "set": card_set, "page": page, "pages": pages, "rows": rows, "address": "", "here": "games"}
    context["source"] = document.title if document else card_set.source
    return render(request, "cardsdb/set.html", context)


@require_safe
@cache_control(max_age=3600, public=True)
def games_css(request: HttpRequest) -> HttpResponse:
    """Each game's colours as custom properties, so that a new game needs no edit of the stylesheet."""
    lines = [f".game-{game.slug} {{ --hue: {game.hue[0]}; --hue-dark: {game.hue[1]}; }}" for game in games().values()]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/css; charset=utf-8")


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """200 when the database answers."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return HttpResponse("the database does not answer\n", content_type="text/plain", status=503)
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """200 when the site can serve: migrated, and the catalogue loaded."""
    executor = MigrationExecutor(connection)
    waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if waiting:
        return HttpResponse(f"{len(waiting)} migrations wait: run manage.py migrate\n", content_type="text/plain", status=503)
    if not Card.objects.exists():
        return HttpResponse("the catalogue is empty: run manage.py load_cards\n", content_type="text/plain", status=503)
    return HttpResponse("ready\n", content_type="text/plain")
