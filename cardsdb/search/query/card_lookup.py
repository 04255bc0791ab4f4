"""Find the one card that a text names, and names that a misspelt one may be, among cards in memory.

Among all cards of the catalogue ``cardsdb.search.engine.names`` finds such names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.model.text import fold
from cardsdb.search.query.similar import Reference

# The card of a name or a code, with or without "game/" before it; None if there is none, or more than one.
CardLookup = Callable[[str], "Reference | None"]
# A name as typed -> real names most like it, best first; the same name if there is one.
NamesLike = Callable[[str], list[str]]

# Names that are offered in place of a misspelt one.
MAX_NAMES = 3
# How alike names must be, in hundredths. In a line of a list more: it may have numbers and marks that are no
# part of a name.
LIKENESS, LIKENESS_IN_LINES = 65, 75
# How many letters may be wrong, too many, lacking or in another's place in a name that is surely meant, by
# its least length.
SLIPS = ((14, 3), (8, 2), (4, 1))


def names_near(typed: str, names: Iterable[str], likeness: int = LIKENESS) -> list[str]:
    """Of these folded names the few that are most like a misspelt one, best first; none for an empty text."""
    # Imported with the first name that is misspelt.
    from rapidfuzz import process

    folded = fold(typed)
    return (
        [name for name, _, _ in process.extract(folded, list(names), limit=MAX_NAMES, score_cutoff=likeness)]
        if folded
        else []
    )


def surely_meant(typed: str, labels: Sequence[str]) -> str:
    """The one of these names that a misspelt one surely means: a few letters off, and no other as near; empty
    if none is sure.

    A name with another number in it is another name.
    """
    from rapidfuzz.distance import OSA

    folded = fold(typed)
    off = sorted((OSA.distance(folded, fold(label)), label) for label in labels)
    if not off or not _is_slip(folded, fold(off[0][1]), off[0][0]):
        return ""
    return off[0][1] if len(off) == 1 or off[1][0] > off[0][0] + 1 else ""


def _is_slip(typed: str, name: str, letters_off: int) -> bool:
    length = min(len(typed), len(name))
    most = next((slips for least, slips in SLIPS if length >= least), 0)
    return 0 < letters_off <= most and [char for char in typed if char.isdigit()] == [
        char for char in name if char.isdigit()
    ]


def game_and_name(text: str, games: Iterable[Game]) -> tuple[tuple[Game, ...], str]:
    """The games that a card may be of, and its name or code without the game before it."""
    games = tuple(games)
    slug, slash, rest = text.partition("/")
    named = tuple(game for game in games if game.slug == slug.strip()) if slash else ()
    return (named, rest.strip()) if named else (games, text)


def card_among(games: tuple[Game, ...]) -> CardLookup:
    """Look cards up in the folders of the games."""

    def look_up(text: str) -> Card | None:
        among, name = game_and_name(text, games)
        cards = [card for game in among for card in game.name_index.called(name)]
        cards = cards or [card for game in among for card in game.cards if card.code == name]
        return cards[0] if len(cards) == 1 else None

    return look_up


def names_among(games: tuple[Game, ...]) -> NamesLike:
    """Look names up in the folders of the games."""

    def like(text: str) -> list[str]:
        names = {fold(card.name): card.name for game in games for card in game.cards}
        same = names.get(fold(text))
        return [same] if same is not None else [names[name] for name in names_near(text, names)]

    return like
