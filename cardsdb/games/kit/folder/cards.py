"""Reads the cards of a game from ``cards.csv``, ``claims.csv`` and ``effects.csv``, one card at a time.

``GameFolder.card_files`` gives the ``CardFiles``. ``cards.csv`` may hold a million cards, so it is read once
from top to bottom; only the codes seen, the claims and the effects stay in memory. Therefore the lines of one
card must stand together. A bad cell costs its card, not the reading: a caller that passes a list for problems
gets up to ``MAX_PROBLEMS`` of them in it. ``files.py`` shows the columns.

    code,name,type,set,number,rarity,source,cost
    kai,Kai,agent,ON,12,,octgn#page 3,7

is Card("...", "kai", "Kai", "agent", {"cost": 7}, prints=(Print("ON", "12"),)), with the source "" -> page 3
of the document "octgn". Tests in ``tests/cardsdb``: ``catalogue/test_mistakes.py``, with additions
``games/kit/folder/test_additions.py``, of several prints ``web/test_corrections.py``.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from cardsdb.games.kit.folder.additions import read_claims, read_effects, with_claims, with_effects
from cardsdb.games.kit.folder.files import FolderError, csv_rows, place_of, read_sets, uneven
from cardsdb.games.kit.model.cards import (
    Card,
    Claim,
    Fact,
    FactValue,
    Print,
    as_words,
)
from cardsdb.games.kit.model.effects import EffectWords
from cardsdb.games.kit.model.rulebook import Document
from cardsdb.games.kit.model.text import UNPRINTABLE, fold, unprintable

CARD_COLUMNS = (
    "code",
    "name",
    "type",
    "set",
    "number",
    "rarity",
    "print_code",
    "print_note",
    "source",
    "aliases",
    "text",
    "note",
)
NEEDED_COLUMNS = ("code", "name", "type", "set", "number", "rarity", "source")
CODE = re.compile(r"[a-z0-9][a-z0-9-]*")
# Characters of a cell: as many as fit into the database's columns.
MAX_LENGTHS = {
    "code": 120,
    "name": 200,
    "set": 20,
    "number": 20,
    "rarity": 40,
    "print_code": 60,
    "print_note": 300,
}
MAX_PROBLEMS = 50  # of one folder; the last of them ends the reading
# How many different cells of a column are remembered with their values, since nearly all repeat.
MAX_CACHED = 5_000  # the value of a cell of text is never remembered, since texts differ


class RowSource(NamedTuple):
    """One source of a row."""

    claim: Claim
    only: frozenset[str]  # the facts that it speaks of; all facts of the row if empty
    never: frozenset[str]  # facts that it says nothing of

    def speaks_of(self, fact: str) -> bool:
        return fact not in self.never and (not self.only or fact in self.only)


@dataclass(frozen=True)
class CardFiles:
    """The three files of a folder that say what its cards are, with everything that their cells may name."""

    folder: Path
    game: str  # slug
    facts: tuple[Fact, ...]
    types: tuple[str, ...]  # slugs
    documents: Mapping[str, Document]
    effect_words: EffectWords | None = None  # None for a game without effects

    def cards(self, problems: list[str] | None = None) -> Iterator[Card]:
        """Yield the cards in the order of the file.

        Without ``problems`` the first problem raises FolderError. With it problems are added to that list and
        their cards left out; only the problem number ``MAX_PROBLEMS`` raises FolderError, with all of them.
        """
        return _Reader(self, problems).cards()


class _CellError(ValueError):
    """The problem of one cell, with its column and what to do."""

    def __init__(self, column: str, problem: str) -> None:
        super().__init__(f"column {column}: {problem}")


class _Reader:
    """Reads the files of one folder once: ``cards`` may be called once."""

    def __init__(self, files: CardFiles, problems: list[str] | None) -> None:
        self._files = files
        self._path = files.folder / "cards.csv"
        self._declared = {fact.key: fact for fact in files.facts}
        self._problems = problems
        self._sources: dict[str, tuple[RowSource, ...]] = {}  # cell of the column source -> its meaning
        # ``_read_header`` fills these before the first row is read.
        self._at: dict[str, int] = {}  # column -> place in the row
        self._limits: list[tuple[str, int, int]] = []  # (column, place, most characters)
        # (place, fact, cell -> its value, for cells that were read before)
        self._facts: list[tuple[int, Fact, dict[str, FactValue | None]]] = []

    @cached_property
    def _set_names(self) -> dict[str, str]:
        return {card_set.code: card_set.name for card_set in read_sets(self._files.folder)}

    def cards(self) -> Iterator[Card]:
        # What remains of claims and effects when all cards are read belongs to no card.
        claims = read_claims(self._files.folder, self._report)
        words = self._files.effect_words
        effects = read_effects(self._files.folder, self._files.documents, self._report) if words else {}
        seen: dict[str, None] = {}
        for code, rows in self._groups():
            if code in seen:
                self._report(
                    f"{place_of(self._path, rows[0][0])}, column code: {code!r} stands above already; "
                    "put all lines of a card together, or give another card another code"
                )
                continue
            seen[code] = None
            claim_rows = claims.pop(code, None)
            card = self._card(rows)
            effect_rows = effects.pop(code, None)
            if card and words and effect_rows:
                card = with_effects(card, effect_rows, words, self._report)
            if card and claim_rows:
                yield with_claims(card, claim_rows, self._declared, self._files.documents, self._report)
            elif card:
                yield card
        places = {code: place for code, ((place, _), *_) in claims.items()}
        places |= {code: effect_rows[0].place for code, effect_rows in effects.items()}
        for code, place in places.items():
            if code not in seen:
                self._report(
                    f"{place}: no card has the code {code!r}; correct it, or add the card to cards.csv"
                )

    def _report(self, problem: str) -> None:
        """Collect a problem, or raise FolderError if problems are not collected or there are too many."""
        if self._problems is None:
            raise FolderError(problem)
        self._problems.append(problem)
        if len(self._problems) >= MAX_PROBLEMS:
            raise FolderError(*self._problems)

    # -- rows ---------------------------------------------------------------------

    def _groups(self) -> Iterator[tuple[str, list[tuple[int, list[str]]]]]:
        """Yield (code, rows) for each run of lines with the same code; a row is (line number, cells)."""
        rows = csv_rows(self._path)
        line, header = next(rows, (1, []))
        self._read_header(header)
        at, current = self._at["code"], ""
        group: list[tuple[int, list[str]]] = []
        for line, cells in rows:
            if len(cells) != len(header):
                self._report(f"{place_of(self._path, line)}: {uneven(cells, header)}")
                continue
            if cells[at] != current and group:
                yield current, group
                group = []
            current = cells[at]
            group.append((line, cells))
        if group:
            yield current, group

    def _read_header(self, header: list[str]) -> None:
        """Note the place of each column. Raises FolderError for a wrong header at once, since it would make
        every line wrong.
        """
        place, facts = place_of(self._path, 1), self._declared
        for column in header:
            if column not in CARD_COLUMNS and column not in facts:
                raise FolderError(
                    f"{place}: column {column} is neither a standard column nor a declared fact"
                )
            if header.count(column) > 1:
                raise FolderError(f"{place}: column {column} is there twice")
        for column in NEEDED_COLUMNS:
            if column not in header:
                raise FolderError(
                    f"{place}: column {column} is missing; add it, with empty cells where nothing is known"
                )
        self._at = {column: at for at, column in enumerate(header)}
        self._limits = [
            (column, self._at[column], most) for column, most in MAX_LENGTHS.items() if column in self._at
        ]
        self._facts = [(self._at[key], fact, {}) for key, fact in facts.items() if key in self._at]

    def _cell(self, cells: list[str], column: str) -> str:
        at = self._at.get(column)
        return "" if at is None else cells[at]

    # -- one card -----------------------------------------------------------------

    def _card(self, rows: list[tuple[int, list[str]]]) -> Card | None:
        """The card of these rows, without claims and effects. Every bad row is reported, and then there is no
        card.
        """
        prints = []  # the card as each row states it
        for line, cells in rows:
            try:
                prints.append(self._row(cells))
            except _CellError as error:
                self._report(f"{place_of(self._path, line)}, {error}")
        if len(prints) < len(rows):
            return None
        first, *others = prints
        return self._with_prints(first, others) if others else first

    def _row(self, cells: list[str]) -> Card:
        """The card as one row states it, with one print at most. Raises _CellError."""
        code, name, kind = cells[self._at["code"]], cells[self._at["name"]], cells[self._at["type"]]
        self._check(cells, code, name)
        if kind not in self._files.types:
            raise _CellError(
                "type", f"type {kind!r} is not declared; use one of {', '.join(self._files.types)}"
            )
        facts = self._facts_in(cells, kind)
        sources = self._sources_of(self._cell(cells, "source"), facts)
        of_print = ("set", "number", "rarity", "print_code", "print_note")
        printed = [self._cell(cells, column) for column in of_print]
        prints = (Print(*printed),) if printed[0] else ()
        aliases = self._cell(cells, "aliases")
        names = tuple(alias.strip() for alias in aliases.split("|") if alias.strip()) if aliases else ()
        return Card(
            game=self._files.game,
            code=code,
            name=name,
            type=kind,
            facts=facts,
            text=self._cell(cells, "text"),
            sources=sources,
            prints=prints,
            aliases=names,
            note=self._cell(cells, "note"),
        )

    def _facts_in(self, cells: list[str], kind: str) -> dict[str, FactValue]:
        """Key -> value of the facts that a row states of a card of this type. Raises _CellError."""
        facts: dict[str, FactValue] = {}
        for at, fact, values in self._facts:
            text = cells[at]
            if not text:
                continue
            value = values[text] if text in values else _read(fact, text, values)
            if value is None:
                continue
            if fact.types and kind not in fact.types:
                raise _CellError(
                    fact.key, f"{fact.key} does not apply to a card of type {kind}; empty the cell"
                )
            facts[fact.key] = value
        return facts

    def _check(self, cells: list[str], code: str, name: str) -> None:
        """Raise _CellError for a bad code or name, a cell that is too long, or an unprintable character."""
        if not CODE.fullmatch(code):
            raise _CellError(
                "code",
                f"{code!r} cannot stand in an address; use small letters without accents, digits and hyphens",
            )
        if not name.strip():
            raise _CellError("name", "every card needs a name")
        for column, at, most in self._limits:
            if len(cells[at]) > most:
                raise _CellError(column, f"longer than {most} characters; shorten it")
        # A name is stored folded too, and folding may lengthen it: "Æ" becomes "ae".
        if not name.isascii() and len(fold(name)) > MAX_LENGTHS["name"]:
            raise _CellError(
                "name",
                f"longer than {MAX_LENGTHS['name']} characters when written without accents; shorten it",
            )
        # One search of the whole row is much faster than one of each cell.
        if UNPRINTABLE.search("".join(cells)):
            for column, at in self._at.items():
                if problem := unprintable(cells[at]):
                    raise _CellError(column, problem)

    def _sources_of(self, cell: str, facts: dict[str, FactValue]) -> dict[str, tuple[Claim, ...]]:
        """The sources of a row: "" -> all its claims; key of a fact -> the claims that speak of it, for facts
        of which not all claims speak. Raises _CellError if there is no source for the row or for a fact.

        "lists#V2;scans#V2@cost" with the facts cost and pool gives {"": (lists, scans), "pool": (lists,)}.
        """
        of_row = self._sources.get(cell)
        if of_row is None:
            of_row = tuple(self._source(text) for text in cell.split(";") if text.strip())
            if not of_row:
                raise _CellError("source", "every card needs a source; name a document of rulebook.toml")
            if len(self._sources) < MAX_CACHED:
                self._sources[cell] = of_row
        sources = {"": tuple(source.claim for source in of_row)}
        # Most sources speak of every fact of their row.
        if any(source.only or source.never for source in of_row):
            for key in facts:
                speaking = tuple(source.claim for source in of_row if source.speaks_of(key))
                if not speaking:
                    raise _CellError(
                        "source",
                        f"no source of the row speaks of {key}; name one, or empty the cell of {key}",
                    )
                if len(speaking) < len(of_row):
                    sources[key] = speaking
        return sources

    def _source(self, text: str) -> RowSource:
        """Read one source, ``document#locator@facts``, of a cell.

        A locator of digits is line numbers, anything else a section. Facts are separated by commas; with a
        minus before them they are those that the document says nothing of: ``list#3@-cost,level``.
        """
        text, _, about = text.strip().partition("@")
        key, _, locator = text.partition("#")
        if key not in self._files.documents:
            raise _CellError(
                "source",
                f"source {key!r} is not among the documents of rulebook.toml; add it there, or correct it",
            )
        words = {word.strip().removeprefix("-") for word in about.split(",") if word.strip()}
        if unknown := words - set(self._declared):
            raise _CellError("source", f"source {key!r} speaks of {sorted(unknown)[0]!r}, which is no fact")
        claim = self._files.documents[key].claim(locator)
        named, none = frozenset(words), frozenset[str]()
        is_without = about.lstrip().startswith("-")
        return RowSource(claim, none, named) if is_without else RowSource(claim, named, none)

    def _with_prints(self, first: Card, others: list[Card]) -> Card:
        """The first card with the prints of the others. Where a fact of theirs differs from the first card's,
        it becomes a claim on that fact, with the note "as printed in the other set".
        """
        sources = {key: list(claims) for key, claims in first.sources.items()}
        for other in others:
            set_code = other.prints[0].set if other.prints else ""
            printed = self._set_names.get(set_code) or set_code or "another print"
            for key, value in other.facts.items():
                if value != first.facts.get(key):
                    claim = replace(
                        other.sources[""][0], value=as_words(value), note=f"as printed in {printed}"
                    )
                    sources.setdefault(key, list(first.claims(key))).append(claim)
        return replace(
            first,
            prints=sum((other.prints for other in others), first.prints),
            aliases=tuple(dict.fromkeys(sum((other.aliases for other in others), first.aliases))),
            sources={key: tuple(claims) for key, claims in sources.items()},
        )


def _read(fact: Fact, text: str, values: dict[str, FactValue | None]) -> FactValue | None:
    """The value of a cell, which is remembered in ``values``. Raises _CellError."""
    try:
        value = fact.read(text)
    except ValueError as error:
        raise _CellError(fact.key, f"{error}; leave the cell empty if it is not known") from None
    if len(values) < MAX_CACHED and fact.kind != "text":
        values[text] = value
    return value
