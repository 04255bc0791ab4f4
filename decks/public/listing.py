"""Lists of decks: ``listing`` finds the decks that a visitor may see by a query, in an order and by pages;
``deck_rows`` and ``deck_tiles`` prepare one page of them to be shown. The list page, the feed, the API and
the home page use them. The query is a ``DeckQuery`` (``fields.py``).

Two things must stay true. Lists are fast: a page costs a fixed number of queries, which read from indexes.
And rows and tiles show only what the visitor may see: sizes without secret sections, cards of others' private
sets by name alone. Tests: ``tests/decks/public/test_listing.py``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import Any

from django.contrib.auth import get_user_model
from django.core.paginator import Page, Paginator
from django.db.models import (
    BooleanField,
    Case,
    ExpressionWrapper,
    Prefetch,
    Q,
    QuerySet,
    Sum,
    Value,
    When,
    prefetch_related_objects,
)
from django.utils.functional import cached_property

from cardsdb.catalogue.current import catalogue, game_named, games
from cardsdb.games.kit import Card, Entry, Format, Game
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnCard
from cardsdb.search.query.tree import And, Not, Or, SortKey, written
from cardsdb.web.lists.columns import Mark, mark
from decks.core.content import with_names_alone, written_card
from decks.models import Deck, Visibility
from decks.public.fields import DeckQuery
from decks.public.lines import lines_of
from decks.public.query import parse_deck_query
from decks.saving.save import renew_some, renew_verdicts

# A page is merged from the parts only if it ends within so many decks. Later pages are rarely asked for.
MAX_OF_PARTS = 1_000


class PartsPaginator(Paginator):  # type: ignore[type-arg]
    """Pages of decks that are the union of several parts without overlap: public decks, and the visitor's
    others. The database has an index for each part's number and order, but none for the union. The first N
    decks of the union are always among the first N of each part, so a page is merged from those: page 2 of
    24 decks from the first 48 public ones and the first 48 others.
    """

    def __init__(self, decks: QuerySet[Deck], parts: Sequence[QuerySet[Deck]], per_page: int) -> None:
        super().__init__(decks, per_page)
        self._parts = parts

    @cached_property
    def count(self) -> int:
        return sum(part.count() for part in self._parts)

    def page(self, number: int | str) -> Page[Deck]:
        number = self.validate_number(number)
        end = number * self.per_page
        if end > MAX_OF_PARTS or len(self._parts) < 2:
            return super().page(number)
        # The first ``end`` decks of each part include all decks of this page.
        keys = [key for part in self._parts for key in part.values_list("pk", flat=True)[:end]]
        decks = self.object_list.filter(pk__in=keys)[end - self.per_page : end]
        return self._get_page(list(decks), number, self)


class KeysPaginator(Paginator):  # type: ignore[type-arg]
    """Pages of decks that are slow to find: one query finds the keys of all decks, and ``plain`` reads the
    decks of a page by their keys.
    """

    def __init__(self, decks: QuerySet[Deck], plain: QuerySet[Deck], per_page: int) -> None:
        super().__init__(list(decks.values_list("pk", flat=True)), per_page)
        self._plain = plain

    def page(self, number: int | str) -> Page[Deck]:
        page = super().page(number)
        found = self._plain.in_bulk(page.object_list)
        page.object_list = [found[key] for key in page.object_list if key in found]
        return page


# The columns of a deck that a list reads.
IN_LISTS = (
    "link game format name visibility changed revision verdict judged_by name_folded created house tags likes"
    " forked_from forked_revision owner"
).split()
# Way to sort -> (column, True if the highest value comes first unless the query asks otherwise). Any other
# way is the name of its column. ``likeness`` is made by ``_with_columns``.
SORTED_BY = {"newest": ("changed", True), "liked": ("likes", True), "name": ("name_folded", False)}


@dataclass(frozen=True)
class DeckRow:
    """A deck ready to be listed. ``sizes``: (section, number of cards) for the sections that the visitor may
    see.
    """

    deck: Deck
    game: Game
    format: Format | None
    sizes: tuple[tuple[str, int], ...] = ()

    @property
    def author(self) -> str:
        return self.deck.owner.get_username() if self.deck.owner else ""

    @property
    def tags(self) -> list[tuple[str, str]]:
        """(tag, the query that finds the decks with it) for each tag."""
        return [(tag, f"tag:{written(tag)}") for tag in self.deck.tags]

    @property
    def is_fork(self) -> bool:
        return self.deck.forked_revision is not None or self.deck.forked_from_id is not None


@dataclass(frozen=True)
class Listing:
    """The decks that a query finds. ``unjudged``: the number of decks whose verdict is out of date, if the
    query asks for verdicts. ``parts``: the same decks in two parts, the public ones and the visitor's others.
    """

    query: DeckQuery
    decks: QuerySet[Deck]
    order: tuple[str, ...] = ("-changed", "-pk")
    unjudged: int = 0
    parts: tuple[QuerySet[Deck], ...] = ()

    def beside(self, there: Q, order: Sequence[str], most: int) -> tuple[list[Deck], int]:
        """Return (at most ``most`` of the decks that meet the condition ``there``, in this order; the number
        of all decks). The API's pages are made of it (``page_of_rows``): ``there`` means before or after a
        certain deck, or is empty for the first or the last page.
        """
        if self.query.looks_into_decks:
            return self._slow_beside(there, order, most)
        # As in ``PartsPaginator``: the first of all decks are among the first of each part.
        parts = [part.filter(there).order_by(*order) for part in self.parts]
        keys = [key for part in parts for key in part.values_list("pk", flat=True)[:most]]
        decks = self.decks.filter(pk__in=keys).order_by(*order)[:most]
        return list(decks), sum(part.count() for part in self.parts)

    def _slow_beside(self, there: Q, order: Sequence[str], most: int) -> tuple[list[Deck], int]:
        """The same of decks that are slow to find: one query finds the keys of all, so that they are counted,
        and tells of each whether it is ``there``; a second one reads the decks of the page.
        """
        is_there = ExpressionWrapper(there, BooleanField()) if there else Value(True)
        found = self.decks.order_by(*order).annotate(is_there=is_there).values_list("pk", "is_there")
        keys = [key for key, is_there in found if is_there][:most]
        decks = _with_columns(by_keys(), self.query).in_bulk(keys)
        return [decks[key] for key in keys if key in decks], len(found)

    def paginator(self, per_page: int) -> PartsPaginator | KeysPaginator:
        """The paginator over the decks of this listing."""
        if self.query.looks_into_decks:
            return KeysPaginator(self.decks, _with_columns(by_keys(), self.query), per_page)
        return PartsPaginator(self.decks, self.parts, per_page)


def listing(viewer: Viewer, text: str = "", game: Game | None = None, order: str = "") -> Listing:
    """The decks that a visitor finds by a query, of one game or of all. ``order`` is a key of ``ORDERS``; it
    holds if the query has no order of its own. A query of which nothing was understood finds none.
    """
    query, unjudged = DeckQuery(None, text=text), 0
    in_games = Q(game__in=(game.slug,) if game else tuple(games()))
    listed = Deck.objects.listed_for(viewer).filter(in_games)
    if text.strip():
        query = parse_deck_query(text, viewer, catalogue().fields())
        if query.is_lost:
            return Listing(query, listed.none(), parts=(listed.none(),))
        unjudged = renew_some(listed) if query.asks_verdict else 0

    columns = _ordering(query, order)

    def found(decks: QuerySet[Deck]) -> QuerySet[Deck]:
        return _with_columns(decks, query).filter(as_q(query.tree)).order_by(*columns)

    parts = [Deck.objects.public().filter(in_games)]
    # Viewer() is nobody: without account, browser and key.
    if viewer != Viewer():
        own = Deck.objects.editable_by(viewer).filter(in_games)
        parts.append(own.exclude(visibility=Visibility.PUBLIC))
    return Listing(query, found(listed), columns, unjudged, tuple(map(found, parts)))


def as_q(tree: Any, negated: bool = False) -> Q:
    """The condition on decks that a query's tree stands for; None stands for all decks. Its leaves are
    clauses. ``-(tiger or uses:kai)`` becomes ``~Q(tiger) & ~Q(uses kai)``: negation reaches the leaves, as in
    ``in_words``.
    """
    match tree:
        case None:
            return Q()
        case Not(part):
            return as_q(part, not negated)
        case And(parts) | Or(parts):
            # In a negated tree, "and" and "or" change places, and every leaf is negated.
            is_and = isinstance(tree, And) is not negated
            join = and_ if is_and else or_
            return reduce(join, (as_q(part, negated) for part in parts))
    return ~tree.q if negated else tree.q


def _ordering(query: DeckQuery, order: str) -> tuple[str, ...]:
    """The columns to sort by: those of the query, else of ``order``, else of the name's likeness to the
    searched words. A minus before a column sorts it downwards::

        tiger                       ("likeness", "-changed", "-pk")
        tiger, order "name"         ("name_folded", "-changed", "-pk")
        order:liked                 ("-likes", "-changed", "-pk")
        order:-newest               ("changed", "-changed", "-pk")
    """
    columns: list[str] = []
    for sort_key in query.order or [SortKey(order or "match")]:
        if sort_key.key != "match":
            # "newest" and "liked" start with the highest value, so their direction is turned round.
            column, is_turned = SORTED_BY.get(sort_key.key, (sort_key.key, False))
            columns.append(f"-{column}" if sort_key.descending != is_turned else column)
        elif query.words:
            columns.append("likeness")
    return (*columns, "-changed", "-pk")


def by_keys() -> QuerySet[Deck]:
    """All decks. Use it only to look up decks by keys that a query has found for the visitor."""
    return Deck.objects.all_owners("the keys of those that were found for the visitor")


def _with_columns(decks: QuerySet[Deck], query: DeckQuery) -> QuerySet[Deck]:
    """The decks with the columns that a list reads, and with ``likeness`` if the query searches for words: 0
    if the name equals them, 1 if it begins with them, 2 if a word of it does, 3 if it contains them, else 4.
    """
    if words := query.words:
        likeness = Case(
            When(name_folded=words, then=0),
            When(name_folded__startswith=words, then=1),
            When(name_folded__contains=f" {words}", then=2),
            When(name_folded__contains=words, then=3),
            default=4,
        )
        decks = decks.annotate(likeness=likeness)
    return decks.only(*IN_LISTS)


def deck_rows(decks: Iterable[Deck], viewer: Viewer | None = None) -> list[DeckRow]:
    """Rows for these decks, with their sizes as the visitor may see them. Decks of a game that is gone are
    left out.

    Makes one query for the sizes, one for the owners, and a few more if verdicts are out of date. Pass one
    page of decks, not more.
    """
    pairs = [(deck, game) for deck in decks if (game := game_named(deck.game))]
    if not pairs:
        return []
    # Makes no query if no deck has an owner.
    prefetch_related_objects(
        [deck for deck, _ in pairs], Prefetch("owner", get_user_model().objects.only("username"))
    )
    renew_verdicts(deck for deck, _ in pairs)
    counts: dict[int, dict[str, int]] = {}
    lines = lines_of([deck for deck, _ in pairs], viewer or Viewer())
    for pk, section, count in lines.values_list("deck", "section").annotate(Sum("count")):
        counts.setdefault(pk, {})[section] = count
    return [
        DeckRow(deck, game, game.formats_by_slug.get(deck.format), _sizes(game, counts.get(deck.pk, {})))
        for deck, game in pairs
    ]


def _sizes(game: Game, counts: dict[str, int]) -> tuple[tuple[str, int], ...]:
    """(name of the section, number of cards) in the game's order. Cards of a section that is gone count as
    "elsewhere".
    """
    sizes = [(section.name, counts[section.slug]) for section in game.sections if section.slug in counts]
    rest = sum(counts.values()) - sum(count for _, count in sizes)
    return (*sizes, ("elsewhere", rest)) if rest else tuple(sizes)


# Faces of cards on one tile.
MAX_FACES = 3


@dataclass(frozen=True)
class DeckTile:
    """A deck ready to be shown as a tile. ``cards``: those that represent it, the most telling last, so that
    it lies on top. ``value`` and ``mark``: what its main cards have in common, such as a faction; empty if
    they differ.
    """

    row: DeckRow
    cards: tuple[Card, ...] = ()
    value: str = ""
    mark: Mark | None = None

    @property
    def deck(self) -> Deck:
        return self.row.deck

    @property
    def size(self) -> int:
        """The number of cards that the visitor may see."""
        return sum(count for _, count in self.row.sizes)


def deck_tiles(decks: Iterable[Deck], viewer: Viewer | None = None) -> list[DeckTile]:
    """Tiles for these decks. Makes the queries of ``deck_rows``, one more for all cards, and one or two more
    if decks have own cards. Pass one page of decks, not more.
    """
    rows, viewer = deck_rows(decks, viewer), viewer or Viewer()
    if not rows:
        return []
    lines = lines_of([row.deck for row in rows], viewer)
    by_deck: dict[int, list[Entry]] = {row.deck.pk: [] for row in rows}
    game_of = {row.deck.pk: row.game for row in rows}
    for line in lines.values_list("deck", "card__code", "written", "section", "count"):
        pk, code, written_in, section, count = line
        game = game_of[pk]
        card = game.card(code) if code else written_card(game.slug, written_in)
        # A card that has left its game's folder has no face any more and is left out.
        if card:
            by_deck[pk].append(Entry(card, count, section))
    shown = _as_seen_by(viewer, by_deck)
    return [_tile(row, shown[row.deck.pk]) for row in rows]


def _as_seen_by(viewer: Viewer, by_deck: Mapping[int, list[Entry]]) -> Mapping[int, Sequence[Entry]]:
    """The entries of each deck, in which own cards stand by name alone if the viewer may see neither their
    set nor edit the deck. Makes one or two queries if decks have own cards, else none.
    """
    with_own = {pk for pk, entries in by_deck.items() if any(entry.card.own for entry in entries)}
    if with_own and viewer != Viewer():
        with_own -= set(Deck.objects.editable_by(viewer).filter(pk__in=with_own).values_list("pk", flat=True))
    codes = {entry.card.code for pk in with_own for entry in by_deck[pk] if entry.card.own}
    secret = codes - OwnCard.objects.codes_told_to(viewer, codes)
    return {
        pk: with_names_alone(entries, secret) if pk in with_own else entries
        for pk, entries in by_deck.items()
    }


def _tile(row: DeckRow, entries: Sequence[Entry]) -> DeckTile:
    """The tile of one deck. All cards of its most telling type must share one value of the fact by which the
    game marks decks; otherwise the tile has no value and no mark.
    """
    game = row.game
    cards = game.key_cards_of(entries, MAX_FACES)
    main_type = cards[0].type if cards else None
    # The values of each of these cards; a card may have several.
    found = {entry.card.words(game.deck_mark) for entry in entries if entry.card.type == main_type}
    values = found.pop() if len(found) == 1 else ()
    row_fact = game.row_facts_by_key.get(game.deck_mark)
    if row_fact is None or len(values) != 1:
        return DeckTile(row, cards[::-1])
    return DeckTile(row, cards[::-1], values[0], mark(game, row_fact, values[0]))
