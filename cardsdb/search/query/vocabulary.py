"""What a card's row holds for searching, and which values the cards of a game have, with how many cards have
each.

A row has three columns for it. ``name_folded`` is the card's name; ``search_text`` is all its words, a line
each; ``terms`` is every value of every field between bars, as in
``|type=agent|traits=soldier|traits=snoop|craft=4|``, so that one plain text column holds any fact of any
game. "Folded" is always ``cardsdb.games.kit.model.text.fold``. Values are counted from the very ``terms``
that searches look into, so that suggestions, filters and their counts always agree with searches.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.model.effects import spoken
from cardsdb.games.kit.model.text import fold
from cardsdb.search.query.standard import COUNTED_KEYS, STANDARD, declared_values, stated_values
from cardsdb.search.query.values import folded as _folded

# A catalogue has few values and many cards that share them.
folded, _folded_word = lru_cache(maxsize=20_000)(_folded), lru_cache(maxsize=20_000)(fold)

# Key of ``terms`` -> folded value -> (the value as shown, how many cards have it).
Vocabulary = Mapping[str, Mapping[str, tuple[str, int]]]

# A key with more values than this is an open field: nobody reads such a list, and no page should carry it.
MAX_VOCABULARY = 2_000
COUNTED_KINDS = ("word", "words", "number", "flag")


# -- a row's columns -----------------------------------------------------------------

OPENING_MARKS = " '\"(-.!¡¿"


def sort_name(name_folded: str) -> str:
    """The folded name as lists are sorted by it."""
    return name_folded.lstrip(OPENING_MARKS)


def search_columns(card: Card, game: Game) -> dict[str, str]:
    """What the card's row holds for searching: ``name_folded``, ``search_text`` and ``terms``."""
    kind = game.types_by_slug[card.type]
    words = [word for fact in game.facts if fact.kind in ("word", "words") for word in card.words(fact.key)]
    named = (fold(line) for line in (card.name, *card.aliases))
    shared = map(_folded_word, (kind.name, kind.plural, game.name, *words))
    lines = dict.fromkeys((*named, *shared, *map(fold, text_lines(card, game))))
    terms = dict.fromkeys(
        f"{key}={word}" for key, value in stated_values(card, game) if (word := folded(value))
    )
    return {
        "name_folded": fold(card.name),
        "search_text": "\n".join(line for line in lines if line),
        "terms": f"|{'|'.join(terms)}|",
    }


def text_lines(card: Card, game: Game) -> tuple[str, ...]:
    """What plain words find of the card's text.

    Where it is told in lines of effects its verbs are there with the ending that people type ("cancels"), and
    the plural of a type of card is not: who asks for "krypt agents" means agents, not what is done to agents.
    """
    if game.effect_words is None:
        return (card.text,)
    pattern, names = _plurals(game)
    text = pattern.sub(lambda plural: names[fold(plural[0])], card.text)
    return (text, *(spoken(verb) for verb in card.words("does")))


@lru_cache(maxsize=64)
def _plurals(game: Game) -> tuple[re.Pattern[str], dict[str, str]]:
    """What finds the plurals of the game's types in a text, and the folded plural -> the type's name."""
    plurals = "|".join(re.escape(kind.plural) for kind in game.types)
    return re.compile(rf"\b(?:{plurals})\b", re.IGNORECASE), {
        fold(kind.plural): kind.name for kind in game.types
    }


# -- counting values ----------------------------------------------------------------


class Tally:
    """Counts values card by card, so that the cards of a game need never be in memory together."""

    def __init__(self, game: Game) -> None:
        self._facts = {fact.key: fact for fact in game.facts if fact.kind in COUNTED_KINDS}
        self._titles = {
            "name": "Name",
            "type": "Type",
            "text": "Text",
            **{fact.key: fact.title for fact in game.facts},
        }
        self._counts: dict[str, dict[str, int]] = {key: {} for key in (*COUNTED_KEYS, *self._facts)}
        self._shown: dict[str, dict[str, str]] = {key: {} for key in self._counts}
        for key, value, shown in declared_values(game):
            self._shown[key].setdefault(folded(value), shown)
        for key, values in self._shown.items():
            self._counts[key] = dict.fromkeys(values, 0)

    def add(self, card: Card, terms: str) -> None:
        """Count one card by its ``terms``."""
        counts = self._counts
        for term in terms[1:-1].split("|"):
            key, _, value = term.partition("=")
            values = counts.get(key)
            if values is None:
                continue
            if value in values:
                values[value] += 1
            elif len(values) > MAX_VOCABULARY:
                del counts[key]
            else:
                values[value] = 1
                self._shown[key][value] = self._as_written(card, key, value)

    def _as_written(self, card: Card, key: str, value: str) -> str:
        """How the card itself writes a value that was folded."""
        if key == "disputed":
            return self._titles.get(value, value)
        written = [print_.rarity for print_ in card.prints] if key == "rarity" else card.words(key)
        if key in self._facts and self._facts[key].kind in ("number", "flag"):
            return value
        return next((word for word in written if folded(word) == value), value)

    def vocabulary(self) -> dict[str, dict[str, tuple[str, int]]]:
        """What was counted so far. A key with more than MAX_VOCABULARY values is left out."""
        counted = ((key, values) for key, values in self._counts.items() if len(values) <= MAX_VOCABULARY)
        return {
            key: {value: (self._shown[key][value], count) for value, count in values.items()}
            for key, values in counted
        }


def vocabulary_of(game: Game, cards: Iterable[Card]) -> dict[str, dict[str, tuple[str, int]]]:
    """Count these cards of the game. What the game declares has a count of 0 if no card has it."""
    tally = Tally(game)
    for card in cards:
        tally.add(card, str(search_columns(card, game)["terms"]))
    return tally.vocabulary()


def merged(
    games: tuple[Game, ...], vocabularies: Mapping[str, Vocabulary]
) -> tuple[dict[str, dict[str, str]], set[str]]:
    """Key of ``terms`` -> folded value -> the value as shown; and the keys of which some game has too many
    values to be counted.
    """
    known: dict[str, dict[str, str]] = {}
    uncounted = {
        place.key
        for field in STANDARD
        for place in field.places
        if place.kind in ("name", "text") or not place.is_listed
    }
    for game in games:
        vocabulary = vocabularies.get(game.slug, {})
        for key, values in vocabulary.items():
            for value, (shown, _) in values.items():
                known.setdefault(key, {}).setdefault(value, shown)
        countable = (*COUNTED_KEYS, *(fact.key for fact in game.facts if fact.kind in COUNTED_KINDS))
        uncounted.update(key for key in countable if key not in vocabulary)
        uncounted.update(fact.key for fact in game.facts if fact.kind not in COUNTED_KINDS)
    return known, uncounted
