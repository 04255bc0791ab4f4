"""The catalogue in memory: the cards of the newest edition, made from the database, and all that is derived
from them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import islice
from threading import Lock
from typing import Any

from cardsdb.games import games
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.model.text import fold
from cardsdb.models import Card as StoredCard
from cardsdb.models import CardQuerySet, Edition, EditionState, Holding
from cardsdb.search.engine.entries import CatalogueKey, Entry, entry_of
from cardsdb.search.engine.names import Names, begins_a_word
from cardsdb.search.query.card_lookup import MAX_NAMES, game_and_name
from cardsdb.search.query.fields import Fields
from cardsdb.search.query.vocabulary import Tally

# Characters of a name that is looked up.
MAX_NAME_LENGTH = 200
# Rows read at a time.
BATCH = 2_000


@dataclass(frozen=True, eq=False, repr=False)
class Catalogue:
    """The cards of an edition in the catalogue's order, and the retired ones, which decks may still have.

    ``summaries``: what was counted of each game when it was loaded, by its slug. It never changes and may be
    used by several threads at once.
    """

    state: EditionState
    entries: tuple[Entry, ...]
    retired: tuple[Entry, ...] = ()
    summaries: Mapping[str, Any] = field(default_factory=dict)
    _fields: dict[tuple[Game, ...], Fields] = field(default_factory=dict)

    @cached_property
    def by_key(self) -> Mapping[str, Entry]:
        """Every card, retired ones too."""
        return {entry.key: entry for entry in (*self.entries, *self.retired)}

    @cached_property
    def by_pk(self) -> Mapping[int, Entry]:
        """Every card, retired ones too."""
        return {entry.pk: entry for entry in (*self.entries, *self.retired)}

    @cached_property
    def words(self) -> Sequence[str]:
        """Every word of a card, folded, in the order of the alphabet."""
        return sorted({word for entry in self.entries for word in entry.search_text.split()})

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
    def names(self) -> Names:
        return Names(entry.name for entry in self.entries)

    @cached_property
    def _by_name(self) -> Mapping[str, list[Card]]:
        cards: dict[str, list[Card]] = defaultdict(list)
        for entry in self.entries:
            cards[entry.name].append(entry.card)
        return dict(cards)

    def named(self, name: str) -> list[Card]:
        """The cards of exactly this name."""
        return self._by_name.get(fold(name), []) if 0 < len(name) <= MAX_NAME_LENGTH else []

    def named_like(self, text: str, limit: int) -> list[Card]:
        """The cards whose names are most like the text, best first, one of each name; none if none is."""
        names = self.names.like(fold(text), limit) if len(text) <= MAX_NAME_LENGTH else []
        return [self._by_name[name][0] for name in names]

    def beginning(self, prefix: str, limit: int, among: Collection[Game] = ()) -> list[Card]:
        """For completing a name: the cards whose names begin so, in order of names, then those with a word
        that begins so; of some games, or of all.
        """
        part, slugs = fold(prefix), {game.slug for game in among}
        if not part or len(prefix) > MAX_NAME_LENGTH:
            return []
        with_word = [
            entry
            for entry in self.entries
            if (not slugs or entry.card.game in slugs) and begins_a_word(part, entry.name)
        ]
        whole = sorted((one for one in with_word if one.name.startswith(part)), key=lambda one: one.name)
        return [one.card for one in islice(dict.fromkeys((*whole, *with_word)), limit)]

    def is_name(self, words: Sequence[str], game: Game | None = None) -> bool:
        """Whether some card, of this game if one is given, has a name of which words begin with each of
        these, folded.
        """
        names = (entry.name for entry in self.entries if game is None or entry.card.game == game.slug)
        return bool(words) and any(all(begins_a_word(word, name) for word in words) for name in names)

    def called(self, text: str, among: Iterable[Game]) -> Card | None:
        """The one card of these games that is listed under this name, else under this code."""
        chosen, name = game_and_name(text, among)
        slugs = [game.slug for game in chosen]
        cards = [card for card in self._by_name.get(fold(name), ()) if card.game in slugs]
        if not cards:
            found = (self.by_key.get(f"{slug}/{name}") for slug in slugs)
            cards = [entry.card for entry in found if entry and entry not in self.retired]
        return cards[0] if len(cards) == 1 else None

    def _names_like(self, text: str, among: Collection[Game]) -> list[str]:
        """Names like the one typed; the same name alone if there is one."""
        slugs = {game.slug for game in among}
        near = [card.name for card in self.named_like(text, 4 * MAX_NAMES) if card.game in slugs]
        exact = [name for name in near if fold(name) == fold(text)]
        return exact[:1] or list(dict.fromkeys(near))[:MAX_NAMES]

    # -- the search words --------------------------------------------------------------

    def fields(self, game: Game | None = None) -> Fields:
        """The search words of this game, or of all games, with the values of the catalogue's cards."""
        chosen = (game,) if game else tuple(games().values())
        if chosen not in self._fields:
            self._fields[chosen] = self._fields_of(chosen)
        return self._fields[chosen]

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


def catalogue_of(cards: CardQuerySet, state: EditionState) -> Catalogue:
    """The catalogue that these rows make."""
    current: list[Entry] = []
    retired: list[Entry] = []
    for row in cards.prefetch_related("prints").iterator(chunk_size=BATCH):
        entry = entry_of(row.as_card(), row.pk, row.name_folded, row.search_text, row.terms)
        (retired if row.retired or row.game not in games() else current).append(entry)
    # The order of names is the same on every database.
    by_name = (tuple(sorted(of, key=lambda entry: entry.order)) for of in (current, retired))
    return Catalogue(state, *by_name, dict(Holding.objects.values_list("game", "summary")))


def read(state: EditionState) -> Catalogue:
    """The catalogue of this edition, which is the newest; without cards before anything was loaded."""
    return catalogue_of(StoredCard.objects.all() if state.number else StoredCard.objects.none(), state)


_lock = Lock()
_current: Catalogue | None = None


def catalogue(state: EditionState | None = None) -> Catalogue:
    """The catalogue of the newest edition, made at the first use in each process; ``state`` spares the query.

    If the edition has been replaced meanwhile, this is the next one.
    """
    global _current
    state = state or Edition.objects.current()
    held = _current
    if held is not None and held.state == state:
        return held
    with _lock:
        # Threads that ask for an edition that is being read wait for it. It may be gone meanwhile, and its
        # rows with it; another may be loaded while they are read.
        held, state = _current, Edition.objects.current()
        while held is None or held.state != state:
            held, state = read(state), Edition.objects.current()
        _current = held
    return held


def held_edition() -> int:
    """The number of the edition that this process has in memory; 0 before it was asked for any."""
    return _current.state.number if _current else 0
