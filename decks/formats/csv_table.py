"""A table for spreadsheets: one row an entry, RFC 4180, no cell that a spreadsheet would compute.

Rows below the cards, with ``//`` as their section, hold what else the list says: ``name`` is its kind,
``note`` its text.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cardsdb.box.reading.formats import guarded, separated, unguarded
from cardsdb.games.kit import Game, Marks
from cardsdb.games.kit.listtext.deck import MAX_LINES
from cardsdb.games.kit.listtext.line import MAX_LINE, UNKNOWN, facts_as_text
from cardsdb.games.kit.listtext.reading import Reading, Unread
from cardsdb.games.kit.model.text import some
from decks.formats.contract import Body, FileFormat, Loss, Parsed, Place, Row, Texts, Unreadable
from decks.formats.extras import ALL_BUT_UNREAD, extra_losses, tags_of
from decks.formats.files import LeftOut, text_of_bytes
from decks.formats.placing import reader
from decks.formats.writing import fit_lines, print_of

# How sites call the columns of a table, the plainest and surest word first.
_WORDS = {
    "game": ("game",),
    "count": ("count", "quantity", "qty", "copies", "number of copies", "owned"),
    "name": ("name", "card name", "card", "title", "simple name"),
    "set": ("set code", "edition code", "setcode", "set_code", "set id", "set", "edition", "printing"),
    "number": ("collector number", "card number", "collector #", "collector_number", "number"),
    "part": ("section", "board", "zone"),
    "code": ("code", "key", "card code"),
}
# A site and columns that together only its tables have, from the most particular header to the plainest.
_SITES = (
    ("Archidekt", {"edition code", "edition name", "scryfall id", "finish"}),
    ("Deckbox", {"tradelist count", "edition", "card number"}),
    ("Moxfield", {"tradelist count", "edition", "collector number", "foil"}),
    ("DragonShield", {"card name", "set code", "card number", "folder name", "printing"}),
    ("DragonShield", {"card name", "set code", "card number", "trade quantity"}),
    ("TCGplayer", {"simple name", "set code", "card number", "printing"}),
    ("ManaBox", {"set name", "set code", "collector number", "foil"}),
    ("MTGO", {"card name", "set", "collector #", "premium"}),
    ("MTGGoldfish", {"quantity", "card", "set id"}),
    ("TopDecked", {"setcode", "setname", "collector number"}),
    ("Card Kingdom", {"title", "edition", "foil"}),
    ("TappedOut", {"qty", "printing", "board"}),
    ("Scryfall", {"set_code", "collector_number"}),
    ("AetherHub", {"quantity", "set", "rarity"}),
)


def roles_of(header: Iterable[str]) -> dict[str, str]:
    """What a column is for -> the column of these, in small letters, that is so."""
    columns = frozenset(header)
    named = {role: next((word for word in words if word in columns), "") for role, words in _WORDS.items()}
    return {role: word for role, word in named.items() if word}


def site_of(header: Iterable[str]) -> str:
    """The site whose tables have such a header; ``a table`` for any other that names a count and a card,
    else empty.
    """
    roles, columns = roles_of(header), frozenset(header)
    if "count" not in roles or not {"name", "code"} & roles.keys():
        return ""
    return next((title for title, signs in _SITES if signs <= columns), "a table")


COLUMNS = ("section", "count", "name", "set", "number", "type", "code", "facts", "note", "tags", "keep")
BESIDES = "//"
# What such a row may say once.
_BESIDES = ("game", "name", "format", "house", "tags", "notes")


def write(game: Game, reading: Reading, texts: Texts | None = None) -> Body:
    """``section`` and ``type`` are slugs; ``set`` and ``number`` are blank where the line leaves its print
    open and there are several.

    With ``texts`` the last column has those of the cards.
    """
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\r\n")
    table.writerow((*COLUMNS, "text") if texts else COLUMNS)
    marked = []
    for entry in reading.deck:
        card, print_, marks = entry.card, print_of(entry), entry.marks
        kind = (UNKNOWN if card.unknown else card.type, "" if card.written else card.code)
        facts = " | ".join(facts_as_text(game, card)) if card.written else ""
        extra = (facts, marks.note, ", ".join(marks.tags), "yes" if marks.keep else "")
        text = (fit_lines(texts.get(card.code, "")),) if texts else ()
        table.writerow(
            (
                entry.section,
                entry.count,
                *map(guarded, (card.name, print_.set, print_.number, *kind, *extra, *text)),
            )
        )
        if guarded(card.name) != card.name:
            marked.append(card.name)
    for key, value in _besides(game, reading):
        table.writerow((BESIDES, "", key, "", "", "", "", "", guarded(value), "", ""))
    losses = extra_losses(game, reading, ALL_BUT_UNREAD, "a row of its own")
    if marked:
        message = (
            f"{some(len(marked), 'name')} would be taken for a formula: a ' stands before it. It does not"
            " belong to the name."
        )
        losses = (*losses, Loss("formula_marked", message))
    return out.getvalue(), losses


def _besides(game: Game, reading: Reading) -> Iterator[tuple[str, str]]:
    yield from (("game", game.slug),)
    values = {
        "name": reading.deck.name,
        "format": reading.format,
        "house": reading.house,
        "tags": ", ".join(reading.tags),
        "notes": reading.notes,
    }
    yield from ((key, value) for key, value in values.items() if value)
    yield from ((f"detail {key}", str(value)) for key, value in reading.deck.details.items())
    yield from (("comment", line) for line in reading.comments)
    yield from ((f"not read {unread.section}".strip(), unread.text) for unread in reading.unread)


def parse(data: bytes) -> Parsed:
    """Our own table, or that of another site. Raises Unreadable for a header that names no count and no
    name.
    """
    text, losses = text_of_bytes(data)
    if (lines := len(re.findall(r"\r\n|\r|\n", text))) > MAX_LINES:
        raise Unreadable("too_large", f"The table has {lines:,} lines; at most {MAX_LINES:,} are read.")
    try:
        rows = table_rows(text)
    except BrokenRow as broken:
        raise Unreadable("bad_csv", str(broken), str(Place(broken.line))) from None
    if not rows:
        raise Unreadable("empty", "There is nothing in it. Choose a file, or paste a list.")
    columns, cards = columns_of(rows[0]), rows[1:]
    names = tuple(columns.places)
    if set(COLUMNS[:7]) <= set(names):
        return _ours(columns, cards, losses)
    if not (site := site_of(names)):
        message = "The table's first row must name its columns, a count and a name at least: count, name."
        raise Unreadable("bad_header", message, str(Place(columns.line)))
    return _theirs(site, columns, cards, losses)


@dataclass(frozen=True, slots=True)
class Columns:
    """The header of a table: the number of its line, its cells as they stand, and the place of each name: of
    two alike the first.
    """

    line: int
    cells: list[str]
    places: dict[str, int]

    def values(self, cells: list[str], used: Iterable[str]) -> dict[str, str]:
        """What a row says in these columns; empty where it has no such cell."""
        places = {name: self.places[name] for name in used if name in self.places}
        return {
            name: unguarded(cells[place].strip()) if place < len(cells) else ""
            for name, place in places.items()
        }

    def place(self, line: int, name: str) -> str:
        """Where a row has its cell of this column."""
        return Place(line, self.places[name] + 1).of(name) if name in self.places else str(Place(line))

    def left_out(self, rows: list[tuple[int, list[str]]], used: Iterable[str]) -> tuple[Loss, ...]:
        """A loss for each column that says something and is not read, at its name or else at its first
        cell.
        """
        read = {self.places[name] for name in used if name in self.places}
        firsts: dict[int, int] = {}
        for line, cells in rows:
            for place, cell in enumerate(cells):
                if place not in read and place not in firsts and cell.strip():
                    firsts[place] = line
        told = LeftOut()
        for place in sorted(firsts):
            where = str(Place(self._line(place, firsts[place]), place + 1))
            told.add("column_dropped", f"the column {self._called(place)}", where)
        return told.losses

    def _called(self, place: int) -> str:
        name = self.cells[place].strip()[:40] if place < len(self.cells) else ""
        again = " that is there again" if name and place not in self.places.values() else ""
        return f"“{name}”{again}" if name else f"{place + 1}, which has no name"

    def _line(self, place: int, first: int) -> int:
        return self.line if place < len(self.cells) and self.cells[place].strip() else first


class BrokenRow(ValueError):
    """A row that is none: its line, and what is wrong with it as a sentence."""

    def __init__(self, line: int, error: csv.Error) -> None:
        super().__init__(f"Line {line} is no row of a table: {error}.")
        self.line = line


def table_rows(text: str) -> list[tuple[int, list[str]]]:
    """(line, cells) of every row that is not blank, by its first line. Raises BrokenRow."""
    rest, separator, above = separated(text.removeprefix("\ufeff"))
    table = csv.reader(io.StringIO(rest, newline=""), delimiter=separator, strict=True)
    rows, before = [], above
    try:
        for cells in table:
            line, before = before + 1, table.line_num + above
            if any(cell.strip() for cell in cells):
                rows.append((line, cells))
    except csv.Error as error:
        raise BrokenRow(table.line_num + above, error) from None
    return rows


def columns_of(header: tuple[int, list[str]]) -> Columns:
    """The columns that the first row of a table names."""
    line, cells = header
    names = [" ".join(cell.casefold().split()) for cell in cells]
    return Columns(line, cells, {name: place for place, name in reversed([*enumerate(names)])})


def _theirs(
    site: str, columns: Columns, rows: list[tuple[int, list[str]]], losses: tuple[Loss, ...]
) -> Parsed:
    roles = roles_of(columns.places)
    used = [roles[role] for role in ("count", "name", "set", "number", "part") if role in roles]
    if "name" not in roles:
        used.append(roles["code"])
    parsed = []
    for line, cells in rows:
        values = columns.values(cells, used)
        said = {role: values.get(word, "") for role, word in roles.items()}
        code = "" if "name" in roles else said["code"]
        parsed.append(
            Row(
                Place(line),
                said["count"],
                said.get("name") or code,
                said.get("part", ""),
                said.get("set", ""),
                said.get("number", ""),
                code=code,
                count_at=columns.place(line, roles["count"]),
            )
        )
    return Parsed(tuple(parsed), losses=(*losses, *columns.left_out(rows, used)), dialect=site)


def _ours(columns: Columns, rows: list[tuple[int, list[str]]], losses: tuple[Loss, ...]) -> Parsed:
    cards: list[Row] = []
    besides: dict[str, str] = {}
    details: dict[str, int | str] = {}
    comments: list[str] = []
    unread: list[Unread] = []
    aside: list[Loss] = []
    for line, cells in rows:
        values = dict.fromkeys(COLUMNS, "") | columns.values(cells, COLUMNS)
        if values["section"] != BESIDES:
            cards.append(_row(line, values, columns.place(line, "count")))
            if values["keep"] not in ("", "yes"):
                aside.append(
                    _aside(
                        f"“{values['keep'][:20]}” is not “yes”; the card is not kept",
                        columns.place(line, "keep"),
                    )
                )
            if len(values["note"]) > MAX_LINE:
                aside.append(
                    _aside(f"the note was cut after {MAX_LINE} letters", columns.place(line, "note"))
                )
            continue
        kind, _, key = values["name"].partition(" ")
        value = values["note"]
        if kind == "detail":
            details[key] = int(value) if re.fullmatch("[0-9]{1,6}", value) else value
        elif kind == "comment":
            comments.append(value)
        elif values["name"].startswith("not read"):
            section = values["name"].removeprefix("not read").strip()
            message = "The table keeps it as a line that was not read."
            unread.append(Unread(line, value, "unknown_card", message, (), section, where=str(Place(line))))
        elif values["name"] in _BESIDES and values["name"] not in besides:
            besides[kind] = value
        else:
            aside.append(
                _aside(f"the row “{values['name'][:40]}” is unknown or there again", str(Place(line)))
            )
    return Parsed(
        tuple(cards),
        besides.get("game", ""),
        besides.get("name", ""),
        besides.get("format", ""),
        besides.get("house", ""),
        besides.get("notes", ""),
        tags=tags_of(besides.get("tags", "")),
        comments=tuple(comments),
        details=details,
        losses=(*losses, *columns.left_out(rows, COLUMNS), *aside),
        dialect="Cutout",
        unread=tuple(unread),
    )


def _aside(what: str, where: str) -> Loss:
    return Loss("value_dropped", f"Left out: {what}.", where)


def _row(line: int, values: dict[str, str], count_at: str) -> Row:
    marks = Marks(values["note"][:MAX_LINE], tags_of(values["tags"]), values["keep"] == "yes")
    facts = values["facts"]
    count, name, section, set_code, number = (
        values[column] for column in ("count", "name", "section", "set", "number")
    )
    written = not values["code"] and values["type"] not in ("", UNKNOWN)
    stated = (
        tuple(
            (part.partition(":")[0].strip(), part.partition(":")[2].strip())
            for part in facts.split(" | ")
            if part
        )
        if written
        else None
    )
    code, kind = values["code"], values["type"]
    return Row(
        Place(line),
        count,
        name,
        section,
        set_code,
        number,
        code=code,
        type=kind,
        facts=stated,
        marks=marks,
        count_at=count_at,
    )


FORMAT = FileFormat(
    "csv", "Spreadsheet (CSV)", ".csv", "text/csv", write, reader("csv", parse), with_texts=write
)
