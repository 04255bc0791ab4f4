"""The list of cards, the search in the head of every page, a card at random, completions for the search box,
and how to search.
"""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from cardsdb.catalogue.current import catalogue, games
from cardsdb.catalogue.stats import CatalogueStats, all_stats
from cardsdb.games.kit import Game
from cardsdb.games.kit.model.text import whole_number
from cardsdb.identity.owning import reader_of
from cardsdb.search.card_query import CardQuery, parse_query, query_of_form
from cardsdb.search.completion import (
    completions,
    games_asked_for,
    likely_names,
    names_beginning,
    searches_within,
)
from cardsdb.search.query.check import check
from cardsdb.search.query.filter_form import without
from cardsdb.search.query.grammar import parse
from cardsdb.search.query.standard import STANDARD, Field
from cardsdb.search.query.tree import Or, Term, leaves, normal, ordered, written
from cardsdb.search.results import results_of
from cardsdb.search.rewrite import rewrite_of
from cardsdb.site.sharing import private, public, public_or_own
from cardsdb.web.lists.card_list import card_list_page

# Queries that work in any game: (query, what it shows).
EXAMPLES = (
    ("krypt soldier", "both words, anywhere on the card"),
    ('"alien investigation"', "the phrase"),
    ("type:agent craft>=4", "a type, and a number at least so high"),
    ("combat>craft", "one number against another of the same card"),
    ("type:agent or type:leader", "either; “or” is weaker than standing side by side"),
    (
        'faction="The Krypt" or faction=Bloodvine',
        "several values of one field: what ticking two boxes of a filter writes",
    ),
    ("type:gear -has:expense", "not: gear of which no source states the expense"),
    ("name:/^the .+ (man|men)$/", "a regular expression, over the name without accents and capitals"),
    ("prints>1", "printed more than once"),
    ("is:disputed", "sources disagree about something on the card"),
    ("certainty:inferred", "some fact of it was worked out, not read"),
    ("source:rulebook", "some fact of it stands in a rulebook"),
    ('similar:!"Kai"', "cards much like this one"),
    ("type:agent order:-craft,name", "sorted: highest craft first, then by name"),
)

# Queries in plain English. The page shows how each is read.
PLAIN = (
    "krypt agents with craft 4 or more",
    "leaders of level 2",
    "missions worth at least 4 victory points",
    "krypt agents that cost less than 5",
    "agents with craft between 3 and 5",
    "agents whose faction is not krypt",
    "type: agent",
    "murder lottery solo ops",
    "level 1 leaders",
    "killer cards",
    "agents that heal",
    "spycraft leaders with the highest combat",
)


@require_safe
@public_or_own
def card_list(request: HttpRequest) -> HttpResponse:
    """Cards that a query finds. An address with the filter form's controls, or with a game to search in,
    leads to its query.
    """
    if "within" in request.GET:
        return HttpResponseRedirect(
            address_within(request.GET.get("q", ""), request.GET["within"], "open" in request.GET)
        )
    text = query_of_form(request.GET.dict())
    if text is not None:
        carried = {"q": text, "view": request.GET.get("view", "")}
        return HttpResponseRedirect(
            f"{request.path}?{urlencode({name: value for name, value in carried.items() if value})}"
        )
    page = card_list_page(request.GET.dict(), reader_of(request))
    # Whoever types one card's whole name wants the card. Boxes say ``open``: the links of a list that has the
    # words of a name do not.
    if (page.only_card and set(request.GET) <= {"q", "open"}) or "open" in request.GET:
        named = catalogue().named(page.typed)
        if card := page.only_card or (named[0] if len(named) == 1 else None):
            address = reverse("card", args=(card.game, card.code))
            return HttpResponseRedirect(
                f"{address}?{urlencode({'q': page.text})}" if page.total > 1 else address
            )
    context = {
        "page": page,
        "game": page.query.game,
        "query": page.typed if page.rewrite else text_without_game(page.query),
        "here": "cards",
    }
    return render(request, "cardsdb/lists/card_list.html", context)


@require_safe
@private
def random_card(request: HttpRequest) -> HttpResponse:
    """Any card that the query finds."""
    query = parse_query(request.GET.get("q", ""), viewer=reader_of(request))
    key = results_of(query).random_key()
    if not key:
        raise Http404
    address = reverse("card", args=key.split("/", 1))
    return redirect(f"{address}?{urlencode({'q': normal(query.query)})}" if query.query.tree else address)


@require_safe
@public
def suggest(request: HttpRequest) -> JsonResponse:
    """Completions for the search box: ``q`` as typed, ``at`` the caret's column (the end without it),
    ``within`` a game.
    """
    typed = request.GET.get("q", "")[:1024]
    at = whole_number(request.GET.get("at", ""), len(typed))
    caret = len(typed) if at is None else at
    within = games().get(request.GET.get("within", ""))
    among = games_asked_for(typed, caret) or ((within,) if within else ())
    fields = catalogue().fields(among[0] if len(among) == 1 else None)
    choices = completions(
        typed, caret, fields, names_beginning(among), likely_names(among), searches_within(among)
    )
    return JsonResponse(
        {"choices": [{"text": c.text, "label": c.label, "kind": c.kind, "start": c.start} for c in choices]}
    )


@require_safe
@public
def syntax(request: HttpRequest) -> HttpResponse:
    """Show how to search: the language with live examples, and every game's search words."""
    stats = all_stats()
    by_game = []
    for game in games().values():
        facts = [
            (field, game.facts_by_key[field.word])
            for field in catalogue().fields(game)
            if field.word in game.facts_by_key
        ]
        by_game.append(
            (
                game,
                [
                    (field, fact, _example(game, field, stats[game.slug]))
                    for field, fact in facts
                    if fact.kind != "text"
                ],
            )
        )
    own = {field.word for field in STANDARD}
    standard = [field for field in catalogue().fields() if field.word in own]
    plain = [(query, _as_read(query)) for query in PLAIN]
    context = {"games": by_game, "standard": standard, "examples": EXAMPLES, "plain": plain, "here": "cards"}
    return render(request, "cardsdb/lists/syntax.html", context)


def _as_read(text: str) -> str:
    """A query in plain English in the search language, as the list of cards shows it."""
    query = parse_query(text)
    rewrite = rewrite_of(query, results_of(query).total)
    return rewrite.meant if rewrite else normal(query.query)


def _example(game: Game, field: Field, stats: CatalogueStats) -> str:
    """A query with the field that finds something: its most frequent value."""
    values = stats.vocabulary.get(field.word, {})
    if not values:
        return ""
    shown, _ = max(values.values(), key=lambda pair: pair[1])
    operator = ">=" if field.kind == "number" else ":"
    return f"game:{game.slug} {field.word}{operator}{written(shown)}"


def text_within(typed: str, slug: str) -> str:
    """Return what is typed as a query for the cards of a game: as it is where it asks for games itself, or
    where there is no such game.
    """
    typed, query = typed.strip(), parse_query(typed)
    if slug not in games() or _asks_for_games(query):
        return typed
    text = f"game:{slug} {typed}".strip()
    tree, order = query.query.tree, query.query.order
    # Beside the game an "or" would take it for its own.
    meant = (
        f"game:{slug} ({normal(tree)}) {ordered(order)}".strip()
        if isinstance(tree, Or) and not query.query.faults
        else ""
    )
    return meant if meant and normal(parse_query(text).query) != meant else text


def _asks_for_games(query: CardQuery) -> bool:
    fields = (query.fields.get(leaf.key) for leaf in leaves(query.query.tree) if isinstance(leaf, Term))
    return any(field and field.word == "game" for field in fields)


def address_within(typed: str, slug: str, opens: bool) -> str:
    """Return where a search within a game leads: to its list, or to the one card of the game that has this
    name where the box ``opens`` cards.
    """
    text = text_within(typed, slug)
    named = [card for card in catalogue().named(typed.strip()) if card.game == slug] if opens else []
    if len(named) == 1:
        address = reverse("card", args=(named[0].game, named[0].code))
        return f"{address}?{urlencode({'q': text})}" if results_of(parse_query(text)).total > 1 else address
    return f"{reverse('card_list')}?{urlencode({'q': text})}" if text else reverse("card_list")


def text_without_game(query: CardQuery) -> str:
    """Return what stands in the box where the query's one game stands beside it: what was typed, without the
    game.
    """
    typed, parts = query.text, query.controls.parts("game")
    if not query.controls.only("game") or len(parts) != 1 or query.query.faults:
        return typed
    rest, meant = (
        " ".join(f"{typed[: parts[0].span.start]} {typed[parts[0].span.end :]}".split()),
        without(query.query, parts),
    )
    # Plain words may mean something else without the game that stood beside them. Fields with values do not.
    is_same = not query.query.problems and all(isinstance(leaf, Term) for leaf in leaves(meant.tree))
    left = parse(rest)
    if left.problems or not (is_same or normal(check(rest, query.fields)) == normal(meant)):
        return normal(meant)
    return rest
