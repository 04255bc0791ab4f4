"""The card at hand: the one whose row has the pointer or the focus, with its text, its facts and where
sources differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.box.pictures import pictures_on_pages
from cardsdb.box.texts import texts_of, with_text
from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.model.cards import as_words
from cardsdb.identity.viewer import Viewer
from cardsdb.search.own_cards import own_of_game
from decks.core.content import DeckContent


@dataclass(frozen=True, slots=True)
class Difference:
    """A fact that two documents state differently, with every value that is stated."""

    title: str
    values: str


@dataclass(frozen=True, slots=True)
class Peek:
    card: Card
    type: str
    differences: tuple[Difference, ...]
    # What is stated of it, each with its title.
    facts: tuple[tuple[str, str], ...]
    # Whether its text is the viewer's own.
    is_mine: bool = False
    # Their own picture of it.
    picture: PictureRef = None

    @property
    def is_drawn(self) -> bool:
        """Whether the card has a page and a face of its own; those that only a list knows have none."""
        return self.card.has_page


def peek_of(game: Game, content: DeckContent, code: str, viewer: Viewer) -> Peek | None:
    """The card of this code, in the deck or in the game; the deck's first card where the code is empty; None
    if there is no such card.

    Its text is the viewer's own, if they have one.
    """
    cards = [entry.card for entry in content.deck]
    card = next((card for card in cards if card.code == code), None) if code else next(iter(cards), None)
    card = card or (game.card(code) or own_of_game(viewer, game).cards.get(code) if code else None)
    if card is None:
        return None
    drawn = with_text(card, texts_of(viewer, game, [card.code]))
    picture = (
        None if card.written and not card.own else pictures_on_pages(viewer, game, [card.code]).get(card.code)
    )
    return Peek(
        drawn,
        game.type_named(card.type).name,
        tuple(_differences(game, card)),
        tuple(_facts(game, card)),
        drawn is not card,
        picture,
    )


def _facts(game: Game, card: Card) -> Iterator[tuple[str, str]]:
    for fact in game.facts_of(card.type):
        value = card.facts.get(fact.key)
        if value not in (None, False) and not fact.is_aside:
            yield fact.title, as_words(value)


def _differences(game: Game, card: Card) -> list[Difference]:
    disputed, differences = card.disagreements(), []
    for fact in game.facts_of(card.type):
        shown = card.facts.get(fact.key)
        others = [claim.value for claim in disputed.get(fact.key, ()) if claim.value]
        if others and shown is not None:
            differences.append(Difference(fact.title, " or ".join(dict.fromkeys([as_words(shown), *others]))))
    return differences
