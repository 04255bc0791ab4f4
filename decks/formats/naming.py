"""The cards, prints and games that files of other programs mean: by ids, codes and names, never by guess."""

import uuid
from collections.abc import Iterable
from typing import NamedTuple

from cardsdb.games import games
from cardsdb.games.kit import Card, Game, as_words, fold, listed
from cardsdb.games.kit.listtext.guess import Guess, game_of_most
from cardsdb.games.kit.listtext.line import LineRefused, covered_card, read_card_line
from cardsdb.games.kit.model.names import number_key
from decks.formats.contract import Games, Unreadable, settings_of

MAX_NAME = 200
# The first names of a long list are enough to tell the game.
MAX_NAMES_TRIED = 500


def written_in_card(game: Game, name: str, card_type: str, facts: Iterable[tuple[str, object]]) -> Card:
    """The card of this name, type and facts. Raises LineRefused if a list could not write it in."""
    covered = covered_card(game, card_type) if card_type in game.types_by_slug else None
    if covered and fold(covered.name) == fold(name):
        return covered
    parts = [name.replace("|", "¦"), card_type]
    for key, value in facts:
        fact = game.facts_by_key.get(key) or game.fact_named(key)
        if fact is None:
            raise LineRefused("unknown_fact", f"{game.name} has no fact “{key[:40]}”.")
        if isinstance(value, list):
            # Words that hold a comma need semicolons between them.
            words = [str(word) for word in value]
            value = "; ".join(words) + ";" if any("," in word for word in words) else ", ".join(words)
        elif isinstance(value, bool | int | str):
            value = as_words(value).replace("|", "¦")
        else:
            raise LineRefused("bad_fact", "A fact is a number, a text, yes or no, or a list of words.")
        parts.append(f"{fact.title}: {value}")
    card = read_card_line(game, f"1 {' | '.join(' '.join(part.split()) for part in parts)}", ()).card
    if not card.written:
        raise LineRefused(
            "unknown_type", f"Cards of the type “{card_type[:40]}” cannot be written in for {game.name}."
        )
    return card


class PrintMeant(NamedTuple):
    """The card of a print, None if no such print is known, and set and number as the card has them, else as they
    were asked for.
    """

    card: Card | None
    set: str
    number: str


def print_meant(game: Game, cards: Iterable[Card], set_code: str, number: str) -> PrintMeant:
    """The print of these cards with this set and number. A set may be called by its name or the beginning of
    it; a number may have zeros before it and how many there are behind it (``007/354``), or be a print's code.
    """
    word, key = fold(set_code), number_key(number.partition("/")[0])
    called = [one.code for one in game.sets if word in (fold(one.code), fold(one.name))]
    called = called or [one.code for one in game.sets if word and fold(one.name).startswith(f"{word} ")]
    set_code = called[0] if len(called) == 1 else set_code
    printed = ((card, one) for card in cards for one in card.prints)
    for card, one in printed if key else ():
        is_so = set_code == one.set and key == number_key(one.number)
        if is_so or (set_code in ("", one.set) and key == number_key(one.code)):
            return PrintMeant(card, one.set, one.number or one.code)
    return PrintMeant(None, set_code, number)


def game_called(format: str, word: str) -> str:
    """The slug of the game that a tool calls by this word; empty if there is none."""
    for slug, game in games().items():
        settings = settings_of(game, format)
        if word and fold(word) in map(
            fold, (slug, game.name, str(settings.get("game", "")), str(settings.get("title", "")))
        ):
            return slug
    return ""


def _is_named(game: Game, name: str) -> bool:
    index = game.name_index
    return bool(index.find(name).cards or print_meant(game, index.numbered(name), "", name).card)


def game_of_names(names: Iterable[str], among: Games) -> Guess:
    """The one of these games in which most of these names are cards."""
    wanted = tuple(name for name in names if len(name) <= MAX_NAME)[:MAX_NAMES_TRIED]
    return game_of_most(among.values(), lambda game: sum(_is_named(game, name) for name in wanted))


def decided(guess: Guess, what: str) -> Game:
    """The game of a list or a file. Raises Unreadable if nothing of it is of any game here, and if several
    may be meant.
    """
    if guess.game:
        return guess.game
    if not guess.candidates:
        here = listed(tuple(game.name for game in games().values()))
        sentence = (
            f"The list names no card of the games here, which are {here}. If it is for one of these, choose"
            " that game and put its lines right."
        )
        raise Unreadable("foreign_game", sentence)
    alike = " or ".join(game.name for game in guess.candidates)
    sentence = f"The {what} may be for {alike}. Choose the game it is for."
    raise Unreadable("unknown_game", sentence, "game")


def plain_id(value: object) -> str:
    """An id of OCTGN as it writes them; empty for anything else."""
    try:
        return str(uuid.UUID(str(value)))
    except ValueError:
        return ""
