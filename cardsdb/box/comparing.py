"""Compare a package (an uploaded file of cards, or archive of files and pictures) with the catalogue and with
a box: which texts are new, changed, or not understood.

``compare`` returns a ``Report``. Pages call it through ``report.py``, commands directly. It writes and locks
nothing. A package may be large, so its rows are streamed, never held in a list.
Tests: ``tests/cardsdb/box/test_comparing.py``.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from cardsdb.box.package_pictures import PlacedPictures, known_pictures, place_pictures
from cardsdb.box.reading.container import opened
from cardsdb.box.reading.formats import package_of
from cardsdb.box.reading.matching import HOWS, Match, Matcher
from cardsdb.box.reading.rows import FACT, Columns, NotUnderstood, Package, Row, Stated, guessed
from cardsdb.box.set_rows import SAYS_NOTHING, IntoSet, SetRows
from cardsdb.box.sets import cards_in
from cardsdb.box.texts import choices_of, clean_text, plain_cell
from cardsdb.catalogue.current import games
from cardsdb.faults import Refused
from cardsdb.games.kit import OWN_CODE, Card, Fact, FolderError, Game, NameIndex, as_words, fold, listed
from cardsdb.games.kit.listtext.guess import game_of_most
from cardsdb.models import OwnBox

# Rows that are read to guess a package's game.
SAMPLE = 200
# A function that is called with the number of rows read so far, every EVERY rows; it may raise to stop.
Progress = Callable[[int], None]
EVERY = 500
# Characters of a fact that are kept.
MAX_FACT = 300
# Characters of a fact that are compared.
MAX_FACT_READ = 1_000
# A cell that is a number.
NUMBER = re.compile(r"[+-]?\d{1,9}")
# Problems that are kept; further ones are only counted.
MAX_REPORTED = 10_000
# Entries that are kept for their owner to decide.
MAX_OPEN = 1_000


class NewText(NamedTuple):
    """The content of a row for its card: text, facts that differ from the catalogue, and the index of the
    card's print that it is about (-1: none in particular).
    """

    text: str
    facts: Mapping[str, str]
    print: int = -1

    @property
    def content(self) -> tuple[str, Mapping[str, str]]:
        """The part of it that is stored: (text, facts)."""
        return self.text, self.facts

    @property
    def rank(self) -> tuple[bool, int]:
        """Its rank among rows of one card: with a text before without, then by the later print."""
        return bool(self.text), self.print


class Open(NamedTuple):
    """A row that fits several cards, or only similar names. Its owner may choose a candidate of ``match``."""

    row: Row
    stated: Stated
    match: Match


@dataclass
class Report:
    """The result of comparing a package with a box: texts, own cards, and pictures with their cards.

    ``texts`` are by card code; each code is in one of ``added``, ``changed`` and ``unchanged``, or in none if
    it says nothing new. ``chosen`` are the visitor's choices (entry key -> card code), not yet saved.
    ``found`` counts the rows by how their card was found. ``state`` is the box's version when it was
    compared. ``rows`` counts all rows; ``without_text`` those of a card without a text, or with ours;
    ``several`` those that contradict an earlier row of their card; ``unmatched`` those that became neither an
    own text nor an own card, nor wait in ``open``; ``more`` the problems beyond those in ``not_understood``.
    """

    package: Package
    game: Game
    columns: Columns
    chosen: Mapping[str, str] = field(default_factory=dict)
    state: int = 0
    own: SetRows | None = None
    pictures: PlacedPictures = field(default_factory=PlacedPictures)
    texts: dict[str, NewText] = field(default_factory=dict)
    found: Counter[str] = field(default_factory=Counter)
    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    open: list[Open] = field(default_factory=list)
    not_understood: list[NotUnderstood] = field(default_factory=list)
    more: int = 0
    rows: int = 0
    without_text: int = 0
    several: int = 0
    unmatched: int = 0

    @property
    def cards_with_text(self) -> int:
        """The number of cards with a text in this package."""
        return sum(bool(new.text) for new in self.texts.values())

    def keep(self, code: str, new: NewText) -> None:
        """Keep what a row says of its card: of rows with different contents that with the highest rank, of
        equal ranks the first.
        """
        before = self.texts.get(code)
        if before is None or before.content == new.content or new.rank > before.rank:
            self.texts[code] = new
        if before is not None and before.content != new.content:
            self.several += 1

    def pass_over(self, problem: NotUnderstood) -> None:
        """Add a problem, or only count it if there are too many."""
        if len(self.not_understood) < MAX_REPORTED:
            self.not_understood.append(problem)
        else:
            self.more += 1

    def pass_over_pictures(self) -> None:
        """Add the problems of the pictures. Call it last: taking pictures in finds further problems."""
        for problem in self.pictures.problems:
            self.pass_over(problem)

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of the report by name, for JSON."""
        return {
            "cards_with_text": self.cards_with_text,
            "pictures": len(self.pictures.places),
            "pictures_left": self.pictures.left,
            "pictures_refused": self.pictures.refused,
            "added": len(self.added),
            "changed": len(self.changed),
            "unchanged": len(self.unchanged),
        }

    def as_json(self) -> dict[str, Any]:
        """Return the report for the command ``own --json``."""
        report = {
            "game": self.game.slug,
            **self.counts,
            "cards_made": len(self.own.made) if self.own else 0,
            "cards_changed": len(self.own.changed) if self.own else 0,
            "found_by": {how: self.found[how] for how in HOWS},
            "not_understood": [problem._asdict() for problem in self.not_understood],
            "not_understood_more": self.more,
        }
        if self.package.pictures:
            report["pictures_found_by"] = dict(self.pictures.found)
        return report


def compare(
    package: Package,
    game: Game,
    columns: Columns,
    box: OwnBox | None,
    progress: Progress = lambda rows: None,
    chosen: Mapping[str, str] | None = None,
    into: IntoSet | None = None,
) -> Report:
    """Read every row, find its card, and sort out what is new. Pictures are matched by name and not opened.
    Raises BadPackage for a file that cannot be read.

    ``chosen``: entry key -> card code, "" to skip, ``OWN_CODE`` for an own card; it takes precedence over
    choices remembered in the box. ``into``: the own set for rows that are no catalogue card.
    """
    before = OwnBox.objects.stored(box).first() if box else None
    own = SetRows(game, columns, into, box) if into else None
    result = Report(package, game, columns, chosen or {}, before.state if before else 0, own)
    choices = {**choices_of(box, game), **result.chosen}
    # If rows with similar names become own cards, no similar catalogue cards are offered for them.
    makes_similar = into is not None and into.with_similar
    matcher = Matcher(game, choices, with_similar=not makes_similar)
    for row in package.rows(result.pass_over):
        result.rows += 1
        if result.rows % EVERY == 0:
            progress(result.rows)
        _read(row, matcher, result)
    progress(result.rows)
    _sort_out(result, box)
    if package.pictures:
        names = NameIndex((*cards_in(box, game), *(own.cards if own else ())))
        result.pictures = place_pictures(package, game, columns, names)
    return result


def _other_game(stated: Stated, game: Game) -> Game | None:
    """Return the other game that the row's game column names; None if it names this game or no known one."""
    for other in games().values():
        if other.slug != game.slug and fold(stated.game) in (other.slug, fold(other.name)):
            return other
    return None


def _read(row: Row, matcher: Matcher, result: Report) -> None:
    """Read one row into the report."""
    stated = result.columns.read(row)
    if other := _other_game(stated, result.game):
        why = f"The row is of {other.name}. Upload the file again and choose that game."
        result.pass_over(row.problem(why, *result.columns.of("game")))
        return
    if not (stated.id or stated.name or stated.number):
        result.pass_over(row.problem("The row names no card: no id, no number, no name."))
        return
    # An own card may have the name of a catalogue card, so its code decides.
    match = Match() if stated.id.startswith(OWN_CODE) else matcher.match(stated)
    if match.card is None:
        _read_without_card(row, stated, match, result)
        return
    card = match.card
    result.found[match.how] += 1
    new = NewText(_text(row, stated, card, result), _other_facts(row, stated, card, result), match.print)
    if not new.text:
        result.without_text += 1
    if new.text or new.facts:
        result.keep(card.code, new)


def _read_without_card(row: Row, stated: Stated, match: Match, result: Report) -> None:
    """Decide what becomes of a row that is no catalogue card.

    * There is a set for own cards (``result.own``), the owner did not choose to skip the row, and its name is
      like no catalogue card's, or is that of a card which the set has already: it becomes an own card.
    * Else, with candidates: it is kept in ``result.open`` for the owner to decide, and reported.
    * Else it is reported.
    """
    own, may_be_meant = result.own, match.candidates or match.is_unsure
    is_skipped = match.how == "choice"
    if own and not is_skipped and (not may_be_meant or own.card_of(stated)):
        for problem in own.take(row, stated):
            result.pass_over(problem)
        return
    called = (stated.name or stated.id or f"{stated.set} {stated.number}")[:80]
    if not match.candidates:
        result.unmatched += 1
        result.pass_over(row.problem(f"“{called}” is no card of this game."))
        return
    if len(result.open) < MAX_OPEN:
        result.open.append(Open(row, stated, match))
    cards = match.candidates
    names = tuple(f"{card.name} ({card.prints[0].set if card.prints else card.type})" for card in cards)
    result.pass_over(row.problem(f"“{called}” may be {listed(names)}."))


def _text(row: Row, stated: Stated, card: Card, result: Report) -> str:
    """Return the row's text, "" if it has none, a bad one, or the catalogue's own words."""
    try:
        text = clean_text(plain_cell(stated.text))
    except Refused as error:
        result.pass_over(row.problem(error.faults[0].message, ", ".join(result.columns.of("text"))))
        return ""
    return "" if text in (card.text, card.told) else text


def _other_facts(row: Row, stated: Stated, card: Card, result: Report) -> Mapping[str, str]:
    """Return the facts of a row that contradict the catalogue: fact key -> the cell as written. For Kai,
    whose craft is 2 and combat 7 here, the cells "3" and "7" give ``{"craft": "3"}``.
    """
    other = {}
    for key, cell in stated.facts.items():
        fact, cell = result.game.facts_by_key[key], cell[:MAX_FACT_READ]
        is_meant = fact.applies_to(card.type) and not fact.is_aside and fold(cell) not in SAYS_NOTHING
        # ``unless``: facts that stand in its place. A card that has one of them here cannot have this one.
        if not is_meant or any(other_key in card.facts for other_key in fact.unless):
            continue
        if fact.kind == "number" and card.fact(key) is None and not NUMBER.fullmatch(cell):
            reason = f"{card.name}: {fact.title} is no number: “{cell[:60]}”."
            result.pass_over(row.problem(reason, result.columns.of(FACT + fact.key)[0]))
        elif not _agrees(fact, card, cell):
            other[fact.key] = " ".join(cell.split())[:MAX_FACT]
    return other


def _agrees(fact: Fact, card: Card, cell: str) -> bool:
    """True if a cell agrees with the catalogue, wholly or in part: for a card whose craft is 2 here, "2" and
    "2 points" agree, "3" does not.
    """
    ours, folded_cell = card.fact(fact.key), fold(cell)
    words = [fold(word) for word in card.words(fact.key)]
    if ours is not None and not isinstance(ours, bool) and all(word in folded_cell for word in words):
        # Other programs write more into a cell, such as "4 CP" or "Occult Investigation 4+".
        return True
    if fact.kind == "number":
        return bool(NUMBER.fullmatch(cell)) and ours == int(cell)
    if fact.kind == "flag":
        return ours == (folded_cell in ("yes", "true", "1", "x", "y"))
    if fact.kind == "text":
        return ours is None or fold(as_words(ours)) == folded_cell
    # Several words: all those in the cell, split at ; , / or " - ", must be among ours.
    return {fold(word) for word in re.split(r"[;,/]|\s-\s", cell) if word.strip()} <= set(words)


def _sort_out(result: Report, box: OwnBox | None) -> None:
    """Sort the cards of ``result.texts`` into added, changed and unchanged, against what is stored in the
    box.

    What the file leaves out is filled in from the box before: a file that has only texts changes no stored
    facts.
    """
    states_facts = any(meaning.startswith(FACT) for meaning in result.columns.meanings.values())
    rows = box.owntexts.filter(game=result.game.slug).values_list("card_code", "text", "facts") if box else ()
    stored = {code: (text, facts) for code, text, facts in rows}
    for code, new in result.texts.items():
        if code not in stored:
            result.added.append(code)
            continue
        text, facts = stored[code]
        whole = NewText(new.text or text, new.facts if states_facts else facts, new.print)
        result.texts[code] = whole
        codes = result.unchanged if whole.content == (text, facts) else result.changed
        codes.append(code)


def likely_game(package: Package) -> Game | None:
    """Return the game that most sample rows fit; if no row fits any, the one that most pictures fit; else
    None. Games whose files have faults are skipped.
    """
    sample = list(islice(package.rows(), SAMPLE))
    names = list(dict.fromkeys(column for row in sample for column in row.cells))

    def known_rows(game: Game) -> int:
        """Return how many sample rows are cards of this game."""
        columns, matcher = guessed(package, game, names), Matcher(game)
        rows = (stated for stated in map(columns.read, sample) if not _other_game(stated, game))
        return sum(matcher.match(stated).card is not None for stated in rows)

    def most(count: Callable[[Game], int]) -> Game | None:
        """Return the game with the highest count, the first of several; None if it is 0 for all."""

        def counted(game: Game) -> int:
            with suppress(FolderError):
                return count(game)
            return 0

        return next(iter(game_of_most(games().values(), counted).candidates), None)

    game = most(known_rows)
    if game or not package.pictures:
        return game
    return most(lambda game: known_pictures(package, game))


def texts_of_file(game: Game, path: Path) -> tuple[Mapping[str, str], tuple[str, ...]]:
    """Return (card code -> text, problems as sentences) of a file or folder, compared with no box. Raises
    BadPackage and OSError.
    """
    with opened(path) as files:
        package = package_of(files, path.name)
        found = compare(package, game, guessed(package, game), None)
    texts = {code: new.text for code, new in found.texts.items() if new.text}
    return texts, tuple(
        f"{problem.file}, {problem.row}: {problem.reason}" for problem in found.not_understood
    )
