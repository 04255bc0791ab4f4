"""Decks as tiles: a few faces of cards that stand for the deck, and the mark of its faction where it has
one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from cardsdb.games.kit import Card, Entry, Game
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnCard
from cardsdb.web.lists.shown_facts import Mark, mark
from decks.core.content import name_alone, written_card
from decks.models import Deck
from decks.public.conditions import lines_of
from decks.public.listing import DeckRow, deck_rows

MAX_FACES = 3


@dataclass(frozen=True, slots=True)
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
    rows = deck_rows(decks, viewer)
    if not rows:
        return []
    lines = lines_of([row.deck for row in rows], viewer or Viewer())
    by_deck: dict[int, list[Entry]] = {row.deck.pk: [] for row in rows}
    game_of = {row.deck.pk: row.game for row in rows}
    for pk, code, written, section, count in lines.values_list(
        "deck", "card__code", "written", "section", "count"
    ):
        # A card that has left its game's folder has no face there any more.
        if card := game_of[pk].card(code) if code else written_card(game_of[pk].slug, written):
            by_deck[pk].append(Entry(card, count, section))
    shown = _as_told_to(viewer or Viewer(), by_deck)
    return [_tile(row, shown[row.deck.pk]) for row in rows]


def _as_told_to(viewer: Viewer, by_deck: Mapping[int, list[Entry]]) -> Mapping[int, list[Entry]]:
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
        pk: [
            replace(one, card=name_alone(one.card)) if pk in with_own and one.card.code in secret else one
            for one in entries
        ]
        for pk, entries in by_deck.items()
    }


def _tile(row: DeckRow, entries: Sequence[Entry]) -> DeckTile:
    game = row.game
    cards = game.key_cards_of(entries, MAX_FACES)
    if not cards:
        return DeckTile(row)
    value, drawn = _shared_mark(game, [entry.card for entry in entries if entry.card.type == cards[0].type])
    return DeckTile(row, cards[::-1], value, drawn)


def _shared_mark(game: Game, cards: Sequence[Card]) -> tuple[str, Mark | None]:
    """The value that all these cards share in the fact by which the game's decks are marked, and its mark;
    nothing where they differ.
    """
    row_fact = game.row_facts_by_key.get(game.deck_mark)
    values = {card.words(game.deck_mark) for card in cards}
    shared = values.pop() if len(values) == 1 else ()
    if row_fact is None or len(shared) != 1:
        return "", None
    return shared[0], mark(game, row_fact, shared[0])
