"""The catalogue in memory: the cards of the newest edition, made from the database, and all that is derived
from them.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from threading import Lock
from typing import Any, NamedTuple, TypeVar

from django.utils.functional import cached_property

from cardsdb.games import games as folder_games
from cardsdb.games.kit import Card, Game, NameIndex, fold
from cardsdb.models import Card as StoredCard
from cardsdb.models import CardQuerySet, Edition, EditionState, Holding
from cardsdb.search.query.fields import MAX_NAMES, Fields
from cardsdb.search.query.matching import CatalogueKey, Entry, entry_of
from cardsdb.search.query.standard import Tally, search_columns
from cardsdb.watch.requests import once_a_request

T = TypeVar("T")
# Characters of a name that is looked up.
MAX_NAME_LENGTH = 200
# Rows read at a time.
BATCH = 2_000


class CardAt(NamedTuple):
    """A card at its address; ``retired``: the catalogue no longer lists it."""

    card: Card
    retired: bool


@dataclass(frozen=True, eq=False, repr=False)
class Catalogue:
    """The cards of an edition in the catalogue's order, and the retired ones, which decks may still have.

    ``folders``: every game there is by its slug, as its folder has it; ``games``: the same with these cards,
    but for one that was never loaded.
    ``summaries``: what was counted of each game when it was loaded, by its slug. The cards never
    change, and several threads may use them at once; what is derived from them hangs on this object.
    """

    state: EditionState
    folders: Mapping[str, Game]
    games: Mapping[str, Game]
    entries: tuple[Entry, ...] = ()
    retired: tuple[Entry, ...] = ()
    summaries: Mapping[str, Any] = field(default_factory=dict)
    _derived: dict[Any, Any] = field(default_factory=dict)

    def derived(self, make: Callable[..., T], *args: Hashable) -> T:
        """The answer of a function to this catalogue and these values, for which it is called once."""
        if (make, args) not in self._derived:
            self._derived[make, args] = make(self, *args)
        answer: T = self._derived[make, args]
        return answer

    # -- cards -----------------------------------------------------------------------

    @cached_property
    def by_key(self) -> Mapping[str, Entry]:
        """Every card by its game and code, retired ones too."""
        return {entry.key: entry for entry in (*self.entries, *self.retired)}

    @cached_property
    def by_pk(self) -> Mapping[int, Entry]:
        """Every card by its primary key, retired ones too."""
        return {entry.pk: entry for entry in (*self.entries, *self.retired)}

    @cached_property
    def _retired_keys(self) -> frozenset[str]:
        return frozenset(entry.key for entry in self.retired)

    def at(self, game: str, code: str) -> CardAt | None:
        """The card of this game with this code, retired or not; None without one."""
        entry = self.by_key.get(f"{game}/{code}")
        return CardAt(entry.card, entry.key in self._retired_keys) if entry else None

    def listed(self, game: str, codes: Iterable[str]) -> dict[str, Card]:
        """Code -> card, of those of these codes that the catalogue lists, in this order."""
        found = {code: self.at(game, code) for code in codes}
        return {code: known.card for code, known in found.items() if known and not known.retired}

    def cards(self, pks: Iterable[int]) -> dict[int, Card]:
        """Primary key -> card, in this order. A deck that was saved a moment ago may have one that a later
        edition brought: it is read from its row.
        """
        wanted = list(pks)
        later = [pk for pk in wanted if pk not in self.by_pk]
        rows = StoredCard.objects.filter(pk__in=later).prefetch_related("prints") if later else ()
        brought = {row.pk: row.as_card() for row in rows}
        return {pk: brought[pk] if pk in brought else self.by_pk[pk].card for pk in wanted}

    def beside(self, key: CatalogueKey) -> tuple[Card | None, Card | None]:
        """The cards of the same game right before and after one that is sorted so, itself here or not; None
        at the ends.
        """
        cards = [entry for entry in self.entries if entry.card.game == key[1]]
        before = bisect_left(cards, key, key=lambda entry: entry.order)
        after = before + (before < len(cards) and cards[before].order == key)
        previous = cards[before - 1].card if before else None
        return previous, cards[after].card if after < len(cards) else None

    # -- names -----------------------------------------------------------------------

    @cached_property
    def _every_name(self) -> NameIndex:
        return NameIndex(entry.card for entry in self.entries)

    def names(self, among: Collection[Game] = ()) -> NameIndex:
        """Return the index of the names of one game, else of all; of a game that was never loaded no name."""
        if len(among) != 1:
            return self._every_name
        slug = next(iter(among)).slug
        return self.games[slug].name_index if slug in self.summaries else NameIndex()

    def named(self, name: str) -> list[Card]:
        """Return the cards of exactly this name, or alias if none has the name."""
        return list(self.names().called(name)) if len(name) <= MAX_NAME_LENGTH else []

    def named_like(self, text: str, limit: int, among: Collection[Game] = ()) -> list[Card]:
        """Return the cards whose names are most like the text, best first, one of each name; none if none is.
        They are of some games, or of all.
        """
        index, slugs = self.names(among), {game.slug for game in among}
        # Some more are looked at where those of other games do not count.
        wanted = limit * (4 if len(slugs) > 1 else 1)
        names = index.like(text, wanted) if len(text) <= MAX_NAME_LENGTH else []
        named = ([card for card in index.called(name) if not slugs or card.game in slugs] for name in names)
        return list(dict.fromkeys(cards[0] for cards in named if cards))[:limit]

    def beginning(self, prefix: str, limit: int, among: Collection[Game] = ()) -> list[Card]:
        """Return the cards whose names begin so, in order of names, then those with a word that begins so, to
        complete a name; of some games, or of all.
        """
        index, slugs = self.names(among), {game.slug for game in among}
        names = index.beginning(prefix) if len(prefix) <= MAX_NAME_LENGTH else []
        cards = (card for name in names for card in index.called(name) if fold(card.name) == name)
        return list(islice((card for card in cards if not slugs or card.game in slugs), limit))

    def called(self, text: str, among: Iterable[Game]) -> Card | None:
        """Return the one card of these games that is listed under this name, else under this code."""
        slugs = [game.slug for game in among]
        slug, slash, rest = (part.strip() for part in text.partition("/"))
        slugs, name = ([slug], rest) if slash and slug in slugs else (slugs, text)
        cards = [card for card in self.named(name) if card.game in slugs]
        if not cards:
            cards = [card for slug in slugs for card in self.listed(slug, [name]).values()]
        return cards[0] if len(cards) == 1 else None

    def _names_like(self, text: str, among: Collection[Game]) -> list[str]:
        """Return names like the one typed; the same name alone if there is one."""
        near = [card.name for card in self.named_like(text, MAX_NAMES, among)]
        exact = [name for name in near if fold(name) == fold(text)]
        return exact[:1] or list(dict.fromkeys(near))

    # -- the search words --------------------------------------------------------------

    def fields(self, game: Game | None = None) -> Fields:
        """The search words of this game, or of all games, with the values of the catalogue's cards."""
        return self.derived(Catalogue._fields_of, (game,) if game else tuple(self.games.values()))

    def _fields_of(self, chosen: tuple[Game, ...]) -> Fields:
        vocabularies = {
            game.slug: self.summaries[game.slug].get("vocabulary", {})
            if game.slug in self.summaries
            else Tally(game).vocabulary()
            for game in chosen
        }
        return Fields(
            chosen, vocabularies, partial(self.called, among=chosen), partial(self._names_like, among=chosen)
        )


def of_folders(games: Mapping[str, Game] | None = None, *, searched: bool = False) -> Catalogue:
    """Games, all there are unless some are given, as their folders have them, for commands that need no
    database; with what searches need where it is ``searched``, which takes half a second.
    """
    games = folder_games() if games is None else games
    entries: list[Entry] = []
    summaries = {}
    for game in games.values() if searched else ():
        tally = Tally(game)
        for card in game.cards:
            made = search_columns(card, game)
            words = made["name_folded"], made["search_text"], made["terms"]
            entries.append(entry_of(card, len(entries) + 1, *words))
            tally.add(card, made["terms"])
        summaries[game.slug] = {"vocabulary": tally.vocabulary()}
    by_name = tuple(sorted(entries, key=lambda entry: entry.order))
    return Catalogue(EditionState(0, None), games, games, by_name, (), summaries)


def read(state: EditionState) -> Catalogue:
    """The catalogue of this edition, which is the newest; that of the folders before anything was loaded."""
    return catalogue_of(StoredCard.objects.all(), state) if state.number else of_folders()


def catalogue_of(rows: CardQuerySet, state: EditionState) -> Catalogue:
    """The catalogue that these rows make."""
    folders = folder_games()
    current: list[Entry] = []
    retired: list[Entry] = []
    for row in rows.order_by("pk").prefetch_related("prints").iterator(chunk_size=BATCH):
        entry = entry_of(row.as_card(), row.pk, row.name_folded, row.search_text, row.terms)
        (retired if row.retired or row.game not in folders else current).append(entry)
    cards: dict[str, list[Card]] = defaultdict(list)
    for entry in current:
        cards[entry.card.game].append(entry.card)
    summaries = dict(Holding.objects.values_list("game", "summary"))
    games = {
        slug: game.with_cards(cards[slug]) if slug in summaries else game for slug, game in folders.items()
    }
    # The order of names is the same on every database.
    by_name = (tuple(sorted(of, key=lambda entry: entry.order)) for of in (current, retired))
    return Catalogue(state, folders, games, *by_name, summaries)


_lock = Lock()
_newest: Catalogue | None = None
# The one that a command, a task or a test works with, whatever is loaded meanwhile.
_chosen: ContextVar[Catalogue | None] = ContextVar("catalogue", default=None)


def catalogue() -> Catalogue:
    """The catalogue of the newest edition, read at the first use in each process; for all that is answered to
    a request, the one that was the newest when it asked first.
    """
    return _chosen.get() or once_a_request("catalogue", _current)


@contextmanager
def working_with(one: Catalogue) -> Iterator[None]:
    """Let ``catalogue`` give this one within the block."""
    token = _chosen.set(one)
    try:
        yield
    finally:
        _chosen.reset(token)


def games() -> Mapping[str, Game]:
    """Slug -> game, in order of the games' names, with the cards of the catalogue."""
    return catalogue().games


def game_named(slug: str) -> Game | None:
    """The game with this slug and the cards of the catalogue, or None."""
    return games().get(slug)


def _current() -> Catalogue:
    global _newest
    held, state = _newest, Edition.objects.current()
    if held is not None and held.state == state and held.folders is folder_games():
        return held
    with _lock:
        # Threads that ask for an edition that is being read wait for it. It may be gone meanwhile, and its
        # rows with it; another may be loaded while they are read.
        held, state = _newest, Edition.objects.current()
        while held is None or held.state != state or held.folders is not folder_games():
            held, state = read(state), Edition.objects.current()
        _newest = held
    return held


def held_edition() -> int:
    """The number of the edition that this process has in memory; 0 before it was asked for any."""
    return _newest.state.number if _newest else 0
