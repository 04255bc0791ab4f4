"""The rows of a file as a deck of a game. Cards are found by id, by code or by name, never by guess.

The section of cards is chosen where a file leaves it open, such as one zone for several sections, so that the
rules are kept. A card's type may be taken by a special section, such as the cards that start in play, and by
the main one as well. The file's order is tried first, because our own files name the special section's cards
before the others; then as many as the rules allow go to the special section, and the rest to the main one.
Every choice is reported.
"""

import re
import uuid
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from cardsdb.games import games
from cardsdb.games.kit import (
    NO_MARKS,
    Card,
    Decklist,
    Entry,
    Game,
    Prints,
    as_words,
    fold,
    joined,
    listed,
    plural,
    some,
)
from cardsdb.games.kit.listtext.deck import add_entry
from cardsdb.games.kit.listtext.guess import Guess, game_of_most
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
    placed_words,
)
from cardsdb.games.kit.model.decklist import ANY_PRINT, Group
from cardsdb.games.kit.model.marks import tags_of
from cardsdb.games.kit.repair.steps import badness
from cardsdb.games.kit.rules.house_rules import still_known, with_house_rules
from decks.formats.contract import (
    NO_COPIES,
    Games,
    Loss,
    Parsed,
    ReadFile,
    Row,
    Unreadable,
    copies_of,
    settings_of,
)
from decks.formats.files import LeftOut
from decks.formats.writing import DeckNotes

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
        if isinstance(value, list):
            # Words that hold a comma need semicolons between them.
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


MAX_NAME, MAX_SET = 200, 40
# Assumed counts that are told one by one.
MAX_ASSUMED = 20
# The first names of a long list are enough to tell the game.
MAX_NAMES_TRIED = 500
_UNFIT = re.compile("[\x00-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


SectionsOf: TypeAlias = Callable[[Game, str], tuple[str, ...]]


def reader(
    format: str, parse: Callable[[bytes], Parsed], sections_of: SectionsOf | None = None
) -> Callable[[Game | None, bytes, str, Games], ReadFile]:
    """The ``read`` function of a format whose files ``parse`` parses.

    ``sections_of`` returns the sections that a part of the file may stand for where its name means nothing to
    the game: a card that none of these takes goes where its type belongs.
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
    if guess.game:
        return guess.game
    if not guess.candidates:
        here = listed(tuple(game.name for game in games().values()))
        sentence = (
            f"The list names no card of the games here: {here}. If it is for one of them, choose the game"
            " and correct the lines."
        )
        raise Unreadable("foreign_game", sentence)
    alike = " or ".join(game.name for game in guess.candidates)
    sentence = f"The {what} may be for {alike}. Choose the game it is for."
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


# How many copies are tried in both sections; further ones go to the main section.
MAX_TRIED = 60

# Identifies an entry of a deck: its section, and its card, with the type if the list writes the card in.
Key = tuple[str, str]


@dataclass(frozen=True)
class Open:
    """Copies of a card that may stand in the main section or in the special one, where they are put at
    first.
    """

    key: Key
    main: str
    count: int
    print: str = ""


class _Placing:
    """The state of a deck while rows of a file are put into it, one after the other; it reports rows that
    cannot be read.
    """

    def __init__(self, format: str, game: Game, parsed: Parsed, by_type: SectionsOf | None) -> None:
        self.format, self.game, self.parsed, self.by_type = format, game, parsed, by_type
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
        """The deck that the file states, with every row that could not be read, and the losses."""
        parsed, notes, parts, named = self.parsed, self.notes, Counter[str](), set[str]()
        for row in parsed.rows:
            sections = self._sections(row.part)
            named |= set(sections) if len(sections) == 1 else set()
            parts[row.part] += 1
            try:
                self._place(row, sections)
            except LineRefused as refused:
                where = row.count_at if refused.code == "bad_count" and row.count_at else row.where
                said = refused.code, refused.message, refused.suggestions
                section = next(iter(sections), "")
                self.unread.append(Unread(row.place.line, _fitting(row), *said, section, where=where))
        # A text among the unread rows and again among the unread lines of the notes is reported once.
        again = {fold(u.text) for u in self.unread if u.line}
        house = parsed.house or notes.values.get("House rules", "")
        chosen, choices = self._settled(house, named)
        reading = Reading(
            Decklist(
                chosen, {**notes.details, **parsed.details}, parsed.name or notes.values.get("Name", "")
            ),
            tuple(u for u in self.unread if u.line or fold(u.text) not in again),
            tuple(self.notices),
            self.stated,
            (*parsed.comments, *notes.comments, *(f"{row.part}: {_fitting(row)}" for row in self.beside)),
            "\n".join(filter(None, (parsed.notes, notes.notes))),
            parsed.tags or tags_of(notes.values.get("Tags", "")),
            house,
        )
        unknown = (
            Loss(
                "section_unknown",
                f"{self.game.name} decks have no part “{part[:40]}”: {some(count, 'card')} went where its"
                " type belongs.",
                part[:40],
            )
            for part, count in parts.items()
            if part
            and not self._sections(part)
            and not sections_named(self.game, self.format, part)
            and not (heading_of(self.game, part) or beside_words(self.game, part))
        )
        for part, count in Counter(row.part for row in self.beside).items():
            message = f"{beside_words(self.game, part)}; kept as comments: {some(count, 'line')}."
            choices = (*choices, Loss("beside_the_deck", message, part))
        return reading, (*_first(self.assumptions), *choices, *unknown, *self.left_out.losses)

    def _sections(self, part: str) -> tuple[str, ...]:
        """The sections that a part of the file may stand for."""
        return self.by_type(self.game, part) if self.by_type else sections_named(self.game, self.format, part)

    def _place(self, row: Row, sections: tuple[str, ...]) -> None:
        """Add the row's copies to the deck. Raises LineRefused."""
        game, (count, assumed) = self.game, copies_of(row.count)
        where, is_beside = row.count_at or row.where, bool(beside_words(self.game, row.part))
        if not count:
            self.left_out.add(*NO_COPIES, where)
            return
        if is_beside and not sections:
            self.beside.append(row)
            return
        card, print_label, remarks = self._card(row, sections)
        fitting = next((slug for slug in sections if card.type in game.sections_by_slug[slug].types), "")
        if is_beside and self.by_type and not fitting:
            self.beside.append(row)
            return
        section = fitting or ("" if self.by_type else next(iter(sections), ""))
        # Where it may stand by the file: in the sections of its part, else in all of the format.
        among: Iterable[str] = (
            sections if section else self.used.sections if self.used else game.sections_by_slug
        )
        section = section or game.section_for(card.type, self.used)
        if not 1 <= count <= MAX_COUNT:
            raise LineRefused(
                "bad_count", f"{card.name}: a count is 1 to {MAX_COUNT}, not “{row.count.strip()[:20]}”."
            )
        marks = row.marks if row.marks != NO_MARKS else self.notes.marks_of(card, count)
        if print_label and not marks.prints:
            marks = replace(marks, prints=Prints.of(print_label))
        key = section, f"{card.code} {card.type}" if card.written else card.code
        add_entry(self.entries, key, Entry(card, count, section, marks))
        main = main_section(game, card.type, among)
        if main not in ("", section):
            self.opens.append(Open(key, main, count, marks.prints.label))
        self.notices += [Notice(row.place.line, sentence, row.where) for sentence in remarks]
        if assumed:
            self.assumptions.append(Loss("count_assumed", f"{card.name}: {assumed}.", where))

    def _card(self, row: Row, sections: tuple[str, ...]) -> tuple[Card, str, list[str]]:
        """The card that a row names, the print that it asks for, and sentences about how they were found.
        Raises LineRefused.
        """
        game, name, aside = self.game, " ".join(row.name.split()), []
        set_code, number = self.sets.get(fold(row.set), row.set), row.number
        if len(row.set) + len(number) > MAX_SET:
            aside = [f"{name[:80]}: a set and number of more than {MAX_SET} letters were left out."]
            set_code = number = ""
        elif number and not row.set and (number.isdecimal() or not game.name_index.numbered(number)):
            aside = [f"{name[:80]}: the number {number} says nothing without a set; it was left out."]
            number = ""
        known = self.by_id.get(plain_id(row.id)) if row.id else None
        known = known or game.card(row.code.removeprefix(f"{game.slug}/"))
        if known is not None:
            if name and name != row.code and fold(name) not in map(fold, (known.name, *known.aliases)):
                aside.append(f"The file calls it “{name[:80]}”; by its id it is {known.name}.")
            if set_code and not known.printed_in(set_code, number)[bool(number)]:
                aside.append(_no_print(known, f"{set_code} {number}".rstrip()))
            return known, known.print_meant(set_code, number), aside
        if written := self.notes.card(name):
            return written, "", aside
        if not any(map(str.isalnum, name)) or len(name) > MAX_NAME or _UNFIT.search(name):
            raise LineRefused(
                "bad_name",
                f"A card's name has 1 to {MAX_NAME} characters that can be seen, a letter or digit among"
                " them.",
            )
        if row.type == UNKNOWN:
            line = f"1 {name.replace('|', '¦')} | {UNKNOWN}"
            return read_card_line(game, line, ()).card, "", aside
        if row.facts is not None:
            return written_in_card(game, name, row.type, row.facts), "", aside
        types = (row.type,) if row.type else game.sections_by_slug[sections[0]].types if sections else ()
        index, shown = game.name_index, name
        if set_code and index.called(f"{name} ({row.set})"):
            shown = f"{name} ({row.set})"
        elif (set_code or number) and (index.called(name) or index.plainly(name)):
            shown = f"{name} ({set_code}) {number}" if set_code else f"{name} ({number})"
        _, card, ignored, marks = read_card_line(game, f"1 {shown}", types)
        chosen = "" if self.notes.leaves_open(card, set_code) else marks.prints.label
        return card, chosen, [*aside, _no_print(card, ignored)] if ignored else aside

    # -- the section of cards that the file leaves open ---------------------------------------

    def _settled(self, house: str, named: Collection[str]) -> tuple[tuple[Entry, ...], tuple[Loss, ...]]:
        """The entries, each in its section, and a sentence for every choice.

        ``named`` are the sections that the file names by themselves: cards elsewhere in the file do not
        belong to them. Where every card of the file was read, a deck with too few cards in a section may need
        these there.
        """
        entries, opens = tuple(self.entries.values()), self.opens
        if not opens:
            return entries, ()
        used = self.used or self.game.likely_format(Decklist(entries))
        used = with_house_rules(used, still_known(used, house)) if house else used

        def faults(moved: Sequence[int]) -> tuple[int, int]:
            """Return how much is illegal and, if every card is known, lacking then."""
            illegal, lacking, _ = badness(self.game.judge(Decklist(self._moved(moved)), used))
            return illegal, 0 if self.unread else lacking

        def with_copies(places: Iterable[int]) -> list[int]:
            """Return how many copies go to the main section, one more for each of these places."""
            more = Counter(places)
            return [count + more[place] for place, count in enumerate(elsewhere)]

        elsewhere = [one.count if one.key[0] in named else 0 for one in opens]
        free = [place for place, one in enumerate(opens) for _ in range(one.count) if one.key[0] not in named]
        moved, least = elsewhere, faults(elsewhere)
        # In the file's order: the last copy goes to the main section, the last two, and so on.
        for stay in range(min(len(free) - 1, MAX_TRIED), -1, -1):
            if not any(least):
                break
            tried = with_copies(free[stay:])
            if (found := faults(tried)) < least:
                moved, least = tried, found
        if free and least[0]:
            # Without the file's order: each copy goes into the special section unless that makes more
            # illegal.
            filled = with_copies(free)
            illegal = faults(filled)[0]
            for place in free[:MAX_TRIED]:
                filled[place] -= 1
                if (after := faults(filled)[0]) > illegal:
                    filled[place] += 1
                else:
                    illegal = after
            moved = filled if illegal < least[0] else moved
        return self._moved(moved), tuple(self._choices(moved))

    def _moved(self, moved: Sequence[int]) -> tuple[Entry, ...]:
        """The entries with so many copies of the open ones in the main section instead, each where it stood
        in the file.
        """
        outs: dict[Key, list[Group]] = {}
        mains = {one.key: one.main for one in self.opens}
        for one, copies in zip(self.opens, moved, strict=True):
            outs.setdefault(one.key, []).append((one.print, copies))
        after: dict[Key, Entry] = {}
        for key, entry in self.entries.items():
            target = (mains.get(key, ""), key[1])
            out = sum(copies for _, copies in outs.get(key, ()))
            # The copies stay if the line they would join had too many then.
            if target in self.entries and self.entries[target].count + out > MAX_COUNT:
                out = 0
            had = entry.marks.prints
            stay, go = had.parted(entry.count, out, Prints.split(outs[key])) if out else (had, ANY_PRINT)
            for section, count, prints in ((key[0], entry.count - out, stay), (target[0], out, go)):
                if count:
                    marks = replace(entry.marks, prints=prints)
                    part, there = replace(entry, section=section, count=count, marks=marks), (section, key[1])
                    after[there] = joined(after[there], part) if there in after else part
        return tuple(after.values())

    def _choices(self, moved: Sequence[int]) -> Iterator[Loss]:
        """A loss, which is a sentence, for each section that cards were put into by choice; main sections
        come first.
        """
        put: dict[str, list[str]] = {}
        for one, out in zip(self.opens, moved, strict=True):
            name = self.entries[one.key].card.name
            for section, count in ((one.main, out), (one.key[0], one.count - out)):
                if count:
                    put.setdefault(section, []).append(f"{count} {name}")
        mains = {one.main for one in self.opens}
        for section in sorted(put, key=lambda slug: slug not in mains):
            yield Loss("place_chosen", placed_words(self.game, section, put[section], "file"))


def _fitting(row: Row) -> str:
    """The row as a line of a list has room for it."""
    return _UNFIT.sub("\ufffd", row.text)[:MAX_LINE]


def _no_print(card: Card, label: str) -> str:
    return f"No print “{label}” of {card.name} is known; the card was taken without it."


def _first(assumptions: list[Loss]) -> Iterator[Loss]:
    """The first of these losses, which are of one kind, and how many more there are."""
    yield from assumptions[:MAX_ASSUMED]
    if more := assumptions[MAX_ASSUMED:]:
        message = f"{some(len(more), 'count')} more {plural(len(more), 'was', 'were')} assumed, from here on."
        yield replace(more[0], message=message)


def plain_id(value: object) -> str:
    """An id of OCTGN as it writes them; empty for anything else."""
    try:
        return str(uuid.UUID(str(value)))
    except ValueError:
        return ""
