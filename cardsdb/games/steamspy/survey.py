"""A survey of a list: what its rules ask for, gathered in a single pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from cardsdb.games.kit import Decklist, Entry
from cardsdb.games.steamspy.allegiances import (
    Corporation,
    Organisation,
    corporation_called,
    organisation_called,
)
from cardsdb.games.steamspy.characters import Sheet, sheet_of


@dataclass(frozen=True, slots=True)
class Part:
    """One of the two decks. ``fact`` is what its cards belong to: a corporation or an organisation.

    ``by_allegiance`` goes by the one proper name; None gathers the cards of which no source
    knows it. ``by_name`` goes by the card's name without case.
    """

    fact: str
    called: Callable[[str], Corporation | Organisation | None]
    entries: list[Entry] = field(default_factory=list)
    by_allegiance: dict[str | None, list[Entry]] = field(default_factory=dict)
    by_name: dict[str, list[Entry]] = field(default_factory=dict)

    def add(self, entry: Entry) -> None:
        card = entry.card
        text = card.facts.get(self.fact)
        known = self.called(text) if isinstance(text, str) else None
        self.entries.append(entry)
        self.by_allegiance.setdefault(known.name if known else None, []).append(entry)
        self.by_name.setdefault(card.name.casefold(), []).append(entry)


@dataclass(frozen=True, slots=True)
class Survey:
    """The sheets of a list's characters and its two decks. ``cell``: the sheets that stand in the cell."""

    corporation: Part
    organisation: Part
    sheets: list[Sheet] = field(default_factory=list)
    cell: list[Sheet] = field(default_factory=list)

    def part(self, fact: str) -> Part:
        return self.corporation if fact == "corporation" else self.organisation


_last: tuple[tuple[Entry, ...], Survey] | None = None


def survey(deck: Decklist) -> Survey:
    """The survey of a deck. Its rules ask for the same deck one after the other, so the last survey is
    remembered.
    """
    global _last
    last = _last
    if last is None or last[0] is not deck.entries:
        last = _last = (deck.entries, _look(deck))
    return last[1]


def _look(deck: Decklist) -> Survey:
    gathered = Survey(Part("corporation", corporation_called), Part("organisation", organisation_called))
    for entry in deck.entries:
        if entry.section == "corporation":
            gathered.corporation.add(entry)
        elif entry.section == "organisation":
            gathered.organisation.add(entry)
        if entry.card.type == "character":
            sheet = sheet_of(entry.card)
            gathered.sheets.append(sheet)
            if entry.section == "cell":
                gathered.cell.append(sheet)
    return gathered
