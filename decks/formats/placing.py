"""The rows of a file as a deck of a game. Cards are found by id, by code or by name, never by guess."""

from __future__ import annotations

import re
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from cardsdb.games import games
from cardsdb.games.kit import Card, Decklist, Entry, Game
from cardsdb.games.kit.listtext.deck import MAX_ENTRIES
from cardsdb.games.kit.listtext.guess import Guess, game_of_most
from cardsdb.games.kit.listtext.line import (
    MAX_COUNT,
    MAX_LINE,
    UNKNOWN,
    LineRefused,
    covered_card,
    read_card_line,
    refuse_long_marks,
)
from cardsdb.games.kit.listtext.reading import Notice, Reading, Unread
from cardsdb.games.kit.listtext.sections import heading_of, main_section
from cardsdb.games.kit.model.cards import as_words
from cardsdb.games.kit.model.decklist import NO_MARKS, Prints
from cardsdb.games.kit.model.marks import joined
from cardsdb.games.kit.model.text import fold, listed, plural, some
from decks.formats.choosing import Open, settled
from decks.formats.contract import Games, Loss, Parsed, ReadFile, Row, Unreadable, copies_of, settings_of
from decks.formats.extras import read_notes, tags_of

MAX_ROWS = 5_000


def written_in_card(game: Game, name: str, card_type: str, facts: Iterable[tuple[str, object]]) -> Card:
    """The card of this name, type and facts. Raises LineRefused if a list could not write it in."""
    covered = covered_card(game, card_type) if card_type in game.types_by_slug else None
    if covered and fold(covered.name) == fold(name):
        return covered
    parts = [name.replace("|", "¦"), card_type]
    for key, value in facts:
        fact = game.facts_by_key.get(key) or game.fact_named(key)
        if fact is None:
            raise LineRefused("unknown_fact", f"{game.name} has no fact “{key[:40]}”.")
        parts.append(f"{fact.title}: {_as_text(value)}")
    card = read_card_line(game, f"1 {' | '.join(' '.join(part.split()) for part in parts)}", ()).card
    if not card.written:
        raise LineRefused(
            "unknown_type", f"Cards of the type “{card_type[:40]}” cannot be written in for {game.name}."
        )
    return card


def _as_text(value: object) -> str:
    """The value as a line of a list states it: words that hold a comma need semicolons between them."""
    if isinstance(value, list):
        words = [str(word) for word in value]
        return "; ".join(words) + ";" if any("," in word for word in words) else ", ".join(words)
    if isinstance(value, bool | int | str):
        return as_words(value).replace("|", "¦")
    raise LineRefused("bad_fact", "A fact is a number, a text, yes or no, or a list of words.")


MAX_NAME, MAX_SET = 200, 40
# Assumed counts that are told one by one.
MAX_ASSUMED = 20
# The first names of a long list are enough to tell the game.
MAX_NAMES_TRIED = 500
_UNFIT = re.compile("[\x00-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


SectionsOf: TypeAlias = Callable[[Game, str], tuple[str, ...]]


def reader(
    format: str,
    parse: Callable[[bytes], Parsed],
    sections_of: SectionsOf | None = None,
    *,
    by_type: bool = False,
) -> Callable[[Game | None, bytes, str, Games], ReadFile]:
    """The ``read`` function of a format whose files ``parse`` parses.

    ``sections_of`` returns the sections that a part of the file may stand for; ``by_type``: a card that none
    of these takes goes where its type belongs, since the part's name means nothing to the game.
    """

    def read(game: Game | None, data: bytes, filename: str, among: Games | None = None) -> ReadFile:
        parsed, among = parse(data), among or games()
        if len(parsed.rows) > MAX_ROWS:
            raise Unreadable(
                "too_large", f"The file names {len(parsed.rows):,} cards; at most {MAX_ROWS:,} are read."
            )
        chosen = (
            game
            or among.get(parsed.game)
            or decided(game_of_names((row.name for row in parsed.rows), among), "file")
        )
        known = sections_of or (lambda game, part: sections_named(game, format, part))
        reading, losses = _Placing(format, chosen, parsed, known, by_type).placed()
        stated = among.get(parsed.game)
        if stated and stated is not chosen:
            losses = (
                Loss(
                    "other_game", f"The file says that it is for {stated.name}; it was read as {chosen.name}."
                ),
                *losses,
            )
        return ReadFile(chosen, reading, (*parsed.losses, *losses), format, parsed.dialect)

    return read


def game_called(format: str, word: str) -> str:
    """The slug of the game that a tool calls by this word; empty if there is none."""
    for slug, game in games().items():
        settings = settings_of(game, format)
        if word and fold(word) in map(
            fold, (slug, game.name, str(settings.get("game", "")), str(settings.get("title", "")))
        ):
            return slug
    return ""


def game_of_names(names: Iterable[str], among: Games) -> Guess:
    """The one of these games in which most of these names are cards."""
    wanted = tuple(name for name in names if len(name) <= MAX_NAME)[:MAX_NAMES_TRIED]
    return game_of_most(
        among.values(), lambda game: sum(bool(game.name_index.find(name).cards) for name in wanted)
    )


def decided(guess: Guess, what: str) -> Game:
    """The game of a list or a file. Raises Unreadable if nothing of it is of any game here, and if several
    may be meant.
    """
    if guess.game or len(guess.candidates) == 1:
        return guess.game or guess.candidates[0]
    if not guess.candidates:
        here = listed(tuple(game.name for game in games().values()))
        sentence = (
            f"The list names no card of the games here, which are {here}. If it is for one of these, choose"
            " that game and put its lines right."
        )
        raise Unreadable("foreign_game", sentence)
    alike = " and ".join(game.name for game in guess.candidates)
    sentence = f"The {what}'s cards are known in {alike} alike. Choose the game it is for."
    raise Unreadable("unknown_game", sentence, "game")


def sections_named(game: Game, format: str, part: str) -> tuple[str, ...]:
    """The sections that a part of a file may stand for: those that the game exports by this name, else the
    one of that heading.
    """
    names: Mapping[str, str] = settings_of(game, format).get("sections", {})
    named = tuple(slug for slug, word in names.items() if fold(word) == fold(part))
    if named:
        return named
    heading = heading_of(game, part)
    return (heading[0],) if heading and heading[0] else ()


@dataclass
class _Placing:
    """Puts the rows of a file into a deck of a game, one after the other; reports those that cannot be read."""

    format: str
    game: Game
    parsed: Parsed
    sections_of: SectionsOf
    by_type: bool
    entries: dict[tuple[str, str], Entry] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)
    opens: list[Open] = field(default_factory=list)
    assumptions: list[Loss] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.notes = read_notes(self.game, self.parsed.notes_field)
        self.unread = [*self.parsed.unread, *self.notes.unread]
        self.stated = self.parsed.format or self.notes.values.get("Format", "")
        self.used = self.game.formats_by_slug.get(self.stated)
        self.by_id = _cards_by_id(self.game, self.format) if any(row.id for row in self.parsed.rows) else {}
        codes: Mapping[str, str] = settings_of(self.game, self.format).get("sets", {})
        self.sets = {fold(word): code for code, word in codes.items()}

    def placed(self) -> tuple[Reading, tuple[Loss, ...]]:
        """The deck that the file states, with every row that could not be read, and the losses."""
        parsed, said, rows = self.parsed, self.notes.values, self.parsed.rows
        for row in rows:
            sections = self.sections_of(self.game, row.part)
            try:
                self._place(row, sections)
            except LineRefused as refused:
                self._refuse(row, sections, refused)
        # A text among the unread rows and again among the unread lines of the notes is reported once.
        again = {fold(u.text) for u in self.unread if u.line}
        named = {alone[0] for row in rows if len(alone := self.sections_of(self.game, row.part)) == 1}
        house = parsed.house or said.get("House rules", "")
        chosen, choices = settled(
            self.game, self.used, house, self.entries, self.opens, named, whole=not self.unread
        )
        details = {**self.notes.details, **parsed.details}
        reading = Reading(
            Decklist(chosen, details, parsed.name or said.get("Name", "")),
            tuple(u for u in self.unread if u.line or fold(u.text) not in again),
            tuple(self.notices),
            self.stated,
            (*parsed.comments, *self.notes.comments),
            "\n".join(filter(None, (parsed.notes, self.notes.notes))),
            parsed.tags or tags_of(said.get("Tags", "")),
            house,
        )
        return reading, (*_first(self.assumptions), *choices, *self._part_losses())

    def _place(self, row: Row, sections: tuple[str, ...]) -> None:
        """Add the row's copies to the deck. Raises LineRefused."""
        game = self.game
        card, print_label, remarks = self._card(row, sections)
        fitting = next((slug for slug in sections if card.type in game.sections_by_slug[slug].types), "")
        section = fitting or ("" if self.by_type else next(iter(sections), ""))
        # The sections that it may stand in by the file: those that its part stands for, else all of the
        # format.
        among: Iterable[str] = sections
        if not sections or not section:
            among = self.used.sections if self.used else game.sections_by_slug
        section = section or game.section_for(card.type, self.used)
        count, assumed = _count(row, card)
        marks = row.marks if row.marks != NO_MARKS else self.notes.marks_of(card, count)
        if print_label and not marks.prints:
            marks = replace(marks, prints=Prints.of(print_label))
        key = _add(self.entries, Entry(card, count, section, marks))
        main = main_section(game, card.type, among)
        if main not in ("", section):
            self.opens.append(Open(key, main, count, marks.prints.label))
        self.notices += [Notice(row.place.line, sentence, row.where) for sentence in remarks]
        if assumed:
            where = row.count_at or row.where
            self.assumptions.append(Loss("count_assumed", f"{card.name}: {assumed}.", where))

    def _refuse(self, row: Row, sections: tuple[str, ...], refused: LineRefused) -> None:
        where = row.count_at if refused.code == "bad_count" and row.count_at else row.where
        text, section = _UNFIT.sub("\ufffd", row.text)[:MAX_LINE], next(iter(sections), "")
        said = refused.code, refused.message, refused.suggestions
        self.unread.append(Unread(row.place.line, text, *said, section, where=where))

    def _card(self, row: Row, sections: tuple[str, ...]) -> tuple[Card, str, list[str]]:
        """The card that a row names, the print that it asks for, and sentences about how they were found.
        Raises LineRefused.
        """
        game, name = self.game, " ".join(row.name.split())
        aside = []
        if len(row.set) + len(row.number) > MAX_SET:
            aside = [f"{name[:80]}: a set and number of more than {MAX_SET} letters were left out."]
            row = replace(row, set="", number="")
        elif row.number and not row.set:
            aside = [f"{name[:80]}: the number {row.number} says nothing without a set; it was left out."]
        set_code = self.sets.get(fold(row.set), row.set)
        known = self.by_id.get(_plain_id(row.id)) if row.id else None
        known = known or game.card(row.code.removeprefix(f"{game.slug}/"))
        if known is not None:
            alike = name == row.code or fold(name) in (fold(known.name), *map(fold, known.aliases))
            if name and not alike:
                aside.append(f"The file calls it “{name[:80]}”; by its id it is {known.name}.")
            if set_code and not known.is_printed_as(set_code, row.number):
                aside.append(_no_print(known, f"{set_code} {row.number}".rstrip()))
            return known, known.print_meant(set_code, row.number), aside
        if written := self.notes.card(name):
            return written, "", aside
        if not any(char.isalnum() for char in name) or len(name) > MAX_NAME or _UNFIT.search(name):
            raise LineRefused(
                "bad_name",
                f"A card's name has 1 to {MAX_NAME} characters that can be seen, a letter or digit among"
                " them.",
            )
        if row.facts is not None and row.type != UNKNOWN:
            return written_in_card(game, name, row.type, row.facts), "", aside
        if row.type == UNKNOWN:
            line = f"1 {name.replace('|', '¦')} | {UNKNOWN}"
            return read_card_line(game, line, ()).card, "", aside
        types = (
            (row.type,)
            if row.type
            else tuple(t for slug in sections[:1] for t in game.sections_by_slug[slug].types)
        )
        shown = f"{name} ({set_code})" + (f" {row.number}" if row.number else "")
        called = game.name_index.called
        if row.set and called(f"{name} ({row.set})"):
            shown = f"{name} ({row.set})"
        elif not (row.set and called(name)):
            shown = name
        _, card, ignored, marks = read_card_line(game, f"1 {shown}", types)
        chosen = "" if self.notes.leaves_open(card, set_code) else marks.prints.label
        return card, chosen, [*aside, _no_print(card, ignored)] if ignored else aside

    def _part_losses(self) -> tuple[Loss, ...]:
        """A loss for each part of the file that the game has no section for, with the number of its rows."""
        parts = Counter(row.part for row in self.parsed.rows if row.part)
        return tuple(
            Loss(
                "section_unknown",
                f"{self.game.name} decks have no part “{part[:40]}”: {some(count, 'card')} went where its"
                " type belongs.",
                part[:40],
            )
            for part, count in parts.items()
            if not self.sections_of(self.game, part)
            and not sections_named(self.game, self.format, part)
            and heading_of(self.game, part) is None
        )


def _no_print(card: Card, label: str) -> str:
    return f"No print “{label}” of {card.name} is known; the card was taken without it."


def _count(row: Row, card: Card) -> tuple[int, str]:
    """How many copies the row says, and what was assumed for it. Raises LineRefused."""
    count, assumed = copies_of(row.count)
    if not 1 <= count <= MAX_COUNT:
        raise LineRefused(
            "bad_count", f"{card.name}: a count is 1 to {MAX_COUNT}, not “{row.count.strip()[:20]}”."
        )
    return count, assumed


def _first(assumptions: list[Loss]) -> Iterator[Loss]:
    """The first of these losses, which are of one kind, and how many more there are."""
    yield from assumptions[:MAX_ASSUMED]
    if more := assumptions[MAX_ASSUMED:]:
        yield replace(
            more[0],
            message=(
                f"{some(len(more), 'count')} more {plural(len(more), 'was', 'were')} assumed, from here on."
            ),
        )


def _key(entry: Entry) -> tuple[str, str]:
    return entry.section, f"{entry.card.code} {entry.card.type}" if entry.card.written else entry.card.code


def _add(entries: dict[tuple[str, str], Entry], entry: Entry) -> tuple[str, str]:
    """Add an entry to the others and return its key among them. Raises LineRefused."""
    key = _key(entry)
    before = entries.get(key)
    together = joined(before, entry) if before else entry
    if together.count > MAX_COUNT:
        raise LineRefused(
            "bad_count",
            f"That makes {together.count} copies of {entry.card.name}; at most {MAX_COUNT} are read.",
        )
    if not before and len(entries) >= MAX_ENTRIES:
        raise LineRefused(
            "too_many_cards", f"More than {MAX_ENTRIES:,} different cards; this one was left out."
        )
    refuse_long_marks(together.marks)
    entries[key] = together
    return key


def _cards_by_id(game: Game, format: str) -> dict[str, Card]:
    fact = settings_of(game, format).get("id_fact", "")
    return {_plain_id(str(value)): card for card in game.cards if (value := card.fact(fact))} if fact else {}


def _plain_id(text: str) -> str:
    try:
        return str(uuid.UUID(text))
    except ValueError:
        return ""
