"""The words on a card: what stands for ``name``, ``credit`` or ``fact:KEY`` of a face. And several names as one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.model.cards import as_words

LONG_TITLE = 45


def words_for(of: str, card: Card, game: Game, set_apart: bool = False) -> str:
    """The words of a Text element; empty when there is nothing to say. ``set_apart``: the face has a place for the print."""
    match of:
        case "name":
            return card.name
        case "type":
            return type_name(card, game)
        case "set":
            return print_line(card)
        case "text":
            return card.text
        case "credit":
            return credit_line(card, game, printed=not set_apart)
        case "game":
            return game.name
    if of.startswith("="):
        return of[1:]
    return fact_words(of.removeprefix("fact:"), card, game) or ""


def fact_words(key: str, card: Card, game: Game) -> str | None:
    """A fact's value in words; None when it applies to the card but is unknown, empty when it does not apply."""
    value = card.fact(key)
    if value is not None:
        return as_words(value)
    fact = game.facts_by_key.get(key)
    return None if fact and fact.applies_to(card.type) else ""


def title_of(key: str, game: Game) -> str:
    fact = game.facts_by_key.get(key)
    return fact.title if fact else key


def type_name(card: Card, game: Game) -> str:
    return game.type_named(card.type).name


def print_line(card: Card) -> str:
    """Set code and number of the first print: ``ON 12``."""
    return " ".join(filter(None, (card.prints[0].set, card.prints[0].number))) if card.prints else ""


def credit_line(card: Card, game: Game, printed: bool = True) -> str:
    """The foot of a card: its print, then the credit its game asks for, else where its facts come from.

    ``printed`` is false on a face that shows the print elsewhere.
    """
    first = print_line(card) if printed else ""
    source = source_line(card, game)
    return " · ".join(filter(None, (first, game_credit(game) or (source.removeprefix("Source: ") if first else source))))


def game_credit(game: Game) -> str:
    """The credit that must stand on every card and sheet of the game; empty when none must."""
    if not game.credit:
        return ""
    text, licence = game.credit.text, game.credit.licence
    return text if licence in text else f"{text}, {licence}"


def sheet_credit(game: Game) -> str:
    """What a sheet says of whose game it is: credit and licence, their addresses, what was changed."""
    if not game.credit:
        return f"{game.name}: {game.rights}" if game.rights else ""
    credit = game.credit
    parts = (game_credit(game), credit.work_url, credit.licence_url, credit.changes)
    return " · ".join(part for number, part in enumerate(parts) if part and (not number or part not in credit.text))


def source_line(card: Card, game: Game) -> str:
    """The document behind the card's facts, or the facts on which documents differ; a long title ends where it first pauses."""
    if card.written:
        return "Written in by the list’s author"
    if disputed := [title[:1].upper() + title[1:] for key in card.disagreements() if (title := title_of(key, game))]:
        return f"Sources differ: {', '.join(disputed[:2])}{', …' if len(disputed) > 2 else ''}"
    claims = card.claims("")
    if not claims or not claims[0].document:
        return ""
    document = game.document_named(claims[0].document)
    title = document.title if len(document.title) <= LONG_TITLE else re.split(" ?[:,;(]", document.title)[0]
    return f"Source: {title}"


def together(names: Sequence[str], most: int) -> str:
    """``A + B + 3 more``: as many of the names as that leaves room for, the first of them at any rate, in so many letters at most."""
    for shown in range(len(names), 0, -1):
        more = f" + {len(names) - shown} more" if shown < len(names) else ""
        joined = " + ".join(names[:shown])
        if len(joined) + len(more) <= most or shown == 1:
            return joined[: most - len(more)].rstrip() + more
    return ""
