"""A proposed correction: the cells of a row as a form, what was typed, and what is wrong with it.

Nothing is stored. What was typed is read by the reader that loads the folder, so a patch that is
handed out is one that loads.
"""

from __future__ import annotations

import csv
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from cardsdb.games.kit import Fact, Game
from cardsdb.games.kit.folder.cards import MAX_LENGTHS
from cardsdb.games.kit.model.text import unprintable
from cardsdb.web.corrections.patch import Table
from cardsdb.web.pages.card_page import Source

MOST_LETTERS = {"text": 4_000, "note": 1_000, "source": 2_000, "aliases": 1_000}
MOST_IN_A_CELL = 500
MOST_REASON, MOST_PLACE = 2_000, 200
# Choices of a document that is none of the game's.
KEPT, ELSEWHERE = "", "*"
_FORMULA = tuple("=+-@\t\r")
_PROBLEM = re.compile(r".* line (\d+), column (\w+): (.*)", re.DOTALL)
# What stands on a row of its own for every print, and what only a card's first row says.
OF_A_PRINT = ("set", "number", "rarity", "print_code", "print_note")
HELP = {
    "name": "What the card is called.",
    "type": "What kind of card it is.",
    "text": "Its effect in our words; never the printed text.",
    "aliases": "Other names it is read by, with | between them.",
    "note": "What a reader of the card page should know.",
    "set": "The code of the set.",
    "number": "The collector number, as printed.",
    "rarity": "The rarity, as the set's own words have it.",
    "print_code": "The code that a list gives this print.",
    "print_note": "What sets this print apart.",
    "source": "Who says so: document#section or lines, with ; between several. It is written for you from the source named below.",
    "year": "When it was published.",
    "size": "How many cards it is said to have. Empty if nobody says.",
    "official": "Whether the publisher made it.",
}


@dataclass
class Cell:
    """One cell of the form. ``value`` is as typed, ``old`` as the file has it."""

    row: int
    column: str
    label: str
    help: str
    old: str
    value: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    long: bool = False
    number: bool = False
    error: str = ""
    sources: tuple[Source, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.column}-{self.row}"


@dataclass
class Group:
    title: str
    cells: list[Cell]


@dataclass
class Proposal:
    """The form and what was typed in it. ``errors`` are those that belong to no cell."""

    table: Table
    groups: list[Group]
    document: str = KEPT
    place: str = ""
    reason: str = ""
    errors: dict[str, str] = field(default_factory=dict)

    def cells(self) -> Iterator[Cell]:
        for group in self.groups:
            yield from group.cells

    @property
    def faults(self) -> list[tuple[str, str]]:
        """(id of the control, sentence) of everything that is wrong."""
        wrong = [(cell.name, f"{cell.label}: {cell.error}") for cell in self.cells() if cell.error]
        return wrong + list(self.errors.items())

    def rows(self) -> list[dict[str, str]]:
        """The rows as they would read, sources not yet written."""
        rows = [dict(row.cells) for row in self.table.rows]
        for cell in self.cells():
            rows[cell.row][cell.column] = cell.value
        return rows

    def changes(self) -> list[tuple[str, str, str]]:
        """(label, old, new) of every cell that differs."""
        return [(cell.label, cell.old, cell.value) for cell in self.cells() if cell.value != cell.old]


# -- the two forms ----------------------------------------------------------------


def for_card(game: Game, table: Table, card_type: str = "") -> Proposal:
    """Every cell of a card's rows. ``card_type``: the type chosen, whose facts are asked for too."""
    first = table.rows[0].cells
    kinds = {first["type"], card_type}
    cells = [_cell(table, 0, "name"), _cell(table, 0, "type", choices=tuple((one.slug, one.name) for one in game.types))]
    for fact in game.facts:
        if fact.key in table.columns and (first[fact.key] or any(fact.applies_to(kind) for kind in kinds)):
            cells.append(_fact(table, fact))
    cells += [_cell(table, 0, column) for column in ("aliases", "text", "note", "source") if column in table.columns]
    sets = (("", "not stated"), *((one.code, f"{one.name} ({one.code})") for one in game.sets))
    groups = [Group("The card", cells)]
    for number, row in enumerate(table.rows):
        named = game.sets_by_code.get(row.cells["set"])
        title = f"Print {number + 1}" + (f": {named.name}" if named else "") if len(table.rows) > 1 else "Print"
        columns = [column for column in OF_A_PRINT if column in table.columns] + (["source"] if number else [])
        prints = [_cell(table, number, column, choices=sets if column == "set" and game.sets else ()) for column in columns]
        groups.append(Group(title, prints))
    return Proposal(table, groups)


def for_set(game: Game, table: Table) -> Proposal:
    """Every cell of a set's row but its code."""
    documents = (("", "not stated"), *((document.key, document.title) for document in game.documents.values()))
    choices = {"official": (("yes", "yes"), ("no", "no")), "source": documents}
    columns = [column for column in table.columns if column != "code"]
    return Proposal(table, [Group("The set", [_cell(table, 0, column, choices=choices.get(column, ())) for column in columns])])


def _cell(table: Table, row: int, column: str, choices: tuple[tuple[str, str], ...] = ()) -> Cell:
    old = table.rows[row].cells[column]
    if choices and old not in {value for value, _ in choices}:
        choices = (*choices, (old, old))
    label = column.replace("_", " ").capitalize()
    return Cell(row, column, label, HELP.get(column, ""), old, old, choices, long=column in ("text", "note", "source"))


def _fact(table: Table, fact: Fact) -> Cell:
    help = f"{fact.help} Several with ; between them." if fact.kind == "words" else fact.help
    choices = (("", "not stated"), ("yes", "yes"), ("no", "no")) if fact.kind == "flag" else ()
    cell = _cell(table, 0, fact.key, choices)
    return replace(cell, label=fact.title, help=help, number=fact.kind == "number", long=fact.kind == "text" and len(cell.old) > 60)


# -- reading what was typed -----------------------------------------------------------


def fill(proposal: Proposal, posted: Mapping[str, str]) -> None:
    """Take over what was typed, with an error at every cell that no file could hold."""
    for cell in proposal.cells():
        if cell.name not in posted:
            continue
        typed = _normal(posted[cell.name], cell.long)
        # A cell that was left alone stays as it is to the last space.
        cell.value = cell.old if typed == _normal(cell.old, cell.long) else typed
        if cell.value != cell.old:
            cell.error = _unfit(cell)
    proposal.document = posted.get("document", KEPT)[:80]
    proposal.place = _normal(posted.get("place", ""), False)
    proposal.reason = _normal(posted.get("reason", ""), True)


def _normal(text: str, long: bool) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    return text if long else " ".join(text.split())


def _unfit(cell: Cell) -> str:
    most = MAX_LENGTHS.get(cell.column, MOST_LETTERS.get(cell.column, MOST_IN_A_CELL))
    if len(cell.value) > most:
        return f"longer than {most:,} letters; shorten it"
    if cell.choices and cell.value not in {value for value, _ in cell.choices}:
        return f"choose one of {', '.join(name for _, name in cell.choices)}"
    if cell.value.startswith(_FORMULA) and not re.fullmatch(r"-?[0-9]+", cell.value):
        return f"spreadsheets take a cell that begins with “{cell.value[0]}” for a formula; begin with a letter or a digit"
    return unprintable(cell.value)


# -- checking ----------------------------------------------------------------------


def check_reason(game: Game, proposal: Proposal) -> None:
    """The source and the reason: one of them at least, and of a length to be read."""
    if proposal.document not in (KEPT, ELSEWHERE, *game.documents):
        proposal.errors["document"] = "Source: choose one of the list."
    if len(proposal.place) > MOST_PLACE or set(proposal.place) & set(";@#") or unprintable(proposal.place):
        proposal.errors["place"] = f"Where in it: at most {MOST_PLACE} letters, without ; @ and #."
    if len(proposal.reason) > MOST_REASON or unprintable(proposal.reason):
        proposal.errors["reason"] = f"Reason: at most {MOST_REASON:,} letters, all of them visible."
    if not proposal.reason and proposal.document in (KEPT, ELSEWHERE):
        proposal.errors["reason"] = "Reason: say how you know, or name the source that says so."
    if not proposal.changes():
        proposal.errors["form"] = "Nothing was changed: correct at least one value."


def check_card(game: Game, proposal: Proposal, rows: list[dict[str, str]]) -> None:
    """Read the rows as loading would. Each complaint goes to its cell, whose old value then stands in, until none is left."""
    rows = [dict(row) for row in rows]
    cells = {(cell.row, cell.column): cell for cell in proposal.cells()}
    for cell in cells.values():
        if cell.error:
            rows[cell.row][cell.column] = cell.old
    for _ in range(len(cells) + 1):
        problem = _first_problem(game, proposal.table, rows)
        if problem is None:
            return
        number, column, sentence = problem
        cell = cells.get((number, column))
        if cell is None or rows[number][column] == cell.old:
            proposal.errors.setdefault("form", sentence)
            return
        cell.error = sentence.removeprefix(f"{cell.label} ")
        rows[number][column] = cell.old


def _first_problem(game: Game, table: Table, rows: Sequence[Mapping[str, str]]) -> tuple[int, str, str] | None:
    """(row, column, sentence) of what loading these rows would stumble over first."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with (folder / "cards.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(table.columns)
            ends, line = [], 1
            for row in rows:
                writer.writerow([row[column] for column in table.columns])
                line += 1 + sum(cell.count("\n") for cell in row.values())
                ends.append(line)
        problems: list[str] = []
        # Documents and sets are the game's own; the folder on trial has only these rows.
        for _ in replace(game.card_files, folder=folder).cards(problems):
            pass
    if not problems:
        return None
    found = _PROBLEM.fullmatch(problems[0])
    if found is None:
        return 0, "", problems[0]
    row = next((place for place, end in enumerate(ends) if int(found[1]) <= end), 0)
    return row, found[2], found[3]


def check_set(proposal: Proposal) -> None:
    """What ``sets.csv`` can hold."""
    for cell in proposal.cells():
        if cell.column == "name" and not cell.value:
            cell.error = "every set needs a name"
        elif cell.column == "size" and cell.value and not re.fullmatch(r"[1-9][0-9]{0,5}", cell.value):
            cell.error = f"must be a whole number, not “{cell.value}”; leave it empty if nobody says"


# -- sources -----------------------------------------------------------------------


def with_source(cell: str, facts: Sequence[str], document: str, place: str) -> str:
    """The source cell after these facts were changed on the word of one document: it speaks of them, the others no longer do."""
    named = f"{document}#{place}" if place else document
    parts, found = [], False
    for text in cell.split(";"):
        body, _, about = text.strip().partition("@")
        words = [word.strip().removeprefix("-") for word in about.split(",") if word.strip()]
        all_but = about.lstrip().startswith("-")
        speaks = body == named
        found = found or speaks
        if not words or all_but:
            words = [word for word in words if word not in facts] if speaks else list(dict.fromkeys([*words, *facts]))
            all_but = True
        elif speaks:
            words = list(dict.fromkeys([*words, *facts]))
        else:
            words = [word for word in words if word not in facts]
            if not words:
                continue
        parts.append(body + (f"@{'-' if all_but else ''}{','.join(words)}" if words else ""))
    if not found:
        parts.append(f"{named}@{','.join(facts)}")
    return ";".join(part for part in parts if part)
