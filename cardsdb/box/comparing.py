"""A package compared with the catalogue and with a box: what would be added, what changes, and what is not
understood.

Comparing writes nothing, and locks nothing; ``report`` writes all of it or nothing. The rows
are read one at a time, twice: a package may be large.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from cardsdb.box.pictures import PlacedPictures, known_pictures, place_pictures
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


class NewText(NamedTuple):
    """Tells what a row states of a card: the text, facts that differ from the catalogue's, and the print
    that it speaks of.
    """

    text: str
    facts: Mapping[str, str]
    print: int = -1


class Open(NamedTuple):
    """An entry that fits several cards, or none but similar names: its owner may choose one of the
    candidates of the ``match``.
    """

    row: Row
    stated: Stated
    match: Match


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

    @property
    def counts(self) -> dict[str, int]:
        """Return how many cards of the catalogue have their text or picture in the package, and what becomes
        of the texts.
        """
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
        return {
            "game": self.game.slug,
            **self.counts,
            "cards_made": len(self.own.made) if self.own else 0,
            "cards_changed": len(self.own.changed) if self.own else 0,
            "found_by": {how: self.found[how] for how in HOWS},
            "not_understood": [problem._asdict() for problem in self.not_understood],
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
    choices = {**choices_of(box, game), **result.chosen}
    matcher = Matcher(game, choices, with_similar=not (into and into.with_similar))
    for row in package.rows(result.pass_over):
        result.rows += 1
        if not result.rows % EVERY:
            progress(result.rows)
        _read(row, matcher, result)
    progress(result.rows)
    _sort_out(result, box)
    if package.pictures:
        names = NameIndex((*cards_in(box, game), *(own.cards if own else ())))
        result.pictures = place_pictures(package, game, columns, names)
    return result


def _other_game(stated: Stated, game: Game) -> Game | None:
    """The other game of ours that a row names; None for other words of its column."""
    others = (other for other in games().values() if other.slug != game.slug)
    return next((other for other in others if fold(stated.game) in (other.slug, fold(other.name))), None)


def _read(row: Row, matcher: Matcher, result: Report) -> None:
    stated = result.columns.read(row)
    if other := _other_game(stated, result.game):
        why = f"The row is of {other.name}. Send the file once more and choose that game."
        result.pass_over(row.problem(why, *result.columns.of("game")))
        return
    if not (stated.id or stated.name or stated.number):
        result.pass_over(row.problem("The row names no card: no id, no number, no name."))
        return
    # The code of an own card is that of no card of the catalogue, whatever the card is called.
    match = Match() if stated.id.startswith(OWN_CODE) else matcher.match(stated)
    if match.card is None:
        _read_without_card(row, stated, match, result)
        return
    card = match.card
    result.found[match.how] += 1
    new = NewText(_text(row, stated, card, result), _other_facts(row, stated, card, result), match.print)
    result.without_text += not new.text
    if not new.text and not new.facts:
        return
    before = result.texts.get(card.code)
    if before and before[:2] != new[:2]:
        # A later print corrects an earlier one; what has words comes before what has none.
        result.several += 1
        new = max(before, new, key=lambda one: (bool(one.text), one.print))
    result.texts[card.code] = new


def _read_without_card(row: Row, stated: Stated, match: Match, result: Report) -> None:
    """Read a row as a card of a set, unless its name may be meant for a card of the catalogue, until its
    owner says so; else leave it open.
    """
    own, may_be_meant = result.own, match.candidates or match.is_unsure
    if own and match.how != "choice" and (not may_be_meant or own.card_of(stated)):
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
    try:
        text = clean_text(plain_cell(stated.text))
    except Refused as error:
        result.pass_over(row.problem(error.faults[0].message, ", ".join(result.columns.of("text"))))
        return ""
    return "" if text in (card.text, card.told) else text


def _other_facts(row: Row, stated: Stated, card: Card, result: Report) -> Mapping[str, str]:
    """The facts of a row that say something else than the catalogue, as their cells say it."""
    other = {}
    for key, cell in stated.facts.items():
        fact, cell = result.game.facts_by_key[key], cell[:MAX_FACT_READ]
        is_meant = fact.applies_to(card.type) and not fact.is_aside and fold(cell) not in SAYS_NOTHING
        if not is_meant or any(key in card.facts for key in fact.unless):
            continue
        agrees = _agrees(fact, card, cell)
        if agrees is None:
            reason = f"{card.name}: {fact.title} is no number: “{cell[:60]}”."
            result.pass_over(row.problem(reason, result.columns.of(FACT + fact.key)[0]))
        elif not agrees:
            other[fact.key] = " ".join(cell.split())[:MAX_FACT]
    return other


def _agrees(fact: Fact, card: Card, cell: str) -> bool | None:
    """Say whether a cell says what the catalogue has, or a part of it; None for what cannot be read."""
    ours, said = card.fact(fact.key), fold(cell)
    words = [fold(word) for word in card.words(fact.key)]
    if ours is not None and not isinstance(ours, bool) and all(word in said for word in words):
        # Other programs write more into a cell: "4 CP", "Occult Investigation 4+".
        return True
    if fact.kind == "number":
        return ours == int(cell) if re.fullmatch(r"[+-]?\d{1,9}", cell) else None if ours is None else False
    if fact.kind == "flag":
        return ours == (fold(cell) in ("yes", "true", "1", "x", "y"))
    if fact.kind == "text":
        return ours is None or fold(as_words(ours)) == said
    return {fold(word) for word in re.split(r"[;,/]|\s-\s", cell) if word.strip()} <= set(words)


def _sort_out(result: Report, box: OwnBox | None) -> None:
    """Sort out which cards are new to the box, which differ, which are as they were."""
    states_facts = any(meaning.startswith(FACT) for meaning in result.columns.meanings.values())
    rows = box.owntexts.filter(game=result.game.slug).values_list("card_code", "text", "facts") if box else ()
    stored = {code: (text, facts) for code, text, facts in rows}
    for code, new in result.texts.items():
        if code not in stored:
            result.added.append(code)
            continue
        # What a file does not speak of stays as it is.
        text, facts = stored[code]
        new = result.texts[code] = NewText(new.text or text, new.facts if states_facts else facts, new.print)
        (result.unchanged if new[:2] == stored[code] else result.changed).append(code)


def likely_game(package: Package) -> Game | None:
    """The game of which most of the first rows are cards; where no row is, that of most pictures, if any are.
    A game whose files have faults is passed over.
    """
    sample = list(islice(package.rows(), SAMPLE))
    names = list(dict.fromkeys(column for row in sample for column in row.cells))

    def known_rows(game: Game) -> int:
        columns, matcher = guessed(package, game, names), Matcher(game)
        rows = (one for one in map(columns.read, sample) if not _other_game(one, game))
        return sum(matcher.match(one).card is not None for one in rows)

    def most(count: Callable[[Game], int]) -> Game | None:
        def counted(game: Game) -> int:
            with suppress(FolderError):
                return count(game)
            return 0

        return next(iter(game_of_most(games().values(), counted).candidates), None)

    game = most(known_rows)
    return most(lambda game: known_pictures(package, game)) if package.pictures and not game else game


def texts_of_file(game: Game, path: Path) -> tuple[Mapping[str, str], tuple[str, ...]]:
    """(card code -> text, what was not understood) of a file or a folder. Raises BadPackage and OSError."""
    with opened(path) as files:
        package = package_of(files, path.name)
        found = compare(package, game, guessed(package, game), None)
    texts = {code: new.text for code, new in found.texts.items() if new.text}
    return texts, tuple(f"{one.file}, {one.row}: {one.reason}" for one in found.not_understood)
