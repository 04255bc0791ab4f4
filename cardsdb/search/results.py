"""The query of an address: read, checked and taken apart, for the current edition of the catalogue. The
cards of it are found in order and in pages, and their values counted.

A page is named by the card before or after it, never by a number of rows to skip. Cards of the visitor, in
sets of their own, stand before the catalogue's.
"""

import random
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from django.utils.functional import cached_property

from cardsdb.catalogue.current import Catalogue, catalogue, games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Game, fold
from cardsdb.identity.viewer import Viewer
from cardsdb.models.box import Boxes
from cardsdb.search.groups import groups_of
from cardsdb.search.own_cards import boxes_of, own_cards
from cardsdb.search.query.check import check
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.filter_form import Controls, bounded_facts, composed, controls_of, is_form
from cardsdb.search.query.matching import SLUGS, Entry, Matcher, in_order, relevance_words
from cardsdb.search.query.similar import closeness
from cardsdb.search.query.tree import Problem, Query, Regex, SortKey, Term, Tree, all_of, leaves, normal


@dataclass(frozen=True)
class CardQuery:
    """The query of an address: the text as typed, the query read from it, and the game if it asks for one.

    ``lists`` are lists of cards that ``in:`` knows by name, as primary keys: ``in:deck`` finds those of
    ``lists["deck"]``. ``own`` are the boxes whose texts it looks into besides: those of the visitor.
    """

    text: str
    query: Query
    fields: Fields
    game: Game | None = None
    controls: Controls = field(default_factory=Controls)
    lists: Mapping[str, Collection[int]] = field(default_factory=dict)
    own: Boxes = ()

    @property
    def is_lost(self) -> bool:
        """Return whether nothing of it was understood: then it finds nothing, rather than every card."""
        return self.query.tree is None and bool(self.query.faults)

    @property
    def type(self) -> str:
        """The slug of the one type asked for; empty without one."""
        return type_asked(self.controls, self.game) if self.game else ""

    def asking(self, query: Query) -> "CardQuery":
        """The same for another query, made from this one."""
        return replace(self, query=query)

    def within(self, game: Game | None) -> "CardQuery":
        """The query among the cards of a game; among all without one."""
        if game is None:
            return self
        return self.asking(replace(self.query, tree=all_of([Term("game", "=", game.slug), self.query.tree])))


def type_asked(controls: Controls, game: Game) -> str:
    """The slug of the one type of the game that is picked; empty without one."""
    value = controls.only("type")
    return next((t.slug for t in game.types if value in (t.slug, fold(t.name))), "")


def parse_query(
    text: str,
    game: Game | None = None,
    lists: Mapping[str, Collection[int]] | None = None,
    viewer: Viewer | None = None,
) -> CardQuery:
    """Read a query; within a game, where one is given.

    A word means the same whether or not the query names a game, so that one more condition always
    narrows: a fact that a game does not have is one that no source states there. With a viewer it looks into
    their own texts too.
    """
    whole = catalogue()
    fields = whole.fields()
    if lists:
        fields = fields.with_lists(lists)
    query = check(text, fields)
    controls = controls_of(query, fields)
    if slug := controls.only("game"):
        game = next((g for g in games().values() if slug in (g.slug, fold(g.name))), game)
    if game:
        problems = (
            *_with_own_suggestions(query.problems, text, whole.fields(game)),
            *_foreign(query.tree, game, fields),
        )
        query = replace(query, problems=problems)
        bounded = {fact.key for fact in bounded_facts(game, type_asked(controls, game), fields)}
        controls = controls_of(query, fields, bounded, game)
    return CardQuery(text, query, fields, game, controls, lists or {}, boxes_of(viewer) if viewer else ())


def parse_strictly(text: str, game: Game | None = None, viewer: Viewer | None = None) -> CardQuery:
    """Read a query that must be understood whole. Raises Refused with every fault and its columns."""
    card_query = parse_query(text, game, viewer=viewer)
    if faults := card_query.query.faults:
        raise Refused(*(Fault(p.code, p.message, f"columns {p.start}-{p.end}") for p in faults))
    return card_query


def _foreign(tree: Tree | None, game: Game, fields: Fields) -> Iterator[Problem]:
    """Advice for every fact that is asked for and that the game does not have."""
    keys = {key for one in fields.games for key in one.facts_by_key}
    for leaf in leaves(tree):
        field = fields.get(leaf.key) if isinstance(leaf, Term | Regex) else None
        if field and all(place.key not in game.facts_by_key and place.key in keys for place in field.places):
            start, end = leaf.key_span or leaf.span
            message = f"{game.name} has no {field.title.lower()}: nothing states one of any of its cards."
            yield Problem("not-of-this-game", message, start, end, (), True)


def _with_own_suggestions(problems: Collection[Problem], text: str, own: Fields) -> Iterator[Problem]:
    """The problems, with suggestions out of the game that is searched."""
    among_own = check(text, own).problems if any(problem.suggestions for problem in problems) else ()
    suggested = {(one.code, one.start, one.end): one.suggestions for one in among_own}
    for one in problems:
        yield replace(one, suggestions=suggested.get((one.code, one.start, one.end), one.suggestions))


def query_of_form(params: Mapping[str, str]) -> str | None:
    """The query made of the filter form's controls; None if the address is a query already.

    A query with faults stays as typed, so that nothing is lost while it is being mended.
    """
    fields = catalogue().fields()
    if not is_form(params, fields):
        return None
    text = composed(params, fields)
    query = parse_query(text).query
    return text if query.faults else normal(query)


# -- what is found ---------------------------------------------------------------------

# Values of one facet that are counted, the most frequent first.
MAX_VALUES = 40
# What ``before`` says for the last page.
END = "end"


@dataclass(frozen=True)
class CardPage:
    """One page: the cards and their primary keys, the place of the first (from 1), and whether there is more
    on either side.

    ``lost``: the page is the first because the card that named it is not among the results.
    """

    cards: tuple[Card, ...]
    pks: tuple[int, ...]
    first: int
    before: bool
    after: bool
    lost: bool = False


def results_of(query: CardQuery) -> "Results":
    """The cards of the catalogue that a query finds; none for a query of which nothing was understood."""
    return results_in(catalogue(), query)


def count_of(query: CardQuery, tree: Tree | None) -> int:
    """Return how many cards another query than this finds, asked in the same way."""
    return results_of(query.asking(Query(tree))).total


def results_in(among: Catalogue, query: CardQuery, entries: Sequence[Entry] | None = None) -> "Results":
    """The cards of a catalogue that a query finds: of some ``entries``, else of those and of the boxes that
    it looks into.
    """
    own = own_cards(query.own)
    if entries is None:
        entries = (*own.entries, *among.entries)
    lists = {name: frozenset(pks) for name, pks in query.lists.items()}
    matcher = Matcher(query.fields, lists, own.texts, among.entries)
    found = () if query.is_lost else filter(matcher.test(query.query.tree), entries)
    return Results(among, query, matcher, tuple(found))


def pks_with_retired(query: CardQuery, among: Collection[int] | None = None) -> list[int]:
    """Primary keys of all cards that a query finds, retired ones too, which decks may still have.

    ``among`` restricts them to some.
    """
    whole, chosen = catalogue(), None if among is None else set(among)
    found = (results_in(whole, query, entries).pks for entries in (whole.entries, whole.retired))
    return [pk for pk in chain(*found) if chosen is None or pk in chosen]


@dataclass(frozen=True, eq=False, repr=False)
class Results:
    """The cards that a query finds, in its order; without one, those most like its words or its ``similar:``
    first, or by name.

    ``found`` has them by name, one's own first. Before all others come those that meet ``first``, tree by
    tree; each group stands together.
    """

    catalogue: Catalogue
    query: CardQuery
    matcher: Matcher
    found: tuple[Entry, ...]
    first: tuple[Tree, ...] = ()
    order: tuple[SortKey, ...] = ()

    def restricted_to(self, pks: Iterable[int]) -> "Results":
        """Those of the catalogue's cards that have one of these primary keys."""
        chosen = frozenset(pks)
        return replace(self, found=tuple(entry for entry in self.found if entry.pk in chosen))

    def preferring(self, first: Sequence[Tree], order: Sequence[SortKey]) -> "Results":
        """The same cards: those that meet ``first``, tree by tree, before all others; in this order where the
        query has none.
        """
        return replace(self, first=tuple(first), order=tuple(order))

    # -- cards -----------------------------------------------------------------------

    @property
    def total(self) -> int:
        return len(self.found)

    @property
    def pks(self) -> list[int]:
        """The primary keys of the catalogue's cards among them, by name."""
        return [entry.pk for entry in self.found if not entry.card.own]

    @property
    def cards(self) -> list[Card]:
        """All of them."""
        return [entry.card for entry in self._ordered]

    def slice(self, start: int, size: int) -> list[Card]:
        """``size`` cards from a place (from 0) on."""
        return [entry.card for entry in self._ordered[start : start + size]]

    def key_at(self, place: int) -> str:
        """The key of the card at a place from 0; empty if there is none."""
        return self._ordered[place].key if place < self.total else ""

    def random_key(self) -> str:
        """The key of any of the cards; empty if there is none."""
        return self.key_at(random.randrange(self.total)) if self.total else ""  # noqa: S311  (nothing secret hangs on it)

    def facet(self, key: str, limit: int = MAX_VALUES) -> list[tuple[str, int]]:
        """(folded value, cards) of the key of ``terms``, the most frequent first. Games and types go by their
        slugs.
        """
        last = 1 if key in SLUGS else None
        counts = Counter(chain.from_iterable(entry.terms.get(key, ())[:last] for entry in self.found))
        return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]

    # -- order -----------------------------------------------------------------------

    @property
    def is_by_name(self) -> bool:
        """Return whether they come in the catalogue's own order."""
        tree = self.query.query.tree
        return not (self._order or self.first or relevance_words(tree) or closeness(tree))

    @cached_property
    def groups(self) -> Mapping[str, frozenset[str]]:
        """Return what the cards do with the one word that is asked for, and the keys of those that do, in the
        order in which they come; nothing where they have another order.
        """
        tree = self.query.query.tree
        return {} if self._order or closeness(tree) else groups_of(self.found, tree, games())

    @property
    def _order(self) -> tuple[SortKey, ...]:
        return self.query.query.order or self.order

    @cached_property
    def _ordered(self) -> list[Entry]:
        tree = self.query.query.tree
        ordered = in_order(self.found, self.matcher, tree, self._order, self.first)
        if self.query.own:
            ordered.sort(key=lambda entry: not entry.card.own)
        places = {key: place for place, keys in enumerate(self.groups.values()) for key in keys}
        return sorted(ordered, key=lambda entry: places[entry.key]) if places else ordered

    def page(self, size: int, after: str = "", before: str = "") -> CardPage:
        """The cards after the one with the key ``after``, or before the one with ``before``, where END means
        the last page; else the first.

        A card that is not among the results still has its place where they are by name; otherwise the page is
        the first.
        """
        start, end, lost = 0, size, False
        if before == END:
            start, end = max(self.total - size, 0), self.total
        elif key := after or before:
            place = self._place(key)
            # By name a card that has left the results since the page was made still has its place.
            here = self._place_left(key) if place is None else place
            if here is None:
                lost = True
            elif after:
                start = here if place is None else here + 1
                end = start + size
            else:
                start, end = max(here - size, 0), here
        shown = self._ordered[start:end]
        return CardPage(
            tuple(entry.card for entry in shown),
            tuple(entry.pk for entry in shown),
            start + 1,
            start > 0,
            start + len(shown) < self.total,
            lost,
        )

    def around(self, key: str) -> tuple[int, str, str] | None:
        """(the place of a card, from 1, the keys of its neighbours, empty at the ends); None if it is not
        among the results.
        """
        place = self._place(key)
        if place is None:
            return None
        return place + 1, self.key_at(place - 1) if place else "", self.key_at(place + 1)

    def _place(self, key: str) -> int | None:
        return next((place for place, entry in enumerate(self._ordered) if entry.key == key), None)

    def _place_left(self, key: str) -> int | None:
        """Return how many of the cards stand before one by name that is not among them; None if there is no
        such card, or they are in another order.
        """
        left = self.catalogue.by_key.get(key)
        if left is None or not self.is_by_name:
            return None
        own = sum(entry.card.own for entry in self.found)
        return bisect_left(self.found, left.order, lo=own, key=lambda entry: entry.order)


MAX_CARDS = 5_000
SEVERAL = "A file has the cards of one game, and these are of several. Choose a game first."
NONE = "No card is found, so there is nothing to write."
TOO_MANY = (
    f"More than {MAX_CARDS:,} cards are found, which no file is for. Ask for fewer, or take the whole"
    " catalogue along from /bulk/."
)


def cards_found(query: CardQuery) -> tuple[Game, list[Card]]:
    """The one game of the cards that a query finds, and these cards. Raises Refused for none, for too many,
    and for several games.
    """
    results = results_of(query)
    slugs = [slug for slug, _ in results.facet("game")]
    if not slugs:
        raise Refused(Fault("no_cards", NONE, "q"))
    if len(slugs) > 1:
        raise Refused(Fault("several_games", SEVERAL, "q"))
    if results.total > MAX_CARDS:
        raise Refused(Fault("too_many", TOO_MANY, "q"))
    return games()[slugs[0]], [card for card in results.cards if not card.own]
