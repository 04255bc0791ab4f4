"""Which print and which name a file gives a card, and what that leaves open."""

from __future__ import annotations

from cardsdb.games.kit import Card, Decklist, Game, Print
from cardsdb.games.kit.listtext.names import name_index
from cardsdb.games.kit.model.text import fold, some
from decks.formats.contract import Loss

NO_PRINT = Print("")


def only_print(card: Card) -> Print:
    """The card's print when it has just one, else a blank one."""
    return card.prints[0] if len(card.prints) == 1 else NO_PRINT


def first_print(card: Card) -> Print:
    """The card's first print, blank if none is known."""
    return card.prints[0] if card.prints else NO_PRINT


def print_losses(deck: Decklist) -> tuple[Loss, ...]:
    """For formats that must name a set: lists do not say which print is meant, so the first is written."""
    names = {entry.card.name for entry in deck if len({p.set for p in entry.card.prints}) > 1}
    if not names:
        return ()
    return (Loss("print_chosen", f"{some(len(names), 'card')} printed in several sets: the first set is written."),)


def alike_losses(game: Game, deck: Decklist) -> tuple[Loss, ...]:
    """For formats that know a card by its name alone: the names that more than one card bears."""
    by_name: dict[str, list[Card]] = {}
    for entry in deck:
        by_name.setdefault(fold(entry.card.name), []).append(entry.card)
    losses = []
    for name, cards in by_name.items():
        bearers = {card.code for card in (*cards, *name_index(game).called(name)) if fold(card.name) == name}
        if len(bearers) > 1:
            shown = cards[0].name
            losses.append(Loss("name_ambiguous", f"{len(bearers)} cards are called {shown}; the file does not say which is meant.", shown))
    return tuple(losses)
