"""Which decks a visitor finds, in which order, and as what they are shown in lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.contrib.auth import get_user_model
from django.db.models import Case, F, Prefetch, Q, QuerySet, Sum, When, prefetch_related_objects

from cardsdb.games import game_named, games
from cardsdb.games.kit import Format, Game
from cardsdb.models import Edition
from cardsdb.search.query.normal_form import written
from cardsdb.search.query.tree import SortKey, Tree, combined
from cardsdb.search.snapshots import fields_for
from decks.identity.viewer import Viewer
from decks.models import Deck
from decks.public.clauses import Asker
from decks.public.conditions import is_fresh, lines_shown_to
from decks.public.query import DeckQuery, parse_deck_query
from decks.saving.verdicts import renew_verdicts

# What a list needs of a deck.
IN_LISTS = (
    *("link", "game", "format", "name", "visibility", "changed", "revision", "verdict", "judged_by"),
    *("created", "house", "tags", "likes", "forked_from", "forked_revision", "owner"),
)
# Decks that a question about verdicts judges anew before it is answered; the rest waits for the next question.
MAX_JUDGED = 40


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
    """What a query finds. ``unjudged``: how many decks it could not ask for their verdict."""

    query: DeckQuery
    decks: QuerySet[Deck]
    unjudged: int = 0


def listing(viewer: Viewer, text: str = "", game: Game | None = None, order: str = "") -> Listing:
    """The decks that a visitor finds. A query of which nothing was understood finds none."""
    query, unjudged = DeckQuery(text), 0
    listed = Deck.objects.listed_for(viewer).filter(game__in=(game.slug,) if game else tuple(games()))
    if text.strip():
        now = Edition.objects.current()
        query = parse_deck_query(text, Asker(viewer, now, fields_for(None, now)))
        if query.is_lost:
            return Listing(query, listed.none())
        unjudged = _judge_some(listed, now[0]) if query.asks_verdict else 0
    found = listed.filter(as_q(query.tree)).order_by(*_ordering(query, order))
    return Listing(query, found.only(*IN_LISTS), unjudged)


def as_q(tree: Tree | None) -> Q:
    """The condition on decks that a query stands for."""
    return combined(tree, lambda leaf, negated: ~leaf.q if negated else leaf.q) if tree else Q()


def _judge_some(listed: QuerySet[Deck], edition: int) -> int:
    """Judge some of the decks whose verdict rests on something that has changed since; how many are left."""
    stale = listed.exclude(is_fresh(edition)).order_by("pk")
    some = list(stale.only(*IN_LISTS[:9])[: MAX_JUDGED + 1])
    renew_verdicts(some[:MAX_JUDGED])
    return stale.count() if len(some) > MAX_JUDGED else 0


def judge_stale() -> int:
    """Judge all of them, some at a time, so that any number fits into memory; how many there were."""
    number, last, count = Edition.objects.current().number, 0, 0
    while some := list(Deck.objects.exclude(is_fresh(number)).filter(game__in=tuple(games()), pk__gt=last).order_by("pk")[:MAX_JUDGED]):
        renew_verdicts(some)
        last, count = some[-1].pk, count + len(some)
    return count


def _ordering(query: DeckQuery, order: str) -> list[object]:
    """The order of the query itself, else the one given with it, else by likeness where words are looked for in names."""
    asked: Sequence[SortKey] = query.order or ([SortKey(order)] if order else [SortKey("match")])
    columns = [column for one in asked for column in _columns(one, query.words)]
    return [*columns, F("changed").desc(), F("pk").desc()]


def _likeness(words: str) -> Case:
    """How near a name comes to the words: it is they, begins with them, has a word that does, holds them, or not."""
    return Case(
        When(name_folded=words, then=0),
        When(name_folded__startswith=words, then=1),
        When(name_folded__contains=f" {words}", then=2),
        When(name_folded__contains=words, then=3),
        default=4,
    )


def _columns(one: SortKey, words: str) -> list[object]:
    match one.key:
        case "match":
            return [_likeness(words)] if words else []
        case "newest":
            column, down = F("changed"), not one.descending
        case "liked":
            column, down = F("likes"), not one.descending
        case "name":
            column, down = F("name_folded"), one.descending
        case key:
            column, down = F(key), one.descending
    return [column.desc() if down else column.asc()]


def deck_rows(decks: Iterable[Deck], viewer: Viewer | None = None) -> list[DeckRow]:
    """Decks ready to be listed, their sizes as a visitor sees them; those of a game that is gone are left out.

    Takes one query, and few more where verdicts no longer hold. Bounded by whoever calls: a page of decks.
    """
    known = [(deck, game) for deck in decks if (game := game_named(deck.game))]
    if not known:
        return []
    # Where no deck has an account this asks nothing.
    prefetch_related_objects([deck for deck, _ in known], Prefetch("owner", get_user_model().objects.only("username")))
    renew_verdicts(deck for deck, _ in known)
    counts: dict[int, dict[str, int]] = {}
    lines = lines_shown_to(viewer or Viewer()).filter(deck__in=[deck.pk for deck, _ in known])
    for pk, section, count in lines.values_list("deck", "section").annotate(Sum("count")):
        counts.setdefault(pk, {})[section] = count
    return [DeckRow(deck, game, game.formats_by_slug.get(deck.format), _sizes(game, counts.get(deck.pk, {}))) for deck, game in known]


def _sizes(game: Game, counts: dict[str, int]) -> tuple[tuple[str, int], ...]:
    """The sections by name, in the game's order; what stands in a section that is gone comes last."""
    known = [(section.name, counts.pop(section.slug)) for section in game.sections if section.slug in counts]
    rest = sum(counts.values())
    return (*known, ("elsewhere", rest)) if rest else tuple(known)
