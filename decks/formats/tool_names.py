"""The game and the sections that a file means, by the names that other tools give them.

``placing.py``, the parsers (``xml_decks.py``, ``text.py``) and ``decks/collection`` call it. What a tool
calls a game and its sections is in the game's ``exports`` (``contract.settings_of``), under the name of the
format.
"""

from collections.abc import Iterable, Mapping

from cardsdb.games import games
from cardsdb.games.kit import Game, fold, listed
from cardsdb.games.kit.listtext.guess import Guess, game_of_most
from cardsdb.games.kit.listtext.reading import heading_of
from decks.formats.contract import Games, Unreadable, settings_of

# Characters of a card's name.
MAX_NAME = 200
# Names of a file that are looked up to find its game.
MAX_NAMES_TRIED = 500


def game_called(format: str, word: str) -> str:
    """Return the slug of the game that a tool calls by this word, empty if there is none."""
    if not word:
        return ""
    for slug, game in games().items():
        settings = settings_of(game, format)
        names = (slug, game.name, str(settings.get("game", "")), str(settings.get("title", "")))
        if fold(word) in map(fold, names):
            return slug
    return ""


def game_of_names(names: Iterable[str], among: Games) -> Guess:
    """Return the guess which of these games has most of these names as cards."""
    wanted = tuple(name for name in names if len(name) <= MAX_NAME)[:MAX_NAMES_TRIED]
    return game_of_most(
        among.values(), lambda game: sum(bool(game.name_index.find(name).cards) for name in wanted)
    )


def decided(guess: Guess, what: str) -> Game:
    """Return the game of a guess. Raise Unreadable if the names belong to no game, or to several equally
    well. ``what``: "list" or "file" in the message.
    """
    if guess.game:
        return guess.game
    if not guess.candidates:
        here = listed(tuple(game.name for game in games().values()))
        sentence = (
            f"The list names no card of the games here: {here}. If it is for one of them, choose the game"
            " and correct the lines."
        )
        raise Unreadable("foreign_game", sentence)
    alike = " or ".join(game.name for game in guess.candidates)
    sentence = f"The {what} may be for {alike}. Choose the game it is for."
    raise Unreadable("unknown_game", sentence, "game")


def sections_named(game: Game, format: str, part: str) -> tuple[str, ...]:
    """Return the sections that a part of a file may stand for: those that the game exports by this name, else
    the one with this heading.
    """
    names: Mapping[str, str] = settings_of(game, format).get("sections", {})
    named = tuple(slug for slug, word in names.items() if fold(word) == fold(part))
    if named:
        return named
    heading = heading_of(game, part)
    return (heading[0],) if heading and heading[0] else ()
