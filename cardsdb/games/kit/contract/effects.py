"""What the lines of a game's effects must keep: known words, names of cards, and the numbers that the cards'
own facts hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.model.effects import EFFECT_FACTS, EffectWords, quoted_names
from cardsdb.games.kit.model.text import fold

_WORD = re.compile(r"[^\W\d_][\w'’.-]*")


def effect_problems(game: Game) -> Iterator[str]:
    """What is wrong with a game's effects, one sentence each."""
    declared = [fact for fact in EFFECT_FACTS if fact in game.facts]
    words = game.effect_words
    if words is None:
        if declared:
            yield f"effects: the fact {declared[0].key!r} is declared, but there is no effects.toml"
        return
    if len(declared) < len(EFFECT_FACTS):
        yield "effects: there is an effects.toml; declare the EFFECT_FACTS of the kit among the game's facts"
        return
    if words.header_fact and words.header_fact not in game.facts_by_key:
        yield f"effects.toml: headers = {words.header_fact!r} is no fact"
        return
    names = {fold(name) for card in game.cards for name in (card.name, *card.aliases)}
    known = set(_words_of_facts(game))
    for card in game.cards:
        if card.facts.get("does") or card.facts.get("when"):
            yield from _card_problems(card, words, names, known)


def _card_problems(card: Card, words: EffectWords, names: set[str], known: set[str]) -> Iterator[str]:
    lines = card.text.split("\n")
    own = {word.lower() for word in _WORD.findall(card.name)}
    others = [claim.value for claim in card.disagreements().get("text", ()) if claim.value]
    for line in others:
        try:
            words.read(line)
        except ValueError as error:
            yield f"claims of {card.code} about its text: {error}"
    for line in (*lines, *others):
        if strange := list(words.unknown_words(line, known | own)):
            yield (
                f"effects of {card.code}: {', '.join(map(repr, strange))} in “{line}”: not among the words of"
                " effects.toml"
            )
        for name in quoted_names(line):
            if name not in words.words and not any(fold(name) in known_name for known_name in names):
                yield (
                    f'effects of {card.code}: no card is called "{name}", and it is not among the words of'
                    " effects.toml"
                )
    if words.header_fact:
        told = words.tags_of(lines).headers
        for printed in card.words(words.header_fact):
            # A mission's text names the side before the moment.
            if not any(header == printed or header.endswith(f" {printed}") for header in told):
                yield f"effects of {card.code}: no line is headed {printed}, as {words.header_fact} says"


def _words_of_facts(game: Game) -> Iterator[str]:
    """The lowercase words of what the cards' facts say, and of what the game's types, sections and facts are
    called.
    """
    values = [
        value
        for card in game.cards
        for fact in game.facts
        if fact.kind in ("word", "words")
        for value in card.words(fact.key)
    ]
    called = [
        *(kind.name for kind in game.types),
        *(section.name for section in game.sections),
        *(fact.title for fact in game.facts),
    ]
    for value in dict.fromkeys((*values, *called)):
        yield from (word.lower() for word in _WORD.findall(value))
