"""Reads a deck list that was pasted (``read_deck``) and writes one that can be pasted (``write_deck``).

Everything that takes a list as text calls ``read_deck``: the check, the editor, imports, the API. No line is
lost in silence and no misspelt name is corrected by guessing. A list for Spycraft:

    Night Watch              no card, and first: the deck's name, with a notice
    Format: Agency Deck      statement
    Deck:                    heading: its cards stand in the section "deck"
    2 Kai #blue              card with a mark
    2 Ambush [Maybeboard]    kept as a comment, with a notice: Spycraft has no such section
    1 Ghsot                  unread, "unknown_card"

What ``write_deck`` writes, ``read_deck`` reads as the same deck. Tests: ``test_deck.py`` and ``test_line.py``
in ``tests/cardsdb/games/kit/listtext``.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.listtext.forms import are_places, is_counted, numbered, splits, visible
from cardsdb.games.kit.listtext.line import (
    MAX_COUNT,
    MAX_LINE,
    AmbiguousLine,
    LineRefused,
    joined_lines,
    line_for,
    read_card_line,
    refuse_long,
    refuse_long_marks,
)
from cardsdb.games.kit.listtext.reading import (
    BESIDE,
    Notice,
    Reading,
    Unread,
    bare_heading,
    beside_words,
    heading_of,
    is_surely_title,
    main_section,
    named_sections,
    placed_words,
    read_detail,
    split_heading,
    title_in,
)
from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.model.decklist import Decklist, Entry, by_print
from cardsdb.games.kit.model.format import Format
from cardsdb.games.kit.model.marks import DeckComments, begin_of_marks, has_control, joined
from cardsdb.games.kit.model.names import NameIndex
from cardsdb.games.kit.model.text import fold

MAX_BYTES = 256 * 1024  # of a list in UTF-8
MAX_LINES = 5_000
MAX_ENTRIES = 1_000

# Lines of other programs that say nothing about cards, "About", "[Metadata]", "Layout text: x", and rules of
# three or more strokes, "-----".
_LEFT_BY_OTHERS = re.compile(r"(?i)about|layout [a-z]+:.*|\[metadata\]|[=*_~–—-]{3,}")
# The category that a deck builder writes behind a card: [Maybeboard{noDeck}].
_TAG = re.compile(r"\[([A-Za-z]+)(?:\{[^\[\]]*)?\]")
# A statement about the deck that is not written as a comment: "Format: Agency Deck".
_STATEMENT = re.compile(r"(?i)(?P<key>game|format|title|deck ?name)\s*[:=]\s*(?P<value>\S.*)")
# The name of the deck as other programs write it: "Name: Night Watch", "Name Night Watch".
_NAME_OF_OTHERS = re.compile(r"(?i)name(?:\s*[:=]\s*|\s+)(?P<name>.*)|name")


class ListTooLarge(ValueError):
    """The text is too large to be read; the message names the bound."""


def lines_of(text: str) -> list[str]:
    """Split a text into lines as editors count them: at LF, CR LF or CR, and nowhere else."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def read_deck(
    game: Game, text: str, format: Format | None = None, also: Iterable[Card] = (), *, titled: bool = True
) -> Reading:
    """Read a list of a game.

    ``format``: the format that the list is read for, which decides where cards without a section go.
    ``also``: cards that the list may name though they are not in the game. ``titled``: True if a first line
    that is no card may become the deck's name; pass False if the deck has its name elsewhere, so that the
    line is reported as unread and not lost. Raises ListTooLarge before anything is parsed.
    """
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "replace")) > MAX_BYTES:
        raise ListTooLarge(f"The list is larger than {MAX_BYTES // 1024} KB.")
    lines = lines_of(text)
    if len(lines) > MAX_LINES:
        raise ListTooLarge(f"The list has {len(lines):,} lines; at most {MAX_LINES:,} are read.")
    return _Reader(game, lines, NameIndex(also), format).read(titled)


def add_entry(entries: dict[tuple[str, str], Entry], key: tuple[str, str], entry: Entry) -> None:
    """Add an entry under a key, (section, code of the card). If there is one already the two are joined.
    Raises LineRefused if the deck has no room for it.
    """
    before = entries.get(key)
    if before is None and len(entries) >= MAX_ENTRIES:
        raise LineRefused(
            "too_many_cards", f"More than {MAX_ENTRIES:,} different cards; this one was left out."
        )
    together = joined(before, entry) if before else entry
    if together.count > MAX_COUNT:
        raise LineRefused(
            "bad_count",
            f"That makes {together.count} copies of {entry.card.name}; at most {MAX_COUNT} are read.",
        )
    refuse_long_marks(together.marks)
    entries[key] = together


@dataclass(frozen=True)
class _Heading:
    """What the heading above a line says; all fields are empty above the first heading."""

    section: str = ""  # slug, "leaders" below "Leaders:"
    card_type: str = ""  # slug, "agent" below "Agents:"
    is_whole: bool = False  # the heading stands for the whole deck, "Main deck"
    beside: str = ""  # its words if the cards below do not count, "Sideboard"


@dataclass
class _Reader:
    """Reads the lines of one list from top to bottom. The fields without a default are given; all others are
    the state so far, each filled by the method that reads such a line.
    """

    game: Game
    lines: list[str]
    also: NameIndex  # cards that are not in the game
    format: Format | None
    number: int = 0  # of the line that is being read
    heading: _Heading = _Heading()
    about: DeckComments = field(default_factory=DeckComments)
    entries: dict[tuple[str, str], Entry] = field(default_factory=dict)
    details: dict[str, int | str] = field(default_factory=dict)
    unread: list[Unread] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    is_told: bool = False  # a notice has said how numbers before names are read
    # (section, code of a card) -> (number of a line, its copies) for each line that names the card.
    places: dict[tuple[str, str], tuple[tuple[int, int], ...]] = field(default_factory=dict)

    @cached_property
    def headed(self) -> frozenset[str]:
        """The sections that the list has headings for, above or below."""
        return named_sections(self.game, (line for line in self.lines if len(line) <= MAX_LINE))

    @cached_property
    def has_places(self) -> bool:
        """True if numbers before names count the lines of the list."""
        return are_places(line for line in self.lines if len(line) <= MAX_LINE)

    @property
    def wanted(self) -> Format | None:
        """The format that the list is read for, or else the one that it has stated so far."""
        return self.format or self.stated

    @property
    def stated(self) -> Format | None:
        return self.game.format_called(self.about.get("format"))

    def read(self, titled: bool) -> Reading:
        stripped = enumerate(map(str.strip, self.lines), 1)
        # Number of the first line that is neither empty nor a comment.
        first = next((number for number, line in stripped if line and not line.startswith(("//", "#"))), 0)
        for number, line in joined_lines(self.lines):
            self.number = number
            try:
                if len(line) > MAX_LINE:
                    refuse_long(line)
                self._read_line(" ".join(map(str.strip, line.split("\n"))).strip())
            except LineRefused as refused:
                self._refuse(line, refused, titled, number == first)
        about, stated = self.about, self.stated
        return Reading(
            Decklist(tuple(self.entries.values()), self.details, about.get("name")),
            tuple(self.unread),
            tuple(self.notices),
            stated.slug if stated else about.get("format"),
            tuple(self.comments),
            notes="\n".join(about.notes),
            tags=about.tags,
            house=about.get("house"),
            game=about.get("game"),
            places=self.places,
        )

    def _refuse(self, line: str, refused: LineRefused, titled: bool, is_first: bool) -> None:
        """Report a line that was not understood, or take it for the deck's name."""
        may_be_title = is_first and refused.code == "unknown_card" and "name" not in self.about.values
        words = title_in(self.game, self.lines, self.number) if may_be_title else ""
        if titled and is_surely_title(self.game, words):
            self.about.values["name"] = words
            self._notice(f"“{words}” was taken for the deck’s name.")
            return
        self.unread.append(
            Unread(
                self.number,
                line.strip()[:MAX_LINE],
                refused.code,
                refused.message,
                refused.suggestions,
                self.heading.section,
                may_be_title=bool(words),
                readings=refused.readings if isinstance(refused, AmbiguousLine) else (),
            )
        )

    def _notice(self, sentence: str) -> None:
        self.notices.append(Notice(self.number, sentence))

    def _read_line(self, line: str) -> None:
        """Read one line as the first of these that it fits: a comment about the deck, the exact name of a
        card, a detail, a heading, a comment, a line left by other programs, a statement about the deck, a
        card with its count. Raises LineRefused if it fits none. A method ``_read_...`` that returns True has
        read the line.
        """
        if not line:
            return
        if has_control(line):
            raise LineRefused("bad_character", "This line has a control character; remove it.")
        if self.about.read(line):
            return
        # Single spaces, because patterns that allow spaces in several places are slow on long runs of them.
        line = visible(" ".join(line.split()))
        if not line:
            return
        if self.game.name_index.called(line) or self.also.called(line):
            self._read_card(line, self.heading)
        elif not (
            self._read_detail(line)
            or self._read_heading(line)
            or self._read_comment(line)
            or _LEFT_BY_OTHERS.fullmatch(line)
            or self._read_statement(line)
        ):
            rest, heading = self._own_heading(line)
            self._read_card(rest if heading.beside else self._without_place(rest), heading)

    def _read_detail(self, line: str) -> bool:
        """Read ``Players: 2``, if a format of the game asks for it. Return False for any other line."""
        detail = read_detail(self.game, line)
        if detail is None:
            return False
        key, value = detail
        self.details[key] = value
        return True

    def _read_heading(self, line: str) -> bool:
        """Read ``Leaders:``, ``[Leaders]``, ``// Leaders (4)``, ``## Leaders`` or the bare word. Return False
        for any other line; raise LineRefused for a heading that the game does not have.
        """
        bare, bracketed = bare_heading(line)
        # These look like a heading: "[Metadata]", "Name: Night Watch".
        if _LEFT_BY_OTHERS.fullmatch(f"[{bare}]" if bracketed else bare) or _NAME_OF_OTHERS.fullmatch(bare):
            return False
        if (heading := heading_of(self.game, bare)) is not None:
            section, card_type = heading
            self.heading = _Heading(section, card_type, is_whole=not (section or card_type))
            return True
        if why := beside_words(self.game, bare):
            self.heading = _Heading(beside=bare.rstrip(": "))
            self._notice(f"{why}: the cards below do not count into it.")
            return True
        # Words with a colon behind them are a heading too, unless they are a comment.
        if bracketed or (re.fullmatch(r"[^\d|:]+:", bare) and not line.startswith(("//", "#"))):
            self.heading = _Heading()
            raise LineRefused(
                "unknown_section",
                f"{self.game.name} decks have no section “{bare.rstrip(':')}”.",
                [f"{section.name}:" for section in self.game.sections],
            )
        return False

    def _read_comment(self, line: str) -> bool:
        """Read a comment; the first one is the name of the deck if it has none. Return False for any other
        line.
        """
        if not line.startswith(("//", "#")):
            return False
        comment = (line.rstrip("# ") if line.startswith("#") else line).lstrip("/# ").strip()
        _, behind_heading = split_heading(self.game, comment)
        names = [rest for count, rest in splits(behind_heading) if count]
        # A comment with a count and a card may have been meant to count.
        if any(index.find(name).cards for index in (self.game.name_index, self.also) for name in names):
            self._notice("This line is a comment: its card is not counted.")
            self.comments.append(comment)
            return True
        if not comment or self.about.read_other(line):
            return True
        if "name" in self.about.values:
            self.comments.append(comment)
        self.about.values.setdefault("name", comment)
        return True

    def _read_statement(self, line: str) -> bool:
        """Read ``Format: Agency Deck``, ``Game: Spycraft`` or ``Title: Night Watch``; or the name of the deck
        as other programs write it. Return False for any other line.
        """
        statement = _STATEMENT.fullmatch(line)
        if statement is None:
            if named := _NAME_OF_OTHERS.fullmatch(line):
                self.about.values.setdefault("name", (named["name"] or "").strip())
            return named is not None
        key, value = statement["key"].lower(), " ".join(statement["value"].split())
        self.about.values[key if key in ("game", "format") else "name"] = value
        if key == "format" and not self.game.format_called(value):
            self._notice(f"{self.game.name} has no format “{value[:40]}”; the likeliest was taken.")
        return True

    def _own_heading(self, line: str) -> tuple[str, _Heading]:
        """(the line without its heading, the heading that holds for it). "Leaders: 1 Kai", "SB: 2 Kai" and
        "2 Kai [Sideboard]" have their own; all other lines stand under the heading above.
        """
        word, line = split_heading(self.game, line)
        if not word:
            tags = map(fold, _TAG.findall(line[: begin_of_marks(line)]))
            word = next((tag for tag in tags if tag in BESIDE), "")
        if not word:
            return line, self.heading
        if word in self.game.headings:
            section, card_type = self.game.headings[word]
            return line, replace(self.heading, section=section, card_type=card_type)
        beside = word.capitalize()
        self._notice(f"{beside_words(self.game, beside)}: the card does not count into it.")
        return line, _Heading(beside=beside)

    def _without_place(self, line: str) -> str:
        """The line without a number that is only its place in the list. "3. Kai" -> "Kai" if the list counts
        its lines 1, 2, 3; else the number is a count and stays. "1. 2 Kai" -> "2 Kai" in any list. The first
        such number gets a notice that says how it is read.
        """
        if (found := numbered(line)) is None:
            return line
        number, rest = found
        if number > 1 and not self.is_told and not is_counted(rest):
            self.is_told = True
            self._notice(
                "The numbers before the names count the lines; each line is one copy."
                if self.has_places
                else f"The number before “{rest[:40]}” was read as its count: {number}."
            )
        count, _ = next(splits(rest))
        return rest if self.has_places or count is not None else line

    def _read_card(self, line: str, heading: _Heading) -> None:
        """Add the card of a line; below a heading for cards that do not count, keep the line as a comment."""
        if heading.beside:
            self.comments.append(f"{heading.beside}: {line}")
            return
        section = heading.section
        # The types that the heading takes; empty if it takes any.
        types: tuple[str, ...] = ()
        if heading.card_type:
            types = (heading.card_type,)
        elif section:
            types = self.game.sections_by_slug[section].types
        try:
            count, card, ignored, marks = read_card_line(self.game, line, types, self.also)
        except AmbiguousLine as refused:
            format = self.wanted
            refused.readings = tuple(
                Entry(
                    card, refused.copies, section or self.game.section_for(card.type, format), refused.marks
                )
                for card in refused.cards
            )
            raise
        if ignored:
            self._notice(f"No print “{ignored}” of {card.name} is known; the card was taken without it.")
        section = section or self._place(card, count)
        self._add(Entry(card, count, section, marks))

    def _place(self, card: Card, count: int) -> str:
        """The section of a card whose line is under no heading of a section: that of its type.

        The X-Files has agents in two sections. In a list with "Main deck" and further down "Agents:", those
        under "Main deck" are not meant for "Agents:". They go into the largest section that takes them, the
        Bureau deck, and a notice tells so.
        """
        wanted = self.wanted
        section = self.game.section_for(card.type, wanted)
        if not self.heading.is_whole:
            return section
        main = main_section(self.game, card.type, wanted.sections if wanted else self.game.sections_by_slug)
        if main in ("", section) or section not in self.headed:
            return section
        self._notice(placed_words(self.game, main, [f"{count} {card.name}"], "list"))
        return main

    def _add(self, entry: Entry) -> None:
        """Add an entry and its place. Raises LineRefused for a written-in card that stands above with other
        facts, since one name cannot mean two cards.
        """
        key, card = (entry.section, entry.card.code), entry.card
        before = self.entries[key].card if key in self.entries else card
        if before.written and (before.type != card.type or dict(before.facts) != dict(card.facts)):
            raise LineRefused(
                "written_twice", f"“{card.name}” is written in above with other facts; give it another name."
            )
        add_entry(self.entries, key, entry)
        self.places[key] = (*self.places.get(key, ()), (self.number, entry.count))


def write_deck(game: Game, deck: Decklist, format: Format | None = None) -> str:
    """The text of a deck, which ``read_deck`` reads as the same deck: its name, format and details, then each
    section below its heading.
    """
    head = [f"// name: {deck.name}"] if deck.name else []
    if format:
        head.append(f"// format: {format.slug}")
    labels = {detail.key: detail.label for detail in game.details_by_word.values()}
    head += [f"{labels[key]}: {value}" for key, value in deck.details.items() if key in labels]
    blocks = ["\n".join(head)] if head else []
    split = by_print(deck)  # a line names one print only
    for section in game.sections:
        if entries := split.in_section(section.slug):
            blocks.append("\n".join([f"{section.name}:", *(line_for(game, entry) for entry in entries)]))
    return "\n\n".join(blocks) + "\n"
