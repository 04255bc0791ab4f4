"""The fields of the print page that choose cards: the table with a number for each card, and the boxes for
sections.

The fields of the table share one short name, ``n``, and a request has them in their order; beside them it has
what each of them showed. So only numbers that were changed count, however else the cards were chosen
meanwhile, and the address stays short.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import NamedTuple

from django.utils.datastructures import MultiValueDict

from cardsdb.games.kit.model.text import fold, whole_number
from printing.options.copies import (
    MAX_COPIES_OF_CARD,
    CardCount,
    Cards,
    NotCounted,
    copies_in,
    read_counts,
    written,
)
from printing.request.lists import PrintList
from printing.request.selection import ALL, Selection, section_called, sections_and_rest

NUMBER, SHOWN = "n", "counts_shown"
# The field of a button that prints a card so many times: ``kai:3``; without a number it goes by the other
# choices again.
COPIES_OF = "copies_of"
# The address would not hold the fields of a longer list.
MAX_ROWS = 150


class CopyRow(NamedTuple):
    """A card of the print. ``typed`` stands in its field, ``shown`` stood there before it was changed."""

    card: str
    name: str
    section: str
    in_lists: int
    typed: str
    shown: int


class SentRow(NamedTuple):
    """A row as a request has it."""

    shown: int
    typed: str

    @property
    def changed(self) -> bool:
        return self.typed != str(self.shown)


def rows_sent(data: MultiValueDict[str, str]) -> dict[str, SentRow]:
    """The rows of a request by card; none where its fields do not fit together."""
    rows, numbers = data.get(SHOWN, "").split(","), data.getlist(NUMBER)
    if len(rows) != len(numbers) or len(rows) > MAX_ROWS:
        return {}
    sent = {}
    for row, number in zip(rows, numbers, strict=True):
        card, _, shown = row.rpartition(":")
        printed = whole_number(shown)
        if printed is None:
            return {}
        sent[card] = SentRow(printed, number.strip()[:10])
    return sent


def rows_pressed(data: MultiValueDict[str, str]) -> dict[str, SentRow]:
    """The card whose button was pressed, as a row that was changed."""
    card, _, number = data.get(COPIES_OF, "").rpartition(":")
    return {card: SentRow(-1, number.strip()[:10])} if card else {}


def counts_option(
    counts: str,
    rows: Mapping[str, SentRow],
    lists: Iterable[PrintList],
    otherwise: Mapping[str, int],
    *,
    only_there: bool = False,
) -> str:
    """The option ``counts`` with the changes of the table. ``otherwise``: how often cards are printed that it
    does not name. ``only_there``: cards that the lists no longer have are taken out of it.

    The option does not name a card whose field was emptied, or has the number that is printed anyway. Words
    that are no number stay in it, so that the option is refused when it is read.
    """
    cards = Cards(one.deck.entries for one in lists)
    changed = {
        keys[0]: (card, row.typed)
        for card, row in rows.items()
        if row.changed and len(keys := cards.called(card)) == 1
    }
    if changed or only_there:
        with suppress(NotCounted):
            named = ((one, cards.called(one.card)) for one in read_counts(counts))
            counts = written(
                one for one, keys in named if changed.keys().isdisjoint(keys) and (keys or not only_there)
            )
    more = []
    for key, (card, number) in changed.items():
        count = whole_number(number, MAX_COPIES_OF_CARD)
        if count is not None:
            more += [] if otherwise.get(key) == count else [written([CardCount(card, count)])]
        elif number:
            more.append(f"{card}={number}")
    return ",".join(filter(None, (counts, *more)))


def copy_rows(
    lists: Sequence[PrintList], chosen: Sequence[Selection] | None, back: Mapping[str, SentRow]
) -> tuple[CopyRow, ...]:
    """The rows of the table, none for lists that are too long. Without ``chosen``, while it is not known,
    rows stay as they were sent.
    """
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
    rows = []
    for key, count in there.items():
        card, usual = cards.shortest(key), SentRow(numbers[key], str(numbers[key]))
        shown, typed = back.get(card, usual) if chosen is None else usual
        rows.append(CopyRow(card, cards.by_key[key].name, sections[key], count, typed, shown))
    return tuple(rows)


def out_of_date(rows: Sequence[CopyRow], back: Mapping[str, SentRow]) -> bool:
    """True if the table of the request shows other cards or numbers than there are now, apart from what was
    changed in it.
    """
    return {row.card for row in rows} != back.keys() or any(
        not back[row.card].changed and back[row.card].shown != row.shown for row in rows
    )


class Sections(NamedTuple):
    """``boxes``: the sections that hold cards, by slug, with how many. ``ticked``: slugs of those that are wanted.
    ``typed``: a query, or a word.
    """

    boxes: Mapping[str, str] = MappingProxyType({})
    ticked: tuple[str, ...] = ()
    typed: str = ""


def sections_of(only: str, lists: Sequence[PrintList]) -> Sections:
    """The sections and the query of the option ``only``. Lists with a single section have no boxes, for there
    is nothing to choose.
    """
    named, rest = sections_and_rest(only, [one.game for one in lists])
    counts, names = Counter[str](), dict[str, dict[str, None]]()
    for one in lists:
        for entry in one.in_order:
            if section := one.game.sections_by_slug.get(entry.section):
                counts[section.slug] += entry.count
                names.setdefault(section.slug, {})[section.name] = None
    boxes = {slug: f"{' / '.join(spellings)} ({counts[slug]})" for slug, spellings in names.items()}
    boxes = boxes if len(boxes) > 1 else {}
    slugs = {section_called(one.game, words) for one in lists for words in named} - {""}
    # A section without cards may be wanted too.
    order = dict.fromkeys((*boxes, *(section.slug for one in lists for section in one.game.sections)))
    return Sections(boxes, tuple(slug for slug in order if slug in slugs), "" if fold(rest) == ALL else rest)


def only_option(ticked: Iterable[str], typed: str, lists: Sequence[PrintList]) -> str:
    """The option ``only`` in the one way there is to write it, from boxes and field."""
    also = sections_of(typed, lists)
    both = sections_of(",".join(filter(None, (*ticked, *also.ticked))), lists)
    every = both.boxes and both.boxes.keys() <= set(both.ticked)
    return "; ".join(filter(None, ("" if every else ",".join(both.ticked), also.typed)))
