"""Free text without the characters that files cannot hold or that would turn their text around."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from cardsdb.games.kit import Card, Marks
from cardsdb.games.kit.listtext.deck import Reading, lines_of
from cardsdb.games.kit.model.cards import FactValue
from cardsdb.games.kit.model.decklist import NO_MARKS

# What XML forbids, lone surrogates, and the marks that reverse or isolate text.
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def fit(text: str) -> str:
    """One line of text that every format can hold; � stands for what none can."""
    return _UNFIT.sub("\ufffd", re.sub(r"[\r\n]+", " ", text))


def cleaned(reading: Reading) -> Reading:
    """The reading with every free text fit for a file; equal to the reading itself where all of it was."""
    deck = reading.deck
    entries = tuple(
        replace(entry, card=_card(entry.card) if entry.card.written else entry.card, marks=_marks(entry.marks))
        if entry.card.written or entry.marks != NO_MARKS
        else entry
        for entry in deck
    )
    details = {key: fit(value) if isinstance(value, str) else value for key, value in deck.details.items()}
    return replace(
        reading,
        deck=replace(deck, name=fit(deck.name), details=details, entries=entries),
        unread=tuple(replace(unread, text="\n".join(map(fit, unread.text.split("\n")))) for unread in reading.unread),
        notices=tuple(replace(notice, message=fit(notice.message)) for notice in reading.notices),
        comments=tuple(fit(comment) for comment in reading.comments),
        format=fit(reading.format),
        notes="\n".join(map(fit, lines_of(reading.notes))),
        tags=tuple(map(fit, reading.tags)),
        house=fit(reading.house),
    )


def _marks(marks: Marks) -> Marks:
    return Marks(fit(marks.note), tuple(map(fit, marks.tags)), marks.keep)


def _card(card: Card) -> Card:
    facts: Mapping[str, FactValue] = {key: _value(value) for key, value in card.facts.items()}
    if fit(card.name) == card.name and facts == card.facts:
        return card
    return replace(card, name=fit(card.name), facts=facts)


def _value(value: FactValue) -> FactValue:
    if isinstance(value, str):
        return fit(value)
    return tuple(fit(word) for word in value) if isinstance(value, tuple) else value
