"""Views of the card list, the search box in every page's head and its completions, a random card, and the
help on searching. The list itself is a ``CardListPage`` (``card_list.py``).

A search box posts nothing: it asks for ``/cards/`` with ``q``, ``within`` (a game's slug) and ``open`` (go to
the card if it is the only one), and the answer redirects to an address with the query alone.
Tests: ``tests/cardsdb/web/lists/test_views.py``.
"""

from collections.abc import Iterator
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from cardsdb.catalogue.current import Catalogue, catalogue, games
from cardsdb.catalogue.stats import stats_of
from cardsdb.games.kit import Card, Fact, Game, whole_number
from cardsdb.identity.viewer import reader_of
from cardsdb.search.ask import answer_of
from cardsdb.search.completion import completions
from cardsdb.search.plain.items import items_of, sides_of
from cardsdb.search.query.check import check
from cardsdb.search.query.grammar import parse
from cardsdb.search.query.standard import PLAIN, STANDARD, Field
from cardsdb.search.query.tree import Or, Term, Word, leaves, normal, ordered, without, written
from cardsdb.search.results import CardQuery, parse_query, query_of_form, results_of
from cardsdb.site.sharing import public, public_or_own
from cardsdb.site.shortcuts import game_or_404, or_404, private_page
from cardsdb.web.lists.card_list import VIEWS, CardListPage
from cardsdb.web.lists.rows import groups_of_rows, headings_of

# Characters of a text that completions read.
MAX_COMPLETED = 1024


@require_safe
@public_or_own
def card_list(request: HttpRequest) -> HttpResponse:
    """The list of cards that a query finds. An address with fields of the filter form, or with a game to
    search in, redirects to the query that it means.
    """
    typed, opens = request.GET.get("q", ""), "open" in request.GET
    if "within" in request.GET:
        return HttpResponseRedirect(_address_within(typed, request.GET["within"], opens))
    text = query_of_form(request.GET.dict())
    if text is not None:
        carried = {"q": text, "view": request.GET.get("view", "")}
        stated = {name: value for name, value in carried.items() if value}
        return HttpResponseRedirect(f"{request.path}?{urlencode(stated)}")
    page = CardListPage(request.GET.dict(), reader_of(request))
    # The exact name of one card leads to the card. Boxes send ``open`` for that; a link to a list may consist
    # of a card's name and still mean the list.
    card = page.only_card or (_named(typed) if opens else None)
    if card and (opens or set(request.GET) == {"q"}):
        query = page.text if page.total > 1 else ""
        return HttpResponseRedirect(_with_query(query, "card", card.game, card.code))
    context = {
        "page": page,
        "groups": groups_of_rows(page),
        "headings": list(headings_of(page)),
        "views": VIEWS,
        "game": page.query.game,
        "query": page.box if page.answer.meant or page.answer.for_game else _text_without_game(page.query),
    }
    return render(request, "cardsdb/lists/card_list.html", context)


@private_page
def random_card(request: HttpRequest) -> HttpResponse:
    """Redirect to a random card that the query finds."""
    query = parse_query(request.GET.get("q", ""), viewer=reader_of(request))
    key = or_404(answer_of(query).results.random_key())
    return redirect(_with_query(query.text, "card", *key.split("/", 1)))


@require_safe
@public
def cards_of_game(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect to the list of a game's cards, for an address of a card that was cut off behind the game."""
    return redirect(_with_query(f"game:{game_or_404(slug).slug}", "card_list"))


@require_safe
@public
def suggest(request: HttpRequest) -> JsonResponse:
    """Completions for the search box as JSON. ``q``: the text, ``at``: the caret's position (default: the
    end), ``within``: the slug of a game.
    """
    typed = request.GET.get("q", "")[:MAX_COMPLETED]
    at = whole_number(request.GET.get("at", ""), len(typed))
    caret = len(typed) if at is None else at
    choices = completions(typed, caret, games().get(request.GET.get("within", "")))
    return JsonResponse(
        {"choices": [{"text": c.text, "label": c.label, "kind": c.kind, "start": c.start} for c in choices]}
    )


@require_safe
@public
def syntax(request: HttpRequest) -> HttpResponse:
    """The help on searching: the language with live examples, and every game's own fields."""
    words = {field.word for field in STANDARD}
    context = {
        "games": [(game, list(_own_fields(game))) for game in games().values()],
        "standard": [field for field in catalogue().fields() if field.word in words],
        "plain": [(query, catalogue().derived(_as_read, query)) for query in PLAIN],
    }
    return render(request, "cardsdb/lists/syntax.html", context)


def _own_fields(game: Game) -> Iterator[tuple[Field, Fact, str]]:
    """Yield (field, its fact, an example of a query) of the fields that the game itself has."""
    for field in catalogue().fields(game):
        fact = game.facts_by_key.get(field.word)
        if fact and fact.kind != "text":
            yield field, fact, _example(game, field)


def _as_read(_: Catalogue, text: str) -> str:
    """Return a query in plain English as the search language has it."""
    query = parse_query(text)
    return answer_of(query).meant or normal(query.query)


def _example(game: Game, field: Field) -> str:
    """Return a query with this field and its most frequent value; "" if no card has a value."""
    values = stats_of(game.slug).vocabulary.get(field.word, {})
    if not values:
        return ""
    shown, _ = max(values.values(), key=lambda pair: pair[1])
    operator = ">=" if field.kind == "number" else ":"
    return f"game:{game.slug} {field.word}{operator}{written(shown)}"


# -- searches within a game -----------------------------------------------------------------


def _named(typed: str, slug: str = "") -> Card | None:
    """Return the one card with this name, in the game if a slug is given; None if not exactly one."""
    named = [card for card in catalogue().named(typed) if slug in ("", card.game)]
    return named[0] if len(named) == 1 else None


def _with_query(text: str, name: str, *args: str) -> str:
    """Return the address of a page, with the query if it is not empty."""
    address = reverse(name, args=args)
    return f"{address}?{urlencode({'q': text})}" if text else address


def _address_within(typed: str, slug: str, opens: bool) -> str:
    """Return the address that a search within a game leads to: its list, or the game's one card of that name
    if the box ``opens`` cards.
    """
    typed = typed.strip()
    text = _text_within(typed, slug)
    card = _named(typed, slug) if opens and slug else None
    if card:
        total = results_of(parse_query(text)).total
        return _with_query(text if total > 1 else "", "card", card.game, card.code)
    return _with_query(text, "card_list")


def _text_within(typed: str, slug: str) -> str:
    """Return the typed query limited to a game, or unchanged if it names games or the game is unknown:
    ``kai`` -> ``game:spycraft kai``, ``craft>4 or kai`` -> ``game:spycraft (craft>4 or kai)``.
    """
    query = parse_query(typed)
    tree, order = query.query.tree, query.query.order
    if slug not in games() or any(isinstance(leaf, Term) and leaf.key == "game" for leaf in leaves(tree)):
        return typed
    text = f"game:{slug} {typed}".strip()
    # The game binds more tightly than "or", so the alternatives need brackets; but it is meant for all words.
    is_divided = isinstance(tree, Or) and len(sides_of(items_of(typed, query.fields))) > 1
    if not is_divided or query.query.faults or all(isinstance(leaf, Word) for leaf in leaves(tree)):
        return text
    return f"game:{slug} ({normal(tree)}) {ordered(order)}".strip()


def _text_without_game(query: CardQuery) -> str:
    """Return the text for a search box with the query's game chosen beside it: as typed, without the game.
    ``game:spycraft kai`` -> ``kai``. A query that chooses no single game is returned as typed.
    """
    typed, parts = query.text, query.controls.parts("game")
    if not query.controls.only("game") or len(parts) != 1 or query.query.faults:
        return typed
    span, meant = parts[0].span, without(query.query, parts)
    rest = " ".join(f"{typed[: span.start]} {typed[span.end :]}".split())
    if parse(rest).problems:
        return normal(meant)
    # Plain words may be understood differently without the game beside them; then the normal form is shown.
    only_terms = not query.query.problems and all(isinstance(leaf, Term) for leaf in leaves(meant.tree))
    is_same = only_terms or normal(check(rest, query.fields)) == normal(meant)
    return rest if is_same else normal(meant)
