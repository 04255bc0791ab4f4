"""The table of the print page in which one says how often each card is printed: what it shows, and what comes back of it.

Its fields have one short name, ``n``, and come back in their order; beside them comes what each of them showed. So
only what somebody changed counts, however else the cards were chosen meanwhile, and the address stays short.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.http import QueryDict

from cardsdb.games.kit.model.text import fold, whole_number
from printing.options.copies import MAX_COPIES_OF_CARD, CardCount, Cards, NotCounted, copies_in, read_counts, written
from printing.options.table import Choice
from printing.request.selection import ALL, PrintList, Selection, section_called, sections_and_rest

NUMBER, SHOWN = "n", "counts_shown"
# Of longer lists the address would not hold the fields.
MAX_ROWS = 150


class CopyRow(NamedTuple):
    """A card of the print. ``said`` stands in its field, ``shown`` stood there before anybody changed it."""

    card: str
    name: str
    section: str
    in_lists: int
    said: str
    shown: int


class SentRow(NamedTuple):
    """What came back of one row."""

    shown: int
    said: str

    @property
    def changed(self) -> bool:
        return self.said != str(self.shown)


def rows_sent(given: QueryDict) -> dict[str, SentRow]:
    """What came back, by card; nothing where it does not fit together."""
    rows, numbers = given.get(SHOWN, "").split(","), given.getlist(NUMBER)
    if not given.get(SHOWN) or len(rows) != len(numbers) or len(rows) > MAX_ROWS:
        return {}
    found = {}
    for row, number in zip(rows, numbers, strict=True):
        card, _, shown = row.rpartition(":")
        printed = whole_number(shown)
        if printed is None:
            return {}
        found[card] = SentRow(printed, number.strip()[:10])
    return found


def counts_option(counts: str, rows: Mapping[str, SentRow], lists: Iterable[PrintList], otherwise: Mapping[str, int]) -> str:
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
        count = whole_number(number, MAX_COPIES_OF_CARD)
        if count is not None:
            more += [] if otherwise.get(key) == count else [written([CardCount(card, count)])]
        elif number:
            more.append(f"{card}={number}")
    return ",".join(filter(None, (said, *more)))


def counts_of_cards_there(counts: str, lists: Iterable[PrintList]) -> str:
    """The option ``counts`` without the cards that the lists no longer have, where it can be read at all."""
    cards = Cards(one.deck.entries for one in lists)
    try:
        return written(one for one in read_counts(counts) if cards.called(one.card))
    except NotCounted:
        return counts


def copy_rows(lists: Sequence[PrintList], chosen: Sequence[Selection] | None, back: Mapping[str, SentRow]) -> tuple[CopyRow, ...]:
    """The table, empty for lists that are too long. Without ``chosen``, which cannot be told, it stays as it came back."""
    entries = [entry for one in lists for entry in one.in_order]
    cards, there = Cards([entries]), copies_in([entries])
    if len(there) > MAX_ROWS:
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
        found.append(CopyRow(card, cards.by_key[key].name, sections[key], count, said, shown))
    return tuple(found)


def out_of_date(rows: Iterable[CopyRow], back: Mapping[str, SentRow]) -> bool:
    """Whether the table that came back shows other cards or numbers than there are now, apart from what was changed in it."""
    rows = tuple(rows)
    seen = {row.card: back.get(row.card) for row in rows}
    return seen.keys() != back.keys() or any(not one.changed and one.shown != row.shown for row in rows if (one := seen[row.card]))


@dataclass(frozen=True, slots=True)
class Sections:
    """``boxes``: the sections that hold cards, with how many. ``ticked``: slugs of those that are wanted. ``typed``: a query, or a word."""

    boxes: tuple[Choice, ...] = ()
    ticked: tuple[str, ...] = ()
    typed: str = ""


def sections_of(only: str, lists: Sequence[PrintList]) -> Sections:
    """What the option ``only`` says of these lists. A single section is no choice, so there are no boxes then."""
    named, rest = sections_and_rest(only, [one.game for one in lists])
    boxes = _boxes(lists)
    slugs = {section_called(one.game, words) for one in lists for words in named} - {""}
    # Also a section without cards, which is wanted though there is nothing in it.
    order = dict.fromkeys((*(box.value for box in boxes), *(section.slug for one in lists for section in one.game.sections)))
    return Sections(boxes, tuple(slug for slug in order if slug in slugs), "" if fold(rest) == ALL else rest)


def only_option(ticked: Iterable[str], typed: str, lists: Sequence[PrintList]) -> str:
    """The option ``only`` in the one way there is to write it, from boxes and field."""
    also = sections_of(typed, lists)
    both = sections_of(",".join(filter(None, (*ticked, *also.ticked))), lists)
    every = both.boxes and {box.value for box in both.boxes} <= set(both.ticked)
    return "; ".join(filter(None, ("" if every else ",".join(both.ticked), also.typed)))


def _boxes(lists: Iterable[PrintList]) -> tuple[Choice, ...]:
    counts: Counter[str] = Counter()
    names: dict[str, dict[str, None]] = {}
    for one in lists:
        for entry in one.in_order:
            section = one.game.sections_by_slug.get(entry.section)
            if section is not None:
                counts[section.slug] += entry.count
                names.setdefault(section.slug, {})[section.name] = None
    boxes = tuple(Choice(slug, f"{' / '.join(found)} ({counts[slug]})") for slug, found in names.items())
    return boxes if len(boxes) > 1 else ()
