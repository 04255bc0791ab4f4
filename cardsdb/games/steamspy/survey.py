"""``survey``: the two decks and the character sheets of a list, read once for all rules that judge it.

``rules.py`` calls it; the decks of ``examples.toml`` test it with the rules.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from cardsdb.games.kit import Decklist, Entry
from cardsdb.games.steamspy.characters import (
    Corporation,
    Organisation,
    Sheet,
    corporation_called,
    organisation_called,
    sheet_of,
)


@dataclass(frozen=True)
class Part:
    """One of the two decks of a list. ``fact``: "corporation" or "organisation", to which its cards belong.

    ``by_allegiance``: proper name of the corporation or organisation, None if no source knows it -> entries.
    ``by_name``: name of a card without case -> entries.
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


@dataclass(frozen=True)
class Survey:
    """The two decks and all character sheets of a list. ``cell``: the sheets of characters in the cell."""

    corporation: Part
    organisation: Part
    sheets: list[Sheet] = field(default_factory=list)
    cell: list[Sheet] = field(default_factory=list)

    def part(self, fact: str) -> Part:
        return self.corporation if fact == "corporation" else self.organisation


# (entries of the last deck, its survey): all rules judge one deck before the next. Decks are told apart by
# the tuple of their entries, which no change of a deck keeps.
_last: tuple[tuple[Entry, ...], Survey] | None = None


def survey(deck: Decklist) -> Survey:
    """Return the survey of a deck. It is made once for all rules that judge the same deck."""
    global _last
    # A local copy, because another thread may replace the global between two reads.
    last = _last
    if last is None or last[0] is not deck.entries:
        last = _last = (deck.entries, _surveyed(deck))
    return last[1]


def _surveyed(deck: Decklist) -> Survey:
    found = Survey(Part("corporation", corporation_called), Part("organisation", organisation_called))
    for entry in deck.entries:
        if entry.section == "corporation":
            found.corporation.add(entry)
        elif entry.section == "organisation":
            found.organisation.add(entry)
        if entry.card.type == "character":
            sheet = sheet_of(entry.card)
            found.sheets.append(sheet)
            if entry.section == "cell":
                found.cell.append(sheet)
    return found
