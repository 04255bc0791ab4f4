"""A package compared with the catalogue and with a box: what would be added, what changes, and what is not
understood.

Comparing writes nothing, and keeps nobody waiting; ``taking_in`` writes all of a report or nothing. The rows
are read one at a time, twice: a package may be large.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from cardsdb.box.package_pictures import PlacedPictures, likely_game_of_pictures, place_pictures
from cardsdb.box.reading.container import opened
from cardsdb.box.reading.matching import HOWS, Match, Matcher, Stated, stated_by
from cardsdb.box.reading.programs import package_of
from cardsdb.box.reading.rows import FACT, Columns, NotUnderstood, Package, Row, guessed
from cardsdb.box.set_rows import SAYS_NOTHING, IntoSet, SetRows
from cardsdb.box.sets import cards_in
from cardsdb.box.texts import choices_of, clean_text, plain_cell
from cardsdb.catalogue.current import games
from cardsdb.faults import Refused
from cardsdb.games.kit import Card, Fact, Game
from cardsdb.games.kit.folder.files import FolderError
from cardsdb.games.kit.listtext.guess import game_of_most
from cardsdb.games.kit.model.cards import OWN_CODE, as_words
from cardsdb.games.kit.model.names import NameIndex
from cardsdb.games.kit.model.text import fold, listed
from cardsdb.models import OwnBox

# Rows by which a package's game is known.
SAMPLE = 200
# Called with the number of rows that were read; it may raise to stop.
Progress = Callable[[int], None]
EVERY = 500
# Letters of a fact that are kept, and that are looked at.
MAX_FACT, MAX_FACT_READ = 300, 1_000
# Of what is not understood, so much is kept; the rest is counted.
MAX_REPORTED = 10_000
# So many entries are kept for their owner to choose a card.
MAX_OPEN = 1_000


@dataclass(frozen=True, slots=True)
class NewText:
    """Tells what a row states of a card: the text, facts that differ from the catalogue's, and the print
    that it speaks of.
    """

    text: str
    facts: Mapping[str, str]
    print: int = -1


@dataclass(frozen=True, slots=True)
class Open:
    """An entry that fits several cards, or none but similar names: its owner may choose one of
    ``candidates``.
    """

    row: Row
    stated: Stated
    candidates: tuple[Card, ...]
    is_similar: bool = False


@dataclass
class Report:
    """Tells what a package has for a box: texts, cards of a set of their owner's (``own``), and the cards
    that its pictures show.

    ``chosen``: the cards that were chosen for its entries, which is not kept yet. ``found``: how many rows
    found their card in which way; ``state``: the box's, as it was compared. ``unmatched`` rows are no card,
    and are not cards of a set either.
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
        """Return how many cards have their text in this package."""
        return sum(bool(new.text) for new in self.texts.values())

    @property
    def codes_of_new_cards(self) -> set[str]:
        """The codes of the cards that rows would make."""
        return {values["code"] for values in self.own.made} if self.own else set()

    def pass_over(self, problem: NotUnderstood) -> None:
        """Note what was not understood."""
        if len(self.not_understood) < MAX_REPORTED:
            self.not_understood.append(problem)
        else:
            self.more += 1

    def pass_over_pictures(self) -> None:
        """Note the pictures that were passed over. For the end: taking them in passes over more."""
        for problem in self.pictures.problems:
            self.pass_over(problem)

    def as_json(self) -> dict[str, Any]:
        return {
            "game": self.game.slug,
            "cards_with_text": self.cards_with_text,
            "pictures": len(self.pictures.places),
            "added": len(self.added),
            "changed": len(self.changed),
            "unchanged": len(self.unchanged),
            "cards_made": len(self.own.made) if self.own else 0,
            "cards_changed": len(self.own.changed) if self.own else 0,
            "found_by": {how: self.found[how] for how in HOWS},
            "not_understood": [
                {"file": p.file, "row": p.row, "column": p.column, "reason": p.reason}
                for p in self.not_understood
            ],
            "not_understood_more": self.more,
            **({"pictures_found_by": dict(self.pictures.found)} if self.package.pictures else {}),
        }


def compare(
    package: Package,
    game: Game,
    columns: Columns,
    box: OwnBox | None,
    progress: Progress = lambda rows: None,
    chosen: Mapping[str, str] | None = None,
    into: IntoSet | None = None,
) -> Report:
    """Read every row, find its card and see what of it is new; find the cards of the pictures by their names,
    of which none is opened. Raises BadPackage for a file that cannot be read.

    ``chosen``: key of an entry -> the code of its card, before those that the box remembers; a bare
    ``OWN_CODE`` for a card of one's own. ``into``: the set whose cards those rows are, or may be, that are no
    card of the catalogue.
    """
    before = OwnBox.objects.stored(box).first() if box else None
    own = SetRows(game, columns, into, box) if into else None
    result = Report(package, game, columns, chosen or {}, before.state if before else 0, own)
    matcher = Matcher(
        game, {**choices_of(box, game), **result.chosen}, with_similar=not (into and into.with_similar)
    )
    for row in package.rows(result.pass_over):
        result.rows += 1
        if not result.rows % EVERY:
            progress(result.rows)
        _read(row, columns, matcher, result)
    progress(result.rows)
    _sort_out(result, box, any(meaning.startswith(FACT) for meaning in columns.meanings.values()))
    if package.pictures:
        names = NameIndex((*cards_in(box, game), *(own.cards if own else ())))
        result.pictures = place_pictures(package, game, columns, names)
    return result


def _read(row: Row, columns: Columns, matcher: Matcher, result: Report) -> None:
    stated = stated_by(row, columns)
    if not (stated.id or stated.name or stated.number):
        return result.pass_over(
            NotUnderstood(row.file, row.number, "", "The row names no card: no id, no number, no name.")
        )
    # A code of somebody's own card is that of no card of the catalogue, whatever the card is called.
    match = Match() if stated.id.startswith(OWN_CODE) else matcher.match(stated)
    if match.card is None:
        if result.own and _is_own(match, stated, result.own):
            for problem in result.own.take(row, stated):
                result.pass_over(problem)
            return None
        result.unmatched += not match.candidates
        if match.candidates and len(result.open) < MAX_OPEN:
            result.open.append(Open(row, stated, match.candidates, match.is_similar))
        return result.pass_over(NotUnderstood(row.file, row.number, "", _why_open(stated, match.candidates)))
    card = match.card
    result.found[match.how] += 1
    new = NewText(_text(row, columns, card, result), _other_facts(row, columns, card, result), match.print)
    if not new.text:
        result.without_text += 1
        if not new.facts:
            return None
    before = result.texts.get(card.code)
    if before and (before.text, before.facts) != (new.text, new.facts):
        # A later print corrects an earlier one; what has words comes before what has none.
        result.several += 1
        new = max(before, new, key=lambda one: (bool(one.text), one.print))
    result.texts[card.code] = new
    return None


def _is_own(match: Match, stated: Stated, own: SetRows) -> bool:
    """Say whether a row without a card of the catalogue is one of a set: not if its name may be meant for
    a card, until its owner says so.
    """
    if match.how == "choice":
        return False
    return not (match.candidates or match.is_unsure) or own.card_of(stated) is not None


def _why_open(stated: Stated, candidates: tuple[Card, ...]) -> str:
    called = stated.name or stated.id or f"{stated.set} {stated.number}"
    if not candidates:
        return f"“{called[:80]}” is no card of this game."
    names = tuple(f"{card.name} ({card.prints[0].set if card.prints else card.type})" for card in candidates)
    return f"“{called[:80]}” may be {listed(names)}."


def _text(row: Row, columns: Columns, card: Card, result: Report) -> str:
    said = columns.cell(row.cells, "text")
    if not said:
        return ""
    try:
        text = clean_text(plain_cell(said))
    except Refused as error:
        result.pass_over(
            NotUnderstood(row.file, row.number, ", ".join(columns.of("text")), error.faults[0].message)
        )
        return ""
    return "" if text == card.text else text


def _other_facts(row: Row, columns: Columns, card: Card, result: Report) -> Mapping[str, str]:
    """The facts of a row that say something else than the catalogue, as their cells say it."""
    other = {}
    for key, cell in columns.facts(row.cells).items():
        fact, cell = result.game.facts_by_key[key], cell[:MAX_FACT_READ]
        if (
            not fact.applies_to(card.type)
            or fact.is_aside
            or fold(cell) in SAYS_NOTHING
            or any(key in card.facts for key in fact.unless)
        ):
            continue
        agrees = _agrees(fact, card, cell)
        if agrees is None:
            column = next(iter(columns.of(f"fact:{key}")), "")
            result.pass_over(
                NotUnderstood(
                    row.file, row.number, column, f"{card.name}: {fact.title} is no number: “{cell[:60]}”."
                )
            )
        elif not agrees:
            other[key] = " ".join(cell.split())[:MAX_FACT]
    return other


def _agrees(fact: Fact, card: Card, cell: str) -> bool | None:
    """Say whether a cell says what the catalogue has, or a part of it; None for what cannot be read."""
    ours, said = card.fact(fact.key), fold(cell)
    if (
        ours is not None
        and not isinstance(ours, bool)
        and all(fold(word) in said for word in card.words(fact.key))
    ):
        # Other programs write more into a cell: "4 CP", "Occult Investigation 4+".
        return True
    if fact.kind == "number":
        return ours == int(cell) if re.fullmatch(r"[+-]?\d{1,9}", cell) else None if ours is None else False
    if fact.kind == "flag":
        return ours == (fold(cell) in ("yes", "true", "1", "x", "y"))
    if fact.kind == "text":
        return ours is None or fold(as_words(ours)) == said
    theirs = {fold(word) for word in re.split(r"[;,/]|\s-\s", cell) if word.strip()}
    return theirs <= {fold(word) for word in card.words(fact.key)}


def _sort_out(result: Report, box: OwnBox | None, states_facts: bool) -> None:
    """Sort out which cards are new to the box, which differ, which are as they were."""
    rows = box.owntexts.filter(game=result.game.slug).values_list("card_code", "text", "facts") if box else ()
    stored = {code: (text, facts) for code, text, facts in rows}
    for code, new in result.texts.items():
        before = stored.get(code)
        if before:
            # What a file does not speak of stays as it is.
            new = result.texts[code] = NewText(
                new.text or before[0], new.facts if states_facts else before[1], new.print
            )
        kind = (
            result.added
            if before is None
            else result.unchanged
            if before == (new.text, new.facts)
            else result.changed
        )
        kind.append(code)


def likely_game(package: Package) -> Game | None:
    """The game of which most of the first rows are cards; None where no row is. A game whose files have
    faults is passed over.
    """
    sample = list(islice(package.rows(), SAMPLE))
    names = list(dict.fromkeys(column for row in sample for column in row.cells))

    def found(game: Game) -> int:
        try:
            columns, matcher = guessed(package, game, names), Matcher(game)
        except FolderError:
            return 0
        return sum(matcher.match(stated_by(row, columns)).card is not None for row in sample)

    return next(iter(game_of_most(games().values(), found).candidates), None)


def game_of(package: Package, said: str = "") -> Game | None:
    """The game that was said; else that of most rows, else that of most pictures."""
    return games().get(said) or likely_game(package) or likely_game_of_pictures(package)


def texts_of_file(game: Game, path: Path) -> tuple[Mapping[str, str], tuple[str, ...]]:
    """(card code -> text, what was not understood) of a file or a folder. Raises BadPackage and OSError."""
    with opened(path) as files:
        package = package_of(files, path.name)
        found = compare(package, game, guessed(package, game), None)
    texts = {code: new.text for code, new in found.texts.items() if new.text}
    return texts, tuple(f"{one.file}, {one.row}: {one.reason}" for one in found.not_understood)
