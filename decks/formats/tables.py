"""Tables for spreadsheets (CSV, RFC 4180), in four sections: any table (``Table``); decks written, with a row
for each entry; decks read, our own and those of other sites; collections of owned cards.

``formats/__init__.py`` lists the deck format; ``decks/collection`` calls ``read_owned`` and ``write_owned``.
Decks of many sites are read, by the names of their columns (``programs.toml``). Our own table of a deck, in
which rows with ``//`` as section hold what else the list says::

    section,count,name,set,number,type,code,facts,note,tags,keep
    leaders,1,Li Cong,ON,287,leader,li-cong,,,,
    deck,1,Made Up,,,agent,,Craft: 3,,,
    //,,name,,,,,,Nine Tiger,,

No written cell may start a formula in a spreadsheet (``guarded``). Tests: ``test_tables.py``.
"""

import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from cardsdb.box.reading.tables import csv_line, guarded, separated, unguarded
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
from decks.formats.notes import ALL_BUT_UNREAD, extra_losses
from decks.formats.placing import reader
from decks.formats.writing import fit_lines, print_of

# -- any table --------------------------------------------------------------------------------

# Roles of columns in other sites' tables that become part of a row. Other columns are reported.
_READ = ("count", "name", "set", "number", "part", "beside")
# Cells of the column "beside", such as "sideboard", for a card that is not there.
_NO = ("", "0", "false", "no", "n")


def roles_of(header: Collection[str]) -> dict[str, str]:
    """Return role -> the column of the header, in lower case, that has it: ``{"count": "qty"}``."""
    # Sites call one role by different words; the first that the header has counts.
    known = {role: [word for word in words if word in header] for role, words in PROGRAMS["columns"].items()}
    return {role: words[0] for role, words in known.items() if words}


def site_of(header: Collection[str]) -> str:
    """Return the site that writes tables with this header; ``a table`` for another one with a count and a
    card, else empty.
    """
    roles = roles_of(header)
    if "count" not in roles or not {"name", "code"} & roles.keys():
        return ""
    sites = (site["title"] for site in PROGRAMS["sites"] if set(site["columns"]).issubset(header))
    return next(sites, "a table")


class Table:
    """A table. Malformed lines, such as those with bare quotes, are rows too.

    - line, header: the number of the first line that is not blank, and its cells;
    - rows: (number of its first line, cells) of each further row that is not blank;
    - places: name of a column in lower case -> its index, of two with one name the first.
    """

    def __init__(self, text: str) -> None:
        # ``above``: the number of lines before the header, such as Excel's "sep=;".
        rest, self._separator, above = separated(text.removeprefix("\ufeff"))
        # Lines with their ends, which the last one may lack.
        lines = re.findall(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+", rest)
        self.rows: list[tuple[int, list[str]]] = []
        self.line, self.header, self.places = 1, list[str](), dict[str, int]()
        # Index of the line in which the next row begins; a row may have several lines.
        begin = 0
        while begin < len(lines):
            # If a row is malformed, its first line is read alone, and a new reader goes on below it.
            start = begin
            below = (lines[index] for index in range(start, len(lines)))
            rows = csv.reader(below, delimiter=self._separator, strict=True)
            try:
                for cells in rows:
                    self._add(begin + above + 1, cells)
                    begin = start + rows.line_num
            except csv.Error:
                self._add(begin + above + 1, self._cells(lines[begin]))
                begin += 1

    def _add(self, line: int, cells: list[str]) -> None:
        """Add a row, the first one as the header. Blank rows are skipped."""
        if self.header and any(map(str.strip, cells)):
            self.rows.append((line, cells))
        elif any(map(str.strip, cells)):
            self.line, self.header = line, cells
            names = [" ".join(cell.casefold().split()) for cell in cells]
            # Backwards, so that the first of two columns with one name stays.
            self.places = {name: place for place, name in reversed([*enumerate(names)])}

    def _cells(self, line: str) -> list[str]:
        """Return the cells of a malformed line. Cells beyond the header's number belong to the name: below
        ``count,name,set``, ``2,"Orwell" , the first,ON`` -> ``2``, ``"Orwell" , the first``, ``ON``.
        """
        cells = line.rstrip("\r\n").split(self._separator)
        first = self.places.get(roles_of(self.places).get("name", ""), 0)
        end = first + 1 + max(0, len(cells) - len(self.header))
        cells[first:end] = [self._separator.join(cells[first:end])]
        # Quotes around a cell do not belong to it; doubled quotes stand for one.
        plain = (re.sub(r'^"(.*)"$', r"\1", cell.strip(), flags=re.DOTALL) for cell in cells)
        return [cell.replace('""', '"') for cell in plain]

    def only(self, lines: Collection[int]) -> str:
        """Return the header and the rows that begin in these lines, as text."""
        rows = [cells for line, cells in self.rows if line in lines]
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows((self.header, *rows))
        return out.getvalue()

    def values(self, cells: list[str], used: Iterable[str]) -> dict[str, str]:
        """Return column -> cell of a row for these columns, empty if the row is too short."""
        places = {name: self.places[name] for name in used if name in self.places}
        return {
            name: unguarded(cells[place].strip()) if place < len(cells) else ""
            for name, place in places.items()
        }

    def place(self, line: int, name: str) -> str:
        """Return the place of a row's cell in this column, in words."""
        return Place(line, self.places[name] + 1).of(name) if name in self.places else str(Place(line))

    def left_out(self, rows: Iterable[tuple[int, list[str]]], used: Iterable[str]) -> tuple[Loss, ...]:
        """Return a loss for each column that is not ``used`` and not empty, at its name or its first cell."""
        read = {self.places[name] for name in used if name in self.places}
        # Index of a column -> the line of its first cell that is not empty.
        firsts: dict[int, int] = {}
        for line, cells in rows:
            for column, cell in enumerate(cells):
                if column not in read and cell.strip():
                    firsts.setdefault(column, line)
        left_out, named = LeftOut(), set(self.places.values())
        for column, line in sorted(firsts.items()):
            name = self.header[column].strip()[:40] if column < len(self.header) else ""
            repeated = "" if column in named else " that is there again"
            title = f"“{name}”{repeated}" if name else f"{column + 1}, which has no name"
            where = Place(self.line if name else line, column + 1)
            left_out.add("column_dropped", f"the column {title}", str(where))
        return left_out.losses


# -- decks written ----------------------------------------------------------------------------

COLUMNS = ("section", "count", "name", "set", "number", "type", "code", "facts", "note", "tags", "keep")
# A table with the columns up to "code" is ours; the others may be missing.
_OURS = COLUMNS[: COLUMNS.index("code") + 1]
# The section of rows that are no cards.
BESIDES = "//"
# The names that one such row may have; rows "detail <key>", "comment" and "not read" may be many.
_BESIDES = ("game", "name", "format", "house", "tags", "notes")


def write(game: Game, reading: Reading, texts: Texts | None = None) -> Body:
    """Write a deck. ``section`` and ``type`` are slugs. ``set`` and ``number`` are empty if the line names no
    print and the card has several. With ``texts`` there is a last column for them.
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
    rows = [(key, value) for key, value in besides.items() if value]
    rows += [(f"detail {key}", str(value)) for key, value in reading.deck.details.items()]
    rows += [("comment", line) for line in reading.comments]
    rows += [(f"not read {unread.section}".strip(), unread.text) for unread in reading.unread]
    for key, value in rows:
        row = {"section": BESIDES, "name": key, "note": guarded(value)}
        lines.append(csv_line(tuple(row.get(column, "") for column in COLUMNS)))
    losses = extra_losses(game, reading, ALL_BUT_UNREAD, "a row of its own")
    if marked := sum(guarded(entry.card.name) != entry.card.name for entry in reading.deck):
        named = f"{some(marked, 'name')} would be taken for a formula"
        message = f"{named}: a ' stands before it. It does not belong to the name."
        losses = (*losses, Loss("formula_marked", message))
    return "".join(lines), losses


# -- decks read -------------------------------------------------------------------------------


def parse(data: bytes) -> Parsed:
    """Read our own table, or another site's. Raise Unreadable if the header names no count or no card."""
    text, losses = text_of_bytes(data)
    bounded_lines(text, "table")
    table = Table(text)
    if not table.header:
        raise Unreadable("empty", "There is nothing in it. Choose a file, or paste a list.")
    used: tuple[str, ...] = COLUMNS
    if table.places.keys() >= set(_OURS):
        parsed = _ours(table)
    elif site := site_of(table.places):
        roles = roles_of(table.places)
        used = tuple(roles[role] for role in _READ if role in roles)
        if "name" not in roles:
            used = (*used, roles["code"])
        rows = (
            _theirs(table, line, table.values(cells, roles.values()), roles) for line, cells in table.rows
        )
        parsed = Parsed(tuple(rows), dialect=site)
    else:
        message = "The table's first row must name its columns, a count and a name at least: count, name."
        raise Unreadable("bad_header", message, str(Place(table.line)))
    return replace(parsed, losses=(*losses, *table.left_out(table.rows, used), *parsed.losses))


def _theirs(table: Table, line: int, values: dict[str, str], roles: dict[str, str]) -> Row:
    """Return a row of another site's table. ``values``: column -> cell; ``roles``: as in ``roles_of``.

    Its part is the first of these that it has: the name of the column "beside" (``sideboard``, if the cell
    says yes), a category that sets cards aside (``Maybeboard``), the cell of the column "part".
    """
    by_role = {role: values.get(word, "") for role, word in roles.items()}
    code = "" if "name" in roles else by_role["code"]
    is_beside = by_role.get("beside", "").casefold() not in _NO
    # Sites add settings in braces: "Agents,Maybeboard{noDeck}".
    categories = [word.partition("{")[0] for word in re.split("[,;|]", by_role.get("kept", ""))]
    part = by_role.get("part", "").partition("{")[0]
    part = next((category for category in categories if fold(category) in BESIDE), part)
    return Row(
        Place(line),
        by_role["count"],
        by_role.get("name") or code,
        roles["beside"] if is_beside else part.strip(),
        by_role.get("set", ""),
        by_role.get("number", ""),
        code=code,
        count_at=table.place(line, roles["count"]),
    )


def _ours(table: Table) -> Parsed:
    """Read our own table of a deck. A row that is no card has a kind in the column "name" (``comment``,
    ``detail <key>``, ``not read <section>``, or one of ``_BESIDES``) and its text in the column "note".
    """
    cards: list[Row] = []
    besides: dict[str, str] = {}
    details: dict[str, int | str] = {}
    comments, unread, losses = list[str](), list[Unread](), list[Loss]()
    for line, cells in table.rows:
        values, where = dict.fromkeys(COLUMNS, "") | table.values(cells, COLUMNS), str(Place(line))
        name, value = values["name"], values["note"]
        kind, _, key = name.partition(" ")
        if values["section"] != BESIDES:
            cards.append(_row(line, values, table.place(line, "count")))
            if (keep := values["keep"]) not in ("", "yes"):
                what = f"“{keep[:20]}” is not “yes”; the card is not kept"
                losses.append(_left_out(what, table.place(line, "keep")))
            if len(value) > MAX_LINE:
                what = f"the note was cut after {MAX_LINE} letters"
                losses.append(_left_out(what, table.place(line, "note")))
        elif kind == "detail":
            details[key] = int(value) if re.fullmatch("[0-9]{1,6}", value) else value
        elif kind == "comment":
            comments.append(value)
        elif name.startswith("not read"):
            section = name.removeprefix("not read").strip()
            message = "The table keeps it as a line that was not read."
            unread.append(Unread(line, value, "unknown_card", message, (), section, where=where))
        elif name in _BESIDES and name not in besides:
            besides[name] = value
        else:
            losses.append(_left_out(f"the row “{name[:40]}” is unknown or there again", where))
    tags = tags_of(besides.pop("tags", ""))
    return Parsed(
        tuple(cards),
        **besides,
        tags=tags,
        comments=tuple(comments),
        details=details,
        losses=tuple(losses),
        dialect="Cutout",
        unread=tuple(unread),
    )


def _left_out(what: str, where: str) -> Loss:
    return Loss("value_dropped", f"Left out: {what}.", where)


def _row(line: int, values: dict[str, str], count_at: str) -> Row:
    """Return a card of our own table: one with a type but no code is written in."""
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


_read = reader("csv", parse)
FORMAT = FileFormat("csv", "Spreadsheet (CSV)", ".csv", "text/csv", write, _read, with_texts=write)


# -- tables of owned cards, for ``decks/collection`` ---------------------------------------------

OWNED_COLUMNS = ("game", "code", "name", "set", "number", "count")
# Bytes of a table; ``decks/collection`` checks them.
MAX_BYTES = 1024 * 1024
MAX_ROWS = 20_000
# Copies of one row.
MAX_COPIES = 999
# Characters of one cell.
MAX_CELL = 300


@dataclass(frozen=True)
class OwnedRow:
    """Copies of a card or of one of its prints, with a ``code`` or a ``name``. ``line``: its first line."""

    line: int
    game: str
    code: str
    name: str
    set: str
    number: str
    count: int


def write_owned(rows: Iterable[tuple[Any, ...]]) -> Iterator[str]:
    """Yield the lines of a table. ``rows``: cells in the order of ``OWNED_COLUMNS``."""
    yield csv_line(OWNED_COLUMNS)
    for *texts, count in rows:
        yield csv_line((*map(guarded, texts), str(count)))


class OwnedTable(NamedTuple):
    """The rows that can be read, the faults of the others, and a sentence for each thing left out."""

    table: Table
    rows: tuple[OwnedRow, ...]
    faults: tuple[Fault, ...]
    left_out: tuple[str, ...]


def read_owned(text: str) -> OwnedTable:
    """Read a table with columns named as in ``OWNED_COLUMNS`` or as other sites name them. Raise Refused if
    the first line does not name a count and a card.
    """
    table = Table(text)
    names = {role: name for role, name in roles_of(table.places).items() if role in OWNED_COLUMNS}
    if "count" not in names or not ("code" in names or "name" in names):
        columns = "count, and name or code; game, set and number are read as well"
        message = f"The first line must name the columns: {columns}."
        raise Refused(Fault("bad_table", message, f"line {table.line}"))
    rows, faults = list[OwnedRow](), list[Fault]()
    cards, deck_game = list[tuple[int, list[str]]](), ""
    without_copies = LeftOut()
    for line, cells in table.rows:
        if cells[0].startswith(BESIDES):
            # "//,,game,,,,,,spycraft,," of our own tables; columns may be left out.
            if "game" in cells[:3]:
                deck_game = next(filter(None, cells[3:]), "")
            continue
        if len(cards) >= MAX_ROWS:
            raise Refused(Fault("bad_table", f"The table has more than {MAX_ROWS:,} rows.", f"line {line}"))
        cards.append((line, cells))
        values = table.values(cells, names.values())
        row = {column: values[names[column]] if column in names else "" for column in OWNED_COLUMNS}
        count = row.pop("count")
        copies, _ = copies_of(count)
        if message := _wrong_with(row, count, copies):
            faults.append(Fault("bad_table", f"Line {line}: {message}", f"line {line}"))
        elif copies:
            rows.append(OwnedRow(line, **row, count=copies))
        else:
            without_copies.add(*NO_COPIES, table.place(line, names["count"]))
    losses = (*table.left_out(cards, names.values()), *without_copies.losses)
    left_out = tuple(f"{loss.message} ({loss.where})" for loss in losses)
    read = tuple(replace(row, game=row.game or deck_game) for row in rows)
    return OwnedTable(table, read, tuple(faults), left_out)


def _wrong_with(row: dict[str, str], count: str, copies: int) -> str:
    """Return the sentence about what is wrong with a row, empty if it can be read."""
    if any(len(cell) > MAX_CELL or "\x00" in cell for cell in (count, *row.values())):
        return f"a cell is longer than {MAX_CELL} characters, or holds an invisible character."
    if not count or not 0 <= copies <= MAX_COPIES:
        return f"“{count}” is not a number of copies from 1 to {MAX_COPIES}."
    return "it names no card." if copies and not row["code"] and not row["name"] else ""
