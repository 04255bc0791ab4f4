"""Propose a correction of a card or a set: a form with every cell of its rows in the game's CSV file. The
answer is the corrected rows as text, to be pasted into the repository. Nothing is stored and no account is
needed. Input is checked by the same reader that loads a game's folder (``games/kit/folder/cards.py``), so
whatever this page gives out can be loaded.
Both views do four steps: ``rows_of`` reads the rows into a ``Table``; ``cells_of_card`` or ``cells_of_set``
makes a ``CellField`` of each cell; a ``CorrectionForm`` of these checks what was typed; ``_answer`` renders
the form or the corrected rows. Fields are called ``<column>-<row>``, such as ``craft-0``. Tests:
``tests/cardsdb/web/test_corrections.py``.
"""

import csv
import io
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
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

# Our own games lie here; games of others may lie elsewhere.
OURS = Path(games.__file__).resolve().parent
# Rows of one card (its prints) that the form shows; further ones are left out.
MAX_ROWS = 12
# Characters of a cell: the length of its database column, one of these, or else MAX_CELL.
MAX_CHARACTERS = {"text": 4_000, "note": 1_000, "source": 2_000, "aliases": 1_000, **MAX_LENGTHS}
MAX_CELL = 500
# Characters of the two fields that are no cells.
MAX_REASON, MAX_PLACE = 2_000, 200
# Claims for a cell that the page shows.
MAX_CLAIMS = 3
# A text of more characters than this gets a field of several lines.
MAX_LINE = 60
# Two values of the field "document" that name no document of the game, and their words in the note.
SAME_SOURCES = ""
OTHER_SOURCE = "*"
OTHER_SOURCES = {SAME_SOURCES: "as before; the copy was wrong", OTHER_SOURCE: "one that is not listed"}
# A problem as the reader of cards words it: "cards.csv line 7, column craft: Craft must be a number".
_PROBLEM = re.compile(r".* line (\d+), column (\w+): (.*)", re.DOTALL)
# Columns that describe one print; each row of a card is one print.
OF_A_PRINT = ("set", "number", "rarity", "print_code", "print_note")
NOT_STATED = ("", "not stated")
YES_OR_NO = (("yes", "yes"), ("no", "no"))
# Column -> cell.
Row = Mapping[str, str]


# -- rows of a file ----------------------------------------------------------------------


class Table(NamedTuple):
    """The rows of one code in a game's CSV file: cells by column; (first, last) line of each row, from 1.
    Kai of Spycraft has one row, ``{"code": "kai", "name": "Kai", ...}``, on the lines ``(154, 154)``.
    """

    path: Path
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    lines: tuple[tuple[int, int], ...]

    @property
    def place(self) -> str:
        """The lines and the file in words: "lines 3, 7 of cardsdb/games/spycraft/cards.csv". The path begins
        at the repository. For a game that lies elsewhere only its own folder is named.
        """
        numbers = [str(first) if first == last else f"{first}-{last}" for first, last in self.lines]
        name, folder = self.path.name, self.path.parent.name
        is_ours = self.path.resolve().parent.parent == OURS
        file = f"cardsdb/games/{folder}/{name}" if is_ours else f"{name} in the game's own folder “{folder}”"
        return f"{'line' if ', '.join(numbers).isdigit() else 'lines'} {', '.join(numbers)} of {file}"

    def as_csv(self, rows: Sequence[Row]) -> str:
        """Return these rows as CSV with the header."""
        out = io.StringIO()
        cells = ([row[name] for name in self.columns] for row in rows)
        csv.writer(out, lineterminator="\n").writerows([self.columns, *cells])
        return out.getvalue()


def rows_of(path: Path, code: str) -> Table:
    """Return the rows whose first column is this code, at most MAX_ROWS; none if there is no file."""
    found: list[tuple[Row, tuple[int, int]]] = []
    # utf-8-sig drops the byte order mark that some editors write; else it would be part of a column's name.
    # A row with more or fewer cells than the header is skipped; loading reports it.
    with path.open(encoding="utf-8-sig", newline="") if path.exists() else io.StringIO() as file:
        reader = csv.reader(file)
        columns = tuple(next(reader, ()))
        # The last line of the row before.
        end = reader.line_num
        for cells in reader:
            if columns[:1] == ("code",) and cells[:1] == [code] and len(cells) == len(columns):
                found.append((dict(zip(columns, cells, strict=True)), (end + 1, reader.line_num)))
            end = reader.line_num
    found = found[:MAX_ROWS]
    return Table(path, columns, tuple(row for row, _ in found), tuple(lines for _, lines in found))


# -- cells -------------------------------------------------------------------------------


class CellField(forms.CharField):
    """The form field of one cell. A cell that is not changed keeps its exact value, spaces included.
    ``claims``: the claims for the value, for the page to show. The template chooses the control by
    ``choices`` (value -> words; empty for free text), ``long`` (several lines) and ``number``.
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
        label, help_text = column.replace("_", " ").capitalize(), ""
        if fact:
            label = fact.title
            help_text = f"{fact.help} Several with ; between them." if fact.kind == "words" else fact.help
            choices = (NOT_STATED, *YES_OR_NO) if fact.kind == "flag" else ()
            self.long = fact.kind == "text" and len(self.old) > MAX_LINE
            self.number = fact.kind == "number"
        super().__init__(required=False, initial=self.old, label=label, help_text=help_text)
        self.choices = dict(choices)
        if choices:
            self.choices.setdefault(self.old, self.old)

    def bound_data(self, data: Any, initial: Any) -> Any:
        """Return the typed text in the form in which the file would hold it."""
        return initial if data is None else self.typed(data)

    def typed(self, text: str) -> str:
        """Return the text trimmed; unless it may have several lines, also without repeated spaces."""
        return re.sub(r"\r\n?", "\n", text).strip() if self.long else " ".join(text.split())

    def clean(self, value: str | None) -> str:
        """Return the new value, or the old one if unchanged. Raises ValidationError for a bad one."""
        if value is None or self.typed(value) == self.typed(self.old):
            return self.old
        new = self.typed(value)
        if problem := self._problem(new):
            raise forms.ValidationError(problem)
        return new

    def _problem(self, new: str) -> str:
        """Return why the file cannot have this value: "longer than 500 letters; shorten it"; "" if it can."""
        most = MAX_CHARACTERS.get(self.column, MAX_CELL)
        if len(new) > most:
            return f"longer than {most:,} letters; shorten it"
        if self.choices and new not in self.choices:
            return f"choose one of {', '.join(self.choices.values())}"
        # A minus is allowed before a number.
        if new.startswith(tuple("=+-@\t\r")) and not re.fullmatch(r"-?[0-9]+", new):
            taken_for = f"spreadsheets take a cell that begins with “{new[0]}” for a formula"
            return f"{taken_for}; begin with a letter or a digit"
        return unprintable(new)


Groups = list[tuple[str, list[CellField]]]


def cells_of_card(game: Game, table: Table, card: Card | None, card_type: str) -> Groups:
    """Return every cell of a card's rows as (title of the group, fields).
    ``card_type``: the type chosen in the form, whose facts get fields as well. ``card``: the card in the
    catalogue, None for one that is not loaded.
    """
    first = table.rows[0]
    choices = {"type": [(item.slug, item.name) for item in game.types]}
    if game.sets:
        choices["set"] = [NOT_STATED, *((item.code, f"{item.name} ({item.code})") for item in game.sets)]
    facts = {
        fact.key: fact
        for fact in game.facts
        if first.get(fact.key) or any(fact.applies_to(kind) for kind in (first["type"], card_type))
    }
    stated_columns = (*card.facts, "name", "type", "text") if card else ()

    def cells(number: int, columns: Sequence[str]) -> list[CellField]:
        return [
            CellField(
                table,
                column,
                number,
                choices.get(column, ()),
                facts.get(column),
                card.claims(column)[:MAX_CLAIMS] if card and column in stated_columns else (),
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
    """Return every cell of a set's row except its code."""
    documents = [NOT_STATED, *((document.key, document.title) for document in game.documents.values())]
    choices = {"official": YES_OR_NO, "source": documents}
    return [("The set", [CellField(table, name, 0, choices.get(name, ())) for name in table.columns[1:]])]


# -- the form ------------------------------------------------------------------------------


def _visible(text: str) -> None:
    if problem := unprintable(text.replace("\r", "")):
        raise forms.ValidationError(problem)


class CorrectionForm(forms.Form):
    """The cells of a table's rows, in groups, and the source of the correction. ``rows``: the corrected rows
    once the form is valid.
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
        # Django has copied the three declared fields. The cells are put before them uncopied, so that the
        # objects in ``groups`` are the form's fields.
        self.fields = self._cells | self.fields
        self.fields["document"].choices = [
            (SAME_SOURCES, "The file copied its sources wrongly"),
            *((document.key, document.title) for document in game.documents.values()),
            (OTHER_SOURCE, "A source that is not in this list (say which below)"),
        ]
        self.rows: list[dict[str, str]] = []

    @property
    def groups(self) -> Iterator[tuple[str, list[forms.BoundField]]]:
        """(title, bound fields) of each group, for the template."""
        for title, cells in self._groups:
            yield title, [self[f"{cell.column}-{cell.row}"] for cell in cells]

    @property
    def faults(self) -> list[tuple[str, str]]:
        """(name of the control, sentence) of each error, in the form's order."""
        of_fields = [(name, errors[0]) for name, errors in self.errors.items() if name in self.fields]
        faults = [(name, f"{self.fields[name].label}: {sentence}") for name, sentence in of_fields]
        return faults + [("form", sentence) for sentence in self.non_field_errors()]

    @property
    def source(self) -> str:
        """The named source in words."""
        key, place = self.cleaned_data["document"], self.cleaned_data["place"]
        named = OTHER_SOURCES[key] if key in OTHER_SOURCES else self.game.documents[key].title
        return f"{named}, {place}" if place else named

    def changes(self) -> list[tuple[str, str, str]]:
        """Return (label, old value, new value) of each changed cell."""
        new = ((cell, self.cleaned_data.get(name, cell.old)) for name, cell in self._cells.items())
        return [(str(cell.label), cell.old, value) for cell, value in new if value != cell.old]

    def clean(self) -> None:
        """Check the whole form; add each problem to its cell. A fact's new source goes into the row."""
        document = self.cleaned_data.get("document")
        # Without a document of the game, a reason must say how the visitor knows. A reason that has a fault
        # of its own is missing in ``cleaned_data``; it needs no second one.
        if self.cleaned_data.get("reason") == "" and document in OTHER_SOURCES:
            self.add_error("reason", "say how you know, or name the source that says so.")
        if not self.changes() and not self._cells.keys() & self.errors.keys():
            self.add_error(None, "Nothing was changed: correct at least one value.")
        self.rows = [dict(row) for row in self.table.rows]
        for name, cell in self._cells.items():
            self.rows[cell.row][cell.column] = self.cleaned_data.get(name, cell.old)
        # The facts of a card stand in its first row. A set has a single row.
        new, old = self.rows[0], self.table.rows[0]
        if self.table.path.name == "sets.csv":
            if not new["name"]:
                self.add_error("name-0", "every set needs a name")
            if new["size"] and not re.fullmatch(r"[1-9][0-9]{0,5}", new["size"]):
                message = f"must be a whole number, not “{new['size']}”; leave it empty if no source says"
                self.add_error("size-0", message)
            return
        self._add_problems_of_loading()
        changed = [key for key in self.game.facts_by_key if new.get(key) and new[key] != old[key]]
        # A visitor who also changed the cell ``source`` has named the new source there.
        if not self.errors and changed and new["source"] == old["source"] and document not in OTHER_SOURCES:
            new["source"] = with_source(old["source"], changed, document, self.cleaned_data["place"])
            self._add_problems_of_loading()

    def _add_problems_of_loading(self) -> None:
        """Read the rows as loading would, and add the problems to their cells. The reader reports one problem
        at a time. So each faulty cell gets its old value back and the rows are read again, until there is no
        problem left.
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


def _first_problem(game: Game, table: Table, rows: Sequence[Row]) -> tuple[int, str, str] | None:
    """Return (row, column, sentence) of the first problem in loading these rows; None if they load."""
    problems: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        Path(name, "cards.csv").write_text(table.as_csv(rows), encoding="utf-8", newline="")
        # The temporary folder has only these rows; documents and sets come from the game.
        list(replace(game.card_files, folder=Path(name)).cards(problems))
    if not problems:
        return None
    match = _PROBLEM.fullmatch(problems[0])
    if match is None:
        return 0, "", problems[0]
    return _row_on(int(match[1]), rows), match[2], match[3]


def _row_on(line: int, rows: Sequence[Row]) -> int:
    """Return the number of the row on a line of the file, from 0; the last one for a line behind the file."""
    # Line 1 is the heading. A row takes as many lines as its cells have line breaks, plus one.
    end = 1
    for number, row in enumerate(rows):
        end += 1 + sum(cell.count("\n") for cell in row.values())
        if line <= end:
            return number
    return len(rows) - 1


class _Source(NamedTuple):
    """A source in a cell with the facts that it states; if ``all_but``, with those that it does not state."""

    name: str
    facts: list[str]
    all_but: bool

    @classmethod
    def read(cls, part: str) -> "_Source":
        """Return the source in a part of a cell, such as ``a``, ``a@craft,rank`` or ``a@-craft``."""
        name, _, about = part.strip().partition("@")
        facts = [word.removeprefix("-") for word in map(str.strip, about.split(",")) if word]
        return cls(name, facts, not facts or about.lstrip().startswith("-"))

    def written(self) -> str:
        """Return it as a part of a cell; empty if it states nothing."""
        if not self.facts:
            return self.name if self.all_but else ""
        return f"{self.name}@{'-' if self.all_but else ''}{','.join(self.facts)}"


def with_source(cell: str, facts: Sequence[str], document: str, place: str) -> str:
    """Return the cell ``source`` after ``document`` changed these facts: it becomes their only source.
    A source cell lists documents with the facts they state: ``a@craft,rank;b#12@-craft`` (a states two facts,
    b in its place 12 all but craft). Without @ a document states all. For the fact craft::

        cell                      document  place  result
        (empty)                   a                a@craft
        a                         b         12     a@-craft;b#12@craft
        a@craft,rank;b@power      b                a@rank;b@power,craft
        a                         a                a
    """
    new_name = f"{document}#{place}" if place else document
    sources = [_Source.read(part) for part in cell.split(";") if part.strip()]
    if new_name not in {source.name for source in sources}:
        sources.append(_Source(new_name, [], all_but=False))
    changed = []
    for source in sources:
        is_stated = source.name == new_name
        # A source lists the facts that it states or, if ``all_but``, does not state.
        is_listed = not is_stated if source.all_but else is_stated
        others = [fact for fact in source.facts if fact not in facts]
        listed = list(dict.fromkeys((*source.facts, *facts))) if is_listed else others
        changed.append(source._replace(facts=listed).written())
    return ";".join(filter(None, changed))


# -- the pages -----------------------------------------------------------------------------


@private_form
def correct_card(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """The form for the rows of one card. POST answers with the corrected rows, or 400 with the errors."""
    game = game_or_404(game_slug)
    table = rows_of(game.folder / "cards.csv", code)
    or_404(table.rows)
    found = catalogue().at(game_slug, code)
    cells = cells_of_card(game, table, found.card if found else None, request.POST.get("type-0", "")[:40])
    return _answer(request, game, table, cells, reverse("card", args=(game_slug, code)))


@private_form
def correct_set(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """The form for the row of one set; see ``correct_card``."""
    game = game_or_404(game_slug)
    table = rows_of(game.folder / "sets.csv", code)
    or_404(code in game.sets_by_code and table.rows)
    return _answer(request, game, table, cells_of_set(game, table), reverse("set", args=(game_slug, code)))


def _answer(request: HttpRequest, game: Game, table: Table, cells: Groups, back: str) -> HttpResponse:
    """Render the form, or the corrected rows if it is valid."""
    form = CorrectionForm(game, table, cells, request.POST if request.method == "POST" else None)
    is_made = form.is_valid()
    context = {"game": game, "form": form, "what": table.rows[0]["name"], "back": back}
    template = "cardsdb/corrections/corrected.html" if is_made else "cardsdb/corrections/correction.html"
    return render(request, template, context, status=400 if form.is_bound and not is_made else 200)
