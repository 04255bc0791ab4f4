"""The edits of a deck, each as a function from one content to the next. Pure: nothing here knows the visitor
or the database.
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

MAX_DETAIL = 80

Edit = Callable[[DeckContent], DeckContent]


class EditRefused(Refused):
    """An edit that the deck does not allow: a code, a sentence that says what to do instead, and the field it
    is about.
    """

    def __init__(self, code: str, message: str, where: str = "") -> None:
        super().__init__(Fault(code, message, where))
        self.code, self.message, self.where = code, message, where


# -- cards ----------------------------------------------------------------------


def entry_of(content: DeckContent, section: str, code: str) -> Entry | None:
    """The line with this card in this section."""
    return next((one for one in content.deck if (one.section, one.card.code) == (section, code)), None)


def copies_of(content: DeckContent, code: str) -> int:
    """Copies of a card in all sections."""
    return sum(entry.count for entry in content.deck if entry.card.code == code)


def with_count(content: DeckContent, card: Card, section: str, count: int) -> DeckContent:
    """Exactly so many copies of the card in the section; none takes its line out. A new card comes last in
    the deck.
    """
    if not 0 <= count <= MAX_COUNT:
        raise EditRefused("bad_count", f"{card.name}: a count is 0 to {MAX_COUNT}.", "count")
    before = entry_of(content, section, card.code)
    if before:
        return content if count == before.count else _with(content, before, resized(before, count))
    if not count:
        return content
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
    """So many copies more, or fewer if ``by`` is below 0; never fewer than none. More than a line holds is
    refused.

    ``prints``: those of the copies that come or go; without them copies that come are as all others are.
    """
    before = entry_of(content, section, card.code)
    now = before.count if before else 0
    if now + by > MAX_COUNT:
        raise EditRefused(
            "bad_count",
            f"That makes {now + by} copies of {card.name}; a line holds at most {MAX_COUNT}.",
            "count",
        )
    content = with_count(content, card, section, max(now + by, 0))
    line = entry_of(content, section, card.code)
    if line is None:
        return content
    had = before.marks.prints if before else ANY_PRINT
    if by < 0:
        now_meant, _ = had.parted(now, -by, prints)
    else:
        now_meant = had.joined(now, prints, by) if prints else line.marks.prints
    return with_prints(content, line, now_meant)


def with_prints(content: DeckContent, line: Entry, prints: Prints) -> DeckContent:
    """The line with these prints of its card. Raises EditRefused where it has no room for so many."""
    if prints == line.marks.prints:
        return content
    marks = replace(line.marks, prints=prints)
    if sentence := wrong_with(marks):
        raise EditRefused("bad_marks", sentence, "print")
    return _with(content, line, replace(line, marks=marks))


def with_written(
    content: DeckContent, card: Card, section: str, count: int, prints: Prints = ANY_PRINT
) -> DeckContent:
    """More copies of a written-in card; if the deck has one of its name already, that one must have the same
    facts.

    A card that its owner has changed meanwhile is as it is now, in every line.
    """
    if card.own:
        return with_more(renewed(content, card), card, section, count, prints)
    for entry in content.deck:
        same = entry.card
        if same.code == card.code and (dict(same.facts), same.type) != (dict(card.facts), card.type):
            sentence = f"“{card.name}” is in the deck with other facts; give this one another name."
            raise EditRefused("written_twice", sentence, "line")
    return with_more(content, card, section, count, prints)


def renewed(content: DeckContent, card: Card) -> DeckContent:
    """The deck with an own card as it is now wherever it stands."""
    entries = (replace(one, card=card) if one.card.code == card.code else one for one in content.deck)
    return _with_entries(content, entries)


def moved(content: DeckContent, section: str, code: str, to: str, copies: int | None = None) -> DeckContent:
    """The line moved to another section, or so many copies of it. Where the card stands there already, that
    line keeps its own marks.
    """
    line = _line_of(content, section, code)
    if to == section:
        return content
    if copies is not None and copies < line.count:
        _, gone = line.marks.prints.parted(line.count, copies, ANY_PRINT)
        left = with_more(content, line.card, section, -copies)
        return _with_copies_of(left, to, replace(line, count=copies, marks=Marks(prints=gone)))
    if entry_of(content, to, code) is None:
        return _with(content, line, replace(line, section=to))
    return _with(_with_copies_of(content, to, line), line)


def marked(content: DeckContent, section: str, code: str, marks: Marks) -> DeckContent:
    """The line with this note, these tags, and whether repairs must leave it alone."""
    line = _line_of(content, section, code)
    return _with(content, line, replace(line, marks=marks))


def _with_copies_of(content: DeckContent, section: str, line: Entry) -> DeckContent:
    """The copies of a line added to a section, each with its print."""
    there = entry_of(content, section, line.card.code)
    had = (
        there.marks.prints.joined(there.count, line.marks.prints, line.count) if there else line.marks.prints
    )
    content = with_more(content, line.card, section, line.count)
    now = entry_of(content, section, line.card.code)
    return with_prints(content, now, had) if now else content


def marked_by_line(content: DeckContent, section: str, code: str, marks: Marks) -> DeckContent:
    """The line with the note, tags and keep of a typed line, if that has any. Its prints are those of copies
    (``with_more``).
    """
    line = entry_of(content, section, code)
    if line is None or marks.only_prints:
        return content
    return _with(content, line, replace(line, marks=replace(marks, prints=line.marks.prints)))


def prints_or_refuse(line: Entry, count: int, copies: Mapping[str, int]) -> Prints:
    """The prints of a line that has ``count`` copies now and was given so many of each. Raises EditRefused
    for what cannot be.

    Numbers that were not changed say nothing: a line of one print is of that one, however many its copies are
    now.
    """
    had = line.marks.prints
    for label in copies:
        if label not in had.labels and line.card.print_called(label) is None:
            known = ", ".join(line.card.print_labels) or "only one is known"
            sentence = f"{line.card.name} has no print “{label[:40]}”: {known}."
            raise EditRefused("unknown_print", sentence, "print")
    named = [(label, number) for label, number in copies.items() if number]
    if dict(named) == {label: number for label, number in had.groups(line.count) if label}:
        return had.resized(count)
    if (total := sum(number for _, number in named)) > count:
        sentence = f"{line.card.name}: {total} copies have a print, and the line has {count}."
        raise EditRefused("bad_count", sentence, "print")
    return Prints.split((*named, ("", count - total)))


def marks_of(note: str, tags: str, keep: bool, prints: Prints = ANY_PRINT) -> Marks:
    """Marks as they are typed: a note of one line, tags between commas."""
    marks = Marks(" ".join(note.split()), tags_of(tags), keep, prints)
    if sentence := wrong_with(marks):
        raise EditRefused("bad_marks", sentence, "note")
    return marks


def tags_of(text: str) -> tuple[str, ...]:
    """Tags between commas, each once, in the order typed."""
    tags = tuple(dict.fromkeys(filter(None, (" ".join(part.split()) for part in text.split(",")))))
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


# -- the deck about them ----------------------------------------------------------


def described(content: DeckContent, name: str, notes: str, tags: tuple[str, ...]) -> DeckContent:
    """The deck under this name, with these notes and tags. The name has been cleaned."""
    return replace(content, deck=replace(content.deck, name=name), notes=notes, tags=tags)


def in_format(content: DeckContent, format: Format) -> DeckContent:
    """The same cards in another format, with the house rules whose numbers that format has too; a league's
    builds on another.
    """
    if content.format == format.slug:
        return content
    return replace(content, format=format.slug, house=still_known(format, without_league(content.house)))


def with_details(content: DeckContent, details: Iterable[Detail], typed: Mapping[str, str]) -> DeckContent:
    """The details of the format as typed; an empty one is removed. Details of other formats stay."""
    stated: dict[str, int | str] = dict(content.deck.details)
    for detail in details:
        if detail.key in typed:
            value = _detail(detail, " ".join(typed[detail.key].split()))
            stated.pop(detail.key, None)
            stated |= {detail.key: value} if value != "" else {}
    is_same = stated == content.deck.details
    return content if is_same else replace(content, deck=replace(content.deck, details=stated))


def _detail(detail: Detail, text: str) -> int | str:
    if text and detail.kind == "number":
        if not re.fullmatch(r"[0-9]{1,6}", text):
            raise EditRefused(
                "bad_detail", f"{detail.label} must be a whole number, not “{text[:40]}”.", detail.key
            )
        return int(text)
    if len(text) > MAX_DETAIL:
        raise EditRefused("bad_detail", f"{detail.label} has at most {MAX_DETAIL} characters.", detail.key)
    return text


def home_of(game: Game, card_type: str, format: Format, wanted: str = "") -> str:
    """The section that a card of this type goes to: the one wanted if it takes the type, else the format's
    first that does.
    """
    section = game.sections_by_slug.get(wanted)
    if section and section.slug in format.sections and card_type in section.types:
        return section.slug
    return game.section_for(card_type, format)


def _with_entries(content: DeckContent, entries: Iterable[Entry]) -> DeckContent:
    deck: Decklist = replace(content.deck, entries=tuple(entry for entry in entries if entry.count))
    return replace(content, deck=deck)


def _with(content: DeckContent, line: Entry, *instead: Entry) -> DeckContent:
    """The deck with another line in the place of this one, or without it."""
    parts = (instead if entry is line else (entry,) for entry in content.deck)
    return _with_entries(content, (entry for part in parts for entry in part))


def _line_of(content: DeckContent, section: str, code: str) -> Entry:
    """The line with this card in this section. Raises EditRefused where there is none any more."""
    if line := entry_of(content, section, code):
        return line
    raise EditRefused(
        "not_in_the_deck",
        f"The deck has no such line any more ({code[:60]}). It was taken out meanwhile.",
        "line",
    )
