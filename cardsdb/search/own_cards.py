"""The cards of their own that somebody finds beside the catalogue's: a snapshot of them, kept by the state of
their boxes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from json import dumps
from typing import NamedTuple

from cardsdb.games import games
from cardsdb.games.kit import Card, Game, Print
from cardsdb.games.kit.listtext.names import NameIndex
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnBox, OwnCard
from cardsdb.models.own import Boxes
from cardsdb.search.box_cache import BoxCache
from cardsdb.search.engine.snapshot import Row, Snapshot
from cardsdb.search.query.standard import MINE
from cardsdb.search.query.vocabulary import search_columns, sort_name

# Primary keys of one's own cards stand behind those of all cards of the catalogue.
BEHIND = 1 << 62
# The bytes of cards that a process keeps; of one card besides what is searched; of bitmaps of one box.
MAX_BYTES, PER_CARD, CACHE_BYTES = 128_000_000, 1_500, 500_000


@dataclass(frozen=True)
class OwnCards:
    """The cards of some boxes. ``by_code`` are the cards, with the name of their set; ``snapshot`` what is
    searched.
    """

    snapshot: Snapshot
    by_code: dict[str, Card]
    pks: dict[str, int]
    _names: dict[str, NameIndex] = field(default_factory=dict)

    @property
    def bytes(self) -> int:
        """About so many bytes they take in memory."""
        return self.snapshot.bytes + PER_CARD * len(self.by_code)

    def of(self, game: Game) -> tuple[Card, ...]:
        return tuple(card for card in self.by_code.values() if card.game == game.slug)

    def named(self, game: Game) -> NameIndex:
        """The names of those of a game, for reading lists."""
        if game.slug not in self._names:
            self._names[game.slug] = NameIndex(self.of(game))
        return self._names[game.slug]

    @cached_property
    def position_of(self) -> dict[str, int]:
        """Code -> place in the snapshot."""
        return {
            code: position
            for code, pk in self.pks.items()
            if (position := self.snapshot.position(pk)) is not None
        }


_kept: BoxCache[OwnCards] = BoxCache(MAX_BYTES)


class OwnOfGame(NamedTuple):
    """Somebody's own cards of one game: by code, and by name for reading lists."""

    cards: Mapping[str, Card]
    names: NameIndex


NOBODYS = OwnOfGame({}, NameIndex(()))


def own_of_game(viewer: Viewer, game: Game) -> OwnOfGame:
    """The own cards of this visitor in a game, and everyone's on a private site. One tiny query where they
    are known already.
    """
    found = own_cards(OwnBox.objects.states_seen_by(viewer))
    return OwnOfGame({card.code: card for card in found.of(game)}, found.named(game)) if found else NOBODYS


def own_cards_of(viewer: Viewer) -> Callable[[Game], Iterable[Card]]:
    """The own cards of this visitor by game, looked up when a list of theirs is read."""
    return lambda game: own_of_game(viewer, game).cards.values()


def own_cards(boxes: Boxes) -> OwnCards | None:
    """The cards in these boxes; None if there are none."""
    if not boxes:
        return None
    found = _kept.get(boxes, lambda: _made(boxes))
    return found if found.by_code else None


def _made(boxes: Boxes) -> OwnCards:
    rows = OwnCard.objects.in_boxes([pk for pk, _ in boxes]).select_related("in_set__box").order_by("code")
    cards, found, pks = {}, [], {}
    for stored in rows:
        game = games().get(stored.in_set.game)
        if game is None or stored.type not in game.types_by_slug:
            continue
        card = stored.as_card()
        cards[card.code] = card
        pks[card.code] = BEHIND + stored.pk
        mine = not stored.in_set.box.everyone
        found.append(_row(replace(card, prints=(Print(stored.in_set.name),)), game, BEHIND + stored.pk, mine))
    return OwnCards(Snapshot(sorted(found, key=lambda row: row.order), CACHE_BYTES), cards, pks)


def _row(card: Card, game: Game, pk: int, mine: bool) -> Row:
    """The card as a snapshot has it. Its set stands among its prints, and a flag says whose it is: everyone's
    is nobody's own.
    """
    search = search_columns(card, game)
    order = (sort_name(search["name_folded"]), card.game, card.code)
    prints = [(one.set, one.number) for one in card.prints]
    listed = dumps([card.game, card.code, card.name, card.type, prints, dict(card.facts)], ensure_ascii=False)
    return Row(
        pk,
        order,
        search["name_folded"],
        search["search_text"],
        f"{search['terms']}{MINE}={'yes' if mine else 'no'}|",
        listed,
    )
