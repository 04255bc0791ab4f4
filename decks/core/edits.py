"""The edits of a deck: functions from one ``DeckContent`` to the next, such as "two more copies" or "move
this line".

The editor and the API pass them to ``save_edit`` (``decks/saving/save.py``), which applies them to the deck
as it is at that moment, not as the visitor saw it. They are pure: an edit knows neither the visitor nor the
database, and raises EditRefused if the deck does not allow it. A deck has at most one line for a card in a
section; a line without copies is removed.
Tests: ``tests/decks/core/test_edits.py``, through the editor ``tests/decks/editor/test_changes.py``.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Card, Decklist, Detail, Entry, Format, Game, Marks, Prints
from cardsdb.games.kit.listtext.deck import MAX_ENTRIES
from cardsdb.games.kit.listtext.line import MAX_COUNT
from cardsdb.games.kit.model.decklist import ANY_PRINT, resized
from cardsdb.games.kit.model.marks import CONTROL, MAX_TAG, MAX_TAGS, has_control, wrong_with
from cardsdb.games.kit.rules.house_rules import still_known, without_league
from decks.core.content import DeckContent

# Characters of one detail, such as an agency's name.
MAX_DETAIL = 80

Edit = Callable[[DeckContent], DeckContent]


class EditRefused(Refused):
    """Raised if the deck does not allow the edit. ``code`` is for programs, ``message`` says what to do
    instead, ``where`` names the form field that the message belongs to.
    """

    def __init__(self, code: str, message: str, where: str = "") -> None:
        super().__init__(Fault(code, message, where))
        self.code, self.message, self.where = code, message, where


# -- cards ----------------------------------------------------------------------


def entry_of(content: DeckContent, section: str, code: str) -> Entry | None:
    """Return the line with this card in this section, or None."""
    return next((line for line in content.deck if (line.section, line.card.code) == (section, code)), None)


def copies_of(content: DeckContent, code: str) -> int:
    """Return the number of copies of a card in all sections together."""
    return sum(entry.count for entry in content.deck if entry.card.code == code)


def with_count(content: DeckContent, card: Card, section: str, count: int) -> DeckContent:
    """Set the number of copies of the card in the section to ``count``; 0 removes its line. A new card is
    added at the end of the deck.
    """
    if not 0 <= count <= MAX_COUNT:
        raise EditRefused("bad_count", f"{card.name}: a count is 0 to {MAX_COUNT}.", "count")
    before = entry_of(content, section, card.code)
    if count == (before.count if before else 0):
        return content
    if before:
        return _replaced(content, before, resized(before, count))
    if len(content.deck.entries) >= MAX_ENTRIES:
        raise EditRefused(
            "too_many_cards",
            f"A deck has at most {MAX_ENTRIES:,} different cards; {card.name} was left out.",
            "line",
        )
    return _with_entries(content, (*content.deck, Entry(card, count, section)))


def with_more(
    content: DeckContent, card: Card, section: str, by: int, prints: Prints = ANY_PRINT
) -> DeckContent:
    """Add ``by`` copies, or take out copies if ``by`` is negative, down to none. Raise EditRefused if the
    line would hold more than ``MAX_COUNT``.

    ``prints`` names the prints of the copies that come or go. Without it, new copies get the print that all
    copies of the line have, if there is one; of those that go, copies of any print go first. For example::

        3 First Aid (TRU 2 ×1)    by 2, PRE 2    5 (TRU 2 ×1, PRE 2 ×2)
        3 First Aid (TRU 2 ×1)    by 1           4 (TRU 2 ×1)
        3 First Aid (TRU 2)       by 1           4 (TRU 2)
        3 First Aid (TRU 2 ×1)    by -1          2 (TRU 2 ×1)
        3 First Aid (TRU 2 ×1)    by -1, TRU 2   2 of any print
    """
    before = entry_of(content, section, card.code)
    old_count = before.count if before else 0
    if old_count + by > MAX_COUNT:
        raise EditRefused(
            "bad_count",
            f"That makes {old_count + by} copies of {card.name}; a line holds at most {MAX_COUNT}.",
            "count",
        )
    # This fits the prints to the new number of copies, as far as that needs no ``prints``.
    counted = with_count(content, card, section, max(old_count + by, 0))
    line = entry_of(counted, section, card.code)
    if line is None or (by >= 0 and not prints):
        return counted
    old_prints = before.marks.prints if before else ANY_PRINT
    if by < 0:
        new_prints, _ = old_prints.parted(old_count, -by, prints)
    else:
        new_prints = old_prints.joined(old_count, prints, by)
    return with_prints(counted, line, new_prints)


def with_prints(content: DeckContent, line: Entry, prints: Prints) -> DeckContent:
    """Give the line these prints of its card. Raise EditRefused if that is too long to be stored."""
    if prints == line.marks.prints:
        return content
    marks = replace(line.marks, prints=prints)
    if sentence := wrong_with(marks):
        raise EditRefused("bad_marks", sentence, "print")
    return _replaced(content, line, replace(line, marks=marks))


def with_written(
    content: DeckContent, card: Card, section: str, count: int, prints: Prints = ANY_PRINT
) -> DeckContent:
    """Add copies of a card that was written in or is from an own set.

    Raise EditRefused if the deck has a written-in card of the same name with other facts. An own card may
    have been changed by its owner since; then every line of it in the deck is renewed.
    """
    if card.own:
        return with_more(renewed(content, card), card, section, count, prints)
    for entry in content.deck:
        other = entry.card
        if other.code == card.code and (dict(other.facts), other.type) != (dict(card.facts), card.type):
            sentence = f"“{card.name}” is in the deck with other facts; give this one another name."
            raise EditRefused("written_twice", sentence, "line")
    return with_more(content, card, section, count, prints)


def renewed(content: DeckContent, card: Card) -> DeckContent:
    """Replace an own card by its present state in every line."""
    entries = (replace(line, card=card) if line.card.code == card.code else line for line in content.deck)
    return _with_entries(content, entries)


def moved(content: DeckContent, section: str, code: str, to: str, copies: int | None = None) -> DeckContent:
    """Move a line, or ``copies`` of it, to the section ``to``. If the card is in that section already, the
    line there keeps its own note and tags. Of these lines (prints in brackets)::

        bureau: 3 First Aid (TRU 2 ×1), note "why"    sideboard: 1 First Aid (PRE 2)
        move 2      bureau: 1 (TRU 2), note "why"     sideboard: 3 (PRE 2 ×1)
        move all    bureau: none                      sideboard: 4 (PRE 2 ×1, TRU 2 ×1), no note
    """
    line = _line_of(content, section, code)
    if to == section:
        return content
    if copies is not None and copies < line.count:
        # The copies that go take their prints along; the note and the tags stay with the rest.
        _, prints_gone = line.marks.prints.parted(line.count, copies, ANY_PRINT)
        rest = with_more(content, line.card, section, -copies)
        return _with_copies_of(rest, to, replace(line, count=copies, marks=Marks(prints=prints_gone)))
    if entry_of(content, to, code) is None:
        return _replaced(content, line, replace(line, section=to))
    # The copies join the line that is there; this line has none left, so it is removed.
    joined = _with_copies_of(content, to, line)
    return _replaced(joined, line, replace(line, count=0))


def marked(content: DeckContent, section: str, code: str, marks: Marks) -> DeckContent:
    """Replace all marks of the line: note, tags, prints, and whether repairs must keep it."""
    line = _line_of(content, section, code)
    return _replaced(content, line, replace(line, marks=marks))


def _with_copies_of(content: DeckContent, section: str, line: Entry) -> DeckContent:
    """Add all copies of ``line``, with their prints, to ``section``."""
    there = entry_of(content, section, line.card.code)
    prints = line.marks.prints
    if there:
        prints = there.marks.prints.joined(there.count, prints, line.count)
    counted = with_more(content, line.card, section, line.count)
    joined = entry_of(counted, section, line.card.code)
    return with_prints(counted, joined, prints) if joined else counted


def marked_by_line(content: DeckContent, section: str, code: str, marks: Marks) -> DeckContent:
    """Give the deck's line of this card the note, tags and keep mark of a typed line, if that has any.

    The prints stay as they are: ``with_more`` has set them together with the copies.
    """
    line = entry_of(content, section, code)
    if line is None or marks.only_prints:
        return content
    return _replaced(content, line, replace(line, marks=replace(marks, prints=line.marks.prints)))


def prints_or_refuse(line: Entry, count: int, copies: Mapping[str, int]) -> Prints:
    """Return the prints of a line that now has ``count`` copies. ``copies``: print label -> number of copies,
    as the form sends them. The ``line`` still has its old number of copies.

    Raise EditRefused for an unknown label or if the numbers exceed ``count``. If the numbers are those that
    the line had, the author did not touch them, so the prints follow the new count. For example::

        2 copies (TRU 2)       {"TRU 2": 2}, count 3                3 copies (TRU 2)
        3 copies (TRU 2 ×1)    {"TRU 2": 1, "PRE 2": 2}, count 4    4 copies (TRU 2 ×1, PRE 2 ×2)
    """
    old = line.marks.prints
    for label in copies:
        if label not in old.labels and line.card.print_called(label) is None:
            known = ", ".join(line.card.print_labels) or "only one is known"
            sentence = f"{line.card.name} has no print “{label[:40]}”: {known}."
            raise EditRefused("unknown_print", sentence, "print")
    named = [(label, number) for label, number in copies.items() if number]
    # The groups of a line tell of all its copies; those without a print have an empty label.
    if dict(named) == {label: number for label, number in old.groups(line.count) if label}:
        return old.resized(count)
    total = sum(copies.values())
    if total > count:
        sentence = f"{line.card.name}: {total} copies have a print, and the line has {count}."
        raise EditRefused("bad_count", sentence, "print")
    return Prints.split((*named, ("", count - total)))


def marks_of(note: str, tags: str, keep: bool, prints: Prints = ANY_PRINT) -> Marks:
    """Return the marks typed into a form: a note, which becomes one line, and tags between commas. Raise
    EditRefused if they are too long.
    """
    marks = Marks(" ".join(note.split()), tags_of(tags), keep, prints)
    if sentence := wrong_with(marks):
        raise EditRefused("bad_marks", sentence, "note")
    return marks


def tags_of(text: str) -> tuple[str, ...]:
    """Return the tags of a comma-separated text, each once, in the order typed: ``"a, b,,a" -> ("a",
    "b")``. Raise EditRefused for a tag that cannot be stored, or for too many.
    """
    parts = (" ".join(part.split()) for part in text.split(","))
    tags = tuple(dict.fromkeys(filter(None, parts)))
    if long := next((tag for tag in tags if len(tag) > MAX_TAG), ""):
        raise EditRefused(
            "tag_too_long",
            f"A tag has at most {MAX_TAG} characters; “{long[:MAX_TAG]}…” has {len(long)}.",
            "tags",
        )
    if len(tags) > MAX_TAGS:
        raise EditRefused(
            "too_many_tags", f"There is room for {MAX_TAGS} tags; these are {len(tags)}.", "tags"
        )
    if any(map(has_control, tags)):
        raise EditRefused("bad_tags", CONTROL, "tags")
    return tags


# -- name, notes, format and details ------------------------------------------------


def described(content: DeckContent, name: str, notes: str, tags: tuple[str, ...]) -> DeckContent:
    """Set name, notes and tags. The caller has cleaned the name."""
    return replace(content, deck=replace(content.deck, name=name), notes=notes, tags=tags)


def in_format(content: DeckContent, format: Format) -> DeckContent:
    """Set the format. If it is another one, house rules whose numbers it lacks are dropped, and so is the
    league, since its format builds on the old one.
    """
    if content.format == format.slug:
        return content
    return replace(content, format=format.slug, house=still_known(format, without_league(content.house)))


def with_details(content: DeckContent, details: Iterable[Detail], typed: Mapping[str, str]) -> DeckContent:
    """Set ``details``, those of the format. ``typed``: key of a detail -> text; an empty text removes the
    detail. Details that are not typed, or belong to other formats, stay.
    """
    values: dict[str, int | str] = dict(content.deck.details)
    for detail in details:
        if detail.key not in typed:
            continue
        value = _detail(detail, " ".join(typed[detail.key].split()))
        values.pop(detail.key, None)
        if value != "":
            values[detail.key] = value
    if values == content.deck.details:
        return content
    return replace(content, deck=replace(content.deck, details=values))


def _detail(detail: Detail, text: str) -> int | str:
    """Return the typed text as a value of the detail's kind. Raise EditRefused if it is none."""
    if text and detail.kind == "number":
        # At most 999,999.
        if not re.fullmatch(r"[0-9]{1,6}", text):
            raise EditRefused(
                "bad_detail", f"{detail.label} must be a whole number, not “{text[:40]}”.", detail.key
            )
        return int(text)
    if len(text) > MAX_DETAIL:
        raise EditRefused("bad_detail", f"{detail.label} has at most {MAX_DETAIL} characters.", detail.key)
    return text


# -- sections and lines -------------------------------------------------------------


def home_of(game: Game, card_type: str, format: Format, wanted: str = "") -> str:
    """Return the slug of the section for a card of this type: ``wanted`` if the format has that section and
    it takes the type, else the first section of the format that does.
    """
    section = game.sections_by_slug.get(wanted)
    if section and section.slug in format.sections and card_type in section.types:
        return section.slug
    return game.section_for(card_type, format)


def _with_entries(content: DeckContent, entries: Iterable[Entry]) -> DeckContent:
    """Replace the lines of the deck; lines without copies are left out."""
    deck: Decklist = replace(content.deck, entries=tuple(entry for entry in entries if entry.count))
    return replace(content, deck=deck)


def _replaced(content: DeckContent, line: Entry, new: Entry) -> DeckContent:
    """Put ``new`` in the place of ``line``, which is one of the content's own lines."""
    return _with_entries(content, (new if entry is line else entry for entry in content.deck))


def _line_of(content: DeckContent, section: str, code: str) -> Entry:
    """Return the line with this card in this section. Raise EditRefused if it was taken out meanwhile."""
    if line := entry_of(content, section, code):
        return line
    raise EditRefused(
        "not_in_the_deck",
        f"The deck has no such line any more ({code[:60]}). It was taken out meanwhile.",
        "line",
    )
