"""The decks that a query finds for a visitor, their order, and their rows in lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.contrib.auth import get_user_model
from django.db.models import Case, F, Prefetch, Q, QuerySet, Sum, When, prefetch_related_objects

from cardsdb.catalogue.current import catalogue, game_named, games
from cardsdb.games.kit import Format, Game
from cardsdb.identity.viewer import Viewer
from cardsdb.search.query.tree import SortKey, Tree, combined, written
from decks.models import Deck, Visibility
from decks.public.clauses import Asker
from decks.public.conditions import lines_of
from decks.public.paginators import AtOnce, OfParts
from decks.public.query import DeckQuery, parse_deck_query
from decks.saving.verdicts import renew_some, renew_verdicts

# The columns of a deck that a list needs.
IN_LISTS = (
    *("link", "game", "format", "name", "visibility", "changed", "revision", "verdict", "judged_by"),
    *("created", "house", "tags", "likes", "forked_from", "forked_revision", "owner"),
)


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Listing:
    """What a query finds. ``unjudged``: how many decks have no verdict of today yet, where the query asks for
    verdicts. ``parts``: the same decks, those that are public and the visitor's others.
    """

    query: DeckQuery
    decks: QuerySet[Deck]
    unjudged: int = 0
    parts: tuple[QuerySet[Deck], ...] = ()

    def paginator(self, per_page: int) -> OfParts | AtOnce:
        """What finds a page of them and counts all."""
        if self.query.looks_into_decks:
            by_key = Deck.objects.all_owners("the keys of those that were found for the visitor").only(
                *IN_LISTS
            )
            return AtOnce(self.decks, by_key, per_page)
        return OfParts(self.decks, self.parts, per_page)


def listing(viewer: Viewer, text: str = "", game: Game | None = None, order: str = "") -> Listing:
    """The decks that a visitor finds by a query; none by a query of which nothing was understood."""
    query, unjudged = DeckQuery(text), 0
    in_games = Q(game__in=(game.slug,) if game else tuple(games()))
    listed = Deck.objects.listed_for(viewer).filter(in_games)
    if text.strip():
        query = parse_deck_query(text, Asker(viewer, catalogue().fields()))
        if query.is_lost:
            return Listing(query, listed.none())
        unjudged = renew_some(listed) if query.asks_verdict else 0

    def found(rows: QuerySet[Deck]) -> QuerySet[Deck]:
        return rows.filter(as_q(query.tree)).order_by(*_ordering(query, order)).only(*IN_LISTS)

    public = Deck.objects.public().filter(in_games)
    others = Deck.objects.editable_by(viewer).filter(in_games).exclude(visibility=Visibility.PUBLIC)
    return Listing(
        query,
        found(listed),
        unjudged,
        (found(public), found(others)) if viewer != Viewer() else (found(public),),
    )


def as_q(tree: Tree | None) -> Q:
    """The condition on decks that a query stands for."""
    return combined(tree, lambda leaf, negated: ~leaf.q if negated else leaf.q) if tree else Q()


def _ordering(query: DeckQuery, order: str) -> list[object]:
    """The columns of the query's own order, else of this one, else of likeness to the words that names are
    searched for.
    """
    keys: Sequence[SortKey] = query.order or ([SortKey(order)] if order else [SortKey("match")])
    columns = [column for key in keys for column in _columns(key, query.words)]
    return [*columns, F("changed").desc(), F("pk").desc()]


def _likeness(words: str) -> Case:
    """How like the words a name is: equal, begins with them, has a word that does, contains them, or not."""
    return Case(
        When(name_folded=words, then=0),
        When(name_folded__startswith=words, then=1),
        When(name_folded__contains=f" {words}", then=2),
        When(name_folded__contains=words, then=3),
        default=4,
    )


def _columns(sort_key: SortKey, words: str) -> list[object]:
    match sort_key.key:
        case "match":
            return [_likeness(words)] if words else []
        case "newest":
            column, down = F("changed"), not sort_key.descending
        case "liked":
            column, down = F("likes"), not sort_key.descending
        case "name":
            column, down = F("name_folded"), sort_key.descending
        case key:
            column, down = F(key), sort_key.descending
    return [column.desc() if down else column.asc()]


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
