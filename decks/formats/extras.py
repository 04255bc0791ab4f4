"""What lists say besides their cards: each format holds some of it, keeps some in notes and drops the rest."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from cardsdb.games.kit import Game
from cardsdb.games.kit.cardline import line_for
from cardsdb.games.kit.decktext import Reading
from decks.formats.contract import Loss

# The kinds that a format with a place for everything but unread lines holds.
ALL_BUT_UNREAD = frozenset({"name", "format", "detail", "comment", "facts"})


@dataclass(frozen=True, slots=True)
class Extra:
    """One thing a list says besides its cards. ``says`` are the lines by which a note can keep it.

    Kinds: name, format, detail, comment, facts (of a card that is written in) and line (one not read).
    """

    kind: str
    called: str
    says: tuple[str, ...]
    where: str = ""
    why: str = ""


def extras(game: Game, reading: Reading) -> Iterator[Extra]:
    """Everything a list says besides its cards, in the order in which notes keep it."""
    deck = reading.deck
    if deck.name:
        yield Extra("name", f"The name “{deck.name}”", (deck.name,))
    if reading.format:
        yield Extra("format", f"The format “{reading.format}”", (f"Format: {reading.format}",))
    labels = {detail.key: detail.label for format in game.formats for detail in format.details}
    for key, value in deck.details.items():
        line = f"{labels.get(key, key)}: {value}"
        yield Extra("detail", f"“{line}”", (line,), key)
    if reading.comments:
        yield Extra("comment", some(len(reading.comments), "comment"), reading.comments)
    for entry in deck:
        if entry.card.written:
            facts = "What the list says about"
            lines = f"written in: {line_for(game, entry)}".split("\n")
            yield Extra("facts", f"{facts} {entry.card.name}", tuple(lines), entry.card.name)
    for unread in reading.unread:
        lines = unread.text.split("\n")
        called = f"Line {unread.line}, not read (“{' '.join(map(str.strip, lines))}”)"
        says = tuple(f"not read: {line.strip()}" for line in lines)
        yield Extra("line", called, says, f"line {unread.line}", f" {unread.message}")


def note_lines(game: Game, reading: Reading, holds: Collection[str]) -> list[str]:
    """The lines by which a format's notes keep what it has no place for."""
    return [line for extra in extras(game, reading) if extra.kind not in holds for line in extra.says]


def extra_losses(game: Game, reading: Reading, holds: Collection[str], notes: str = "") -> tuple[Loss, ...]:
    """What a format that ``holds`` these kinds loses; ``notes`` says where it keeps the rest, if it does."""
    fate, outcome = (f"kept in {notes}", "kept") if notes else ("left out", "dropped")
    losses = [
        Loss(f"{extra.kind}_{outcome}", f"{extra.called}: {fate}.{extra.why}", extra.where)
        for extra in extras(game, reading)
        if extra.kind not in holds
    ]
    losses += [Loss("print_unknown", notice.message, f"line {notice.line}") for notice in reading.notices]
    return tuple(losses)


def some(count: int, noun: str) -> str:
    """``1 card``, ``4 cards``."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
