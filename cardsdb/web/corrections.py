"""Propose a correction: the rows of a card or a set in the file of its game, their cells as a form, what was
typed, what is wrong with it, and the changed rows. No account, nothing stored.

What was typed is read by the reader that loads the folder, so that every row that comes of it loads.
"""

import csv
import io
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from django import forms
from django.core.validators import RegexValidator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from cardsdb import games
from cardsdb.catalogue.current import catalogue
from cardsdb.games.kit import Card, Claim, Fact, Game, unprintable
from cardsdb.games.kit.folder.cards import MAX_LENGTHS
from cardsdb.site.shortcuts import game_or_404, or_404, private_form

# The repository's folder of games; other games may stand anywhere.
OURS = Path(games.__file__).resolve().parent
# Rows of one card that can be corrected; the first ones of more.
MAX_ROWS = 12
# The most letters of a cell: those of the database's column, or these, else MAX_CELL.
MAX_LETTERS = {"text": 4_000, "note": 1_000, "source": 2_000, "aliases": 1_000, **MAX_LENGTHS}
MAX_CELL, MAX_REASON, MAX_PLACE = 500, 2_000, 200
# A longer fact in words is written in more than a line.
MAX_LINE = 60
# Choices of a document that is none of the game's, and what the note says of them.
SAME_SOURCES, OTHER_SOURCE = "", "*"
SAID = {SAME_SOURCES: "as before; the copy was wrong", OTHER_SOURCE: "one that is not listed"}
_PROBLEM = re.compile(r".* line (\d+), column (\w+): (.*)", re.DOTALL)
# Columns of a print: each print has a row of its own for them.
OF_A_PRINT = ("set", "number", "rarity", "print_code", "print_note")
NOT_STATED, YES_OR_NO = ("", "not stated"), (("yes", "yes"), ("no", "no"))


# -- rows of a file ----------------------------------------------------------------------


class Table(NamedTuple):
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
        return f"{'line' if ', '.join(numbers).isdigit() else 'lines'} {', '.join(numbers)} of {file}"

    def as_csv(self, rows: Sequence[Mapping[str, str]]) -> str:
        """The header and these rows."""
        out = io.StringIO()
        cells = ([row[name] for name in self.columns] for row in rows)
        csv.writer(out, lineterminator="\n").writerows([self.columns, *cells])
        return out.getvalue()


def rows_of(path: Path, code: str) -> Table:
    """The first rows whose first column is this code; none if there is no such file or no such row."""
    found: list[tuple[Mapping[str, str], tuple[int, int]]] = []
    # Some editors put a byte order mark before the first letter. It is no part of the column's name.
    with path.open(encoding="utf-8-sig", newline="") if path.exists() else io.StringIO() as file:
        reader = csv.reader(file)
        columns, end = tuple(next(reader, ())), reader.line_num
        for cells in reader:
            if columns[:1] == ("code",) and cells[:1] == [code] and len(cells) == len(columns):
                found.append((dict(zip(columns, cells, strict=True)), (end + 1, reader.line_num)))
            end = reader.line_num
    found = found[:MAX_ROWS]
    return Table(path, columns, tuple(row for row, _ in found), tuple(lines for _, lines in found))


# -- cells -------------------------------------------------------------------------------


class CellField(forms.CharField):
    """One cell of a row. An unchanged cell keeps its value to the last space. ``claims``: who says what
    stands there.
    """

    def __init__(
        self,
        table: Table,
        column: str,
        row: int = 0,
        choices: Sequence[tuple[str, str]] = (),
        fact: Fact | None = None,
        claims: Sequence[Claim] = (),
    ) -> None:
        self.row, self.column, self.old, self.claims = row, column, table.rows[row][column], claims
        self.long, self.number = column in ("text", "note", "source"), False
        label, told = column.replace("_", " ").capitalize(), ""
        if fact:
            label = fact.title
            told = f"{fact.help} Several with ; between them." if fact.kind == "words" else fact.help
            choices = (NOT_STATED, *YES_OR_NO) if fact.kind == "flag" else ()
            self.long = fact.kind == "text" and len(self.old) > MAX_LINE
            self.number = fact.kind == "number"
        super().__init__(required=False, initial=self.old, label=label, help_text=told)
        self.choices = dict(choices)
        if choices:
            self.choices.setdefault(self.old, self.old)

    def bound_data(self, data: Any, initial: Any) -> Any:
        """Return what was typed, as the file would have it."""
        return initial if data is None else self.typed(data)

    def typed(self, text: str) -> str:
        """The text without spaces around it, or needless ones in it where it is one line."""
        return re.sub(r"\r\n?", "\n", text).strip() if self.long else " ".join(text.split())

    def clean(self, value: str | None) -> str:
        """The value, or the old one where nothing else was typed. Refuses what no file could hold."""
        if value is None or self.typed(value) == self.typed(self.old):
            return self.old
        value, most = self.typed(value), MAX_LETTERS.get(self.column, MAX_CELL)
        problem = unprintable(value)
        if len(value) > most:
            problem = f"longer than {most:,} letters; shorten it"
        elif self.choices and value not in self.choices:
            problem = f"choose one of {', '.join(self.choices.values())}"
        elif value[:1] in tuple("=+-@\t\r") and not re.fullmatch(r"-?[0-9]+", value):
            problem = (
                f"spreadsheets take a cell that begins with “{value[0]}” for a formula; begin with a letter"
                " or a digit"
            )
        if problem:
            raise forms.ValidationError(problem)
        return value


Groups = list[tuple[str, list[CellField]]]


def cells_of_card(game: Game, table: Table, card: Card | None, card_type: str) -> Groups:
    """Every cell of a card's rows, in groups under their titles. ``card_type``: the chosen type, whose facts
    have fields too; ``card``: as in the catalogue.
    """
    first = table.rows[0]
    sets = [NOT_STATED, *((one.code, f"{one.name} ({one.code})") for one in game.sets)] if game.sets else []
    choices = {"type": [(one.slug, one.name) for one in game.types], "set": sets}
    facts = {
        fact.key: fact
        for fact in game.facts
        if first.get(fact.key) or any(fact.applies_to(kind) for kind in (first["type"], card_type))
    }
    said = (*card.facts, "name", "type", "text") if card else ()

    def cells(number: int, columns: Sequence[str]) -> list[CellField]:
        return [
            CellField(
                table,
                column,
                number,
                choices.get(column, ()),
                facts.get(column),
                card.claims(column)[:3] if card and column in said else (),
            )
            for column in columns
            if column in table.columns
        ]

    groups = [("The card", cells(0, ("name", "type", *facts, "aliases", "text", "note", "source")))]
    for number, row in enumerate(table.rows):
        named, title = game.sets_by_code.get(row["set"]), "Print"
        if len(table.rows) > 1:
            title = f"Print {number + 1}" + (f": {named.name}" if named else "")
        groups.append((title, cells(number, (*OF_A_PRINT, "source") if number else OF_A_PRINT)))
    return groups


def cells_of_set(game: Game, table: Table) -> Groups:
    """Every cell of a set's row but its code."""
    documents = [NOT_STATED, *((document.key, document.title) for document in game.documents.values())]
    choices = {"official": YES_OR_NO, "source": documents}
    return [("The set", [CellField(table, name, 0, choices.get(name, ())) for name in table.columns[1:]])]


# -- the form ------------------------------------------------------------------------------


def _visible(text: str) -> None:
    if problem := unprintable(text.replace("\r", "")):
        raise forms.ValidationError(problem)


class CorrectionForm(forms.Form):
    """The cells of a table's rows, in groups, and who says so. ``rows`` are the corrected rows, once the form
    is valid.
    """

    document = forms.ChoiceField(
        required=False, label="Source", error_messages={"invalid_choice": "choose one of the list."}
    )
    place = forms.CharField(
        required=False,
        label="Where in it",
        max_length=MAX_PLACE,
        validators=[RegexValidator("^[^;@#]*$", "it has no ; @ and #."), _visible],
    )
    reason = forms.CharField(required=False, label="Reason", max_length=MAX_REASON, validators=[_visible])

    def __init__(self, game: Game, table: Table, groups: Groups, data: Any = None) -> None:
        super().__init__(data)
        self.game, self.table, self._groups = game, table, groups
        self._cells = {f"{cell.column}-{cell.row}": cell for _, cells in groups for cell in cells}
        # In place of Django's copies, so that a cell is found by its group.
        self.fields = self._cells | self.fields
        self.fields["document"].choices = [
            (SAME_SOURCES, "The file copied its sources wrongly"),
            *((one.key, one.title) for one in game.documents.values()),
            (OTHER_SOURCE, "A source that is not in this list (say which below)"),
        ]
        self.rows: list[dict[str, str]] = []

    @property
    def groups(self) -> Iterator[tuple[str, list[forms.BoundField]]]:
        """(title, cells), as the page shows them."""
        return ((title, [self[f"{one.column}-{one.row}"] for one in cells]) for title, cells in self._groups)

    @property
    def faults(self) -> list[tuple[str, str]]:
        """(name of the control, sentence) of everything that is wrong."""
        return [
            (name, f"{self.fields[name].label}: {errors[0]}")
            for name, errors in self.errors.items()
            if name in self.fields
        ] + [("form", sentence) for sentence in self.non_field_errors()]

    @property
    def source(self) -> str:
        """The source that was named, in words."""
        key, place = self.cleaned_data["document"], self.cleaned_data["place"]
        named = SAID[key] if key in SAID else self.game.documents[key].title
        return f"{named}, {place}" if place else named

    def changes(self) -> list[tuple[str, str, str]]:
        """(label, old, new) of every cell that differs."""
        new = {name: self.cleaned_data.get(name, cell.old) for name, cell in self._cells.items()}
        return [
            (str(cell.label), cell.old, new[name])
            for name, cell in self._cells.items()
            if new[name] != cell.old
        ]

    def clean(self) -> None:
        """Add an error to each cell that the game's file could not hold."""
        document = self.cleaned_data.get("document", "")
        if not self.cleaned_data.get("reason", "-") and self.cleaned_data.get("document") in SAID:
            self.add_error("reason", "say how you know, or name the source that says so.")
        if not self.changes() and not self._cells.keys() & self.errors.keys():
            self.add_error(None, "Nothing was changed: correct at least one value.")
        self.rows = [dict(row) for row in self.table.rows]
        for name, cell in self._cells.items():
            self.rows[cell.row][cell.column] = self.cleaned_data.get(name, cell.old)
        new, old = self.rows[0], self.table.rows[0]
        if self.table.path.name == "sets.csv":
            if not new["name"]:
                self.add_error("name-0", "every set needs a name")
            if new["size"] and not re.fullmatch(r"[1-9][0-9]{0,5}", new["size"]):
                told = f"must be a whole number, not “{new['size']}”; leave it empty if no source says"
                self.add_error("size-0", told)
            return
        self._read_as_loading_would()
        changed = [key for key in self.game.facts_by_key if new.get(key) and new[key] != old[key]]
        if not self.errors and changed and new["source"] == old["source"] and document not in SAID:
            new["source"] = with_source(new["source"], changed, document, self.cleaned_data["place"])
            self._read_as_loading_would()

    def _read_as_loading_would(self) -> None:
        """Add each problem to its cell, put the old value in its place, and read again until no problem is
        left.
        """
        rows = [dict(row) for row in self.rows]
        while problem := _first_problem(self.game, self.table, rows):
            number, column, sentence = problem
            cell = self._cells.get(f"{column}-{number}")
            if cell is None or rows[number][column] == cell.old:
                self.add_error(None, sentence)
                return
            self.add_error(f"{column}-{number}", sentence.removeprefix(f"{cell.label} "))
            rows[number][column] = cell.old


def _first_problem(
    game: Game, table: Table, rows: Sequence[Mapping[str, str]]
) -> tuple[int, str, str] | None:
    """(row, column, sentence) of the first problem in loading these rows; None if they load."""
    problems: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        Path(name, "cards.csv").write_text(table.as_csv(rows), encoding="utf-8", newline="")
        # Documents and sets are the game's own; this folder has only these rows.
        for _ in replace(game.card_files, folder=Path(name)).cards(problems):
            pass
    if not problems:
        return None
    match = _PROBLEM.fullmatch(problems[0])
    if match is None:
        return 0, "", problems[0]
    # The first line is the heading; a row takes one more than its cells have ends of lines.
    ends = accumulate((1 + sum(cell.count("\n") for cell in row.values()) for row in rows), initial=1)
    row = next((place for place, end in enumerate(list(ends)[1:]) if int(match[1]) <= end), 0)
    return row, match[2], match[3]


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


# -- the pages -----------------------------------------------------------------------------


@private_form
def correct_card(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """The rows of one card. POST answers with the changed rows, or 400 with the form and what is wrong in
    it.
    """
    game = game_or_404(game_slug)
    table = rows_of(game.folder / "cards.csv", code)
    or_404(table.rows)
    found = catalogue().at(game_slug, code)
    cells = cells_of_card(game, table, found.card if found else None, request.POST.get("type-0", "")[:40])
    return _answer(request, game, table, cells, reverse("card", args=(game_slug, code)))


@private_form
def correct_set(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """The row of one set, in the same way."""
    game = game_or_404(game_slug)
    table = rows_of(game.folder / "sets.csv", code)
    or_404(code in game.sets_by_code and table.rows)
    return _answer(request, game, table, cells_of_set(game, table), reverse("set", args=(game_slug, code)))


def _answer(request: HttpRequest, game: Game, table: Table, cells: Groups, back: str) -> HttpResponse:
    """The form, or what came of it."""
    form = CorrectionForm(game, table, cells, request.POST if request.method == "POST" else None)
    is_made = form.is_valid()
    context = {"game": game, "form": form, "what": table.rows[0]["name"], "back": back}
    template = "cardsdb/corrections/corrected.html" if is_made else "cardsdb/corrections/correction.html"
    return render(request, template, context, status=400 if form.is_bound and not is_made else 200)
