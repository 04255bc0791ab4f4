"""The decks that a query finds for a visitor, their order and their pages, and what a list shows of each: a
row, or a tile of a few faces of cards.
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
from cardsdb.web.lists.facets import Mark, mark
from decks.core.content import with_names_alone, written_card
from decks.models import Deck, Visibility
from decks.public.fields import lines_of
from decks.public.query import DeckQuery, parse_deck_query
from decks.saving.save import renew_some, renew_verdicts

# Rows of each part, up to which a page is put together of parts.
MAX_OF_PARTS = 1_000


class OfParts(Paginator):  # type: ignore[type-arg]
    """Decks that are those of several parts, in the same order and none in two of them. Each part has an
    index for its number and order, where all of them together have none. The first of all are among the first
    of each part.
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
        keys = [key for part in self._parts for key in part.values_list("pk", flat=True)[:end]]
        decks = self.object_list.filter(pk__in=keys)[end - self.per_page : end]
        return self._get_page(list(decks), number, self)


class AtOnce(Paginator):  # type: ignore[type-arg]
    """Decks that are costly to find: one query finds the keys of all, ``plain`` reads those of a page."""

    def __init__(self, decks: QuerySet[Deck], plain: QuerySet[Deck], per_page: int) -> None:
        super().__init__(list(decks.values_list("pk", flat=True)), per_page)
        self._plain = plain

    def page(self, number: int | str) -> Page[Deck]:
        page = super().page(number)
        found = self._plain.in_bulk(page.object_list)
        page.object_list = [found[key] for key in page.object_list if key in found]
        return page


# The columns of a deck that a list needs.
IN_LISTS = (
    *("link", "game", "format", "name", "visibility", "changed", "revision", "verdict", "judged_by"),
    *("name_folded", "created", "house", "tags", "likes", "forked_from", "forked_revision", "owner"),
)


# A way to sort -> its column, and True where the highest comes first unless it is asked otherwise.
SORTED_BY = {"newest": ("changed", True), "liked": ("likes", True), "name": ("name_folded", False)}


@dataclass(frozen=True)
class DeckRow:
    """A deck ready to be listed. ``sizes``: the sections that the visitor may see, each with its cards."""

    deck: Deck
    game: Game
    format: Format | None
    sizes: tuple[tuple[str, int], ...] = ()

    @property
    def author(self) -> str:
        return self.deck.owner.get_username() if self.deck.owner else ""

    @property
    def tags(self) -> list[tuple[str, str]]:
        """The deck's tags, each with the query that finds the decks with it."""
        return [(tag, f"tag:{written(tag)}") for tag in self.deck.tags]

    @property
    def is_fork(self) -> bool:
        return self.deck.forked_revision is not None or self.deck.forked_from_id is not None


@dataclass(frozen=True)
class Listing:
    """The decks that a query finds. ``unjudged``: how many decks have no verdict of today yet, where the
    query asks for verdicts. ``parts``: the same decks, those that are public and the visitor's others.
    """

    query: DeckQuery
    decks: QuerySet[Deck]
    order: tuple[str, ...] = ("-changed", "-pk")
    unjudged: int = 0
    parts: tuple[QuerySet[Deck], ...] = ()

    def beside(self, there: Q, order: Sequence[str], most: int) -> tuple[list[Deck], int]:
        """At most so many of those that meet a condition, in this order, and how many there are in all: what
        the API's pages are made of.
        """
        if not self.query.looks_into_decks:
            parts = [part.filter(there).order_by(*order) for part in self.parts]
            keys = [key for part in parts for key in part.values_list("pk", flat=True)[:most]]
            return list(self.decks.filter(pk__in=keys).order_by(*order)[:most]), self.paginator(most).count
        # They are costly to find: one query finds the keys of all, and which of them meet the condition.
        is_there = ExpressionWrapper(there, BooleanField()) if there else Value(True)
        found = self.decks.order_by(*order).annotate(is_there=is_there).values_list("pk", "is_there")
        keys = [key for key, is_there in found if is_there][:most]
        decks = _told(by_keys(), self.query).in_bulk(keys)
        return [decks[key] for key in keys if key in decks], len(found)

    def paginator(self, per_page: int) -> OfParts | AtOnce:
        """The paginator that finds a page of them and counts all."""
        if self.query.looks_into_decks:
            return AtOnce(self.decks, _told(by_keys(), self.query), per_page)
        return OfParts(self.decks, self.parts, per_page)


def listing(viewer: Viewer, text: str = "", game: Game | None = None, order: str = "") -> Listing:
    """The decks that a visitor finds by a query; none by a query of which nothing was understood."""
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
        return _told(decks, query).filter(as_q(query.tree)).order_by(*columns)

    parts = [Deck.objects.public().filter(in_games)]
    if viewer != Viewer():
        own = Deck.objects.editable_by(viewer).filter(in_games)
        parts.append(own.exclude(visibility=Visibility.PUBLIC))
    return Listing(query, found(listed), columns, unjudged, tuple(map(found, parts)))


def as_q(tree: Any, negated: bool = False) -> Q:
    """The condition on decks that a query, whose leaves are clauses, stands for."""
    match tree:
        case None:
            return Q()
        case Not(part):
            return as_q(part, not negated)
        case And(parts) | Or(parts):
            join = and_ if isinstance(tree, And) != negated else or_
            return reduce(join, (as_q(part, negated) for part in parts))
    return ~tree.q if negated else tree.q


def _ordering(query: DeckQuery, order: str) -> tuple[str, ...]:
    """The columns of the query's own order, else of this one, else of likeness to the words that names are
    searched for; those with a minus fall.
    """
    columns: list[str] = []
    for sort_key in query.order or [SortKey(order or "match")]:
        if sort_key.key != "match":
            # Some are sorted from the highest on.
            column, is_turned = SORTED_BY.get(sort_key.key, (sort_key.key, False))
            columns.append(f"-{column}" if sort_key.descending != is_turned else column)
        elif query.words:
            columns.append("likeness")
    return (*columns, "-changed", "-pk")


def by_keys() -> QuerySet[Deck]:
    """All decks, to be looked up by the keys of those that were found for the visitor."""
    return Deck.objects.all_owners("the keys of those that were found for the visitor")


def _told(decks: QuerySet[Deck], query: DeckQuery) -> QuerySet[Deck]:
    """Decks with what a list needs of them, and the likeness of their names to the query's words: equal,
    begins with them, has a word that does, contains them, or not.
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
    """Decks ready to be listed, with their sizes as a visitor sees them, without those of a game that is
    gone.

    Costs one query, and few more where verdicts no longer hold. The caller passes a page of decks, not more.
    """
    pairs = [(deck, game) for deck in decks if (game := game_named(deck.game))]
    if not pairs:
        return []
    # Costs no query where no deck has an owner.
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
    """(section's name, cards) in the game's order; cards in a section that is gone come last."""
    sizes = [(section.name, counts.pop(section.slug)) for section in game.sections if section.slug in counts]
    rest = sum(counts.values())
    return (*sizes, ("elsewhere", rest)) if rest else tuple(sizes)


MAX_FACES = 3


@dataclass(frozen=True)
class DeckTile:
    """A deck ready to be shown as a tile. ``cards``: those that stand for it, the most telling last, so that
    it lies on top.
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
        """The cards that the visitor may see."""
        return sum(count for _, count in self.row.sizes)


def deck_tiles(decks: Iterable[Deck], viewer: Viewer | None = None) -> list[DeckTile]:
    """Decks as tiles: what their rows cost, and one query for all cards, a few more where decks have own
    ones.

    The caller passes a page of decks, not more.
    """
    rows, viewer = deck_rows(decks, viewer), viewer or Viewer()
    if not rows:
        return []
    lines = lines_of([row.deck for row in rows], viewer)
    by_deck: dict[int, list[Entry]] = {row.deck.pk: [] for row in rows}
    game_of = {row.deck.pk: row.game for row in rows}
    for line in lines.values_list("deck", "card__code", "written", "section", "count"):
        pk, code, of_list, section, count = line
        # A card that has left its game's folder has no face there any more.
        if card := game_of[pk].card(code) if code else written_card(game_of[pk].slug, of_list):
            by_deck[pk].append(Entry(card, count, section))
    shown = _as_told_to(viewer, by_deck)
    return [_tile(row, shown[row.deck.pk]) for row in rows]


def _as_told_to(viewer: Viewer, by_deck: Mapping[int, list[Entry]]) -> Mapping[int, Sequence[Entry]]:
    """The entries of each deck with names alone of own cards whose set this visitor may not see, unless they
    may edit the deck.

    Costs a query or two where decks have own cards, none elsewhere.
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
    """The tile with its cards, and with the value that all of the most telling type share in the fact by
    which the game's decks are marked; none where they differ.
    """
    game = row.game
    cards = game.key_cards_of(entries, MAX_FACES)
    marked = {e.card.words(game.deck_mark) for e in entries if cards and e.card.type == cards[0].type}
    shared = marked.pop() if len(marked) == 1 else ()
    row_fact = game.row_facts_by_key.get(game.deck_mark)
    if row_fact is None or len(shared) != 1:
        return DeckTile(row, cards[::-1])
    return DeckTile(row, cards[::-1], shared[0], mark(game, row_fact, shared[0]))
