"""Decks as text: read what people paste, write what people can paste.

Reading is tolerant about shape and strict about meaning: every line becomes cards, a
section, a detail or a comment, or is reported with its number and the reason.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from cardsdb.games.kit.game import Game
from cardsdb.games.kit.listtext.forms import are_places, is_counted, numbered, splits, visible
from cardsdb.games.kit.listtext.line import (
    MAX_COUNT,
    MAX_LINE,
    MAX_WRITTEN,
    AmbiguousLine,
    LineRefused,
    line_for,
    read_card_line,
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
    main_section,
    named_sections,
    placed_words,
    read_detail,
    split_heading,
)
from cardsdb.games.kit.model.cards import Card
from cardsdb.games.kit.model.decklist import Decklist, Entry, by_print
from cardsdb.games.kit.model.format import Format
from cardsdb.games.kit.model.marks import DeckComments, begin_of_marks, has_control, joined
from cardsdb.games.kit.model.names import MIN_MISSPELT, NameIndex
from cardsdb.games.kit.model.text import fold, plain_key

MAX_BYTES = 256 * 1024
MAX_LINES = 5_000
MAX_ENTRIES = 1_000

# Lines that other tools write and that say nothing about cards.
_LEFT_BY_OTHERS = re.compile(r"(?i)about|layout [a-z]+:.*|\[metadata\]|[=*_~–—-]{3,}")
# What a deck builder says of a card behind it: [Maybeboard{noDeck}].
_TAG = re.compile(r"\[([A-Za-z]+)(?:\{[^\[\]]*)?\]")
# What a list says of itself without the strokes of a comment.
_SAID = re.compile(r"(?i)(?P<key>game|format|title|deck ?name)\s*[:=]\s*(?P<value>\S.*)")
_NAME_OF_OTHERS = re.compile(r"(?i)name(?:\s*[:=]\s*|\s+)(?P<name>.*)|name")
# Lines below a first one that must have a count before that one is taken for the title; and the words that
# may stand before a title.
TITLED_LINES = 3
_TITLE = re.compile(r"(?i)(?:(?:deck|list)\s*:\s*)?(?P<words>.*?\S)(?:\s+#+)?")
# The bar behind which marks continue on a line of their own; it does not count towards the line's length.
_BAR = len("  | // ")


class ListTooLarge(ValueError):
    """The text is too large to be read at all; the message names the bound."""


def lines_of(text: str) -> list[str]:
    """Split into lines as editors count them: at LF, CR LF or CR, and nowhere else."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def joined_lines(lines: list[str]) -> list[tuple[int, str]]:
    """(number, line), where a line that begins with | is joined to the card above, whose marks or facts it
    holds.
    """
    if not any(line.lstrip().startswith("|") for line in lines):
        return list(enumerate(lines, 1))
    joined: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        is_more = line.lstrip().startswith("|") and joined and joined[-1][1].strip()
        if (
            is_more
            and ("|" in joined[-1][1] or re.match(r"\s*\|\s*(?:\^|#|//)", line))
            and len(joined[-1][1]) < 2 * MAX_WRITTEN
        ):
            joined[-1] = (joined[-1][0], f"{joined[-1][1]}\n{line}")
        else:
            joined.append((number, line))
    return joined


def read_deck(
    game: Game, text: str, format: Format | None = None, also: Iterable[Card] = (), *, titled: bool = True
) -> Reading:
    """Read a pasted list for a game. ``also``: cards that the list may name although the game no longer has
    them.

    ``titled``: whether a first line that is no card may be the deck's name. Where the deck has its name
    elsewhere the line is unread instead, because it would never be seen again.

    Raises ListTooLarge before anything is parsed when the text is beyond the bounds.
    """
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "replace")) > MAX_BYTES:
        raise ListTooLarge(f"The list is larger than {MAX_BYTES // 1024} KB.")
    lines = lines_of(text)
    if len(lines) > MAX_LINES:
        raise ListTooLarge(f"The list has {len(lines):,} lines; at most {MAX_LINES:,} are read.")
    return _Reader(game, lines, NameIndex(also), format).read(titled)


def _refuse_long(line: str) -> None:
    if any(len(part) > MAX_LINE + (_BAR if part.startswith("  | ") else 0) for part in line.split("\n")):
        raise LineRefused("line_too_long", f"This line is longer than {MAX_LINE} characters.")


def title_in(game: Game, lines: list[str], number: int) -> str:
    """The words of this line, the first but for comments, if it may be the list's title: without a count,
    above lines that have one.
    """
    own = visible(lines[number - 1].strip())
    if is_counted(own) or re.search(r"\||[,;]\S|^[0-9]|\s[0-9]{1,2}$", own):
        return ""
    below = (visible(line.strip()) for line in lines[number:] if len(line) <= MAX_LINE)
    cards = (
        line
        for line in below
        if line and ":" not in line and not line.startswith(("//", "#")) and heading_of(game, line) is None
    )
    first = list(islice(cards, TITLED_LINES))
    match = _TITLE.fullmatch(bare_heading(own)[0])
    return " ".join(match["words"].split()) if match and first and all(map(is_counted, first)) else ""


def add_entry(entries: dict[tuple[str, str], Entry], key: tuple[str, str], entry: Entry) -> None:
    """Put an entry to the others, together with the one that has its key. Raises LineRefused where a deck has
    no room for it.
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


@dataclass
class _Reader:
    """Reads the lines of a list one after the other.

    ``number``: of the line that is being read; ``also``: names of own cards. ``section``, ``type_hint``: of
    the heading above; ``under_main``: it is a heading of the whole deck; ``beside``: a heading of cards that
    do not count, such as Maybeboard. ``is_told``: a notice says how numbers before names are read.
    """

    game: Game
    lines: list[str]
    also: NameIndex
    format: Format | None
    number: int = 0
    section: str = ""
    type_hint: str = ""
    under_main: bool = False
    beside: str = ""
    about: DeckComments = field(default_factory=DeckComments)
    entries: dict[tuple[str, str], Entry] = field(default_factory=dict)
    details: dict[str, int | str] = field(default_factory=dict)
    unread: list[Unread] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    is_told: bool = False
    places: dict[tuple[str, str], tuple[tuple[int, int], ...]] = field(default_factory=dict)

    @cached_property
    def named(self) -> frozenset[str]:
        """The sections that the list has headings for."""
        return named_sections(self.game, (line for line in self.lines if len(line) <= MAX_LINE))

    @cached_property
    def has_places(self) -> bool:
        """Return True if numbers before names count the lines of the list."""
        return are_places(line for line in self.lines if len(line) <= MAX_LINE)

    @property
    def wanted(self) -> Format | None:
        """The format that the list is read for, else the one that it has named so far."""
        return self.format or self.said

    @property
    def said(self) -> Format | None:
        return self.game.format_called(self.about.get("format"))

    def read(self, titled: bool) -> Reading:
        """Read all lines. ``titled``: whether the first may be the deck's name."""
        stripped = enumerate(map(str.strip, self.lines), 1)
        first = next((at for at, line in stripped if line and not line.startswith(("//", "#"))), 0)
        for number, line in joined_lines(self.lines):
            self.number = number
            try:
                if len(line) > MAX_LINE:
                    _refuse_long(line)
                self._read_line(" ".join(map(str.strip, line.split("\n"))).strip())
            except LineRefused as refused:
                self._refuse(line, refused, titled, self.number == first)
        about, said = self.about, self.said
        return Reading(
            Decklist(tuple(self.entries.values()), self.details, about.get("name")),
            tuple(self.unread),
            tuple(self.notices),
            said.slug if said else about.get("format"),
            tuple(self.comments),
            notes="\n".join(about.notes),
            tags=about.tags,
            house=about.get("house"),
            game=about.get("game"),
            places=self.places,
        )

    def _refuse(self, line: str, refused: LineRefused, titled: bool, is_first: bool) -> None:
        """Keep a line that was not understood, or take it for the deck's name."""
        may_be = is_first and refused.code == "unknown_card" and "name" not in self.about.values
        words = title_in(self.game, self.lines, self.number) if may_be else ""
        if titled and self._is_no_card(words):
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
                self.section,
                may_be_title=bool(words),
                readings=refused.readings if isinstance(refused, AmbiguousLine) else (),
            )
        )

    def _is_no_card(self, words: str) -> bool:
        """Return True for words that can be nothing but a title. A short word may be any card's name, so may
        one that is all but a card's, and more may stand beside a card's name than is understood: at both ends
        of it where the line has a number or brackets.
        """
        index, pieces = self.game.name_index, plain_key(words).split("-")
        has_more, size = re.search(r"[0-9<\[{]", words), len(pieces)
        parts = (
            "-".join(pieces[begin:end])
            for begin in range(size)
            for end in range(begin + 1, size + 1)
            if has_more or begin == 0 or end == size
        )
        return (
            len(words) >= MIN_MISSPELT and not index.resembles(words) and not any(map(index.plainly, parts))
        )

    def _notice(self, sentence: str) -> None:
        self.notices.append(Notice(self.number, sentence))

    def _read_line(self, line: str) -> None:
        """Read a line as the first of these that it is: a comment about the deck, the exact name of a card, a
        detail, a heading, a comment, what other programs leave, the deck's name, a card with its count.
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
        section, beside = self.section, self.beside
        types: tuple[str, ...] = (self.type_hint,) if self.type_hint else ()
        index = self.game.name_index
        if not (index.called(line) or self.also.called(line)):
            if self._read_detail(line) or self._read_heading(line) or self._read_comment(line):
                return
            if _LEFT_BY_OTHERS.fullmatch(line):
                return
            if said := _SAID.fullmatch(line):
                self._read_said(said)
                return
            if named := _NAME_OF_OTHERS.fullmatch(line):
                self.about.values.setdefault("name", (named["name"] or "").strip())
                return
            heading, line = split_heading(self.game, line)
            tags = map(fold, _TAG.findall(line[: begin_of_marks(line)]))
            heading = heading or next((tag for tag in tags if tag in BESIDE), "")
            if heading and heading not in self.game.headings:
                beside = heading.capitalize()
                self._notice(f"{beside_words(self.game, beside)}: the card does not count into it.")
            elif heading:
                section, type_hint = self.game.headings[heading]
                types = (type_hint,) if type_hint else ()
            line = line if beside else self._without_place(line)
        if beside:
            self.comments.append(f"{beside}: {line}")
            return
        types = types or (self.game.sections_by_slug[section].types if section else ())
        try:
            count, card, ignored, marks = read_card_line(self.game, line, types, self.also)
        except AmbiguousLine as refused:
            place = self.wanted
            refused.readings = tuple(
                Entry(card, refused.copies, section or self.game.section_for(card.type, place), refused.marks)
                for card in refused.cards
            )
            raise
        if ignored:
            self._notice(f"No print “{ignored}” of {card.name} is known; the card was taken without it.")
        section = section or self._place(card, count)
        self._add(Entry(card, count, section, marks))

    def _without_place(self, line: str) -> str:
        """The line without a number that is its place in the list. What such numbers are read as is said
        once.
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
        # A number before a count is the place of its line, whatever the others are.
        return rest if self.has_places or next(splits(rest))[0] is not None else line

    def _place(self, card: Card, count: int) -> str:
        """The section of a card whose line is under no heading of a section.

        Under a heading of the whole deck it goes to the main section if the list has a heading of its type's
        own section too.
        """
        wanted = self.wanted
        section = self.game.section_for(card.type, wanted)
        if not self.under_main:
            return section
        main = main_section(self.game, card.type, wanted.sections if wanted else self.game.sections_by_slug)
        if main in ("", section) or section not in self.named:
            return section
        self._notice(placed_words(self.game, main, [f"{count} {card.name}"], "list"))
        return main

    def _read_said(self, said: re.Match[str]) -> None:
        """``Format: Agency Deck``, ``Game: Spycraft``, ``Title: Night Watch``."""
        key, value = said["key"].lower(), " ".join(said["value"].split())
        self.about.values[key if key in ("game", "format") else "name"] = value
        if key == "format" and not self.game.format_called(value):
            self._notice(f"{self.game.name} has no format “{value[:40]}”; the likeliest was taken.")

    def _add(self, entry: Entry) -> None:
        key, card = (entry.section, entry.card.code), entry.card
        one = self.entries[key].card if key in self.entries else card
        if one.written and (one.type != card.type or dict(one.facts) != dict(card.facts)):
            raise LineRefused(
                "written_twice", f"“{card.name}” is written in above with other facts; give it another name."
            )
        add_entry(self.entries, key, entry)
        self.places[key] = (*self.places.get(key, ()), (self.number, entry.count))

    def _read_heading(self, line: str) -> bool:
        """``Leaders:``, ``[Leaders]``, ``// Leaders (4)``, ``## Leaders`` or the bare word."""
        bare, bracketed = bare_heading(line)
        if _LEFT_BY_OTHERS.fullmatch(f"[{bare}]" if bracketed else bare) or _NAME_OF_OTHERS.fullmatch(bare):
            return False
        if (heading := heading_of(self.game, bare)) is not None:
            self._go_under(heading, under_main=not any(heading))
            return True
        if why := beside_words(self.game, bare):
            self._go_under(beside=bare.rstrip(": "))
            self._notice(f"{why}: the cards below do not count into it.")
            return True
        if bracketed or (
            bare.endswith(":") and re.fullmatch(r"[^\d|:]+:", bare) and not line.startswith(("//", "#"))
        ):
            self._go_under()
            raise LineRefused(
                "unknown_section",
                f"{self.game.name} decks have no section “{bare.rstrip(':')}”.",
                [f"{section.name}:" for section in self.game.sections],
            )
        return False

    def _go_under(
        self, heading: tuple[str, str] = ("", ""), under_main: bool = False, beside: str = ""
    ) -> None:
        """Put the lines that follow under this section or type, or beside the deck."""
        (self.section, self.type_hint), self.under_main, self.beside = heading, under_main, beside

    def _read_comment(self, line: str) -> bool:
        if not line.startswith(("//", "#")):
            return False
        comment = (line.rstrip("# ") if line.startswith("#") else line).lstrip("/# ").strip()
        ways = [way for way in splits(split_heading(self.game, comment)[1]) if way[0]]
        if any(index.find(rest).cards for index in (self.game.name_index, self.also) for _, rest in ways):
            self._notice("This line is a comment: its card is not counted.")
            self.comments.append(comment)
            return True
        if not comment or self.about.read_other(line):
            return True
        if "name" in self.about.values:
            self.comments.append(comment)
        self.about.values.setdefault("name", comment)
        return True

    def _read_detail(self, line: str) -> bool:
        detail = read_detail(self.game, line)
        self.details |= dict([detail] if detail else ())
        return detail is not None


def write_deck(game: Game, deck: Decklist, format: Format | None = None) -> str:
    """Write a deck so that ``read_deck`` reads the same deck."""
    head = [f"// name: {deck.name}"] if deck.name else []
    if format:
        head.append(f"// format: {format.slug}")
    labels = {detail.key: detail.label for detail in game.details_by_word.values()}
    head += [f"{labels[key]}: {value}" for key, value in deck.details.items() if key in labels]
    blocks, deck = ["\n".join(head)] if head else [], by_print(deck)
    for section in game.sections:
        if entries := deck.in_section(section.slug):
            blocks.append("\n".join([f"{section.name}:", *(line_for(game, entry) for entry in entries)]))
    return "\n\n".join(blocks) + "\n"
