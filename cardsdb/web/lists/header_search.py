"""The search in the head of every page. On a page about one game it stays in that game: the box sends
``within`` unless it is unticked.
"""

from __future__ import annotations

from urllib.parse import urlencode

from django.urls import reverse

from cardsdb.catalogue.current import catalogue, games
from cardsdb.search.card_query import CardQuery, parse_query
from cardsdb.search.query.check import check
from cardsdb.search.query.filter_form import without
from cardsdb.search.query.grammar import parse
from cardsdb.search.query.normal_form import normal, ordered
from cardsdb.search.query.tree import Or, Term, leaves
from cardsdb.search.results import results_of


def text_within(typed: str, slug: str) -> str:
    """What is typed as a query for the cards of a game: as it is where it asks for games itself, or where
    there is no such game.
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
    """Where a search within a game leads: to its list, or to the one card of the game that has this name
    where the box ``opens`` cards.
    """
    text = text_within(typed, slug)
    named = [card for card in catalogue().named(typed.strip()) if card.game == slug] if opens else []
    if len(named) == 1:
        address = reverse("card", args=(named[0].game, named[0].code))
        return f"{address}?{urlencode({'q': text})}" if results_of(parse_query(text)).total > 1 else address
    return f"{reverse('card_list')}?{urlencode({'q': text})}" if text else reverse("card_list")


def text_without_game(query: CardQuery) -> str:
    """What stands in the box where the query's one game stands beside it: what was typed, without the
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
    if left.problems or not (is_same or normal(check(left, query.fields)) == normal(meant)):
        return normal(meant)
    return rest
