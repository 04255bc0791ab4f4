"""Rows 2 and 6 against whole programs of others: tantivy, which counts facets, and Datasette, which shows a
table with them.

Neither is in the lock file: they are measured where somebody has installed them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.conf import settings

from tests.bench import plain_tables

FACETS, ROWS = ("type", "place", "cost"), 48

# A total, and for each facet its values with their counts.
Counted = tuple[int, list[dict[str, int]]]


def tantivy_counts(keys: tuple[str, ...]) -> Callable[[str], Counted]:
    """An index in memory over the cards of ``plain``: for a word, the total and each key's values, shown as
    they are stored.
    """
    import tantivy

    schema = tantivy.SchemaBuilder()
    schema.add_text_field("words")
    for key in keys:
        schema.add_text_field(key, tokenizer_name="raw", fast=True, index_option="basic")
    index = tantivy.Index(schema.build())
    writer = index.writer()
    for words, *values in plain_tables.rows(f"SELECT search_text, {', '.join(keys)} FROM plain", ()):
        document = {key: [value] for key, value in zip(keys, values, strict=True) if value}
        writer.add_document(tantivy.Document(words=[words], **document))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()
    counting = {key: {"terms": {"field": key, "size": 1_000}} for key in keys}

    def count(word: str) -> Counted:
        query = index.parse_query(word, ["words"])
        found = searcher.aggregate(query, counting)
        counts = [
            {bucket["key"]: int(bucket["doc_count"]) for bucket in found[key]["buckets"]} for key in keys
        ]
        return searcher.search(query, limit=1, count=True).count, counts

    return count


class Datasette:
    """Datasette over the same table, without limits of time, asked in this process."""

    def __init__(self) -> None:
        from datasette.app import Datasette as Site

        # It asks itself through a client of HTTP, which notes each request.
        logging.getLogger("httpx").setLevel(logging.WARNING)
        path = str(settings.DATABASES["default"]["NAME"])
        limits = {
            "facet_time_limit_ms": 60_000,
            "sql_time_limit_ms": 60_000,
            "num_sql_threads": 0,
            "default_facet_size": 100,
        }
        self._site = Site([path], settings=limits)
        self._loop = asyncio.new_event_loop()
        self._name = path.rpartition("/")[2].rpartition(".")[0]

    def page(self, faction: str, cost: int) -> str:
        return str(self._ask("", faction, cost).text)

    def answer(self, faction: str, cost: int) -> tuple[int, list[dict[str, int]], list[str]]:
        """What its page tells: the total, the facets, the codes of the rows."""
        told = self._ask(".json", faction, cost, _shape="objects", _extra="count,facet_results").json()
        facets = told["facet_results"].get("results", told["facet_results"])
        counts = [
            {str(one["value"]): one["count"] for one in facets[key]["results"] if one["value"] is not None}
            for key in FACETS
        ]
        return (
            told.get("filtered_table_rows_count", told.get("count")),
            counts,
            [row["code"] for row in told["rows"]],
        )

    def _ask(self, kind: str, faction: str, cost: int, **more: str) -> Any:
        query = [
            ("faction", faction),
            ("cost__gte", cost),
            ("_sort", "sort_name"),
            ("_size", ROWS),
            *(("_facet", key) for key in FACETS),
        ]
        address = f"/{self._name}/plain{kind}?{urlencode([*query, *more.items()])}"
        answer = self._loop.run_until_complete(self._site.client.get(address))
        assert answer.status_code == 200, (address, answer.text[:300])
        return answer
