"""Facets: for each field the values of the cards found, with how many have them, each a link that picks or drops it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote_plus
from weakref import WeakKeyDictionary

from cardsdb.games import games
from cardsdb.games.kit import Game
from cardsdb.search.card_query import CardQuery
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.filter_form import and_also, term, without
from cardsdb.search.query.normal_form import normal
from cardsdb.search.query.tree import Or, Query
from cardsdb.search.query.values import folded
from cardsdb.search.results import Results, results_of

# So many values stand in the open; the rest waits behind "more".
SHOWN = 8
# So many facets are open at first.
OPEN = 3
# How values are shown, kept with the fields of an edition and gone with them.
_SHOWN: WeakKeyDictionary[Fields, dict[tuple[str, str, str], tuple[str, str]]] = WeakKeyDictionary()
MAX_SHOWN = 5_000


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a facet. ``href`` is the address with it picked, or dropped when it is picked already."""

    shown: str
    count: int
    href: str
    picked: bool


@dataclass(frozen=True, slots=True)
class Facet:
    """The values of one field among the cards found."""

    key: str
    title: str
    choices: tuple[Choice, ...]
    is_open: bool

    @property
    def first(self) -> tuple[Choice, ...]:
        return self.choices[:SHOWN]

    @property
    def more(self) -> tuple[Choice, ...]:
        return self.choices[SHOWN:]


def facets_of(read: CardQuery, game: Game | None, results: Results, rest: str) -> tuple[Facet, ...]:
    """Every facet that tells the cards found apart. ``game`` is theirs if they have one; ``rest`` is what else the address holds.

    The values beside a picked one are counted as if it were not picked: they are what one could have instead.
    """
    found: list[Facet] = []
    for key, title, kind in _keys(game, read.type):
        picked = read.controls.chosen.get(key, {})
        # A card may have several words and one of everything else.
        wider = read.query if kind == "words" else without(read.query, picked.values())
        counts = (results if wider is read.query or not picked else results_of(read.asking(wider))).facet(key)
        # Every card found has what was picked, were it too rare to be counted.
        counts += [(value, results.total) for value in picked if value not in dict(counts)]
        if not picked and key != "game" and len(counts) < (1 if kind == "flag" else 2):
            continue
        if kind == "number":
            counts.sort(key=lambda pair: int(pair[0]))
        choices = tuple(_choices(read, key, game, counts, wider, rest))
        if choices:
            found.append(Facet(key, title, choices, bool(picked) or len(found) < OPEN))
    return tuple(found)


def _choices(read: CardQuery, key: str, game: Game | None, counts: list[tuple[str, int]], wider: Query, rest: str) -> Iterator[Choice]:
    picked = read.controls.chosen.get(key, {})
    if read.query.faults and not picked and not isinstance(wider.tree, Or):
        # Beside a top-level "or" it would narrow one alternative only: then the faulty part is given up.
        # What is added stands before a faulty query: an open quote or bracket in it would swallow what follows.
        first, last = "", quote_plus(f" {read.text}")
    else:
        first, last = and_also(wider)
    for value, count in counts:
        shown, typed = _as_shown(key, value, game, read.fields)
        href = quote_plus(normal(without(read.query, [picked[value]]))) if value in picked else f"{first}{typed}{last}"
        yield Choice(shown, count, f"?q={href}{rest}", value in picked)


def _keys(game: Game | None, card_type: str) -> Iterator[tuple[str, str, str]]:
    """(key of ``terms``, title, kind) of what can be counted."""
    if game is None:
        yield from (("game", "Game", "word"), ("type", "Type", "word"), ("rarity", "Rarity", "words"), ("certainty", "Certainty", "words"))
        return
    yield from (("game", "Game", "word"), ("type", "Type", "word"))
    if game.sets:
        yield "set", "Set", "words"
    for fact in game.facts_of(card_type) if card_type else game.facts:
        if fact.kind != "text":
            yield fact.key, fact.title, fact.kind
    yield from (("rarity", "Rarity", "words"), ("certainty", "Certainty", "words"))


def _as_shown(key: str, value: str, game: Game | None, fields: Fields) -> tuple[str, str]:
    """How a folded value is shown, and the part of a query that picks it, as an address holds it."""
    kept = _SHOWN.setdefault(fields, {})
    asked = (key, value, game.slug if game else "")
    found = kept.get(asked)
    if found is None:
        if len(kept) >= MAX_SHOWN:
            kept.clear()
        found = kept[asked] = _shown(key, value, game, fields)
    return found


def _shown(key: str, value: str, game: Game | None, fields: Fields) -> tuple[str, str]:
    if key == "game":
        shown, typed = games()[value].name if value in games() else value, value
    elif key == "set" and game:
        typed = next((card_set.code for card_set in game.sets if folded(card_set.code) == value), value)
        shown = game.sets_by_code[typed].name if typed in game.sets_by_code else value
    else:
        field = fields.get(key)
        shown = fields.values(field).get(value, value) if field else value
        typed = value if key == "type" else shown
    return shown, quote_plus(term(key, typed))
