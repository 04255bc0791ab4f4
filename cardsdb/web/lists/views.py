"""The list of cards, a card at random, and what the search box offers while one types."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from cardsdb.catalogue.stats import CatalogueStats, all_stats
from cardsdb.games import games
from cardsdb.games.kit import Game
from cardsdb.games.kit.model.text import fold, whole_number
from cardsdb.models import Card, Edition
from cardsdb.search.card_query import parse_query, query_of_form
from cardsdb.search.completion import completions, likely_names, names_beginning
from cardsdb.search.query.fields import STANDARD, Field
from cardsdb.search.query.normal_form import normal, ordered, written
from cardsdb.search.query.tree import Exact
from cardsdb.search.results import results_of
from cardsdb.search.snapshots import fields_for
from cardsdb.site.page_cache import public_by_edition
from cardsdb.web.lists.browsing import VIEWS, Browse, browse, names_like
from cardsdb.web.lists.no_results import emptied
from cardsdb.web.lists.rows import because, bounds_of, choices_of, options_of, rows_of

# What one can ask of any game: a query and what it shows.
EXAMPLES = (
    ("krypt soldier", "both words, anywhere on the card"),
    ('"alien investigation"', "the phrase"),
    ("type:agent craft>=4", "a type, and a number at least so high"),
    ("combat>craft", "one number against another of the same card"),
    ("type:agent or type:leader", "either; “or” is weaker than standing side by side"),
    ("type:gear -has:expense", "not: gear of which no source states the expense"),
    ("name:/^the .+ (man|men)$/", "a regular expression, over the name without accents and capitals"),
    ("prints>1", "printed more than once"),
    ("is:disputed", "sources disagree about something on the card"),
    ("certainty:inferred", "some fact of it was worked out, not read"),
    ("source:rulebook", "some fact of it stands in a rulebook"),
    ('similar:!"Kai"', "cards much like this one"),
    ("type:agent order:-craft,name", "sorted: highest craft first, then by name"),
)

# The same in plain English. The page shows as what each is read.
PLAIN = (
    "krypt agents with craft 4 or more",
    "leaders of level 2",
    "missions worth at least 4 victory points",
    "krypt agents that cost less than 5",
    "agents with craft between 3 and 5",
    "agents whose faction is not krypt",
    "type: agent",
)


@require_safe
@public_by_edition
def card_list(request: HttpRequest) -> HttpResponse:
    """Cards that a query finds. An address with the filter form's controls leads to the query they amount to."""
    text = query_of_form(request.GET.dict())
    if text is not None:
        kept = {"q": text, "view": request.GET.get("view", "")}
        return HttpResponseRedirect(f"{request.path}?{urlencode({name: value for name, value in kept.items() if value})}")
    shown = browse(request.GET.dict())
    if isinstance(shown.asked.query.tree, Exact) and shown.total == 1 and list(request.GET) == ["q"]:
        # Whoever types one card's whole name wants the card.
        return HttpResponseRedirect(reverse("card", args=(shown.cards[0].game, shown.cards[0].code)))
    chosen = {"view": shown.view} if request.GET.get("view") in VIEWS else {}
    context = {
        "browse": shown,
        "game": shown.asked.game,
        "faces": _faces(shown) if shown.view == "grid" else (),
        "rows": rows_of(shown) if shown.view != "grid" else "",
        "facets": [(facet, choices_of(facet.first), choices_of(facet.more)) for facet in shown.facets],
        "headings": _headings(shown, chosen),
        "views": [(view, urlencode({"q": shown.text, "view": view})) for view in VIEWS],
        "orders": options_of(_orders(shown)),
        "bounds": bounds_of(shown.ranges),
        "alike": names_like(shown.asked.text) if not shown.cards and not shown.asked.query.faults else [],
        "emptied": emptied(shown.asked) if not shown.asked.is_lost and not shown.total else None,
        "games_named": [game for game in games().values() if len(shown.asked.text) > 2 and fold(shown.asked.text) in fold(game.name)],
        "query": shown.asked.text,
        "words_box": shown.asked.text if shown.asked.query.faults else shown.asked.controls.words,
        # A query with faults stands whole in its box, so that nothing else of it need be kept.
        "kept": [pair for pair in (("with", "" if shown.asked.query.faults else shown.asked.controls.picked), *chosen.items()) if pair[1]],
        "last": shown.page.first + len(shown.cards) - 1,
        "address": urlencode({"q": shown.text, **chosen}),
        "here": "cards",
    }
    return render(request, "cardsdb/card_list.html", context)


def _faces(shown: Browse) -> list[dict[str, Any]]:
    """The cards of a grid, whole: their faces say where their facts come from."""
    found = Card.objects.prefetch_related("prints").in_bulk(shown.page.pks)
    kept = f"?{urlencode({'q': shown.text})}" if shown.text else ""
    return [
        {
            "card": card,
            "whole": found[pk].as_card(),
            "game": games()[card.game],
            "href": reverse("card", args=(card.game, card.code)) + kept,
            "because": because(shown, card, games()[card.game]),
        }
        for pk, card in zip(shown.page.pks, shown.cards, strict=True)
        if pk in found
    ]


def _headings(shown: Browse, chosen: dict[str, str]) -> list[dict[str, str]]:
    """The table's headings: each a link that sorts by it, the other way round when it is sorted by already."""
    query = shown.asked.query
    first = query.order[0] if query.order else None
    found = []
    for key, title, kind in (("name", "Name", "word"), *((fact.key, fact.title, fact.kind) for fact in shown.columns)):
        if kind not in ("word", "number", "flag"):
            found.append({"title": title, "kind": kind, "href": "", "sorted": ""})
            continue
        now = first if first and first.key == key else None
        # Numbers are mostly looked through from the highest down.
        descending = not now.descending if now else kind == "number"
        order = f"order:{'-' if descending else ''}{key}"
        href = urlencode({"q": " ".join(part for part in (normal(query.tree), order) if part), **chosen})
        state = ("descending" if now.descending else "ascending") if now else "ascending" if key == "name" and not first else ""
        found.append({"title": title, "kind": kind, "href": href, "sorted": state})
    return found


def _orders(shown: Browse) -> list[tuple[str, str, bool]]:
    """What the form offers to sort by: (value, label, whether it is chosen)."""
    now = ordered(shown.asked.query.order).removeprefix("order:")
    choices = [("", "Best match, then name"), ("name", "Name"), ("type", "Type"), ("-prints", "Most prints first")]
    for bounds in shown.ranges:
        choices += [(f"-{bounds.fact.key}", f"{bounds.fact.title}, highest first"), (bounds.fact.key, f"{bounds.fact.title}, lowest first")]
    if now not in dict(choices):
        choices.append((now, f"As asked: {now}"))
    return [(value, label, value == now) for value, label in choices]


@require_safe
@never_cache
def random_card(request: HttpRequest) -> HttpResponse:
    """Any card that the query finds."""
    read = parse_query(request.GET.get("q", ""))
    key = results_of(read).random_key()
    if not key:
        raise Http404
    address = reverse("card", args=key.split("/", 1))
    return redirect(f"{address}?{urlencode({'q': normal(read.query)})}" if read.query.tree else address)


@require_safe
@public_by_edition
def suggest(request: HttpRequest) -> JsonResponse:
    """What completes the search box: ``q`` as typed, ``at`` the caret's column (the end without it)."""
    typed = request.GET.get("q", "")[:1024]
    at = whole_number(request.GET.get("at", ""), len(typed))
    caret = len(typed) if at is None else at
    now = Edition.objects.current()

    found = completions(typed, len(typed) if caret is None else caret, fields_for(None, now), names_beginning(now), likely_names(now))
    return JsonResponse({"choices": [{"text": c.text, "label": c.label, "kind": c.kind, "start": c.start} for c in found]})


@require_safe
@public_by_edition
def syntax(request: HttpRequest) -> HttpResponse:
    """How to ask: the language with live examples, and every game's search words."""
    now, stats = Edition.objects.current(), all_stats()
    known = []
    for game in games().values():
        facts = [(field, game.facts_by_key[field.word]) for field in fields_for(game, now) if field.word in game.facts_by_key]
        shown = [(field, fact, _example(game, field, stats[game.slug])) for field, fact in facts if fact.kind != "text"]
        known.append((game, shown))
    own = {field.word for field in STANDARD}
    standard = [field for field in fields_for(None, now) if field.word in own]
    plain = [(query, normal(parse_query(query).query)) for query in PLAIN]
    shown = {"games": known, "standard": standard, "examples": EXAMPLES, "plain": plain, "here": "cards"}
    return render(request, "cardsdb/syntax.html", shown)


def _example(game: Game, field: Field, stats: CatalogueStats) -> str:
    """A query with the field that finds something: its most frequent value."""
    values = stats.vocabulary.get(field.word, {})
    if not values:
        return ""
    shown, _ = max(values.values(), key=lambda pair: pair[1])
    operator = ">=" if field.kind == "number" else ":"
    return f"game:{game.slug} {field.word}{operator}{written(shown)}"
