"""Facets of a card list: for each field, the values among the cards found, with their counts and links that
pick or drop them. Also the facts of a card that a list shows: columns, marks, and the few words of a row.

``card_list.py`` asks for the facets and columns, ``rows.py`` for marks and short facts; decks use ``mark``
and ``value_shown`` too. A link is the whole query rewritten: ``facets_of`` builds it from the query tree, so
that any query can be narrowed; only ``_around`` keeps a faulty one as text. The parts that pick values come
from ``Controls`` (``search/query/filter_form.py``).
Tests: ``tests/cardsdb/web/lists/test_facets.py``.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple
from urllib.parse import quote_plus

from cardsdb.catalogue.current import games
from cardsdb.games.kit import EFFECT_FACTS, Card, Fact, Game, RowFact, as_words
from cardsdb.games.kit.print.face import Symbol
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.filter_form import and_also, but, one_of, term
from cardsdb.search.query.standard import MINE, folded
from cardsdb.search.query.tree import (
    Or,
    Query,
    Regex,
    Term,
    Tree,
    Versus,
    all_of,
    any_of,
    instead_of,
    leaves,
    normal,
    parts_of,
    without,
)
from cardsdb.search.results import CardQuery, Results, count_of, results_of
from cardsdb.site.static_files import colour_class

# Columns of facts that fit into a table, and into one of several types, which has a column for the type.
MAX_COLUMNS = 9
MAX_COLUMNS_OF_TYPES = 8


def facts_asked_about(query: CardQuery) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return (keys that the query sorts or filters by, keys with a single picked value). The second are the
    same in every row, so they need no column: ``type=agent craft=4 combat>3 order:-expense`` gives
    (("expense", "combat"), ("type", "craft")).
    """
    tree, order = query.query.tree, query.query.order
    terms = [part for part in parts_of(tree) if isinstance(part, Term)]
    picked = tuple(dict.fromkeys(part.key for part in terms if _picks_one(part, query.fields)))
    keys = [sort.key for sort in order]
    for node in leaves(tree):
        if isinstance(node, Term | Regex):
            keys.append(node.key)
        elif isinstance(node, Versus):
            keys += node.left, node.right
    fields = map(query.fields.get, dict.fromkeys(keys))
    asked_about = dict.fromkeys(place.key for field in fields if field for place in field.places)
    return tuple(key for key in asked_about if key not in picked), picked


def _picks_one(term: Term, fields: Fields) -> bool:
    """True if all cards that this term finds have the same value of its field (not so for ``craft>4``)."""
    field = fields.get(term.key)
    if field is None or term.op not in (":", "="):
        return False
    places = field.asked(term.op, term.value)
    if len(places) != 1:
        return False
    (place,) = places
    if place.kind == "word":
        # A part of a word may mean several values.
        return len(place.meant(term.op, term.value)) == 1
    return place.kind in ("number", "flag")


def columns_of(
    game: Game, card_type: str, first: tuple[str, ...] = (), last: tuple[str, ...] = ()
) -> tuple[Fact, ...]:
    """Return the facts that are columns of a table, at most MAX_COLUMNS. ``card_type`` is "" for a list of
    several types; ``facts_asked_about`` gives ``first`` and ``last``.

    1. First come facts that only the query asks about: those of ``first`` that the game does not declare for
       its rows (``row_facts``).
    2. Then come the declared ones, in that order. If there are too many, those that do not matter in play are
       left out, then those of the fewest types.
    3. If no declared one fits: what every card should have, numbers first, word lists and ``last`` at the
    end.
    """
    in_rows = game.row_facts_by_key
    facts = game.facts_of(card_type) if card_type else game.facts
    fitting = {fact.key: fact for fact in facts if fact.kind != "text" or fact.key in in_rows}
    about = [fitting[key] for key in first if key in fitting and key not in in_rows]
    placed = [row_fact.key for row_fact in game.row_facts if row_fact.place in ("column", "chip")]
    declared = [fitting[key] for key in placed if key in fitting]
    room = max((MAX_COLUMNS if card_type else MAX_COLUMNS_OF_TYPES) - len(about), 0)
    # The facts of most types first; one without ``types`` applies to all of them.
    by_weight = sorted(declared, key=lambda fact: (fact.is_aside, -len(fact.types or game.types)))
    if kept := by_weight[:room]:
        return (*about, *(fact for fact in declared if fact in kept))[:MAX_COLUMNS]
    rest = [
        fact
        for fact in fitting.values()
        if fact.kind != "flag"
        and fact not in about
        and (fact.expected_of(card_type) if card_type else not fact.optional)
    ]
    rest.sort(key=lambda fact: (fact.key in last, fact.kind != "number", fact.kind == "words"))
    return (*about, *rest)[:MAX_COLUMNS]


def not_empty(columns: tuple[Fact, ...], cards: tuple[Card, ...], asked: tuple[str, ...]) -> tuple[Fact, ...]:
    """Return the columns whose keys are in ``asked``, and those in which one of these cards has something to
    show: a value, a value that stands in its place (``Fact.unless``), or the blank for an unknown value.
    """

    def is_shown(fact: Fact, card: Card) -> bool:
        return fact.expected_of(card.type) or any(key in card.facts for key in (fact.key, *fact.unless))

    return tuple(fact for fact in columns if fact.key in asked or any(is_shown(fact, card) for card in cards))


def marks_of(game: Game, card_type: str) -> tuple[RowFact, ...]:
    """Return the facts shown as marks before card names, of one type if it is given."""
    keys = {fact.key for fact in (game.facts_of(card_type) if card_type else game.facts)}
    return tuple(row_fact for row_fact in game.row_facts if row_fact.place == "mark" and row_fact.key in keys)


def short_facts(game: Game, card: Card, first: tuple[str, ...] = (), most: int = 5) -> str:
    """Return a card's facts in a few words for a row: those in ``first``, then others, ``most`` at most."""
    facts = [fact for fact in game.facts_of(card.type) if fact.kind != "text"]
    about = [fact for fact in facts if fact.key in first]
    others = [fact for fact in facts if fact not in about and not fact.optional]
    shown = []
    for fact in (*about, *others):
        value, title = card.facts.get(fact.key), fact.title.lower()
        if value is None or value is False:
            continue
        if value is True:
            shown.append(title)
        elif fact.kind in ("word", "words"):
            shown.append(as_words(value))
        else:
            shown.append(f"{title} {as_words(value)}")
    return " · ".join(shown[:most])


# Words that are skipped when the letter of a mark is taken.
ARTICLES = ("the", "a", "an")


class Mark(NamedTuple):
    """A small sign for a value: a drawing (``path`` of an SVG) or else ``letters``. ``name`` is read by
    screen readers; it is "" if the value stands beside the mark in words. ``colour``: a CSS class.
    """

    colour: str
    path: str = ""
    letters: str = ""
    name: str = ""


def mark(game: Game, fact: RowFact, value: str) -> Mark:
    """Return the mark of a value that stands alone."""
    return plain_mark(game, fact, value)._replace(name=value)


def plain_mark(game: Game, fact: RowFact, value: str) -> Mark:
    """Return the mark of a value that stands beside it in words."""
    drawing = dict(fact.symbols).get(value, "")
    words = [word for word in value.split() if word.lower() not in ARTICLES] or [value]
    # Values of one or two characters, such as "A+", are short enough to stand whole.
    letters = value if len(value) <= 2 else words[0][:1].upper()
    return Mark(colour_class(game, value), drawing, "" if drawing else letters)


def type_mark(game: Game, slug: str) -> Mark | None:
    """Return the drawing of a type, to stand beside its name; None if it has none."""
    drawn = game.faces[slug].elements if slug in game.faces else ()
    paths = [element.path for element in drawn if isinstance(element, Symbol)]
    if slug in game.types_by_slug:
        paths.insert(0, game.types_by_slug[slug].symbol)
    path = next(filter(None, paths), "")
    return Mark("mark-type", path) if path else None


# -- facets ----------------------------------------------------------------------------

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
        return self.dropped or f"{self.around[0]}{self.value.part}{self.around[1]}"


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
    maker = _Maker(query, game, results, rest)
    facets: list[Facet] = []
    opened = 0
    for key, title, kind in _keys(game, query.type):
        facet = maker.facet(key, title, kind)
        if facet is None:
            continue
        # The game of a list is in its heading already.
        is_closed = key == "game" and len(facet.picked) == 1
        is_open = not is_closed and (bool(facet.picked) or key == DOES or opened < OPEN)
        opened += is_open and key != DOES
        facets.append(facet._replace(is_open=is_open))
    return tuple(facets)


# Picked folded value -> the part of the query that picks it. Values joined by "or" share one part.
Picked = Mapping[str, Tree]


@dataclass(frozen=True)
class _Maker:
    """Makes the facets of one list; the attributes are the arguments of ``facets_of``."""

    query: CardQuery
    game: Game | None
    results: Results
    rest: str

    @cached_property
    def _beside(self) -> tuple[str, str]:
        """The texts before and behind a further condition of the whole query, the same for many facets."""
        return and_also(self.query.query)

    def facet(self, key: str, title: str, kind: str) -> Facet | None:
        """Return the facet of a field, closed; None if it divides nothing.

        Beside picked values, as ``craft=4``, a further one is an alternative: it is counted as if no craft
        were picked, so its count says how many cards it would add. Of ``traits=soldier traits=snoop`` all are
        wanted: a further one counts the cards that have these as well.
        """
        query, whole = self.query, self.query.query
        picked, parts = query.controls.chosen.get(key, {}), query.controls.parts(key)
        wants_all = kind == "words" and len(parts) > 1
        # The query to which a further value is added, and the cards among which its values are counted.
        wider, among = whole, self.results
        if parts and not wants_all:
            wider = without(whole, parts)
            among = results_of(query.asking(wider))
        counts = self._counts(key, kind, picked, wider, among)
        # A single value divides nothing, except yes from no.
        least = 1 if picked or key == "game" or kind == "flag" else 2
        if len(counts) < least:
            return None
        around = self._around(picked, wider)
        choices = []
        for value, count in counts:
            part = picked.get(value)
            dropped = self._address(instead_of(whole, [part], but(part, value))) if part else ""
            choices.append(Choice(value_shown(key, value, self.game, query.fields), count, around, dropped))
        other_way = ""
        if kind == "words" and len(picked) > 1:
            values = [one_of(part, value) for value, part in picked.items()]
            joined = any_of(values) if wants_all else all_of(values)
            other_way = self._address(instead_of(whole, parts, joined))
        return Facet(key, title, tuple(choices), False, wants_all, other_way)

    def _address(self, query: Query) -> str:
        return f"?q={quote_plus(normal(query))}{self.rest}"

    def _counts(
        self, key: str, kind: str, picked: Picked, wider: Query, among: Results
    ) -> list[tuple[str, int]]:
        """Return (folded value, number of cards) of each value of a field among the results, numbers in
        order. A picked value that is too rare to be among those that ``Results.facet`` counts is added.
        """
        counts = among.facet(key, MAX_DOES) if key == DOES else among.facet(key)
        counted = dict(counts)
        for value, part in picked.items():
            if value not in counted:
                counts.append((value, count_of(self.query, all_of([wider.tree, one_of(part, value)]))))
        return sorted(counts, key=lambda pair: int(pair[0])) if kind == "number" else counts

    def _around(self, picked: Picked, wider: Query) -> tuple[str, str]:
        """Return the parts of an address before and behind NEW, the query part that picks one more value.
        ``wider`` is the query without the facet's values if NEW is an alternative to them, else the whole.

            query               facet  address, unquoted              case
            type=agent          craft  type=agent NEW                 a condition (see ``and_also``)
            krypt or kai        craft  (krypt or kai) NEW             the same
            type=agent craft=4  craft  type=agent (craft=4 or NEW)    an alternative
            craft=4             craft  craft=4 or NEW                 the same, with nothing around
            type=agent "kai     game   NEW type=agent "kai            a faulty text is kept, behind NEW, so
                                                                      that no open quote swallows NEW
            a or kai foo:x      game   (a or kai) NEW                 but not with "or", because "NEW a or
                                                                      kai" would mean "(NEW a) or kai"
        """
        whole = self.query.query
        if whole.faults and not picked and not isinstance(wider.tree, Or):
            first, last = "", quote_plus(f" {whole.text}")
        else:
            first, last = self._beside if wider is whole else and_also(wider)
        if wider is whole:
            return f"?q={first}", f"{last}{self.rest}"
        others = " or ".join(normal(one_of(part, value)) for value, part in picked.items())
        if not (first or last):
            return f"?q={quote_plus(f'{others} or ')}", self.rest
        return f"?q={first}{quote_plus(f'({others} or ')}", f"{quote_plus(')')}{last}{self.rest}"


def _keys(game: Game | None, card_type: str) -> Iterator[tuple[str, str, str]]:
    """Yield (key, title, kind) of each possible facet, in the order in which people narrow a list."""
    yield from (("game", "Game", "word"), ("type", "Type", "word"), (MINE, "Yours", "flag"))
    if game is None:
        yield DOES, "Does", "words"
    else:
        marked = {row_fact.key for row_fact in marks_of(game, card_type)}
        ranked = [
            (_rank(game, fact, marked), (fact.key, fact.title, fact.kind))
            for fact in (game.facts_of(card_type) if card_type else game.facts)
            if fact.kind != "text" and not (game.sets and fact.key == "set")
        ]
        ranked += [((_Group.SETS, 0), ("set", "Set", "words"))] if game.sets else []
        yield from (field for _, field in sorted(ranked, key=lambda pair: pair[0]))
    yield from (("rarity", "Rarity", "words"), ("certainty", "Certainty", "words"))


class _Group(IntEnum):
    """The groups of a game's facets, in the order in which they are shown."""

    MARKS = 0
    DOES = 1  # What cards do.
    SETS = 2  # ``_keys`` adds them.
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
    mark = None
    if key == "game":
        shown, typed = games()[value].name if value in games() else value, value
    elif key == "set" and game:
        typed = next((card_set.code for card_set in game.sets if folded(card_set.code) == value), value)
        shown = game.sets_by_code[typed].name if typed in game.sets_by_code else value
    elif key == "type" and game and value in game.types_by_slug:
        shown, typed, mark = game.types_by_slug[value].plural, value, type_mark(game, value)
    else:
        field = fields.get(key)
        shown = field.values.get(value, value) if field else value
        typed = value if key == "type" else shown
        row_fact = game.row_facts_by_key.get(key) if game else None
        if game and row_fact and row_fact.place == "mark":
            mark = plain_mark(game, row_fact, shown)
    return ShownValue(shown, quote_plus(term(key, typed)), mark)
