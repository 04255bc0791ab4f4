"""The facets of a list: for each field, the values among the cards found, with their counts and links that
pick or drop them.

``card_list.py`` asks for the facets; decks show some of their own with ``value_shown``. A link is the whole
query rewritten: ``facets_of`` builds it from the query tree, so that any query can be narrowed; only
``_around`` keeps a faulty one as text. The parts that pick values come from ``Controls``
(``search/query/filter_form.py``). Tests: ``tests/cardsdb/web/lists/test_facets.py``.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple
from urllib.parse import quote_plus

from cardsdb.catalogue.current import games
from cardsdb.games.kit import EFFECT_FACTS, Fact, Game
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.filter_form import around_one_more, term_picking, term_text, without_value
from cardsdb.search.query.standard import MINE, folded
from cardsdb.search.query.tree import (
    Or,
    Query,
    Tree,
    all_of,
    any_of,
    instead_of,
    normal,
    without,
)
from cardsdb.search.results import CardQuery, Results, count_of, results_of
from cardsdb.web.lists.columns import Mark, marks_of, plain_mark, type_mark

# Values of a facet that are shown at once; the rest is folded.
SHOWN = 8
# Key of the facet of what cards do. People look for it, so it is always open, with all values: up to 200.
DOES = "does"
MAX_DOES = 200
# Facets that are open at first, besides DOES and those with picked values.
OPEN = 2


class ShownValue(NamedTuple):
    """A value of a field: as people read it, its query part (``craft=4``, URL-quoted), and its mark."""

    shown: str
    part: str
    mark: Mark | None = None


class Choice(NamedTuple):
    """A value of a facet and its number of cards. The address that picks it is put together only when the
    template asks (a list has about 200 of them): ``around`` is what stands before and behind the value's
    query part. ``dropped`` is the address without the value if it is picked, else "".
    """

    value: ShownValue
    count: int
    around: tuple[str, str]
    dropped: str = ""

    @property
    def shown(self) -> str:
        return self.value.shown

    @property
    def mark(self) -> Mark | None:
        return self.value.mark

    @property
    def picked(self) -> bool:
        return bool(self.dropped)

    @property
    def href(self) -> str:
        """The address that picks the value, or drops it if it is picked."""
        before, behind = self.around
        return self.dropped or f"{before}{self.value.part}{behind}"


class Facet(NamedTuple):
    """The values of one field among the cards found. A card must have all picked values if ``wants_all``,
    else any of them; ``other_way`` is the address that switches between the two, "" if there is none.
    """

    key: str
    title: str
    choices: tuple[Choice, ...]
    is_open: bool
    wants_all: bool = False
    other_way: str = ""

    @property
    def first(self) -> tuple[Choice, ...]:
        """The values shown at once: the most frequent and all picked ones."""
        return (*self.choices[:SHOWN], *(choice for choice in self.choices[SHOWN:] if choice.dropped))

    @property
    def more(self) -> tuple[Choice, ...]:
        return tuple(choice for choice in self.choices[SHOWN:] if not choice.dropped)

    @property
    def picked(self) -> tuple[Choice, ...]:
        return tuple(choice for choice in self.choices if choice.dropped)


def facets_of(query: CardQuery, game: Game | None, results: Results, rest: str) -> tuple[Facet, ...]:
    """Return every facet that divides the cards found.

    ``game`` is the game of all cards found, if there is one. ``rest`` is what follows the query in addresses
    ("&view=faces").
    """
    lister = _Facets(query, game, results, rest)
    facets: list[Facet] = []
    opened = 0
    for key, title, kind in _fields_with_facets(game, query.type):
        facet = lister.facet_of(key, title, kind)
        if facet is None:
            continue
        # The game of a list is in its heading already.
        is_in_heading = key == "game" and len(facet.picked) == 1
        is_open = not is_in_heading and (bool(facet.picked) or key == DOES or opened < OPEN)
        if is_open and key != DOES:
            opened += 1
        facets.append(facet._replace(is_open=is_open))
    return tuple(facets)


class _Picks(NamedTuple):
    """The picked values of one field, and the place of a further one.

    ``picked``: folded value -> the part of the query that picks it; values joined by "or" share one part.
    ``wants_all``: a card must have all of them. ``wider``: the query to which a further value is added, and
    ``among`` the cards that it finds. It lacks the picked values if a further one is an alternative to them.
    """

    picked: Mapping[str, Tree]
    wants_all: bool
    wider: Query
    among: Results

    @property
    def terms(self) -> dict[str, Tree]:
        """Picked folded value -> the term that picks it: ``craft=4`` of ``craft=4 or craft=5``."""
        return {value: term_picking(part, value) for value, part in self.picked.items()}


@dataclass(frozen=True)
class _Facets:
    """Makes the facets of one list; the attributes are the arguments of ``facets_of``."""

    query: CardQuery
    game: Game | None
    results: Results
    rest: str

    @cached_property
    def _around_whole(self) -> tuple[str, str]:
        """The texts before and behind a further condition of the whole query, the same for many facets."""
        return around_one_more(self.query.query)

    def facet_of(self, key: str, title: str, kind: str) -> Facet | None:
        """Return the facet of a field, closed; None if it divides nothing."""
        picks = self._picks(key, kind)
        counts = self._counts(key, kind, picks)
        # A single value divides nothing, except yes from no.
        least = 1 if picks.picked or key == "game" or kind == "flag" else 2
        if len(counts) < least:
            return None
        around = self._around(picks)
        choices = []
        for value, count in counts:
            shown = value_shown(key, value, self.game, self.query.fields)
            choices.append(Choice(shown, count, around, self._address_without(value, picks)))
        other_way = self._other_way(key, picks) if kind == "words" and len(picks.picked) > 1 else ""
        return Facet(key, title, tuple(choices), False, picks.wants_all, other_way)

    def _picks(self, key: str, kind: str) -> _Picks:
        """Return the picked values of a field.

        Beside picked values, as ``craft=4``, a further one is an alternative: it is counted as if no craft
        were picked, so its count says how many cards it would add. Of ``traits=soldier traits=snoop`` all are
        wanted: a further one counts the cards that have these as well.
        """
        whole, controls = self.query.query, self.query.controls
        picked, parts = controls.chosen.get(key, {}), controls.parts(key)
        wants_all = kind == "words" and len(parts) > 1
        if wants_all or not parts:
            return _Picks(picked, wants_all, whole, self.results)
        wider = without(whole, parts)
        return _Picks(picked, wants_all, wider, results_of(self.query.asking(wider)))

    def _counts(self, key: str, kind: str, picks: _Picks) -> list[tuple[str, int]]:
        """Return (folded value, number of cards) of each value of a field, numbers in order. A picked value
        that is too rare to be among those that ``Results.facet`` counts is added.
        """
        counts = dict(picks.among.facet(key, MAX_DOES) if key == DOES else picks.among.facet(key))
        for value, term in picks.terms.items():
            if value not in counts:
                counts[value] = count_of(self.query, all_of([picks.wider.tree, term]))
        values = sorted(counts, key=int) if kind == "number" else counts
        return [(value, counts[value]) for value in values]

    # -- addresses -------------------------------------------------------------------

    def _address(self, query: Query) -> str:
        return f"?q={quote_plus(normal(query))}{self.rest}"

    def _address_without(self, value: str, picks: _Picks) -> str:
        """Return the address of the list without a picked value; "" for a value that is not picked."""
        part = picks.picked.get(value)
        if part is None:
            return ""
        return self._address(instead_of(self.query.query, [part], without_value(part, value)))

    def _other_way(self, key: str, picks: _Picks) -> str:
        """Return the address that asks for any of the picked values instead of all, or all instead of any."""
        terms = picks.terms.values()
        joined = any_of(terms) if picks.wants_all else all_of(terms)
        return self._address(instead_of(self.query.query, self.query.controls.parts(key), joined))

    def _around(self, picks: _Picks) -> tuple[str, str]:
        """Return the parts of an address before and behind NEW, the query part that picks one more value.

        query               facet  address, unquoted              case
        type=agent          craft  type=agent NEW                 a condition
        krypt or kai        craft  (krypt or kai) NEW             the same
        type=agent craft=4  craft  type=agent (craft=4 or NEW)    an alternative
        craft=4             craft  craft=4 or NEW                 the same, with nothing around
        type=agent "kai     game   NEW type=agent "kai            a faulty text is kept, behind NEW, so
                                                                  that no open quote swallows NEW
        a or kai foo:x      game   (a or kai) NEW                 but not with "or", because "NEW a or
                                                                  kai" would mean "(NEW a) or kai"
        """
        whole = self.query.query
        if whole.faults and not picks.picked and not isinstance(whole.tree, Or):
            return "?q=", quote_plus(f" {whole.text}") + self.rest
        if picks.wider is whole:
            before, behind = self._around_whole
            return f"?q={before}", f"{behind}{self.rest}"
        before, behind = around_one_more(picks.wider)
        others = " or ".join(map(normal, picks.terms.values()))
        if not (before or behind):
            return f"?q={quote_plus(f'{others} or ')}", self.rest
        return f"?q={before}{quote_plus(f'({others} or ')}", f"{quote_plus(')')}{behind}{self.rest}"


# -- the fields that have facets ---------------------------------------------------------


def _fields_with_facets(game: Game | None, card_type: str) -> Iterator[tuple[str, str, str]]:
    """Yield (key, title, kind) of each possible facet, in the order in which people narrow a list."""
    yield from (("game", "Game", "word"), ("type", "Type", "word"), (MINE, "Yours", "flag"))
    if game:
        yield from _fields_of_game(game, card_type)
    else:
        yield DOES, "Does", "words"
    yield from (("rarity", "Rarity", "words"), ("certainty", "Certainty", "words"))


def _fields_of_game(game: Game, card_type: str) -> list[tuple[str, str, str]]:
    """Return (key, title, kind) of the facets of a game's facts and sets, by their ranks."""
    marked = {row_fact.key for row_fact in marks_of(game, card_type)}
    ranks: dict[tuple[str, str, str], tuple[_Group, int]] = {
        (fact.key, fact.title, fact.kind): _rank(game, fact, marked)
        for fact in game.facts_of(card_type)
        if fact.kind != "text" and not (game.sets and fact.key == "set")
    }
    if game.sets:
        ranks["set", "Set", "words"] = (_Group.SETS, 0)
    return sorted(ranks, key=lambda field: ranks[field])


class _Group(IntEnum):
    """The groups of a game's facets, in the order in which they are shown."""

    MARKS = 0
    DOES = 1  # What cards do.
    SETS = 2  # ``_fields_of_game`` adds them.
    WORDS = 3  # Other words that rows of lists show.
    EFFECTS = 4  # Targets and moments of effects.
    NUMBERS = 5  # Numbers that rows show.
    REST = 6  # Facts that rows do not show.
    ASIDE = 7  # Facts that do not matter in play.


def _rank(game: Game, fact: Fact, marked: Collection[str]) -> tuple[_Group, int]:
    """Return the group of a fact's facet, and its rank there; the lowest first, equals in their order."""
    in_rows = list(game.row_facts_by_key)
    if fact.key in marked:
        return _Group.MARKS, 0
    if fact.key == DOES:
        return _Group.DOES, 0
    if game.effect_words and fact.key in {effect_fact.key for effect_fact in EFFECT_FACTS}:
        return _Group.EFFECTS, 0
    if fact.key not in in_rows:
        return _Group.ASIDE if fact.is_aside else _Group.REST, 0
    if fact.kind not in ("word", "words"):
        return _Group.NUMBERS, 0
    rank = in_rows.index(fact.key)
    # Facts of less than half of the types come after all others of the group.
    is_of_few = 2 * sum(map(fact.applies_to, game.types_by_slug)) < len(game.types_by_slug)
    return _Group.WORDS, rank + len(in_rows) if is_of_few else rank


def value_shown(key: str, value: str, game: Game | None, fields: Fields) -> ShownValue:
    """Return a folded value of a field as it is shown and picked. ``game``: that of the list, or None."""

    def picking(typed: str) -> str:
        return quote_plus(term_text(key, typed))

    if key == "game":
        return ShownValue(games()[value].name if value in games() else value, picking(value))
    if key == "set" and game:
        for card_set in game.sets:
            if folded(card_set.code) == value:
                return ShownValue(card_set.name, picking(card_set.code))
        return ShownValue(value, picking(value))
    if key == "type" and game and value in game.types_by_slug:
        return ShownValue(game.types_by_slug[value].plural, picking(value), type_mark(game, value))
    field = fields.get(key)
    shown = field.values.get(value, value) if field else value
    row_fact = game.row_facts_by_key.get(key) if game else None
    mark = plain_mark(game, row_fact, shown) if game and row_fact and row_fact.place == "mark" else None
    return ShownValue(shown, picking(value if key == "type" else shown), mark)
