"""Write many cards at once: plain statements in batches on SQLite, COPY on PostgreSQL. Used by loading alone.

Everything here runs inside the transaction of whoever calls it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar

from django.db import connection

from cardsdb.catalogue.rows import CARD_COLUMNS, CODE, PRINT_COLUMNS, CardRow, PrintRow

T = TypeVar("T")
BATCH = 500
# What SQLite may keep in memory while it writes, in KiB; its own 2 MB would go to the disk and back for every index.
SQLITE_CACHE_KIB = 256 * 1024

Rows = Sequence[tuple[CardRow, tuple[PrintRow, ...]]]


@contextmanager
def much_to_write() -> Iterator[None]:
    """Around the transaction of a load: memory for SQLite's indexes."""
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA cache_size")
        usual = cursor.fetchone()[0]
        cursor.execute(f"PRAGMA cache_size = -{SQLITE_CACHE_KIB}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA cache_size = {int(usual)}")


def lock_cards() -> None:
    """One load at a time; everybody may go on reading. SQLite's transaction is such a lock by itself."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("LOCK TABLE cardsdb_card, cardsdb_print IN SHARE ROW EXCLUSIVE MODE")


def add_cards(rows: Rows) -> None:
    """Insert cards that are new, and their prints."""
    keys = _new_keys(len(rows))
    _insert("cardsdb_card", ("id", *CARD_COLUMNS), ((key, *card) for key, (card, _) in zip(keys, rows, strict=True)))
    _insert_prints((key, prints) for key, (_, prints) in zip(keys, rows, strict=True))


def change_cards(game: str, rows: Rows) -> None:
    """Rewrite cards that are there, and replace their prints."""
    set_all = ", ".join(f"{name} = %s" for name in CARD_COLUMNS)
    with connection.cursor() as cursor:
        for batch in batches(rows):
            codes = [card[CODE] for card, _ in batch]
            marks = ", ".join(["%s"] * len(codes))
            cursor.execute(f"SELECT code, id FROM cardsdb_card WHERE game = %s AND code IN ({marks})", [game, *codes])  # noqa: S608
            keys = dict(cursor.fetchall())
            cursor.executemany(f"UPDATE cardsdb_card SET {set_all} WHERE id = %s", [(*card, keys[card[CODE]]) for card, _ in batch])  # noqa: S608
            cursor.execute(f"DELETE FROM cardsdb_print WHERE card_id IN ({marks})", list(keys.values()))  # noqa: S608
            _insert_prints((keys[card[CODE]], prints) for card, prints in batch)


def retire_cards(game: str, codes: Iterable[str]) -> None:
    """Take cards out of lists. Without a digest they count as changed when they come back."""
    with connection.cursor() as cursor:
        for batch in batches(codes):
            marks = ", ".join(["%s"] * len(batch))
            cursor.execute(
                f"UPDATE cardsdb_card SET retired = %s, digest = '' WHERE game = %s AND code IN ({marks})",  # noqa: S608
                [True, game, *batch],
            )


def written() -> None:
    """After the transaction: fresh statistics for PostgreSQL's planner, and SQLite's log back to nothing."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("ANALYZE cardsdb_card")
            cursor.execute("ANALYZE cardsdb_print")
        elif not connection.in_atomic_block:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            cursor.fetchall()


def batches(items: Iterable[T], size: int = BATCH) -> Iterator[list[T]]:
    source = iter(items)
    while batch := list(islice(source, size)):
        yield batch


def _new_keys(count: int) -> Sequence[int]:
    """Primary keys for so many cards. The lock that loading holds keeps anyone else from taking them."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT nextval(pg_get_serial_sequence('cardsdb_card', 'id')) FROM generate_series(1, %s)", [count])
            return [key for (key,) in cursor.fetchall()]
        cursor.execute("SELECT coalesce(max(id), 0) FROM cardsdb_card")
        last = cursor.fetchone()[0]
    return range(last + 1, last + 1 + count)


def _insert_prints(prints: Iterable[tuple[int, tuple[PrintRow, ...]]]) -> None:
    _insert("cardsdb_print", ("card_id", *PRINT_COLUMNS), ((key, *print_) for key, some in prints for print_ in some))


def _insert(table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    names = ", ".join(columns)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({', '.join(['%s'] * len(columns))})", list(rows))  # noqa: S608
