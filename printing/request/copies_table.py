"""The table of the print page in which one says how often each card is printed: what it shows, and what comes back of it.

Its fields have one short name, ``n``, and come back in their order; beside them comes what each of them showed. So
only what somebody changed counts, however else the cards were chosen meanwhile, and the address stays short.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from django.http import QueryDict

from cardsdb.site.shortcuts import whole_number
from printing.options.copies import MOST_OF_ONE, CardCount, Cards, NotCounted, copies_in, read_counts, written
from printing.request.selection import Chosen, Listed

NUMBER, SHOWN = "n", "counts_shown"
# Of longer lists the address would not hold the fields.
MOST_ROWS = 150


class Row(NamedTuple):
    """A card of the print. ``said`` stands in its field, ``shown`` stood there before anybody changed it."""

    card: str
    name: str
    section: str
    in_lists: int
    said: str
    shown: int


class Sent(NamedTuple):
    """What came back of one row."""

    shown: int
    said: str

    @property
    def changed(self) -> bool:
        return self.said != str(self.shown)


def sent(given: QueryDict) -> dict[str, Sent]:
    """What came back, by card; nothing where it does not fit together."""
    rows, numbers = given.get(SHOWN, "").split(","), given.getlist(NUMBER)
    if not given.get(SHOWN) or len(rows) != len(numbers) or len(rows) > MOST_ROWS:
        return {}
    found = {}
    for row, number in zip(rows, numbers, strict=True):
        card, _, shown = row.rpartition(":")
        printed = whole_number(shown)
        if printed is None:
            return {}
        found[card] = Sent(printed, number.strip()[:10])
    return found


def with_changes(counts: str, rows: Mapping[str, Sent], lists: Iterable[Listed], otherwise: Mapping[str, int]) -> str:
    """The option ``counts`` with what was changed in the table. ``otherwise``: how often cards are printed where nothing is said of them.

    An emptied field, and the number that is printed anyway, say nothing. What is no number stays, for the option to refuse.
    """
    cards = Cards(one.deck.entries for one in lists)
    changed = {keys[0]: (card, row.said) for card, row in rows.items() if row.changed and len(keys := cards.called(card)) == 1}
    if not changed:
        return counts
    try:
        said = written(one for one in read_counts(counts) if not set(cards.called(one.card)) & changed.keys())
    except NotCounted:
        said = counts
    more = []
    for key, (card, number) in changed.items():
        count = whole_number(number, MOST_OF_ONE)
        if count is not None:
            more += [] if otherwise.get(key) == count else [written([CardCount(card, count)])]
        elif number:
            more.append(f"{card}={number}")
    return ",".join(filter(None, (said, *more)))


def still_there(counts: str, lists: Iterable[Listed]) -> str:
    """The option ``counts`` without the cards that the lists no longer have, where it can be read at all."""
    cards = Cards(one.deck.entries for one in lists)
    try:
        return written(one for one in read_counts(counts) if cards.called(one.card))
    except NotCounted:
        return counts


def rows_of(lists: Sequence[Listed], chosen: Sequence[Chosen] | None, back: Mapping[str, Sent]) -> tuple[Row, ...]:
    """The table, empty for lists that are too long. Without ``chosen``, which cannot be told, it stays as it came back."""
    entries = [entry for one in lists for entry in one.in_order]
    cards, there = Cards([entries]), copies_in([entries])
    if len(there) > MOST_ROWS:
        return ()
    numbers = there if chosen is None else copies_in(one.entries for one in chosen)
    sections: dict[str, str] = {}
    for one in lists:
        for entry in one.deck.entries:
            section = one.game.sections_by_slug.get(entry.section)
            sections.setdefault(entry.card.key, section.name if section else entry.section)
    found = []
    for key, count in there.items():
        card = cards.shortest(key)
        kept = back.get(card) if chosen is None else None
        said, shown = (kept.said, kept.shown) if kept else (str(numbers[key]), numbers[key])
        found.append(Row(card, cards.by_key[key].name, sections[key], count, said, shown))
    return tuple(found)


def out_of_date(rows: Iterable[Row], back: Mapping[str, Sent]) -> bool:
    """Whether the table that came back shows other cards or numbers than there are now, apart from what was changed in it."""
    rows = tuple(rows)
    seen = {row.card: back.get(row.card) for row in rows}
    return seen.keys() != back.keys() or any(not one.changed and one.shown != row.shown for row in rows if (one := seen[row.card]))
