"""The print page's fields for the choice of cards: check boxes for sections, and a table with the number of
copies of each card.

``print_request`` reads them from a request into the options ``only`` and ``counts``; ``printing.web`` shows
them, filled from these options. ``selection`` applies the options. A table of two rows, in which the visitor
changed the number of Kai from 5 to 3, comes as

    counts_shown=kai:5,termite:4&n=3&n=4   ->  counts=kai=3

Tests: ``tests/printing/request/test_choice_fields.py``.
"""

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from django.utils.datastructures import MultiValueDict

from cardsdb.games.kit import fold, whole_number
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

# The name of all number fields in the table of single cards, short so that the address stays short. They are
# in the order of the rows.
NUMBER = "n"
# The field that tells which cards the rows are and what each number was before, ``kai:5,termite:4``. Only
# numbers that differ from it count, so other choices can change meanwhile.
SHOWN = "counts_shown"
# The field of a button that sets the copies of a card: ``kai:3``. ``kai:`` takes its number out again.
COPIES_OF = "copies_of"
# ``SentRow.shown`` of a pressed button: no number that can be typed, so the row always counts as changed.
NEVER_SHOWN = -1
# Characters of a number that are read; more than any number has.
MAX_DIGITS = 10
# Rows of the table. With more of them the address would become too long, so a longer list has no table.
MAX_ROWS = 150


class CopyRow(NamedTuple):
    """A row of the table to show.

    - card: the card's code, or its key if the code is ambiguous;
    - section: the name of the first section that has it;
    - in_lists: its copies in the lists;
    - shown: its printed copies, for the field SHOWN;
    - typed: what the number field holds, usually the same.
    """

    card: str
    name: str
    section: str
    in_lists: int
    typed: str
    shown: int


class SentRow(NamedTuple):
    """A row of the table as a request sends it back: what its field showed, and what it holds now."""

    shown: int
    typed: str

    @property
    def changed(self) -> bool:
        """True if the visitor changed the number, or emptied the field."""
        return self.typed != str(self.shown)


def rows_sent(data: MultiValueDict[str, str]) -> dict[str, SentRow]:
    """The rows of the table in a request, by card; empty if SHOWN and the NUMBER fields do not match."""
    rows, numbers = data.get(SHOWN, "").split(","), data.getlist(NUMBER)
    if len(rows) != len(numbers) or len(rows) > MAX_ROWS:
        return {}
    sent = {}
    for row, number in zip(rows, numbers, strict=True):
        card, _, shown = row.rpartition(":")
        printed = whole_number(shown)
        if printed is None:
            return {}
        sent[card] = SentRow(printed, number.strip()[:MAX_DIGITS])
    return sent


def rows_pressed(data: MultiValueDict[str, str]) -> dict[str, SentRow]:
    """The card whose button COPIES_OF was pressed, as a changed row; empty if none was."""
    card, _, number = data.get(COPIES_OF, "").rpartition(":")
    return {card: SentRow(NEVER_SHOWN, number.strip()[:MAX_DIGITS])} if card else {}


def counts_option(
    counts: str,
    rows: Mapping[str, SentRow],
    lists: Iterable[PrintList],
    otherwise: Mapping[str, int],
    *,
    only_there: bool = False,
) -> str:
    """Merge the changed rows of the table into the option ``counts``, and return its new text.

    - A changed row replaces the count of its card: ``kai=2,shade=+1`` and Kai 3 -> ``shade=+1,kai=3``. A row
      whose name means no card of the lists, or several, changes nothing.
    - If its field was emptied, or its number is printed anyway, the card has no count any more. ``otherwise``
      has the copies of each card that are printed without the option.
    - Text that is no number is kept, so that reading the option raises an error.

    ``only_there``: drop cards that the lists no longer have.
    """
    cards = Cards(listed.deck.entries for listed in lists)
    # Key of a card -> (card, typed number) of its changed row.
    changed: dict[str, tuple[str, str]] = {}
    for card, row in rows.items():
        if row.changed and len(keys := cards.called(card)) == 1:
            changed[keys[0]] = card, row.typed
    parts = [_counts_of_others(counts, cards, changed, only_there) if changed or only_there else counts]
    for key, (card, typed) in changed.items():
        number = whole_number(typed, MAX_COPIES_OF_CARD)
        if number is None:
            parts.append(f"{card}={typed}" if typed else "")
        elif number != otherwise.get(key):
            parts.append(written([CardCount(card, number)]))
    return ",".join(filter(None, parts))


def _counts_of_others(counts: str, cards: Cards, changed: Container[str], only_there: bool) -> str:
    """Return the option ``counts`` without the counts of these cards (keys), and with ``only_there`` without
    those of cards that the lists no longer have. Text that cannot be read is returned unchanged.
    """
    try:
        read = read_counts(counts)
    except NotCounted:
        return counts
    kept = []
    for count in read:
        keys = cards.called(count.card)
        if not any(key in changed for key in keys) and (keys or not only_there):
            kept.append(count)
    return written(kept)


def copy_rows(
    lists: Sequence[PrintList], chosen: Sequence[Selection] | None, sent: Mapping[str, SentRow]
) -> tuple[CopyRow, ...]:
    """The rows of the table to show; none if there are more than MAX_ROWS cards. ``chosen`` is None if the
    request could not be read; then rows show again what was ``sent``.
    """
    entries = [entry for listed in lists for entry in listed.in_order]
    cards, in_lists = Cards([entries]), copies_in([entries])
    if len(in_lists) > MAX_ROWS:
        return ()
    printed = in_lists if chosen is None else copies_in(selection.entries for selection in chosen)
    # Key of a card -> name of its section.
    sections: dict[str, str] = {}
    for listed in lists:
        for entry in listed.deck.entries:
            section = listed.game.sections_by_slug.get(entry.section)
            sections.setdefault(entry.card.key, section.name if section else entry.section)
    rows = []
    for key, count in in_lists.items():
        card, usual = cards.shortest(key), SentRow(printed[key], str(printed[key]))
        shown, typed = sent.get(card, usual) if chosen is None else usual
        rows.append(CopyRow(card, cards.by_key[key].name, sections[key], count, typed, shown))
    return tuple(rows)


def out_of_date(rows: Sequence[CopyRow], sent: Mapping[str, SentRow]) -> bool:
    """True if the table that was sent showed other cards or numbers than ``rows`` show now. Rows that the
    visitor changed may differ.
    """
    if {row.card for row in rows} != sent.keys():
        return True
    return any(not sent[row.card].changed and sent[row.card].shown != row.shown for row in rows)


class Sections(NamedTuple):
    """The fields for the option ``only``.

    - boxes: slug -> label of each section that has cards: ``{"leaders": "Leaders (4)"}``;
    - ticked: slugs of the chosen sections;
    - typed: the text beside the boxes, a query or a word such as ``changed``.
    """

    boxes: Mapping[str, str] = MappingProxyType({})
    ticked: tuple[str, ...] = ()
    typed: str = ""


def sections_of(only: str, lists: Sequence[PrintList]) -> Sections:
    """The fields that show the option ``only``. There are no boxes if the lists have a single section."""
    named, rest = sections_and_rest(only, [listed.game for listed in lists])
    # Sections of two games may share a slug but not a name: the label then has both, ``Deck / Bureau (9)``.
    counts, names = Counter[str](), dict[str, dict[str, None]]()
    for listed in lists:
        for entry in listed.in_order:
            if section := listed.game.sections_by_slug.get(entry.section):
                counts[section.slug] += entry.count
                names.setdefault(section.slug, {})[section.name] = None
    boxes = {slug: f"{' / '.join(spellings)} ({counts[slug]})" for slug, spellings in names.items()}
    if len(boxes) == 1:
        boxes = {}
    chosen = {section_called(listed.game, words) for listed in lists for words in named}
    # The option may also name a section without cards, which has no box.
    all_slugs = (*boxes, *(section.slug for listed in lists for section in listed.game.sections))
    ticked = tuple(slug for slug in dict.fromkeys(all_slugs) if slug in chosen)
    return Sections(boxes, ticked, typed="" if fold(rest) == ALL else rest)


def only_option(ticked: Iterable[str], typed: str, lists: Sequence[PrintList]) -> str:
    """The text of the option ``only`` for ticked boxes and a typed text, always written the same way: the
    box "leaders" and ``Deck; t:agent`` -> ``leaders,deck; t:agent``. If all boxes are ticked, no section is
    named.
    """
    # Sections may be typed instead of ticked.
    of_text = sections_of(typed, lists)
    both = sections_of(",".join(filter(None, (*ticked, *of_text.ticked))), lists)
    all_ticked = both.boxes and both.boxes.keys() <= set(both.ticked)
    named = "" if all_ticked else ",".join(both.ticked)
    return "; ".join(filter(None, (named, of_text.typed)))
