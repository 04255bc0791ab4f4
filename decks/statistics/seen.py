"""A deck as a visitor may see it, with all that its numbers are made from."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404
from django.shortcuts import get_object_or_404

from cardsdb.games import game_named
from cardsdb.games.kit import Card, Decklist, Format, Game
from cardsdb.games.kit.play.figures import Table
from cardsdb.games.kit.play.opening import Pile
from decks.core.judging import without_secrets
from decks.identity.viewer import Viewer
from decks.models import Deck


@dataclass(frozen=True, slots=True)
class SeenDeck:
    """``cards`` and ``partner_cards`` are without what this visitor may not see; ``hidden`` says that something was left out."""

    deck: Deck
    game: Game
    format: Format
    editable: bool
    cards: Decklist
    hidden: bool
    partner: Deck | None = None
    partner_cards: Decklist | None = None

    @property
    def tables(self) -> tuple[Table, ...]:
        return self.game.measure(self.cards, self.partner_cards)

    @property
    def piles(self) -> tuple[Pile, ...]:
        """What the game shuffles for this deck; a secret section is never among it."""
        return self.game.piles_for(self.format.slug, without_secrets(self.game, self.cards))

    @property
    def catalogue_ids(self) -> dict[int, str]:
        """Row -> code of the deck's cards that the catalogue has; cards written in are not among them."""
        return {line.card.pk: line.card.code for line in self.deck.lines.all() if line.card}


def seen_deck(link: str, viewer: Viewer) -> SeenDeck:
    """The deck of this address. A stranger to it gets 404, like one who mistyped."""
    deck = get_object_or_404(Deck.objects.visible_to(viewer).with_cards(), link=link)
    game = game_named(deck.game)
    if game is None:
        raise Http404
    whole = deck.decklist()
    cards = deck.decklist_for(viewer, game)
    partner = None
    if deck.partner_id:
        # A partner that this visitor may not see adds nothing.
        partner = Deck.objects.visible_to(viewer).with_cards().filter(pk=deck.partner_id, game=deck.game).first()
    partner_cards = partner.decklist_for(viewer, game) if partner else None
    hidden = len(cards.entries) < len(whole.entries)
    return SeenDeck(deck, game, deck.format_used(game), deck.is_editable_by(viewer), cards, hidden, partner, partner_cards)


def is_meant(card: Card, asks: tuple[tuple[str, str], ...]) -> bool:
    """Whether a card is one of those that a row of a table counts."""
    return all(card.type == value if key == "type" else value in card.words(key) for key, value in asks)
