"""Parse a card query and find its cards: ``parse_query`` makes a ``CardQuery``, ``results_of`` its
``Results``.

Every list of cards on pages, in the API and on the command line goes through these two, usually by way of
``ask.answer_of``, which reads plain words. Results come from the current edition of the catalogue in memory.
Pages are addressed by the card before or after them, not by row numbers, so that links stay right when cards
are added. Cards of the visitor's own sets come before the catalogue's. Tests:
``tests/cardsdb/search/test_results.py`` and, for own cards, ``test_own_cards.py``.
"""

import random
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TypeVar

from django.utils.functional import cached_property

from cardsdb.catalogue.current import Catalogue, catalogue, games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, CardType, Game, fold
from cardsdb.identity.viewer import Viewer
from cardsdb.models.box import Boxes
from cardsdb.search.groups import groups_of
from cardsdb.search.own_cards import boxes_of, own_cards
from cardsdb.search.query.check import check
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.filter_form import Controls, bounded_facts, composed, controls_of, is_form
from cardsdb.search.query.matching import Entry, Matcher
from cardsdb.search.query.ordering import SLUGS, in_order, relevance_words
from cardsdb.search.query.similar import closeness
from cardsdb.search.query.tree import Problem, Query, Regex, SortKey, Term, Tree, all_of, leaves, normal

Named = TypeVar("Named", Game, CardType)


@dataclass(frozen=True)
class CardQuery:
    """A query with its context. ``text`` is what was typed, ``query`` the tree parsed from it, ``game`` the
    one game that is searched, or None for all.

    ``lists``: name that ``in:`` knows -> primary keys of its cards, so that ``in:deck`` finds those of
    ``lists["deck"]``. ``own``: boxes of the visitor, whose cards and texts are searched too.
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
        """True if no part of the text was understood. Such a query finds no cards instead of all cards."""
        return self.query.tree is None and bool(self.query.faults)

    @property
    def type(self) -> str:
        """The slug of the one type asked for; empty if there is none."""
        return type_asked(self.controls, self.game) if self.game else ""

    def asking(self, query: Query) -> "CardQuery":
        """Return a copy of this CardQuery with its query replaced."""
        return replace(self, query=query)

    def within(self, game: Game | None) -> "CardQuery":
        """Return a copy restricted to the cards of a game; unrestricted if ``game`` is None."""
        if game is None:
            return self
        return self.asking(replace(self.query, tree=all_of([Term("game", "=", game.slug), self.query.tree])))


def type_asked(controls: Controls, game: Game) -> str:
    """Return the slug of the one type of the game that is picked; empty if there is none."""
    card_type = _with_slug_or_name(controls.only("type"), game.types)
    return card_type.slug if card_type else ""


def _with_slug_or_name(value: str, rows: Iterable[Named]) -> Named | None:
    """Return the game or type with this slug or folded name, as both stand in ``terms``; None without one."""
    for row in rows:
        if value in (row.slug, fold(row.name)):
            return row
    return None


def parse_query(
    text: str,
    game: Game | None = None,
    lists: Mapping[str, Collection[int]] | None = None,
    viewer: Viewer | None = None,
) -> CardQuery:
    """Parse and check a query, within a game if one is given. With a viewer, their own texts are searched
    too.

    Fields of all games are known even within one game, so that adding a condition always narrows the result:
    a fact that the game does not have counts as unknown there, and advice says so.
    """
    whole = catalogue()
    fields = whole.fields()
    if lists:
        fields = fields.with_lists(lists)
    query = check(text, fields)
    # Controls that need no game, such as the type; they also tell if the query picks a game.
    controls = controls_of(query, fields)
    searched = _with_slug_or_name(controls.only("game"), games().values()) or game
    if searched:
        problems = (
            *_with_own_suggestions(query.problems, text, whole.fields(searched)),
            *_foreign(query.tree, searched, fields),
        )
        query = replace(query, problems=problems)
        bounded = {fact.key for fact in bounded_facts(searched, type_asked(controls, searched), fields)}
        controls = controls_of(query, fields, bounded, searched)
    own = boxes_of(viewer) if viewer else ()
    return CardQuery(text, query, fields, searched, controls, lists or {}, own)


def parse_strictly(text: str, game: Game | None = None, viewer: Viewer | None = None) -> CardQuery:
    """Parse a query that must be understood as a whole. Raises Refused with every fault and its columns."""
    card_query = parse_query(text, game, viewer=viewer)
    if faults := card_query.query.faults:
        raise Refused(*(Fault(p.code, p.message, f"columns {p.start}-{p.end}") for p in faults))
    return card_query


def _foreign(tree: Tree | None, game: Game, fields: Fields) -> Iterator[Problem]:
    """Yield advice for every fact that the query asks for and the game does not have."""
    every_key = set(chain.from_iterable(other.facts_by_key for other in fields.games))
    foreign_keys = every_key - game.facts_by_key.keys()
    for leaf in leaves(tree):
        field = fields.get(leaf.key) if isinstance(leaf, Term | Regex) else None
        if field and foreign_keys.issuperset(place.key for place in field.places):
            start, end = leaf.key_span or leaf.span
            message = f"{game.name} has no {field.title.lower()}: none of its cards states one."
            yield Problem("not-of-this-game", message, start, end, (), True)


def _with_own_suggestions(problems: Collection[Problem], text: str, of_game: Fields) -> Iterator[Problem]:
    """Yield the problems with suggestions from the game that is searched, whose fields are ``of_game``.
    Problems that are none in the game's fields keep theirs.
    """
    if not any(problem.suggestions for problem in problems):
        yield from problems
        return
    by_place = {
        (problem.code, problem.start, problem.end): problem for problem in check(text, of_game).problems
    }
    for problem in problems:
        same = by_place.get((problem.code, problem.start, problem.end), problem)
        yield replace(problem, suggestions=same.suggestions)


def query_of_form(params: Mapping[str, str]) -> str | None:
    """Return the query text of a submitted filter form; None if the query string already is a plain query.

    A query with faults stays as typed, so that the visitor can correct it.
    """
    fields = catalogue().fields()
    if not is_form(params, fields):
        return None
    text = composed(params, fields)
    query = parse_query(text).query
    return text if query.faults else normal(query)


# -- results ---------------------------------------------------------------------------

# Values of one facet that are returned, the most frequent first.
MAX_VALUES = 40
# The value of ``before`` that means the last page.
END = "end"


@dataclass(frozen=True)
class CardPage:
    """One page of results. ``first``: number of its first card, from 1. ``before``, ``after``: True if there
    are more cards on that side.

    ``lost``: this is the first page because the card that addressed the page is not among the results.
    """

    cards: tuple[Card, ...]
    pks: tuple[int, ...]
    first: int
    before: bool
    after: bool
    lost: bool = False


def results_of(query: CardQuery) -> "Results":
    """Return the cards of the current catalogue that a query finds; none if no part of it was understood."""
    return results_in(catalogue(), query)


def count_of(query: CardQuery, tree: Tree | None) -> int:
    """Return how many cards another tree finds in the context of this query."""
    return results_of(query.asking(Query(tree))).total


def results_in(among: Catalogue, query: CardQuery, entries: Sequence[Entry] | None = None) -> "Results":
    """Return the cards that a query finds among ``entries``; without these, among the whole catalogue and the
    visitor's own cards.
    """
    own = own_cards(query.own)
    if entries is None:
        entries = (*own.entries, *among.entries)
    lists = {name: frozenset(pks) for name, pks in query.lists.items()}
    matcher = Matcher(query.fields, lists, own.texts, among.entries)
    found = () if query.is_lost else filter(matcher.test(query.query.tree), entries)
    return Results(among, query, matcher, tuple(found))


def pks_with_retired(query: CardQuery, among: Collection[int] | None = None) -> list[int]:
    """Return the primary keys of all cards that a query finds, including retired ones, which decks may still
    contain. ``among``: consider only these primary keys.
    """
    whole = catalogue()
    found = results_in(whole, query, whole.entries).pks + results_in(whole, query, whole.retired).pks
    if among is None:
        return found
    chosen = set(among)
    return [pk for pk in found if pk in chosen]


@dataclass(frozen=True, eq=False, repr=False)
class Results:
    """The cards that a query finds, sorted as the query asks; else by likeness with its words or its
    ``similar:``; else by name. Own cards always come first.

    ``found`` has them by name, own cards first. ``preferred``: cards that meet the first of these trees come
    before those that meet the second, and these before the others. ``order`` is used if the query has none.
    """

    catalogue: Catalogue
    query: CardQuery
    matcher: Matcher
    found: tuple[Entry, ...]
    preferred: tuple[Tree, ...] = ()
    order: tuple[SortKey, ...] = ()

    def restricted_to(self, pks: Iterable[int]) -> "Results":
        """Return only the cards with one of these primary keys."""
        chosen = frozenset(pks)
        return replace(self, found=tuple(entry for entry in self.found if entry.pk in chosen))

    def preferring(self, preferred: Sequence[Tree], order: Sequence[SortKey]) -> "Results":
        """Return the same cards with another ``preferred`` and ``order`` (see the class)."""
        return replace(self, preferred=tuple(preferred), order=tuple(order))

    # -- cards -----------------------------------------------------------------------

    @property
    def total(self) -> int:
        return len(self.found)

    @property
    def pks(self) -> list[int]:
        """The primary keys of the found cards, by name, without own cards."""
        return [entry.pk for entry in self.found if not entry.card.own]

    @property
    def cards(self) -> list[Card]:
        """All found cards, sorted."""
        return [entry.card for entry in self._ordered]

    def slice(self, start: int, size: int) -> list[Card]:
        """Return ``size`` cards from a place on, counted from 0."""
        return [entry.card for entry in self._ordered[start : start + size]]

    def key_at(self, place: int) -> str:
        """Return the key of the card at a place, counted from 0; empty if there is none."""
        return self._ordered[place].key if place < self.total else ""

    def random_key(self) -> str:
        """Return the key of a random card; empty if there is none."""
        return self.key_at(random.randrange(self.total)) if self.total else ""  # noqa: S311 (not secret)

    def facet(self, key: str, limit: int = MAX_VALUES) -> list[tuple[str, int]]:
        """Return (folded value, number of cards) of a key of ``terms``, the most frequent first. Games and
        types are counted by their slugs.
        """
        # Under "game" and "type" a card has a slug and a name (see SLUGS): only the first is counted.
        most = 1 if key in SLUGS else None
        counts = Counter(chain.from_iterable(entry.terms.get(key, ())[:most] for entry in self.found))
        return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]

    # -- order -----------------------------------------------------------------------

    @property
    def is_by_name(self) -> bool:
        """True if the cards come in the catalogue's own order, by name."""
        tree = self.query.query.tree
        return not (self._order or self.preferred or relevance_words(tree) or closeness(tree))

    @cached_property
    def groups(self) -> Mapping[str, frozenset[str]]:
        """Title of a group -> keys of its cards, in the order of the groups (see ``groups``); empty if the
        results are sorted in another way.
        """
        tree = self.query.query.tree
        return {} if self._order or closeness(tree) else groups_of(self.found, tree, games())

    @property
    def _order(self) -> tuple[SortKey, ...]:
        return self.query.query.order or self.order

    @cached_property
    def _ordered(self) -> list[Entry]:
        """The found cards as they are shown: sorted, own cards first, and all that group by group."""
        tree = self.query.query.tree
        ordered = in_order(self.found, self.matcher, tree, self._order, self.preferred)
        # Sorting keeps the order of equals, so each of these steps only moves own cards, and then groups.
        if self.query.own:
            ordered.sort(key=lambda entry: not entry.card.own)
        place_of_group: dict[str, int] = {}
        for place, keys in enumerate(self.groups.values()):
            place_of_group |= dict.fromkeys(keys, place)
        if place_of_group:
            ordered.sort(key=lambda entry: place_of_group[entry.key])
        return ordered

    def page(self, size: int, after: str = "", before: str = "") -> CardPage:
        """Return the page after the card with the key ``after``, or before that with the key ``before`` (END:
        the last page); the first page if both are empty. Of cards a b c d e f, with a size of 2:

            after=b     c d      before=e    c d      after=f     (empty)
            before=END  e f      before=b    a

        If the results are by name, a card that has left them since the visitor's page was made still has its
        place. Otherwise the first page is returned, with ``lost`` set.
        """
        if before == END:
            return self._page(self.total - size, self.total)
        key = after or before
        if not key:
            return self._page(0, size)
        place = self._place(key)
        if place is not None:
            return self._page(place + 1, place + 1 + size) if after else self._page(place - size, place)
        place_of_next = self._place_of_gone(key)
        if place_of_next is None:
            return self._page(0, size, lost=True)
        if after:
            return self._page(place_of_next, place_of_next + size)
        return self._page(place_of_next - size, place_of_next)

    def _page(self, start: int, end: int, lost: bool = False) -> CardPage:
        """Return the page of the cards between two places, the end exclusive."""
        start = max(start, 0)
        shown = self._ordered[start:end]
        return CardPage(
            cards=tuple(entry.card for entry in shown),
            pks=tuple(entry.pk for entry in shown),
            first=start + 1,
            before=start > 0,
            after=start + len(shown) < self.total,
            lost=lost,
        )

    def around(self, key: str) -> tuple[int, str, str] | None:
        """Return (place of a card from 1, key of the card before, key of the card after), with empty keys at
        the ends; None if the card is not among the results.
        """
        place = self._place(key)
        if place is None:
            return None
        return place + 1, self.key_at(place - 1) if place else "", self.key_at(place + 1)

    def _place(self, key: str) -> int | None:
        """Return the place of a card among the results, from 0; None if it is not there."""
        for place, entry in enumerate(self._ordered):
            if entry.key == key:
                return place
        return None

    def _place_of_gone(self, key: str) -> int | None:
        """Return the place that a card which is not among the results would have by name: that of the card
        behind it. None if there is no such card, or the results are not by name.
        """
        gone = self.catalogue.by_key.get(key)
        if gone is None or not self.is_by_name:
            return None
        # Own cards stand first, in an order of their own.
        own_count = sum(entry.card.own for entry in self.found)
        return bisect_left(self.found, gone.order, lo=own_count, key=lambda entry: entry.order)


# -- results as a file -----------------------------------------------------------------

# Cards in one file.
MAX_CARDS = 5_000
SEVERAL = "A file can have cards of one game only, and these are of several. Choose a game first."
NONE = "No card is found, so there is nothing to write."
TOO_MANY = (
    f"More than {MAX_CARDS:,} cards are found, too many for a file. Narrow the search, or download the whole"
    " catalogue from /bulk/."
)


def cards_found(query: CardQuery) -> tuple[Game, list[Card]]:
    """Return the game and the cards, without own ones, that a query finds for a file. Raises Refused if there
    are none, too many, or cards of several games.
    """
    results = results_of(query)
    slugs = [slug for slug, _ in results.facet("game")]
    if not slugs:
        raise Refused(Fault("no_cards", NONE, "q"))
    if len(slugs) > 1:
        raise Refused(Fault("several_games", SEVERAL, "q"))
    if results.total > MAX_CARDS:
        raise Refused(Fault("too_many", TOO_MANY, "q"))
    (slug,) = slugs
    return games()[slug], [card for card in results.cards if not card.own]
