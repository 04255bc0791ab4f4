"""What lists say besides their cards: each format holds some of it, keeps some in notes and drops the rest."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from cardsdb.games.kit import Entry, Game
from cardsdb.games.kit.listtext.deck import Reading
from cardsdb.games.kit.listtext.line import line_for
from cardsdb.games.kit.model.decklist import NO_MARKS
from cardsdb.games.kit.model.text import some
from decks.formats.contract import Loss

# The kinds that a format with a place for everything but unread lines holds.
ALL_BUT_UNREAD = frozenset({"name", "format", "house", "tags", "notes", "detail", "comment", "facts", "marks"})
# Below this line stands what we keep in another tool's notes; above it the author's own notes.
OURS = "-- Cutout --"


@dataclass(frozen=True, slots=True)
class Extra:
    """One thing a list says besides its cards. ``says`` are the lines by which a note can keep it.

    Kinds: name, format, house (rules), tags, notes, detail, comment, facts (of a card that is written in),
    marks (on a line) and line (one not read).
    """

    kind: str
    called: str
    says: tuple[str, ...]
    where: str = ""
    why: str = ""


def extras(game: Game, reading: Reading) -> Iterator[Extra]:
    """Everything a list says besides its cards, in the order in which notes keep it."""
    deck = reading.deck
    if reading.notes:
        yield Extra("notes", "The notes", tuple(reading.notes.split("\n")))
    if deck.name:
        yield Extra("name", f"The name “{deck.name}”", (f"Name: {deck.name}",))
    if reading.format:
        yield Extra("format", f"The format “{reading.format}”", (f"Format: {reading.format}",))
    if reading.house:
        yield Extra("house", "The house rules", (f"House rules: {reading.house}",))
    if reading.tags:
        yield Extra("tags", f"The tags {', '.join(reading.tags)}", (f"Tags: {', '.join(reading.tags)}",))
    labels = {detail.key: detail.label for format in game.formats for detail in format.details}
    for key, value in deck.details.items():
        line = f"{labels.get(key, key)}: {value}"
        yield Extra("detail", f"“{line}”", (line,), key)
    if reading.comments:
        yield Extra("comment", some(len(reading.comments), "comment"), tuple(f"Comment: {line}" for line in reading.comments))
    for entry in deck:
        if entry.card.written and not entry.card.unknown:
            line = _on_one_line(game, replace(entry, marks=NO_MARKS))
            yield Extra("facts", f"What the list says about {entry.card.name}", (f"Written in: {line}",), entry.card.name)
    for entry in deck:
        if entry.marks != NO_MARKS:
            line = _on_one_line(game, entry)
            yield Extra("marks", f"Note, tags and marks of {entry.card.name}", (f"Marked: {line}",), entry.card.name)
    for unread in reading.unread:
        lines = unread.text.split("\n")
        called = f"Line {unread.line}, not read (“{' '.join(map(str.strip, lines))}”)"
        says = tuple(f"Not read: {line.strip()}" for line in lines)
        yield Extra("line", called, says, f"line {unread.line}", f" {unread.message}")


def _on_one_line(game: Game, entry: Entry) -> str:
    return " ".join(line.strip() for line in line_for(game, entry).split("\n"))


def note_lines(game: Game, reading: Reading, holds: Collection[str]) -> list[str]:
    """The lines by which a format's notes keep what it has no place for: the author's own, then ours (``kept_notes``)."""
    kept = [extra for extra in extras(game, reading) if extra.kind not in holds]
    own = [line for extra in kept if extra.kind == "notes" for line in extra.says]
    ours = [line for extra in kept if extra.kind != "notes" for line in extra.says]
    return [*own, *([OURS] if ours else []), *ours]


def extra_losses(game: Game, reading: Reading, holds: Collection[str], notes: str = "") -> tuple[Loss, ...]:
    """What a format that ``holds`` these kinds loses; ``notes`` says where it keeps the rest, if it does."""
    fate, outcome = (f"kept in {notes}", "kept") if notes else ("left out", "dropped")
    losses = [
        Loss(f"{extra.kind}_{outcome}", f"{extra.called}: {fate}.{extra.why}", extra.where)
        for extra in extras(game, reading)
        if extra.kind not in holds and not (notes and extra.kind == "notes")
    ]
    losses += [Loss("print_unknown", notice.message, f"line {notice.line}") for notice in reading.notices]
    return tuple(losses)
