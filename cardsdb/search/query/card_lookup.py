"""Find the one card that a text names, and names that a misspelt one may be, among cards in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rapidfuzz import process

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.listtext.names import name_index
from cardsdb.games.kit.model.text import fold
from cardsdb.search.query.limits import MAX_SUGGESTIONS

# The card of a name or a code, with or without "game/" before it; None if there is none, or more than one.
CardLookup = Callable[[str], "Card | None"]
# A name as typed -> real names most like it, best first; the same name if there is one.
NamesLike = Callable[[str], list[str]]

# How alike names must be, in hundredths.
LIKENESS = 65


def game_and_name(text: str, games: Iterable[Game]) -> tuple[tuple[Game, ...], str]:
    """The games that a card may be of, and its name or code without the game before it."""
    games = tuple(games)
    slug, slash, rest = text.partition("/")
    named = tuple(game for game in games if game.slug == slug.strip()) if slash else ()
    return (named, rest.strip()) if named else (games, text)


def card_among(games: tuple[Game, ...]) -> CardLookup:
    """Look cards up in the folders of the games."""

    def found(text: str) -> Card | None:
        among, name = game_and_name(text, games)
        cards = [card for game in among for card in name_index(game).called(name)]
        cards = cards or [card for game in among for card in game.cards if card.code == name]
        return cards[0] if len(cards) == 1 else None

    return found


def names_among(games: tuple[Game, ...]) -> NamesLike:
    """Look names up in the folders of the games."""

    def like(text: str) -> list[str]:
        wanted = fold(text)
        names = {fold(card.name): card.name for game in games for card in game.cards}
        if wanted in names:
            return [names[wanted]]
        return [names[name] for name, _, _ in process.extract(wanted, names.keys(), limit=MAX_SUGGESTIONS, score_cutoff=LIKENESS)]

    return like
