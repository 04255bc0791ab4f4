"""A visitor's own cards, and own texts of catalogue cards, in the form that searches and list readers use.

``results`` searches the cards of ``own_cards(boxes)`` before the catalogue's; readers of decklists use
``own_cards_of``. What a box contains is cached in this process under its state, which every change of the box
replaces, so a cached value is never stale. Boxes are private: reach them only through ``boxes_of`` and its
like, which ask what the viewer may see. Tests: ``tests/cardsdb/search/test_own_cards.py``.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import NamedTuple

from django.utils.functional import cached_property

from cardsdb.catalogue.current import games
from cardsdb.games.kit import Card, Game, NameIndex, Print, fold
from cardsdb.identity.viewer import Viewer, may_see_own
from cardsdb.models import OwnBox, OwnCard, OwnText
from cardsdb.models.box import Boxes
from cardsdb.search.query.matching import Entry, entry_of
from cardsdb.search.query.standard import MINE, search_columns
from cardsdb.watch.requests import once_a_request

# Added to primary keys of own cards, so that they differ from those of all catalogue cards. The sum still
# fits the 63 bits of a primary key.
BEHIND = 1 << 62
# Characters of own cards and texts that one process caches, about 100 MB.
MAX_CHARACTERS = 100_000_000
# Characters that a card takes in memory besides its text, as an estimate.
PER_CARD = 2_000


@dataclass(eq=False)
class OwnCards:
    """The cards of some boxes. ``entries``: sorted by name, with their own set added as a print; ``by_code``:
    code -> card as stored. ``characters``: estimated size in memory.
    """

    boxes: Boxes
    entries: tuple[Entry, ...] = ()
    by_code: Mapping[str, Card] = field(default_factory=dict)
    characters: int = 0

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """Key of a catalogue card -> own folded text of it, read when first asked for. If two boxes have a
        text of the same card, both are joined, so that either is found.
        """
        if not self.boxes:
            return {}
        rows = OwnText.objects.in_boxes([pk for pk, _ in self.boxes]).exclude(text="").order_by("pk")
        texts: dict[str, str] = {}
        for game, code, text in rows.values_list("game", "card_code", "text"):
            key = f"{game}/{code}"
            texts[key] = " ".join(filter(None, (texts.get(key, ""), fold(text))))
        # The cache must know that these cards now take more memory.
        self.characters += sum(map(len, texts.values()))
        return texts


class OwnOfGame(NamedTuple):
    """A visitor's own cards of one game: by code, and by name for reading lists."""

    cards: Mapping[str, Card]
    names: NameIndex


NOBODYS = OwnOfGame({}, NameIndex(()))
NOTHING = OwnCards(())


# -- asked by viewer -----------------------------------------------------------------------


def boxes_of(viewer: Viewer) -> Boxes:
    """Return the boxes that searches of this viewer look into: empty ones are left out."""
    return _boxes_seen_by(viewer) if may_see_own(viewer) else ()


def own_of_game(viewer: Viewer, game: Game) -> OwnOfGame:
    """Return the own cards of this viewer in a game, with those shared with everyone on a private site."""
    by_code = own_cards(_boxes_seen_by(viewer)).by_code
    cards = {code: card for code, card in by_code.items() if card.game == game.slug}
    return OwnOfGame(cards, NameIndex(tuple(cards.values()))) if cards else NOBODYS


def _boxes_seen_by(viewer: Viewer) -> Boxes:
    """Return (primary key, state) of the boxes, looked up once in a request. A request that changes a box
    answers with a redirect, so it does not read the old state again.
    """
    return once_a_request(f"boxes of {viewer}", lambda: OwnBox.objects.states_seen_by(viewer))


def own_cards_of(viewer: Viewer) -> Callable[[Game], Iterable[Card]]:
    """Return a function from a game to the viewer's own cards, which looks them up only when called."""
    return lambda game: own_of_game(viewer, game).cards.values()


# -- the cache -----------------------------------------------------------------------------

# Primary keys of boxes -> their cards, the least recently used first. Read and written only under the lock.
_cache: OrderedDict[tuple[int, ...], OwnCards] = OrderedDict()
_lock = Lock()


def own_cards(boxes: Boxes) -> OwnCards:
    """Return the cards of boxes in these states: cached if no state has changed, else read anew. Beyond
    MAX_CHARACTERS the least recently used are dropped from the cache.
    """
    if not boxes:
        return NOTHING
    pks = tuple(pk for pk, _ in boxes)
    # Reading under the lock makes threads that want the same boxes wait instead of reading them twice.
    with _lock:
        cached = _cache.get(pks)
        found = cached if cached and cached.boxes == boxes else _read(boxes)
        _cache[pks] = found
        _cache.move_to_end(pks)
        while len(_cache) > 1 and sum(cards.characters for cards in _cache.values()) > MAX_CHARACTERS:
            _cache.popitem(last=False)
    return found


# -- reading the database --------------------------------------------------------------------


def _read(boxes: Boxes) -> OwnCards:
    """Read the cards of boxes from the database, without those of unknown games or types."""
    rows = OwnCard.objects.in_boxes([pk for pk, _ in boxes]).select_related("in_set__box").order_by("code")
    by_code: dict[str, Card] = {}
    entries: list[Entry] = []
    for stored in rows:
        game = games().get(stored.in_set.game)
        if game is not None and stored.type in game.types_by_slug:
            card = stored.as_card()
            by_code[stored.code] = card
            entries.append(_entry(stored, card, game))
    entries.sort(key=lambda entry: entry.order)
    characters = sum(PER_CARD + len(entry.search_text) for entry in entries)
    return OwnCards(boxes, tuple(entries), by_code, characters)


def _entry(stored: OwnCard, card: Card, game: Game) -> Entry:
    """Return a stored card as an entry for searches. Its set counts as a print, and the flag ``mine`` is yes
    for a card of the visitor, no for one of the box that is shared with everyone.
    """
    listed = replace(card, prints=(Print(stored.in_set.name),))
    columns = search_columns(listed, game)
    terms = f"{columns['terms']}{MINE}={'no' if stored.in_set.box.everyone else 'yes'}|"
    return entry_of(listed, BEHIND + stored.pk, columns["name_folded"], columns["search_text"], terms)
