"""A proposed correction: the rows of a card or set in the file of its game, their cells as a form, what was
typed, and what is wrong with it.

Nothing is stored. What was typed is read by the reader that loads the folder, so that every row that comes
of it loads.
"""

from __future__ import annotations

import csv
import io
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import Any

from django import forms

from cardsdb import games
from cardsdb.games.kit import Card, Fact, Game
from cardsdb.games.kit.folder.cards import MAX_LENGTHS
from cardsdb.games.kit.model.text import unprintable
from cardsdb.web.pages.card_page import source_of

# The repository's folder of games; other games may stand anywhere.
OURS = Path(games.__file__).resolve().parent
# Rows of one card that can be corrected; the first ones of more.
MAX_ROWS = 12
# The most letters of a cell: those of the database's column, or these, else MAX_CELL.
MAX_LETTERS = {"text": 4_000, "note": 1_000, "source": 2_000, "aliases": 1_000, **MAX_LENGTHS}
MAX_CELL, MAX_REASON, MAX_PLACE = 500, 2_000, 200
# Choices of a document that is none of the game's.
SAME_SOURCES, OTHER_SOURCE = "", "*"
_FORMULA = tuple("=+-@\t\r")
_PROBLEM = re.compile(r".* line (\d+), column (\w+): (.*)", re.DOTALL)
# Columns of a print: each print has a row of its own for them.
OF_A_PRINT = ("set", "number", "rarity", "print_code", "print_note")
YES_OR_NO = (("yes", "yes"), ("no", "no"))
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
    "source": (
        "Who says so: document#section or lines, with ; between several. It is written for you from the"
        " source named below."
    ),
    "year": "When it was published.",
    "size": "How many cards it is said to have. Empty if nobody says.",
    "official": "Whether the publisher made it.",
}


# -- rows of a file ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of one code in one file of a game's folder: their cells by column, and the lines of the file
    that each takes, the first and the last, from 1.
    """

    path: Path
    columns: tuple[str, ...]
    rows: tuple[Mapping[str, str], ...]
    lines: tuple[tuple[int, int], ...]

    @property
    def place(self) -> str:
        """The lines and the file in words, from the top of the repository, or from the folder of a game that
        stands elsewhere: what lies above that is not known.
        """
        numbers = [str(first) if first == last else f"{first}-{last}" for first, last in self.lines]
        name, folder = self.path.name, self.path.parent.name
        is_ours = self.path.resolve().parent.parent == OURS
        file = f"cardsdb/games/{folder}/{name}" if is_ours else f"{name} in the game's own folder “{folder}”"
        return f"{'line' if numbers[0].isdigit() and not numbers[1:] else 'lines'} {', '.join(numbers)} of {file}"

    def as_csv(self, rows: Sequence[Mapping[str, str]]) -> str:
        """The header and these rows."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerows([self.columns, *([row[name] for name in self.columns] for row in rows)])
        return out.getvalue()


def rows_of(path: Path, code: str) -> Table:
    """The first rows whose first column is this code; none if there is no such file or no such row."""
    rows: list[Mapping[str, str]] = []
    lines: list[tuple[int, int]] = []
    columns: tuple[str, ...] = ()
    # Some editors put a byte order mark before the first letter. It is no part of the column's name.
    with path.open(encoding="utf-8-sig", newline="") if path.exists() else io.StringIO() as file:
        reader = csv.reader(file)
        columns, end = tuple(next(reader, ())), reader.line_num
        for cells in reader:
            is_asked = columns[:1] == ("code",) and cells[:1] == [code] and len(cells) == len(columns)
            if is_asked and len(rows) < MAX_ROWS:
                rows.append(dict(zip(columns, cells, strict=True)))
                lines.append((end + 1, reader.line_num))
            end = reader.line_num
    return Table(path, columns, tuple(rows), tuple(lines))


# -- cells -------------------------------------------------------------------------------


class CellField(forms.CharField):
    """One cell of a row. An unchanged cell keeps its value to the last space."""

    def __init__(
        self,
        table: Table,
        row: int,
        column: str,
        choices: Sequence[tuple[str, str]] = (),
        fact: Fact | None = None,
    ) -> None:
        self.row, self.column = row, column
        self.old = table.rows[row][column]
        super().__init__(
            required=False,
            initial=self.old,
            label=column.replace("_", " ").capitalize(),
            help_text=HELP.get(column, ""),
        )
        self.long, self.number = column in ("text", "note", "source"), False
        self.sources: tuple[Any, ...] = ()
        if fact:
            self.label = fact.title
            self.help_text = (
                f"{fact.help} Several with ; between them." if fact.kind == "words" else fact.help
            )
            choices = (("", "not stated"), *YES_OR_NO) if fact.kind == "flag" else ()
            self.long, self.number = fact.kind == "text" and len(self.old) > 60, fact.kind == "number"
        known = {value for value, _ in choices}
        self.choices = (
            (*choices, (self.old, self.old)) if choices and self.old not in known else tuple(choices)
        )

    def bound_data(self, data: Any, initial: Any) -> Any:
        return initial if data is None else _normal(data, self.long)

    def clean(self, value: str | None) -> str:
        if value is None or _normal(value, self.long) == _normal(self.old, self.long):
            return self.old
        value = _normal(value, self.long)
        if problem := self._problem(value):
            raise forms.ValidationError(problem)
        return value

    def _problem(self, value: str) -> str:
        """Why no file could hold the value; empty if one could."""
        most = MAX_LETTERS.get(self.column, MAX_CELL)
        if len(value) > most:
            return f"longer than {most:,} letters; shorten it"
        if self.choices and value not in {known for known, _ in self.choices}:
            return f"choose one of {', '.join(name for _, name in self.choices)}"
        if value.startswith(_FORMULA) and not re.fullmatch(r"-?[0-9]+", value):
            return (
                f"spreadsheets take a cell that begins with “{value[0]}” for a formula; begin with a letter"
                " or a digit"
            )
        return unprintable(value)


def _normal(text: str, long: bool) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    return text if long else " ".join(text.split())


class CorrectionForm(forms.Form):
    """The cells of a table's rows, in groups, and who says so. ``rows`` are the corrected rows, once the form
    is valid.
    """

    document = forms.CharField(required=False, initial="")
    place = forms.CharField(required=False, initial="")
    reason = forms.CharField(required=False, initial="")

    def __init__(
        self, game: Game, table: Table, groups: Sequence[tuple[str, Sequence[CellField]]], data: Any = None
    ) -> None:
        super().__init__(data)
        self.game, self.table = game, table
        self._titles = [(title, [f"{cell.column}-{cell.row}" for cell in cells]) for title, cells in groups]
        self._cells = {f"{cell.column}-{cell.row}": cell for _, cells in groups for cell in cells}
        self.fields.update(self._cells)
        self.rows: list[dict[str, str]] = []

    @property
    def groups(self) -> Iterator[tuple[str, list[forms.BoundField]]]:
        """(title, cells), as the page shows them."""
        return ((title, [self[name] for name in names]) for title, names in self._titles)

    @property
    def documents(self) -> list[tuple[str, str]]:
        """What may be named as the source: (key, title)."""
        listed = [(one.key, one.title) for one in self.game.documents.values()]
        same, other = (
            "The sources stay: the file copied them wrongly",
            "A source that is not in this list (say which below)",
        )
        return [(SAME_SOURCES, same), *listed, (OTHER_SOURCE, other)]

    @property
    def faults(self) -> list[tuple[str, str]]:
        """(name of the control, sentence) of everything that is wrong."""
        cells = [
            (name, f"{cell.label}: {self.errors[name][0]}")
            for name, cell in self._cells.items()
            if name in self.errors
        ]
        others = [
            (name, self.errors[name][0]) for name in ("document", "place", "reason") if name in self.errors
        ]
        return cells + others + [("form", sentence) for sentence in self.non_field_errors()]

    @property
    def source(self) -> str:
        """The source that was named, in words."""
        key, place = self.cleaned_data["document"], self.cleaned_data["place"]
        others = {SAME_SOURCES: "as before; the copy was wrong", OTHER_SOURCE: "one that is not listed"}
        named = others[key] if key in others else self.game.documents[key].title
        return f"{named}, {place}" if place else named

    @property
    def as_csv(self) -> str:
        """The header and the corrected rows."""
        return self.table.as_csv(self.rows)

    def changes(self) -> list[tuple[str, str, str]]:
        """(label, old, new) of every cell that differs."""
        new = {name: self.cleaned_data.get(name, cell.old) for name, cell in self._cells.items()}
        return [
            (str(cell.label), cell.old, new[name])
            for name, cell in self._cells.items()
            if new[name] != cell.old
        ]

    def clean_document(self) -> str:
        document: str = self.cleaned_data["document"]
        if document not in {key for key, _ in self.documents}:
            raise forms.ValidationError("Source: choose one of the list.")
        return document

    def clean_place(self) -> str:
        place = _normal(self.cleaned_data["place"], False)
        if len(place) > MAX_PLACE or set(place) & set(";@#") or unprintable(place):
            raise forms.ValidationError(f"Where in it: at most {MAX_PLACE} letters, without ; @ and #.")
        return place

    def clean_reason(self) -> str:
        reason = _normal(self.cleaned_data["reason"], True)
        if len(reason) > MAX_REASON or unprintable(reason):
            raise forms.ValidationError(f"Reason: at most {MAX_REASON:,} letters, all of them visible.")
        return reason

    def clean(self) -> None:
        if not self.cleaned_data.get("reason", "-") and self.cleaned_data.get("document") in (
            SAME_SOURCES,
            OTHER_SOURCE,
        ):
            self.add_error("reason", "Reason: say how you know, or name the source that says so.")
        if not self.changes() and not self._cells.keys() & self.errors.keys():
            self.add_error(None, "Nothing was changed: correct at least one value.")
        self.rows = [dict(row) for row in self.table.rows]
        for name, cell in self._cells.items():
            self.rows[cell.row][cell.column] = self.cleaned_data.get(name, cell.old)


class CardForm(CorrectionForm):
    """Every cell of a card's rows. ``card_type``: the chosen type, whose facts have fields too; ``card``: as
    in the catalogue.
    """

    def __init__(
        self, game: Game, table: Table, card: Card | None, card_type: str = "", data: Any = None
    ) -> None:
        first = table.rows[0]
        kinds = {first["type"], card_type}
        types = tuple((one.slug, one.name) for one in game.types)
        sets = (
            (("", "not stated"), *((one.code, f"{one.name} ({one.code})") for one in game.sets))
            if game.sets
            else ()
        )
        cells = [CellField(table, 0, "name"), CellField(table, 0, "type", types)]
        for fact in game.facts:
            if fact.key in table.columns and (
                first[fact.key] or any(fact.applies_to(kind) for kind in kinds)
            ):
                cells.append(CellField(table, 0, fact.key, fact=fact))
        cells += [
            CellField(table, 0, column)
            for column in ("aliases", "text", "note", "source")
            if column in table.columns
        ]
        for cell in cells if card else ():
            if card and cell.column in (*card.facts, "name", "type", "text"):
                cell.sources = tuple(source_of(game, claim) for claim in card.claims(cell.column)[:3])
        groups = [("The card", cells)]
        for number, row in enumerate(table.rows):
            named = game.sets_by_code.get(row["set"])
            title = (
                f"Print {number + 1}" + (f": {named.name}" if named else "")
                if len(table.rows) > 1
                else "Print"
            )
            columns = [column for column in OF_A_PRINT if column in table.columns] + (
                ["source"] if number else []
            )
            groups.append(
                (
                    title,
                    [CellField(table, number, column, sets if column == "set" else ()) for column in columns],
                )
            )
        super().__init__(game, table, groups, data)

    def clean(self) -> None:
        """Add an error to each cell that the game's file of cards could not hold."""
        super().clean()
        self._read_as_loading_would()
        facts = [cell.column for cell in self._cells.values() if cell.column in self.game.facts_by_key]
        changed = [key for key in facts if self.rows[0][key] not in ("", self.table.rows[0][key])]
        document, untouched = (
            self.cleaned_data.get("document", ""),
            self.rows[0]["source"] == self.table.rows[0]["source"],
        )
        if not self.errors and changed and untouched and document not in (SAME_SOURCES, OTHER_SOURCE):
            self.rows[0]["source"] = with_source(
                self.rows[0]["source"], changed, document, self.cleaned_data["place"]
            )
            self._read_as_loading_would()

    def _read_as_loading_would(self) -> None:
        """Add each problem to its cell, put the old value in its place, and read again until no problem is
        left.
        """
        rows = [dict(row) for row in self.rows]
        for _ in range(len(self._cells) + 1):
            problem = _first_problem(self.game, self.table, rows)
            if problem is None:
                return
            number, column, sentence = problem
            cell = self._cells.get(f"{column}-{number}")
            if cell is None or rows[number][column] == cell.old:
                self.add_error(None, sentence)
                return
            self.add_error(f"{column}-{number}", sentence.removeprefix(f"{cell.label} "))
            rows[number][column] = cell.old


class SetForm(CorrectionForm):
    """Every cell of a set's row but its code."""

    def __init__(self, game: Game, table: Table, data: Any = None) -> None:
        documents = (
            ("", "not stated"),
            *((document.key, document.title) for document in game.documents.values()),
        )
        choices = {"official": YES_OR_NO, "source": documents}
        cells = [
            CellField(table, 0, column, choices.get(column, ()))
            for column in table.columns
            if column != "code"
        ]
        super().__init__(game, table, [("The set", cells)], data)

    def clean(self) -> None:
        """Add an error to each cell that the game's file of sets could not hold."""
        super().clean()
        row = self.rows[0]
        if not row["name"]:
            self.add_error("name-0", "every set needs a name")
        if row["size"] and not re.fullmatch(r"[1-9][0-9]{0,5}", row["size"]):
            self.add_error(
                "size-0", f"must be a whole number, not “{row['size']}”; leave it empty if nobody says"
            )


def _first_problem(
    game: Game, table: Table, rows: Sequence[Mapping[str, str]]
) -> tuple[int, str, str] | None:
    """(row, column, sentence) of the first problem in loading these rows; None if they load."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "cards.csv").write_text(table.as_csv(rows), encoding="utf-8", newline="")
        # The last line of each row, the heading being the first.
        ends = list(
            accumulate((1 + sum(cell.count("\n") for cell in row.values()) for row in rows), initial=1)
        )[1:]
        problems: list[str] = []
        # Documents and sets are the game's own; this folder has only these rows.
        for _ in replace(game.card_files, folder=folder).cards(problems):
            pass
    if not problems:
        return None
    match = _PROBLEM.fullmatch(problems[0])
    if match is None:
        return 0, "", problems[0]
    row = next((place for place, end in enumerate(ends) if int(match[1]) <= end), 0)
    return row, match[2], match[3]


# -- sources -----------------------------------------------------------------------


def with_source(cell: str, facts: Sequence[str], document: str, place: str) -> str:
    """The source cell after one document changed these facts: it is their source now, and the others no
    longer are.
    """
    named, parts, is_named = f"{document}#{place}" if place else document, [], False
    for text in cell.split(";"):
        body, _, about = text.strip().partition("@")
        words = [word.strip().removeprefix("-") for word in about.split(",") if word.strip()]
        all_but, speaks = not words or about.lstrip().startswith("-"), body == named
        is_named = is_named or speaks
        others = [word for word in words if word not in facts]
        words = list(dict.fromkeys([*words, *facts])) if all_but != speaks else others
        if words or all_but:
            parts.append(body + (f"@{'-' if all_but else ''}{','.join(words)}" if words else ""))
    if not is_named:
        parts.append(f"{named}@{','.join(facts)}")
    return ";".join(part for part in parts if part)
