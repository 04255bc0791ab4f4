"""The kinds of files that hold the whole catalogue: lines of JSON, a table of prints, a database.

Each takes one card after another and forgets it, so that many cards need no more memory than one.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self

from cardsdb.catalogue.card_json import PRINT_PARTS, Sources
from cardsdb.games import games
from cardsdb.games.kit import Game
from cardsdb.games.kit.model.cards import as_words

# Fast rather than small: the difference is a tenth, the time threefold.
LEVEL = 3
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")
ABOUT = (
    "Facts about out-of-print espionage card games, gathered by Cutout, with the document behind each. What"
    " no document states is left out. The games belong to their owners; no art and no card text of theirs is"
    " in here."
)


def credits_text() -> str:
    """The rights and the credit of every game, as plain text that goes with the files."""
    lines = [ABOUT, ""]
    for game in games().values():
        lines.append(f"{game.name}: {game.rights or 'facts only.'}")
        if game.credit:
            credit = game.credit
            lines += [
                f"  {credit.text}",
                f"  {credit.licence}: {credit.licence_url}",
                f"  {credit.work_url}",
                f"  {credit.changes}",
            ]
    return "\n".join(lines) + "\n"


class BulkWriter(ABC):
    """A file being written. ``rows`` counts what it holds."""

    name: ClassVar[str]
    about: ClassVar[str]

    def __init__(self, folder: Path, edition: int, date: str) -> None:
        self.path = folder / self.name
        self.edition, self.date = edition, date
        self.rows = 0

    def __enter__(self) -> Self:
        return self

    @abstractmethod
    def add(self, card: Mapping[str, Any], sources: Sources) -> None:
        """Write one more card, with the claims about it."""

    @abstractmethod
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Finish the file."""


class GzippedText(BulkWriter):
    """UTF-8 text, compressed. The file holds neither time nor name, so that the same cards give the same
    bytes.
    """

    def __enter__(self) -> Self:
        self._raw = self.path.open("wb")
        self._zipped = gzip.GzipFile(filename="", fileobj=self._raw, mode="wb", compresslevel=LEVEL, mtime=0)
        self.text = io.TextIOWrapper(
            io.BufferedWriter(self._zipped, 1 << 18), encoding="utf-8", newline="", write_through=False
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.text.close()
        self._zipped.close()
        self._raw.close()


class JsonLines(GzippedText):
    name = "cards.jsonl.gz"
    about = "One card a line, as JSON, with the sources of every fact and the credit its game asks for"

    def __enter__(self) -> Self:
        super().__enter__()
        self._encode = json.JSONEncoder(
            ensure_ascii=False, check_circular=False, separators=(",", ":")
        ).encode
        return self

    def add(self, card: Mapping[str, Any], sources: Sources) -> None:
        self.text.write(self._encode(card) + "\n")
        self.rows += 1


class PrintsTable(GzippedText):
    name = "prints.csv.gz"
    about = "One print a line, for spreadsheets; a card without prints has one line of its own"

    def __enter__(self) -> Self:
        super().__enter__()
        facts = tuple(dict.fromkeys(fact.key for game in games().values() for fact in game.facts))
        self._places = {key: place for place, key in enumerate(facts)}
        self._blank = [""] * len(facts)
        self._table = csv.writer(self.text, lineterminator="\r\n")
        heads = [f"print.{part}" for part in PRINT_PARTS] + [f"facts.{key}" for key in facts]
        self._table.writerow(["key", "game", "name", "type", *heads, "text", "documents", "credit"])
        return self

    def add(self, card: Mapping[str, Any], sources: Sources) -> None:
        before = [card["key"], card["game"], safe_cell(card["name"]), card["type"]]
        facts = self._blank.copy()
        for key, value in card["facts"].items():
            facts[self._places[key]] = safe_cell(as_words(value))
        documents = dict.fromkeys(claim["document"] for claims in sources.values() for claim in claims)
        credit = card["credit"]["text"] if card["credit"] else ""
        after = [*facts, *map(safe_cell, (card["text"], "; ".join(documents), credit))]
        for print_ in card["prints"] or (NO_PRINT,):
            self._table.writerow([*before, *map(safe_cell, print_.values()), *after])
            self.rows += 1


NO_PRINT = dict.fromkeys(PRINT_PARTS, "")


def safe_cell(text: str) -> str:
    """Text as a cell that no spreadsheet takes for a formula; a number stays one."""
    if text and text[0] in "=+-@\t\r" and not _NUMBER.fullmatch(text):
        return "'" + text
    return text


class Database(BulkWriter):
    name = "catalogue.sqlite3"
    about = (
        "An SQLite database: cards, prints, facts, sources, games. Sources of the fact '' stand behind all"
        " facts without one of their own"
    )

    TABLES = """
        CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
        CREATE TABLE games (slug TEXT PRIMARY KEY, name TEXT NOT NULL, publisher TEXT NOT NULL, year TEXT NOT NULL, rights TEXT NOT NULL,
            credit TEXT NOT NULL, licence TEXT NOT NULL, licence_url TEXT NOT NULL, work_url TEXT NOT NULL, changes TEXT NOT NULL);
        CREATE TABLE cards (id INTEGER PRIMARY KEY, key TEXT NOT NULL, game TEXT NOT NULL REFERENCES games, code TEXT NOT NULL,
            name TEXT NOT NULL, type TEXT NOT NULL, text TEXT NOT NULL, aliases TEXT NOT NULL, note TEXT NOT NULL);
        CREATE TABLE prints (card INTEGER NOT NULL REFERENCES cards, "set" TEXT NOT NULL, number TEXT NOT NULL, rarity TEXT NOT NULL,
            code TEXT NOT NULL, note TEXT NOT NULL);
        CREATE TABLE facts (card INTEGER NOT NULL REFERENCES cards, fact TEXT NOT NULL, value NOT NULL);
        CREATE TABLE sources (card INTEGER NOT NULL REFERENCES cards, fact TEXT NOT NULL, document TEXT NOT NULL, section TEXT NOT NULL,
            lines TEXT NOT NULL, url TEXT NOT NULL, certainty TEXT NOT NULL, value TEXT, note TEXT NOT NULL);
    """
    INDEXES = """
        CREATE UNIQUE INDEX cards_by_key ON cards (key);
        CREATE INDEX cards_by_name ON cards (name);
        CREATE INDEX prints_by_card ON prints (card);
        CREATE INDEX facts_by_card ON facts (card);
        CREATE INDEX facts_by_value ON facts (fact, value);
        CREATE INDEX sources_by_card ON sources (card);
    """
    BATCH = 1000

    def __enter__(self) -> Self:
        self._database = sqlite3.connect(self.path, isolation_level=None)
        # Nobody reads the file before it is whole, so it needs no journal; the cache is what bounds the
        # memory.
        self._database.executescript(
            "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-16384;" + self.TABLES
        )
        self._database.execute("BEGIN")
        about = {"edition": str(self.edition), "date": self.date, "about": ABOUT, "credits": credits_text()}
        self._insert("about", about.items())
        self._insert("games", (_game_row(game) for game in games().values()))
        self._waiting: dict[str, list[tuple[Any, ...]]] = {
            "cards": [],
            "prints": [],
            "facts": [],
            "sources": [],
        }
        return self

    def _insert(self, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
        rows = list(rows)
        if rows:
            marks = ", ".join("?" * len(rows[0]))
            self._database.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608 (ours)

    def add(self, card: Mapping[str, Any], sources: Sources) -> None:
        self.rows += 1
        waiting, id = self._waiting, self.rows
        plain = (
            card["key"],
            card["game"],
            card["code"],
            card["name"],
            card["type"],
            card["text"],
            "; ".join(card["aliases"]),
            card["note"],
        )
        waiting["cards"].append((id, *plain))
        waiting["prints"] += [(id, *print_.values()) for print_ in card["prints"]]
        for key, value in card["facts"].items():
            waiting["facts"] += [(id, key, one) for one in (value if isinstance(value, list) else (value,))]
        for key, claims in sources.items():
            waiting["sources"] += [(id, key, *claim.values()) for claim in claims]
        if not id % self.BATCH:
            self._flush()

    def _flush(self) -> None:
        for table, rows in self._waiting.items():
            self._insert(table, rows)
            rows.clear()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self._flush()
            self._database.execute("COMMIT")
            self._database.executescript(self.INDEXES)
        self._database.close()


def _game_row(game: Game) -> tuple[str, ...]:
    credit = game.credit
    credited = (
        (credit.text, credit.licence, credit.licence_url, credit.work_url, credit.changes)
        if credit
        else ("",) * 5
    )
    return (game.slug, game.name, game.publisher, game.year, game.rights, *credited)


WRITERS: tuple[type[BulkWriter], ...] = (JsonLines, PrintsTable, Database)
