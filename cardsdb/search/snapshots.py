"""What a process stores of the current edition: its cards in memory, and the search words with the values
that the cards have.

Everything is stored by the edition's state: one tiny query a request says which edition is current, and what
belongs to another is never looked at.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from threading import Lock

from django.db.models import TextField
from django.db.models.functions import Cast

from cardsdb.games import games
from cardsdb.games.kit import Game
from cardsdb.games.kit.model.text import fold
from cardsdb.models import Card as StoredCard
from cardsdb.models import CardQuerySet, Edition, EditionState, Holding, Print, edition_now
from cardsdb.search.engine.snapshot import ListedCard, Row, Snapshot
from cardsdb.search.query.card_lookup import MAX_NAMES, CardLookup, NamesLike, game_and_name
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.vocabulary import Tally

# Characters of a name that is looked up.
MAX_NAME_LENGTH = 200
# Rows read at a time.
BATCH = 2_000
_as_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


# -- the cards -----------------------------------------------------------------------


_snapshots: dict[tuple[EditionState, bool], Snapshot] = {}
_lock = Lock()


def current_snapshot(state: EditionState | None = None) -> Snapshot:
    """The cards that the catalogue lists, made at the first use in each process; ``state`` spares the query.

    If the edition has been replaced meanwhile, these are the cards of the next one.
    """
    return _stored_snapshot(state or edition_now(), retired=False)


def held_edition() -> int:
    """The number of the edition whose cards this process has in memory; 0 before it was asked for any."""
    return max((state.number for state, _ in list(_snapshots)), default=0)


def retired_snapshot(state: EditionState | None = None) -> Snapshot:
    """The retired cards, which decks and collections may still have."""
    return _stored_snapshot(state or edition_now(), retired=True)


def _stored_snapshot(state: EditionState, retired: bool) -> Snapshot:
    """The snapshot of an edition. Threads that ask for one that is being made wait for it."""
    snapshot = _snapshots.get((state, retired))
    if snapshot is None:
        with _lock:
            # That edition may be gone meanwhile, and its rows with it.
            state = Edition.objects.current()
            snapshot = _snapshots.get((state, retired)) or _made(state, retired)
    return snapshot


def _made(state: EditionState, retired: bool) -> Snapshot:
    if not state.number:
        return Snapshot(())
    snapshot = snapshot_of(_cards(retired))
    if (newer := Edition.objects.current()) != state:
        # Another edition was loaded while the rows were read.
        return _made(newer, retired)
    for key in [key for key in _snapshots if key[0] != state]:
        del _snapshots[key]
    _snapshots[state, retired] = snapshot
    return snapshot


def _cards(retired: bool) -> CardQuerySet:
    current = StoredCard.objects.current()
    return StoredCard.objects.exclude(pk__in=current.values("pk")) if retired else current


def snapshot_of(cards: CardQuerySet) -> Snapshot:
    """A snapshot of some cards, read from their columns without a model object each."""
    return Snapshot(_rows(cards))


def _rows(cards: CardQuerySet) -> Iterator[Row]:
    columns = (
        "pk",
        "game",
        "code",
        "sort_name",
        "name_folded",
        "search_text",
        "terms",
        "name",
        "type",
        Cast("facts", TextField()),
    )
    rows = cards.by_name().values_list(*columns).iterator(chunk_size=BATCH)
    while batch := list(islice(rows, BATCH)):
        prints: dict[int, list[tuple[str, str]]] = {}
        printed = Print.objects.filter(card__in=[row[0] for row in batch]).order_by("id")
        for pk, set_code, number in printed.values_list("card_id", "set_code", "number"):
            prints.setdefault(pk, []).append((set_code, number))
        for pk, game, code, sort_name, name_folded, search_text, terms, name, type, facts in batch:
            listed = f"{_as_json([game, code, name, type, prints.get(pk, ())])[:-1]},{facts}]"
            yield Row(pk, (sort_name, game, code), name_folded, search_text, terms, listed)


# -- the search words ----------------------------------------------------------------


def fields_for(game: Game | None, state: EditionState | None = None) -> Fields:
    """The search words of this game, or of all games, with the values of the catalogue's cards; ``state``
    spares the query.
    """
    return _fields(state or edition_now(), (game,) if game else tuple(games().values()))


@lru_cache(maxsize=16)
def _fields(state: EditionState, chosen: tuple[Game, ...]) -> Fields:
    summaries = dict(Holding.objects.values_list("game", "summary"))
    vocabularies = {
        game.slug: summaries[game.slug].get("vocabulary", {})
        if game.slug in summaries
        else Tally(game).vocabulary()
        for game in chosen
    }
    return Fields(chosen, vocabularies, stored_card(chosen, state), names_in(chosen, state))


def stored_card(games: tuple[Game, ...], state: EditionState | None = None) -> CardLookup:
    """A look-up of the cards that the catalogue lists, by name, else by code. A name takes no query."""

    def look_up(text: str) -> ListedCard | None:
        among, name = game_and_name(text, games)
        slugs = [game.slug for game in among]
        snapshot = current_snapshot(state)
        found = snapshot.names.exactly(fold(name)) & snapshot.of_games(slugs)
        if not found:
            rows = StoredCard.objects.current().filter(game__in=slugs, code=name[:MAX_NAME_LENGTH])[:2]
            found = snapshot.positions(rows.values_list("pk", flat=True))
        return snapshot.cards(found)[0] if len(found) == 1 else None

    return look_up


def cards_named(name: str, state: EditionState | None = None) -> list[ListedCard]:
    """The cards of exactly this name."""
    snapshot = current_snapshot(state)
    return snapshot.cards(snapshot.names.exactly(fold(name))) if name and len(name) <= MAX_NAME_LENGTH else []


def is_name(words: Sequence[str], state: EditionState, game: Game | None = None) -> bool:
    """Whether some card, of this game if one is given, has a name of which words begin with each of these,
    folded.
    """
    snapshot = current_snapshot(state)
    cards = snapshot.of_games([game.slug]) if game else snapshot.everything
    for word in words:
        cards = cards & snapshot.names.beginning_with(word)
    return bool(words) and bool(cards)


def cards_beginning(
    prefix: str, limit: int, state: EditionState | None = None, games: Collection[Game] = ()
) -> list[ListedCard]:
    """For completing a name: the cards whose names begin so, then those with a word that begins so; of some
    games, or of all.
    """
    snapshot = current_snapshot(state)
    among = snapshot.of_games(game.slug for game in games) if games else None
    return (
        snapshot.cards(snapshot.names.completing(fold(prefix), limit, among))
        if len(prefix) <= MAX_NAME_LENGTH
        else []
    )


def cards_named_like(text: str, limit: int, state: EditionState | None = None) -> list[ListedCard]:
    """The cards whose names are most like the text, best first, one of each name; none if none is like it."""
    snapshot = current_snapshot(state)
    return snapshot.cards(snapshot.names.like(fold(text), limit)) if len(text) <= MAX_NAME_LENGTH else []


def names_in(games: tuple[Game, ...], state: EditionState) -> NamesLike:
    """Names like the one typed; the same name alone if there is one."""
    slugs = {game.slug for game in games}

    def like(text: str) -> list[str]:
        near = [card.name for card in cards_named_like(text, 4 * MAX_NAMES, state) if card.game in slugs]
        exact = [name for name in near if fold(name) == fold(text)]
        return exact[:1] or list(dict.fromkeys(near))[:MAX_NAMES]

    return like
