"""Tables for spreadsheets, RFC 4180, no cell that a spreadsheet would compute: a deck, one row an entry, or
cards that are owned.

Rows below the cards of a deck, with ``//`` as their section, hold what else the list says: ``name`` is its
kind, ``note`` its text.
"""

import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from cardsdb.box.reading.formats import csv_line, guarded, separated, unguarded
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Game, Marks, fold, some
from cardsdb.games.kit.listtext.line import MAX_LINE, UNKNOWN, facts_as_text
from cardsdb.games.kit.listtext.reading import BESIDE, Reading, Unread
from cardsdb.games.kit.model.marks import tags_of
from decks.formats.contract import (
    NO_COPIES,
    PROGRAMS,
    Body,
    FileFormat,
    Loss,
    Parsed,
    Place,
    Row,
    Texts,
    Unreadable,
    copies_of,
)
from decks.formats.files import LeftOut, bounded_lines, text_of_bytes
from decks.formats.placing import reader
from decks.formats.writing import ALL_BUT_UNREAD, extra_losses, fit_lines, print_of

_READ = ("count", "name", "set", "number", "part", "beside")
# What says in a column of such a name that a card does not stand there.
_NO = ("", "0", "false", "no", "n")


def roles_of(header: Collection[str]) -> dict[str, str]:
    """Role of a column -> the one of these columns, in small letters, that has it."""
    found = (
        (role, next(filter(header.__contains__, words), "")) for role, words in PROGRAMS["columns"].items()
    )
    return {role: word for role, word in found if word}


def site_of(header: Collection[str]) -> str:
    """The site whose tables have such a header; ``a table`` for any other that names a count and a card,
    else empty.
    """
    roles = roles_of(header)
    if "count" not in roles or not {"name", "code"} & roles.keys():
        return ""
    sites = (one["title"] for one in PROGRAMS["sites"] if set(one["columns"]).issubset(header))
    return next(sites, "a table")


class Table:
    """A table: its rows that are not blank, each with the number of its first line, and the place of each
    column, of two called alike the first. A line that is no row for others, such as one with bare quotes
    within a quoted name, is one here.
    """

    def __init__(self, text: str) -> None:
        rest, self._separator, above = separated(text.removeprefix("\ufeff"))
        lines = re.findall(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+", rest)
        self.rows: list[tuple[int, list[str]]] = []
        self.line, self.header, self.places = 1, list[str](), dict[str, int]()
        begin = 0
        while begin < len(lines):
            # Where a row is none its first line is read by itself, and a new reader goes on below it.
            rest_of = map(lines.__getitem__, range(begin, len(lines)))
            start, table = begin, csv.reader(rest_of, delimiter=self._separator, strict=True)
            try:
                for cells in table:
                    self._add(begin + above + 1, cells)
                    begin = start + table.line_num
            except csv.Error:
                self._add(begin + above + 1, self._cells(lines[begin]))
                begin += 1

    def _add(self, line: int, cells: list[str]) -> None:
        if self.header and any(map(str.strip, cells)):
            self.rows.append((line, cells))
        elif any(map(str.strip, cells)):
            self.line, self.header = line, cells
            names = [" ".join(cell.casefold().split()) for cell in cells]
            self.places = {name: place for place, name in reversed([*enumerate(names)])}

    def _cells(self, line: str) -> list[str]:
        """The cells of a line with quotes where none may be: what is too many belongs to the name."""
        cells = line.rstrip("\r\n").split(self._separator)
        at = self.places.get(roles_of(self.places).get("name", ""), 0)
        end = at + 1 + max(0, len(cells) - len(self.header))
        cells[at:end] = [self._separator.join(cells[at:end])]
        plain = (re.fullmatch(r'\s*(?:"(.*)"|(.*?))\s*', cell, re.DOTALL) for cell in cells)
        return [(cell[1] or cell[2] or "").replace('""', '"') for cell in plain if cell]

    def only(self, lines: Collection[int]) -> str:
        """The header and the rows that begin in these lines, as text."""
        out = io.StringIO()
        rows = (cells for line, cells in self.rows if line in lines)
        csv.writer(out, lineterminator="\n").writerows((self.header, *rows))
        return out.getvalue()

    def values(self, cells: list[str], used: Iterable[str]) -> dict[str, str]:
        """The cells of a row in these columns; empty where it has no such cell."""
        places = {name: self.places[name] for name in used if name in self.places}
        return {
            name: unguarded(cells[place].strip()) if place < len(cells) else ""
            for name, place in places.items()
        }

    def place(self, line: int, name: str) -> str:
        """The place where a row has its cell of this column."""
        return Place(line, self.places[name] + 1).of(name) if name in self.places else str(Place(line))

    def left_out(self, rows: Iterable[tuple[int, list[str]]], used: Iterable[str]) -> tuple[Loss, ...]:
        """A loss for each column that says something in these rows and is not read, at its name or else at
        its first cell.
        """
        read = {self.places[name] for name in used if name in self.places}
        firsts: dict[int, int] = {}
        for line, cells in rows:
            for place, cell in enumerate(cells):
                if place not in read and cell.strip():
                    firsts.setdefault(place, line)
        told, named = LeftOut(), set(self.places.values())
        for place, line in sorted(firsts.items()):
            name = self.header[place].strip()[:40] if place < len(self.header) else ""
            again = "" if place in named else " that is there again"
            called = f"“{name}”{again}" if name else f"{place + 1}, which has no name"
            where = Place(self.line if name else line, place + 1)
            told.add("column_dropped", f"the column {called}", str(where))
        return told.losses


COLUMNS = ("section", "count", "name", "set", "number", "type", "code", "facts", "note", "tags", "keep")
BESIDES = "//"
# What such a row may say once.
_BESIDES = ("game", "name", "format", "house", "tags", "notes")


def write(game: Game, reading: Reading, texts: Texts | None = None) -> Body:
    """``section`` and ``type`` are slugs; ``set`` and ``number`` are blank where the line leaves its print
    open and there are several.

    With ``texts`` the last column has those of the cards.
    """
    lines = [csv_line((*COLUMNS, "text") if texts else COLUMNS)]
    for entry in reading.deck:
        card, print_, marks = entry.card, print_of(entry), entry.marks
        cells = [
            card.name,
            print_.set,
            print_.number,
            UNKNOWN if card.unknown else card.type,
            "" if card.written else card.code,
            " | ".join(facts_as_text(game, card)) if card.written else "",
            marks.note,
            ", ".join(marks.tags),
            "yes" if marks.keep else "",
            *([fit_lines(texts.get(card.code, ""))] if texts else []),
        ]
        lines.append(csv_line((entry.section, str(entry.count), *map(guarded, cells))))
    besides = {
        "game": game.slug,
        "name": reading.deck.name,
        "format": reading.format,
        "house": reading.house,
        "tags": ", ".join(reading.tags),
        "notes": reading.notes,
    }
    for key, value in (
        *((key, value) for key, value in besides.items() if value),
        *((f"detail {key}", str(value)) for key, value in reading.deck.details.items()),
        *(("comment", line) for line in reading.comments),
        *((f"not read {unread.section}".strip(), unread.text) for unread in reading.unread),
    ):
        lines.append(csv_line((BESIDES, "", key, *[""] * 5, guarded(value), "", "")))
    losses = extra_losses(game, reading, ALL_BUT_UNREAD, "a row of its own")
    if marked := sum(guarded(entry.card.name) != entry.card.name for entry in reading.deck):
        message = (
            f"{some(marked, 'name')} would be taken for a formula: a ' stands before it. It does not"
            " belong to the name."
        )
        losses = (*losses, Loss("formula_marked", message))
    return "".join(lines), losses


def parse(data: bytes) -> Parsed:
    """Our own table, or that of another site. Raises Unreadable for a header that names no count and no
    name.
    """
    text, losses = text_of_bytes(data)
    bounded_lines(text, "table")
    table = Table(text)
    if not table.header:
        raise Unreadable("empty", "There is nothing in it. Choose a file, or paste a list.")
    used: tuple[str, ...] = COLUMNS
    if table.places.keys() >= set(COLUMNS[:7]):
        parsed = _ours(table)
    elif site := site_of(table.places):
        roles = roles_of(table.places)
        used = tuple(roles[role] for role in _READ if role in roles)
        used = used if "name" in roles else (*used, roles["code"])
        values = ((line, table.values(cells, roles.values())) for line, cells in table.rows)
        rows = (_theirs(table, line, said, roles) for line, said in values)
        parsed = Parsed(tuple(rows), dialect=site)
    else:
        message = "The table's first row must name its columns, a count and a name at least: count, name."
        raise Unreadable("bad_header", message, str(Place(table.line)))
    return replace(parsed, losses=(*losses, *table.left_out(table.rows, used), *parsed.losses))


def _theirs(table: Table, line: int, values: dict[str, str], roles: dict[str, str]) -> Row:
    said = {role: values.get(word, "") for role, word in roles.items()}
    code = "" if "name" in roles else said["code"]
    is_beside = said.get("beside", "").casefold() not in _NO
    kept = (
        word for word in re.split("[,;|]", said.get("kept", "")) if fold(word.partition("{")[0]) in BESIDE
    )
    return Row(
        Place(line),
        said["count"],
        said.get("name") or code,
        roles["beside"] if is_beside else next(kept, said.get("part", "")).partition("{")[0].strip(),
        said.get("set", ""),
        said.get("number", ""),
        code=code,
        count_at=table.place(line, roles["count"]),
    )


def _ours(table: Table) -> Parsed:
    cards: list[Row] = []
    said: dict[str, str] = {}
    details: dict[str, int | str] = {}
    comments: list[str] = []
    unread: list[Unread] = []
    aside: list[Loss] = []
    for line, cells in table.rows:
        values, where = dict.fromkeys(COLUMNS, "") | table.values(cells, COLUMNS), str(Place(line))
        name, value = values["name"], values["note"]
        kind, _, key = name.partition(" ")
        if values["section"] != BESIDES:
            cards.append(_row(line, values, table.place(line, "count")))
            if (keep := values["keep"]) not in ("", "yes"):
                what = f"“{keep[:20]}” is not “yes”; the card is not kept"
                aside.append(_left_out(what, table.place(line, "keep")))
            if len(value) > MAX_LINE:
                what = f"the note was cut after {MAX_LINE} letters"
                aside.append(_left_out(what, table.place(line, "note")))
        elif kind == "detail":
            details[key] = int(value) if re.fullmatch("[0-9]{1,6}", value) else value
        elif kind == "comment":
            comments.append(value)
        elif name.startswith("not read"):
            section = name.removeprefix("not read").strip()
            message = "The table keeps it as a line that was not read."
            unread.append(Unread(line, value, "unknown_card", message, (), section, where=where))
        elif name in _BESIDES and name not in said:
            said[name] = value
        else:
            aside.append(_left_out(f"the row “{name[:40]}” is unknown or there again", where))
    tags = tags_of(said.pop("tags", ""))
    return Parsed(
        tuple(cards),
        **said,
        tags=tags,
        comments=tuple(comments),
        details=details,
        losses=tuple(aside),
        dialect="Cutout",
        unread=tuple(unread),
    )


def _left_out(what: str, where: str) -> Loss:
    return Loss("value_dropped", f"Left out: {what}.", where)


def _row(line: int, values: dict[str, str], count_at: str) -> Row:
    facts = None
    if not values["code"] and values["type"] not in ("", UNKNOWN):
        parts = (part.partition(":") for part in values["facts"].split(" | ") if part)
        facts = tuple((key.strip(), value.strip()) for key, _, value in parts)
    return Row(
        Place(line),
        values["count"],
        values["name"],
        values["section"],
        values["set"],
        values["number"],
        code=values["code"],
        type=values["type"],
        facts=facts,
        marks=Marks(values["note"][:MAX_LINE], tags_of(values["tags"]), values["keep"] == "yes"),
        count_at=count_at,
    )


FORMAT = FileFormat(
    "csv", "Spreadsheet (CSV)", ".csv", "text/csv", write, reader("csv", parse), with_texts=write
)


# -- cards that are owned ----------------------------------------------------------------------

OWNED_COLUMNS = ("game", "code", "name", "set", "number", "count")
MAX_BYTES = 1024 * 1024
MAX_ROWS = 20_000
MAX_COPIES = 999
MAX_CELL = 300


@dataclass(frozen=True)
class OwnedRow:
    """One row: copies of a card, or of one of its prints. It has a ``code`` or a ``name``."""

    line: int
    game: str
    code: str
    name: str
    set: str
    number: str
    count: int


def write_owned(rows: Iterable[tuple[Any, ...]]) -> Iterator[str]:
    """The table line by line, of cells in the order of its columns; none is one that a spreadsheet would
    compute.
    """
    yield csv_line(OWNED_COLUMNS)
    for *texts, count in rows:
        yield csv_line((*map(guarded, texts), str(count)))


class OwnedTable(NamedTuple):
    """The rows of a table that can be read, the faults of those that cannot, and a sentence for each column
    and kind of row that is left out.
    """

    table: Table
    rows: tuple[OwnedRow, ...]
    faults: tuple[Fault, ...]
    left_out: tuple[str, ...]


def read_owned(text: str) -> OwnedTable:
    """Read a table whose first line names its columns: those above, or as other sites call them.

    Raises Refused for a text that is no such table at all.
    """
    table = Table(text)
    words = {role: word for role, word in roles_of(table.places).items() if role in OWNED_COLUMNS}
    if "count" not in words or not ("code" in words or "name" in words):
        message = (
            "The first line must name the columns: count, and name or code; game, set and number are read as"
            " well."
        )
        raise Refused(Fault("bad_table", message, f"line {table.line}"))
    rows: list[OwnedRow] = []
    faults: list[Fault] = []
    game = ""
    cards: list[tuple[int, list[str]]] = []
    none = LeftOut()
    for line, cells in table.rows:
        if cells[0].startswith(BESIDES):
            # In our own table of a deck such rows, below the cards, say something of the deck.
            game = next(filter(None, cells[3:]), "") if "game" in cells[:3] else game
            continue
        if len(cards) >= MAX_ROWS:
            raise Refused(Fault("bad_table", f"The table has more than {MAX_ROWS:,} rows.", f"line {line}"))
        cards.append((line, cells))
        said = table.values(cells, words.values())
        row = {column: said[words[column]] if column in words else "" for column in OWNED_COLUMNS}
        count = row.pop("count")
        copies, _ = copies_of(count)
        if any(len(cell) > MAX_CELL or "\x00" in cell for cell in (count, *row.values())):
            message = f"a cell is longer than {MAX_CELL} characters, or holds an invisible character."
        elif not count or not 0 <= copies <= MAX_COPIES:
            message = f"“{count}” is no number of copies; it is 1 to {MAX_COPIES}."
        elif not copies:
            none.add(*NO_COPIES, table.place(line, words["count"]))
            continue
        elif not row["code"] and not row["name"]:
            message = "it names no card."
        else:
            rows.append(OwnedRow(line, **row, count=copies))
            continue
        faults.append(Fault("bad_table", f"Line {line}: {message}", f"line {line}"))
    losses = (*table.left_out(cards, words.values()), *none.losses)
    left_out = tuple(f"{loss.message} ({loss.where})" for loss in losses)
    read = tuple(replace(row, game=row.game or game) for row in rows)
    return OwnedTable(table, read, tuple(faults), left_out)
