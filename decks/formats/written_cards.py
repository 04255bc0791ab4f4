"""Cards that a file describes itself, made as a line of text makes them, with the same bounds."""

from __future__ import annotations

from collections.abc import Iterable

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.listtext.line import LineRefused, read_card_line
from cardsdb.games.kit.model.cards import as_words


def written_in_card(game: Game, name: str, card_type: str, facts: Iterable[tuple[str, object]]) -> Card:
    """The card of this name, type and facts. Raises LineRefused where a list could not write it in."""
    parts = [name.replace("|", "¦"), card_type]
    for key, value in facts:
        fact = game.facts_by_key.get(key) or game.fact_named(key)
        if fact is None:
            raise LineRefused("unknown_fact", f"{game.name} has no fact “{key[:40]}”.")
        parts.append(f"{fact.title}: {_as_text(value)}")
    card = read_card_line(game, f"1 {' | '.join(' '.join(part.split()) for part in parts)}", ()).card
    if not card.written:
        raise LineRefused("unknown_type", f"Cards of the type “{card_type[:40]}” cannot be written in for {game.name}.")
    return card


def _as_text(value: object) -> str:
    """Words that hold a comma need semicolons between them (``cardline``)."""
    if isinstance(value, list):
        words = [str(word) for word in value]
        return "; ".join(words) + ";" if any("," in word for word in words) else ", ".join(words)
    if isinstance(value, bool | int | str):
        return as_words(value).replace("|", "¦")
    raise LineRefused("bad_fact", "A fact is a number, a text, yes or no, or a list of words.")
