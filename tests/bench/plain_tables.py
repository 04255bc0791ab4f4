"""The catalogue as one would lay it out by hand in plain SQL: a column a fact, an index a column, the
engine's own text search.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.db import connection

from cardsdb.models import Card

COLUMNS = (
    "id",
    "code",
    "name_folded",
    "sort_name",
    "type",
    "faction",
    "cost",
    "year",
    "place",
    "artist",
    "search_text",
    "name",
)
FACETS = ("type", "faction", "place")


def make() -> None:
    """Fill ``plain`` (and on SQLite ``plain_text``) from the cards of the invented game."""
    sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        collate = "" if sqlite else 'COLLATE "C"'
        cursor.execute(
            f"CREATE TABLE plain (id bigint PRIMARY KEY, code text {collate}, name_folded text {collate},"
            f" sort_name text {collate}, type text, faction text, cost integer, year integer, place text,"
            " artist text, search_text text, name text)"
        )
        marks = ", ".join(["%s"] * len(COLUMNS))
        for batch in _batches():
            cursor.executemany(f"INSERT INTO plain VALUES ({marks})", batch)
        for name in (
            "faction, cost",
            "faction, sort_name, code",
            "cost, year",
            "type",
            "place",
            "name_folded",
            "sort_name, code",
        ):
            cursor.execute(f"CREATE INDEX plain_{name.replace(', ', '_')} ON plain ({name})")
        if sqlite:
            cursor.execute(
                "CREATE VIRTUAL TABLE plain_text USING fts5(search_text, content='plain', content_rowid='id')"
            )
            cursor.execute("INSERT INTO plain_text (plain_text) VALUES ('rebuild')")
            cursor.execute("ANALYZE plain")
        else:
            cursor.execute(
                "ALTER TABLE plain ADD COLUMN words tsvector GENERATED ALWAYS AS (to_tsvector('simple',"
                " search_text)) STORED"
            )
            cursor.execute("CREATE INDEX plain_words ON plain USING gin (words)")
            cursor.execute("ANALYZE plain")


def drop() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS plain_text")
        cursor.execute("DROP TABLE IF EXISTS plain")


def _batches() -> Iterator[list[tuple[Any, ...]]]:
    fields = ("id", "code", "name_folded", "sort_name", "type", "facts", "search_text", "name")
    batch = []
    rows = Card.objects.current().in_game("paperwar").values_list(*fields)
    for id, code, folded, sort_name, kind, facts, words, name in rows.iterator(chunk_size=2_000):
        batch.append(
            (
                id,
                code,
                folded,
                sort_name,
                kind,
                *(facts.get(key) for key in ("faction", "cost", "year", "place", "artist")),
                words,
                name,
            )
        )
        if len(batch) == 2_000:
            yield batch
            batch = []
    yield batch


def rows(sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return cursor.fetchall()


def text_condition() -> str:
    """Cards with all words of the parameter."""
    if connection.vendor == "sqlite":
        return "id IN (SELECT rowid FROM plain_text WHERE plain_text MATCH %s)"
    return "words @@ plainto_tsquery('simple', %s)"


def ranked() -> str:
    """Keys of the 48 best for the words of the parameter."""
    if connection.vendor == "sqlite":
        return (
            "SELECT p.id, p.code, p.sort_name FROM plain_text t JOIN plain p ON p.id = t.rowid"
            " WHERE plain_text MATCH %s ORDER BY bm25(plain_text) LIMIT 48"
        )
    return (
        "SELECT id, code, sort_name FROM plain, plainto_tsquery('simple', %s) asked"
        " WHERE words @@ asked ORDER BY ts_rank(words, asked) DESC LIMIT 48"
    )
