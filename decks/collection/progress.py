"""How far a collection has come: of each game, set and faction how many cards are owned at all, each a filter
of the page.
"""

from __future__ import annotations

from collections.abc import Collection as Bag
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote_plus, urlencode

from cardsdb.catalogue.current import games
from cardsdb.games.kit import Game
from cardsdb.search.card_query import CardQuery, parse_query
from cardsdb.search.query.filter_form import and_also, without
from cardsdb.search.query.tree import normal
from cardsdb.search.results import results_of
from cardsdb.web.lists.facets import value_shown
from cardsdb.web.lists.shown_facts import Mark

# Values of one field that are shown; a game has at most a dozen sets or factions.
MAX_CHIPS = 24


@dataclass(frozen=True, slots=True)
class Chip:
    """One value: ``owned`` of ``total`` cards. ``href`` shows its cards alone, or all again where it is
    picked.
    """

    shown: str
    owned: int
    total: int
    href: str
    picked: bool
    mark: Mark | None = None


@dataclass(frozen=True, slots=True)
class ChipRow:
    """The values of one field."""

    title: str
    chips: tuple[Chip, ...]


def game_chips(chosen: Game | None, owned: Bag[int], everything: bool) -> ChipRow:
    """All games, each with what is owned of it."""
    results = results_of(parse_query(""))
    totals, mine = dict(results.facet("game")), dict(results.restricted_to(owned).facet("game"))
    rest = {"all": "1"} if everything else {}
    chips = [
        Chip("All games", sum(mine.values()), sum(totals.values()), f"?{urlencode(rest)}", chosen is None)
    ]
    for game in games().values():
        href = f"?{urlencode({'game': game.slug, **rest})}"
        chips.append(Chip(game.name, mine.get(game.slug, 0), totals.get(game.slug, 0), href, game == chosen))
    return ChipRow("Game", tuple(chips))


def chips_of(query: CardQuery, game: Game, owned: Bag[int], everything: bool) -> list[ChipRow]:
    """The sets of the game and the facts that its rows have a mark for, or else its types, with what is owned
    of each.

    A value is counted among the cards that the rest of the query finds.
    """
    fields = [("set", "Set")] if len(game.sets) > 1 else []
    fields += [
        (fact.key, game.facts_by_key[fact.key].title) for fact in game.row_facts if fact.place == "mark"
    ]
    rows = [
        ChipRow(title, tuple(_chips(query, game, key, owned, everything)))
        for key, title in fields or [("type", "Type")]
    ]
    return [row for row in rows if row.chips]


def _chips(query: CardQuery, game: Game, key: str, owned: Bag[int], everything: bool) -> Iterator[Chip]:
    picked = query.controls.chosen.get(key, {})
    wider = without(query.query, query.controls.parts(key)) if picked else query.query
    results = results_of(query.asking(wider).within(game))
    totals, mine = results.facet(key, MAX_CHIPS), dict(results.restricted_to(owned).facet(key, MAX_CHIPS))
    first, last = and_also(wider)
    rest = urlencode({"game": game.slug, **({"all": "1"} if everything else {})})
    for value, total in totals:
        shown = value_shown(key, value, game, query.fields)
        asks = quote_plus(normal(wider)) if value in picked else f"{first}{shown.part}{last}"
        yield Chip(shown.shown, mine.get(value, 0), total, f"?{rest}&q={asks}", value in picked, shown.mark)
