"""The rows of a parsed file as a deck of a game: ``reader`` makes the ``read`` function of a format from its
parser.

``Parsed`` with its rows comes in, ``ReadFile`` goes out (``contract.py``); the modules of the formats
(``xml_decks.py``, ``tables.py``, ...) call ``reader``. Cards are found by id, by code or by name, never by a
guess. Where a file leaves the section of cards open, such as one zone for several sections,
``open_copies.py`` chooses it. No row may disappear: it is in the deck, unread, a comment or a loss, and every
assumption and choice is reported. Tests: ``test_placing.py``, ``test_prints.py`` for prints,
``test_writing.py`` for what all formats write and read again, and the tests of each format.
"""

import re
import uuid
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from cardsdb.games.kit import (
    NO_MARKS,
    Card,
    Decklist,
    Entry,
    Game,
    Prints,
    as_words,
    fold,
    plural,
    some,
)
from cardsdb.games.kit.listtext.deck import add_entry
from cardsdb.games.kit.listtext.line import (
    MAX_COUNT,
    MAX_LINE,
    UNKNOWN,
    LineRefused,
    covered_card,
    read_card_line,
)
from cardsdb.games.kit.listtext.reading import (
    Notice,
    Reading,
    Unread,
    beside_words,
    heading_of,
    main_section,
)
from cardsdb.games.kit.model.marks import tags_of
from cardsdb.games.kit.rules.house_rules import still_known, with_house_rules
from decks.formats.contract import (
    MAX_NAME,
    NO_COPIES,
    Games,
    Loss,
    Parsed,
    ReadFile,
    Row,
    Unreadable,
    copies_of,
    decided,
    game_of_names,
    sections_named,
    settings_of,
)
from decks.formats.files import LeftOut
from decks.formats.notes import DeckNotes
from decks.formats.open_copies import Key, Open, OpenCopies

# Rows of a file; more are refused.
MAX_ROWS = 5_000
# Characters of a set and a number together; longer ones are left out.
MAX_SET = 40
# Assumed counts that are reported one by one; the rest are counted.
MAX_ASSUMED = 20
# Control characters, marks that change the direction of text, lone surrogates, non-characters.
_UNFIT = re.compile("[\x00-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
# (game, name of a part of a file) -> slugs of the sections that the part may stand for.
SectionsOf: TypeAlias = Callable[[Game, str], tuple[str, ...]]


def written_in_card(game: Game, name: str, card_type: str, facts: Iterable[tuple[str, object]]) -> Card:
    """Return the card that a list writes in with this name, type and facts. Raise LineRefused if a list could
    not do so.

    ``facts``: (key or title of the fact, value). The card is read from a line of a list, so that files and
    lists have the same cards: "Made Up", "agent", ``{"craft": 3}`` -> ``1 Made Up | agent | Craft: 3``.
    """
    # A covered card, one that its owner does not show, has only a type and a fixed name.
    covered = covered_card(game, card_type) if card_type in game.types_by_slug else None
    if covered and fold(covered.name) == fold(name):
        return covered
    parts = [name.replace("|", "¦"), card_type]
    for key, value in facts:
        fact = game.facts_by_key.get(key) or game.fact_named(key)
        if fact is None:
            raise LineRefused("unknown_fact", f"{game.name} has no fact “{key[:40]}”.")
        if isinstance(value, list):
            # A list is separated by commas, or by semicolons if a word contains a comma.
            words = [str(word) for word in value]
            value = "; ".join(words) + ";" if any("," in word for word in words) else ", ".join(words)
        elif isinstance(value, bool | int | str):
            value = as_words(value).replace("|", "¦")
        else:
            raise LineRefused("bad_fact", "A fact is a number, a text, yes or no, or a list of words.")
        parts.append(f"{fact.title}: {value}")
    card = read_card_line(game, f"1 {' | '.join(' '.join(part.split()) for part in parts)}", ()).card
    if not card.written:
        raise LineRefused(
            "unknown_type", f"Cards of the type “{card_type[:40]}” cannot be written in for {game.name}."
        )
    return card


def reader(
    format: str, parse: Callable[[bytes], Parsed], sections_of: SectionsOf | None = None
) -> Callable[[Game | None, bytes, str, Games], ReadFile]:
    """Return the ``read`` function of a format (``FileFormat``) whose files ``parse`` parses.

    ``sections_of``: for formats whose parts are not sections of the game, such as Cockatrice's zones, the
    sections that a part may stand for. A card that fits none of them goes to the section for its type.
    """

    def read(game: Game | None, data: bytes, filename: str, among: Games) -> ReadFile:
        parsed = parse(data)
        if len(parsed.rows) > MAX_ROWS:
            raise Unreadable(
                "too_large", f"The file names {len(parsed.rows):,} cards; at most {MAX_ROWS:,} are read."
            )
        stated = among.get(parsed.game)
        chosen = game or stated or decided(game_of_names((row.name for row in parsed.rows), among), "file")
        losses = parsed.losses
        if stated and stated is not chosen:
            message = f"The file says that it is for {stated.name}; it was read as {chosen.name}."
            losses = (*losses, Loss("other_game", message))
        reading, aside = _Placing(format, chosen, parsed, sections_of).placed()
        return ReadFile(chosen, reading, (*losses, *aside), format, parsed.dialect)

    return read


class _Placing:
    """The deck while the rows of a file are put into it one by one, and what is to be reported about them.

    - format: the name of the file format, such as "cod";
    - stated: the deck's format as the file names it; used: that format, None if the game has no such one;
    - entries: the deck so far; opens: its copies whose section is open;
    - beside: rows that stand beside the deck, such as a maybeboard;
    - by_id: a card's id in the tool -> the card; sets: what the tool calls a set -> our code of it.

    Call ``placed`` once. It calls ``_place`` for each row, which finds the card with ``_card``.
    """

    def __init__(self, format: str, game: Game, parsed: Parsed, sections_of: SectionsOf | None) -> None:
        self.format, self.game, self.parsed, self.sections_of = format, game, parsed, sections_of
        self.entries: dict[Key, Entry] = {}
        self.notices: list[Notice] = []
        self.opens: list[Open] = []
        self.assumptions: list[Loss] = []
        self.beside: list[Row] = []
        self.left_out, self.notes = LeftOut(), DeckNotes(game, parsed.notes_field)
        self.unread = [*parsed.unread, *self.notes.unread]
        self.stated = parsed.format or self.notes.values.get("Format", "")
        self.used = game.formats_by_slug.get(self.stated)
        settings = settings_of(game, format)
        facts = ((card, card.fact(settings.get("id_fact", ""))) for card in game.cards)
        has_ids = any(row.id for row in parsed.rows)
        self.by_id = {plain_id(value): card for card, value in facts if value} if has_ids else {}
        self.sets = {fold(word): code for code, word in settings.get("sets", {}).items()}

    def placed(self) -> tuple[Reading, tuple[Loss, ...]]:
        """Put all rows into the deck. Return the reading, with every row that could not be read, and the
        losses.
        """
        parsed, notes = self.parsed, self.notes
        rows_of_part = Counter(row.part for row in parsed.rows)
        # Sections for which a part of the file stands alone.
        named: set[str] = set()
        for row in parsed.rows:
            sections = self._sections(row.part)
            if len(sections) == 1:
                named.update(sections)
            try:
                self._place(row, sections)
            except LineRefused as refused:
                where = row.count_at if refused.code == "bad_count" and row.count_at else row.where
                reason = refused.code, refused.message, refused.suggestions
                section = sections[0] if sections else ""
                self.unread.append(Unread(row.place.line, _fitting(row), *reason, section, where=where))
        # A line may be unread as a row and again in our lines of the notes, which have the line 0: report it
        # once.
        row_texts = {fold(unread.text) for unread in self.unread if unread.line}
        house = parsed.house or notes.values.get("House rules", "")
        entries, choices = self._settled(house, named)
        # What our own file states counts for more than what notes in another program's file say.
        name = parsed.name or notes.values.get("Name", "")
        beside = (f"{row.part}: {_fitting(row)}" for row in self.beside)
        reading = Reading(
            Decklist(entries, {**notes.details, **parsed.details}, name),
            tuple(line for line in self.unread if line.line or fold(line.text) not in row_texts),
            tuple(self.notices),
            self.stated,
            comments=(*parsed.comments, *notes.comments, *beside),
            notes="\n".join(filter(None, (parsed.notes, notes.notes))),
            tags=parsed.tags or tags_of(notes.values.get("Tags", "")),
            house=house,
        )
        losses = (
            *_first(self.assumptions),
            *choices,
            *self._losses_of_parts(rows_of_part),
            *self.left_out.losses,
        )
        return reading, losses

    def _settled(self, house: str, named: Collection[str]) -> tuple[tuple[Entry, ...], tuple[Loss, ...]]:
        """Return the entries, each in its section, and a loss for every choice. ``named``: as in
        ``OpenCopies.settled``.
        """
        entries = tuple(self.entries.values())
        if not self.opens:
            return entries, ()
        # The rules decide, so they must be those of the deck: its format with its house rules.
        used = self.used or self.game.likely_format(Decklist(entries))
        if house:
            used = with_house_rules(used, still_known(used, house))
        return OpenCopies(self.game, used, self.entries, self.opens, not self.unread).settled(named)

    def _losses_of_parts(self, rows_of_part: Mapping[str, int]) -> Iterator[Loss]:
        """Yield a loss for each part beside the deck, and for each part that the game does not know.

        ``rows_of_part``: name of a part -> the number of its rows.
        """
        for part, count in Counter(row.part for row in self.beside).items():
            message = f"{beside_words(self.game, part)}; kept as comments: {some(count, 'line')}."
            yield Loss("beside_the_deck", message, part)
        for part, count in rows_of_part.items():
            is_known = (
                not part
                or self._sections(part)
                or sections_named(self.game, self.format, part)
                or heading_of(self.game, part)
                or beside_words(self.game, part)
            )
            if not is_known:
                message = (
                    f"{self.game.name} decks have no part “{part[:40]}”: {some(count, 'card')} went where its"
                    " type belongs."
                )
                yield Loss("section_unknown", message, part[:40])

    def _sections(self, part: str) -> tuple[str, ...]:
        """Return the sections that a part of the file may stand for."""
        return (
            self.sections_of(self.game, part)
            if self.sections_of
            else sections_named(self.game, self.format, part)
        )

    def _place(self, row: Row, sections: tuple[str, ...]) -> None:
        """Add the row's copies to the deck, or to what is left out or beside it. Raise LineRefused if the row
        cannot be read. ``sections``: those that the row's part may stand for.

        The order of the steps matters: a row without copies is left out, and a row beside the deck becomes a
        comment, be its card known or not. The count is checked late, because a row beside the deck may have
        any.

        A part that stands for several sections is a zone (``sections_of``): the first that takes cards of
        this type gets it. A part of other formats is one section, which keeps even cards of a wrong type.
        """
        game, where = self.game, row.count_at or row.where
        count, assumed = copies_of(row.count)
        if not count:
            self.left_out.add(*NO_COPIES, where)
            return
        is_beside = bool(beside_words(game, row.part))
        if is_beside and not sections:
            self.beside.append(row)
            return
        card, print_label, remarks = self._card(row, sections)
        fitting = next((slug for slug in sections if card.type in game.sections_by_slug[slug].types), "")
        if is_beside and self.sections_of and not fitting:
            self.beside.append(row)
            return
        # The sections that the file allows.
        among: Iterable[str] = sections
        if fitting:
            section = fitting
        elif sections and not self.sections_of:
            section = sections[0]
        else:
            section = game.section_for(card.type, self.used)
            among = self.used.sections if self.used else game.sections_by_slug
        if not 1 <= count <= MAX_COUNT:
            raise LineRefused(
                "bad_count", f"{card.name}: a count is 1 to {MAX_COUNT}, not “{row.count.strip()[:20]}”."
            )
        marks = row.marks if row.marks != NO_MARKS else self.notes.take_marks(card, count)
        if print_label and not marks.prints:
            marks = replace(marks, prints=Prints.of(print_label))
        key = section, f"{card.code} {card.type}" if card.written else card.code
        add_entry(self.entries, key, Entry(card, count, section, marks))
        # If the section is a special one, the file's part may stand for the main section as well.
        main = main_section(game, card.type, among)
        if main not in ("", section):
            self.opens.append(Open(key, main, count, marks.prints.label))
        self.notices += [Notice(row.place.line, sentence, row.where) for sentence in remarks]
        if assumed:
            self.assumptions.append(Loss("count_assumed", f"{card.name}: {assumed}.", where))

    def _card(self, row: Row, sections: tuple[str, ...]) -> tuple[Card, str, list[str]]:
        """Return (card, label of the print that the row asks for, sentences about how they were found). Raise
        LineRefused if no card is found.

        The first step that finds a card decides, the most certain one first:

        1. its id or code in the catalogue;
        2. a card that our lines in the notes write in;
        3. the type "unknown": a card of which only the name is known;
        4. facts: a card that the row itself writes in;
        5. its name, read as a line of a list.

        Before step 3 the name is checked, because the rest writes it into a line.
        """
        game, name = self.game, " ".join(row.name.split())
        set_code, number, remarks = self._set_asked(row, name)
        # By id or code the card is certain, whatever name the file gives it. The id counts for more.
        known = self.by_id.get(plain_id(row.id)) if row.id else None
        known = known or game.card(row.code.removeprefix(f"{game.slug}/"))
        if known is not None:
            if name and name != row.code and fold(name) not in map(fold, (known.name, *known.aliases)):
                remarks.append(f"The file calls it “{name[:80]}”; by its id it is {known.name}.")
            in_set, with_number = known.printed_in(set_code, number)
            if set_code and not (with_number if number else in_set):
                remarks.append(_no_print(known, f"{set_code} {number}".rstrip()))
            return known, known.print_meant(set_code, number), remarks
        if written := self.notes.take_card(name):
            return written, "", remarks
        if not any(map(str.isalnum, name)) or len(name) > MAX_NAME or _UNFIT.search(name):
            raise LineRefused(
                "bad_name",
                f"A card's name has 1 to {MAX_NAME} characters that can be seen, a letter or digit among"
                " them.",
            )
        if row.type == UNKNOWN:
            line = f"1 {name.replace('|', '¦')} | {UNKNOWN}"
            return read_card_line(game, line, ()).card, "", remarks
        if row.facts is not None:
            return written_in_card(game, name, row.type, row.facts), "", remarks
        # Of several cards of one name, one of these types is taken.
        types: tuple[str, ...] = ()
        if row.type:
            types = (row.type,)
        elif sections:
            types = game.sections_by_slug[sections[0]].types
        # Read it with its print, as the line ``Eve (TRU) 154``. Names such as “Tracer (ON)” contain the set.
        index, line = game.name_index, name
        if set_code and index.called(f"{name} ({row.set})"):
            line = f"{name} ({row.set})"
        elif (set_code or number) and (index.called(name) or index.plainly(name)):
            line = f"{name} ({set_code}) {number}" if set_code else f"{name} ({number})"
        _, card, ignored, marks = read_card_line(game, f"1 {line}", types)
        chosen = "" if self.notes.leaves_open(card, set_code) else marks.prints.label
        return card, chosen, [*remarks, _no_print(card, ignored)] if ignored else remarks

    def _set_asked(self, row: Row, name: str) -> tuple[str, str, list[str]]:
        """Return (our code of the set, number, remarks): the print that the row asks for, with empty texts
        for what says nothing.
        """
        number = row.number
        if len(row.set) + len(number) > MAX_SET:
            remark = f"a set and number of more than {MAX_SET} letters were left out."
            return "", "", [f"{name[:80]}: {remark}"]
        # A number alone is of use only if it is the code of a print, such as “XF96-0002v1”.
        if number and not row.set and (number.isdecimal() or not self.game.name_index.numbered(number)):
            return "", "", [f"{name[:80]}: the number {number} says nothing without a set; it was left out."]
        return self.sets.get(fold(row.set), row.set), number, []


def _fitting(row: Row) -> str:
    """Return the row as a line that a list has room for."""
    return _UNFIT.sub("\ufffd", row.text)[:MAX_LINE]


def _no_print(card: Card, label: str) -> str:
    """Return the remark on a print that the file names and the catalogue lacks."""
    return f"No print “{label}” of {card.name} is known; the card was taken without it."


def _first(assumptions: list[Loss]) -> Iterator[Loss]:
    """Yield the first of these assumptions, then one loss that counts the rest."""
    yield from assumptions[:MAX_ASSUMED]
    if more := assumptions[MAX_ASSUMED:]:
        message = f"{some(len(more), 'count')} more {plural(len(more), 'was', 'were')} assumed, from here on."
        yield replace(more[0], message=message)


def plain_id(value: object) -> str:
    """Return an OCTGN id in its usual spelling, empty for anything else."""
    try:
        return str(uuid.UUID(str(value)))
    except ValueError:
        return ""
