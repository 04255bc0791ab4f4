"""``catalogue()``: all cards of the newest edition in memory, read from the database once per process.

Searches, pages, decks and printing look cards up here. A request keeps the ``Catalogue`` that it asked for
first, even if an edition is loaded meanwhile. A ``Catalogue`` never changes and is shared by threads; what is
computed from it is kept with ``derived``, until the next edition replaces it. Tests:
``tests/house/test_one_edition.py``; in ``tests/cardsdb`` ``search/test_results.py``, of names
``games/kit/model/test_names.py``, of ``beside`` ``web/test_card_page.py``; without a database
``tests/printing/management/commands/test_print_deck.py``.
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
from typing import Any, NamedTuple, TypeGuard, TypeVar

from django.utils.functional import cached_property

from cardsdb.games import games as folder_games
from cardsdb.games.kit import Card, Game, NameIndex, fold
from cardsdb.models import Card as StoredCard
from cardsdb.models import CardQuerySet, Edition, EditionState, Holding
from cardsdb.search.query.fields import MAX_NAMES, Fields
from cardsdb.search.query.matching import CatalogueKey, Entry, entry_of
from cardsdb.search.query.standard import Tally, Vocabulary, search_columns
from cardsdb.watch.requests import once_a_request

# ``Card`` is the kit's throughout this file; ``StoredCard`` is a row of the database.
T = TypeVar("T")
# Longer names are not looked up.
MAX_NAME_LENGTH = 200
# Names like a typed one that are asked for in place of one, if some may be of games that are not searched.
SPARE_NAMES = 4
# Rows of the database read at a time.
BATCH = 2_000


class CardAt(NamedTuple):
    """A card found by game and code. ``retired``: the catalogue no longer lists it."""

    card: Card
    retired: bool


@dataclass(frozen=True, eq=False, repr=False)
class Catalogue:
    """The cards of an edition in the order of lists, and the retired ones, which decks may still have.

    - ``folders``: slug -> game as its folder has it. ``games``: the same with the cards of this catalogue; a
      game that was never loaded keeps the cards of its folder.
    - ``summaries``: slug of a loaded game -> ``CatalogueStats.as_json``, counted when it was loaded.
    """

    state: EditionState
    folders: Mapping[str, Game]
    games: Mapping[str, Game]
    entries: tuple[Entry, ...] = ()
    retired: tuple[Entry, ...] = ()
    summaries: Mapping[str, Any] = field(default_factory=dict)
    _derived: dict[Any, Any] = field(default_factory=dict)

    def derived(self, make: Callable[..., T], *args: Hashable) -> T:
        """Return ``make(self, *args)``, kept for the next call with the same values. Two threads may make it
        at the same moment, so ``make`` must be a function of a module, depend only on its arguments, and
        change nothing. The answer is shared: do not change it.
        """
        if (make, args) not in self._derived:
            self._derived[make, args] = make(self, *args)
        answer: T = self._derived[make, args]
        return answer

    # -- cards -----------------------------------------------------------------------

    @cached_property
    def by_key(self) -> Mapping[str, Entry]:
        """``game/code`` -> card, including retired ones."""
        return {entry.key: entry for entry in (*self.entries, *self.retired)}

    @cached_property
    def by_pk(self) -> Mapping[int, Entry]:
        """Primary key -> card, including retired ones."""
        return {entry.pk: entry for entry in (*self.entries, *self.retired)}

    @cached_property
    def _retired_keys(self) -> frozenset[str]:
        return frozenset(entry.key for entry in self.retired)

    def at(self, game: str, code: str) -> CardAt | None:
        """Return the card of this game with this code, retired or not; None if there is none."""
        entry = self.by_key.get(f"{game}/{code}")
        return CardAt(entry.card, entry.key in self._retired_keys) if entry else None

    def listed(self, game: str, codes: Iterable[str]) -> dict[str, Card]:
        """Return code -> card in the order of ``codes``, without retired and unknown cards."""
        found = {code: self.at(game, code) for code in codes}
        return {code: known.card for code, known in found.items() if known and not known.retired}

    def cards(self, pks: Iterable[int]) -> dict[int, Card]:
        """Return primary key -> card in the order of ``pks``. A deck that was just saved may have a card of a
        later edition than this one; such a card is read from the database.
        """
        wanted = list(pks)
        missing = [pk for pk in wanted if pk not in self.by_pk]
        rows = StoredCard.objects.filter(pk__in=missing).prefetch_related("prints") if missing else ()
        later = {row.pk: row.as_card() for row in rows}
        return {pk: later[pk] if pk in later else self.by_pk[pk].card for pk in wanted}

    def beside(self, key: CatalogueKey) -> tuple[Card | None, Card | None]:
        """Return (previous card, next card) of the same game in the order of lists, None at the ends.
        ``key``: sort key of a card, which may be missing in this catalogue.
        """
        # A ``CatalogueKey`` is (folded name, slug of the game, code).
        _, slug, _ = key
        of_game = [entry for entry in self.entries if entry.card.game == slug]
        # The place of the card, or where it would stand if it is missing.
        place = bisect_left(of_game, key, key=lambda entry: entry.order)
        is_listed = place < len(of_game) and of_game[place].order == key
        next_place = place + 1 if is_listed else place
        previous_card = of_game[place - 1].card if place > 0 else None
        next_card = of_game[next_place].card if next_place < len(of_game) else None
        return previous_card, next_card

    # -- cards by name ---------------------------------------------------------------
    # ``named`` finds a whole name, ``named_like`` a misspelt one, ``named_beginning`` one that is being
    # typed, and ``only_one_named`` the single card that a name or a code means.

    @cached_property
    def _every_name(self) -> NameIndex:
        return NameIndex(entry.card for entry in self.entries)

    def _name_index(self, among: Collection[Game]) -> NameIndex:
        """Return the name index of a single game, else of all games. That of a game that was never loaded is
        empty.
        """
        if len(among) != 1:
            return self._every_name
        (game,) = among
        return self.games[game.slug].name_index if game.slug in self.summaries else NameIndex()

    def named(self, name: str) -> list[Card]:
        """Return the cards of exactly this name; if there are none, those with this alias."""
        return list(self._every_name.called(name)) if len(name) <= MAX_NAME_LENGTH else []

    def named_like(self, text: str, limit: int, among: Collection[Game] = ()) -> list[Card]:
        """Return the cards whose names are most like the text, best first, one card for each name. ``among``:
        games to search; empty for all.
        """
        if len(text) > MAX_NAME_LENGTH:
            return []
        index = self._name_index(among)
        # For several games the index is that of all, with names of other games, which are dropped below. So
        # more names are asked for; if that is not enough, the answer is shorter than ``limit``.
        wanted = limit * SPARE_NAMES if len(among) > 1 else limit
        found: dict[Card, None] = {}
        for name in index.like(text, wanted):
            found |= dict.fromkeys(islice(_of_games(index.called(name), among), 1))
        return list(found)[:limit]

    def named_beginning(self, prefix: str, limit: int, among: Collection[Game] = ()) -> list[Card]:
        """Return cards to complete a name that is being typed: those whose names begin with the prefix, then
        those with a word that does, in order of names. ``among``: games to search; empty for all.
        """
        if len(prefix) > MAX_NAME_LENGTH:
            return []
        index = self._name_index(among)
        # ``called`` finds cards by their aliases too; these must not appear under the name of another.
        cards = (
            card for name in index.beginning(prefix) for card in index.called(name) if fold(card.name) == name
        )
        return list(islice(_of_games(cards, among), limit))

    def only_one_named(self, text: str, among: Iterable[Game]) -> Card | None:
        """Return the only card of these games with this name, else with this code; None if there are none or
        several. The text may begin with the game: ``spycraft/kai``.
        """
        slugs, name = [game.slug for game in among], text
        slug, slash, rest = (part.strip() for part in text.partition("/"))
        # A slash behind anything but a game belongs to the name.
        if slash and slug in slugs:
            slugs, name = [slug], rest
        cards = [card for card in self.named(name) if card.game in slugs]
        if not cards:
            cards = [card for slug in slugs for card in self.listed(slug, [name]).values()]
        return cards[0] if len(cards) == 1 else None

    def _names_like(self, text: str, among: Collection[Game]) -> list[str]:
        """Return the names like a typed one; only the name itself if there is a card of that name."""
        names = [card.name for card in self.named_like(text, MAX_NAMES, among)]
        for name in names:
            if fold(name) == fold(text):
                return [name]
        return list(dict.fromkeys(names))

    # -- the search words --------------------------------------------------------------

    def fields(self, game: Game | None = None) -> Fields:
        """Return the search fields of this game, or of all games, with the values of the
        catalogue's cards.
        """
        return self.derived(Catalogue._fields_of, (game,) if game else tuple(self.games.values()))

    def _fields_of(self, chosen: tuple[Game, ...]) -> Fields:
        vocabularies: dict[str, Vocabulary] = {}
        for game in chosen:
            if game.slug in self.summaries:
                vocabularies[game.slug] = self.summaries[game.slug].get("vocabulary", {})
            else:
                # A game that was never loaded has the values that it declares.
                vocabularies[game.slug] = Tally(game).vocabulary()
        find_card = partial(self.only_one_named, among=chosen)
        return Fields(chosen, vocabularies, find_card, partial(self._names_like, among=chosen))


def _of_games(cards: Iterable[Card], among: Collection[Game]) -> Iterator[Card]:
    """Yield the cards of these games; all cards if there are no games."""
    slugs = {game.slug for game in among}
    return (card for card in cards if not slugs or card.game in slugs)


# -- making a catalogue --------------------------------------------------------------------


def of_folders(games: Mapping[str, Game] | None = None, *, searched: bool = False) -> Catalogue:
    """Return the catalogue of these games (by default all) as their folders have them, for commands that need
    no database. ``searched``: prepare it for searches, which takes half a second.
    """
    games = folder_games() if games is None else games
    entries: list[Entry] = []
    summaries = {}
    for game in games.values() if searched else ():
        tally = Tally(game)
        for card in game.cards:
            columns = search_columns(card, game)
            words = columns["name_folded"], columns["search_text"], columns["terms"]
            entries.append(entry_of(card, len(entries) + 1, *words))
            tally.add(card, columns["terms"])
        summaries[game.slug] = {"vocabulary": tally.vocabulary()}
    by_name = tuple(sorted(entries, key=lambda entry: entry.order))
    return Catalogue(EditionState(0, None), games, games, by_name, (), summaries)


def read(state: EditionState) -> Catalogue:
    """Return the catalogue of this edition, which must be the newest; before the first edition, that of the
    folders.
    """
    return catalogue_of(StoredCard.objects.all(), state) if state.number else of_folders()


def catalogue_of(rows: CardQuerySet, state: EditionState) -> Catalogue:
    """Return the catalogue of these rows. Cards of games that are gone count as retired."""
    folders = folder_games()
    current: list[Entry] = []
    retired: list[Entry] = []
    for row in rows.order_by("pk").prefetch_related("prints").iterator(chunk_size=BATCH):
        entry = entry_of(row.as_card(), row.pk, row.name_folded, row.search_text, row.terms)
        is_retired = row.retired or row.game not in folders
        entries = retired if is_retired else current
        entries.append(entry)
    cards: dict[str, list[Card]] = defaultdict(list)
    for entry in current:
        cards[entry.card.game].append(entry.card)
    summaries = dict(Holding.objects.values_list("game", "summary"))
    games = {
        slug: game.with_cards(cards[slug]) if slug in summaries else game for slug, game in folders.items()
    }
    # Sorted here, because databases sort names differently.
    for entries in (current, retired):
        entries.sort(key=lambda entry: entry.order)
    return Catalogue(state, folders, games, tuple(current), tuple(retired), summaries)


# -- the newest catalogue ------------------------------------------------------------------

# Held while an edition is read, which takes seconds.
_lock = Lock()
# The catalogue of this process; only ``_current`` replaces it.
_newest: Catalogue | None = None
# Set by ``working_with`` for a command, a task or a test.
_chosen: ContextVar[Catalogue | None] = ContextVar("catalogue", default=None)


def catalogue() -> Catalogue:
    """Return the catalogue of the newest edition; within a request, the one that was newest at the first
    call.
    """
    return _chosen.get() or once_a_request("catalogue", _current)


@contextmanager
def working_with(chosen: Catalogue) -> Iterator[None]:
    """Let ``catalogue()`` return this one within the block."""
    token = _chosen.set(chosen)
    try:
        yield
    finally:
        _chosen.reset(token)


def games() -> Mapping[str, Game]:
    """Return slug -> game with the cards of the catalogue, in order of the games' names."""
    return catalogue().games


def game_named(slug: str) -> Game | None:
    """Return the game with this slug and the cards of the catalogue, or None."""
    return games().get(slug)


def _is_current(held: Catalogue | None, state: EditionState) -> TypeGuard[Catalogue]:
    """True if a catalogue is of this edition and the present folders, which tests and ``prepare`` change."""
    return held is not None and held.state == state and held.folders is folder_games()


def _current() -> Catalogue:
    """Return the catalogue of the newest edition, read from the database if this process lacks it."""
    global _newest
    held = _newest
    if _is_current(held, Edition.objects.current()):
        return held
    # Only one thread reads; others wait here, and then find its result.
    with _lock:
        held, state = _newest, Edition.objects.current()
        while not _is_current(held, state):
            held = read(state)
            # If another edition was loaded while rows were read, they are read again.
            state = Edition.objects.current()
        _newest = held
    return held


def held_edition() -> int:
    """Return the number of the edition that this process has in memory; 0 if it has none yet."""
    return _newest.state.number if _newest else 0
