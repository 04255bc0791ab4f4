"""Performance traps at a million cards, each found by measuring and kept away by a test. No test measures
time: they count queries or read query plans.
"""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from cardsdb.catalogue.current import BATCH, catalogue_of
from cardsdb.catalogue.loader import load
from cardsdb.models import Card, Edition
from cardsdb.search.results import parse_query, results_of
from tests import ROOT
from tests.support.pages import page
from tests.support.queries import queries_of
from tests.support.rooms import whole_house

on_sqlite = pytest.mark.engine("sqlite")


# 1. On SQLite, a name prefix through LIKE scans the whole table.
@on_sqlite
@pytest.mark.django_db
def test_names_are_found_by_an_index():
    for condition in ({"name_folded": "kai"}, {"name_folded__gte": "ka", "name_folded__lt": "kb"}):
        assert "USING INDEX" in Card.objects.filter(**condition).only("pk").explain()


def test_no_condition_ignores_case_or_has_a_pattern_in_the_database():
    """A case-insensitive condition cannot use an index; names and words are stored folded instead."""
    scanning = re.compile(r"__(istartswith|icontains|iexact|iendswith|iregex|regex)")
    assert [file.place for file in whole_house().files if scanning.search(file.text)] == []


# 2 and 4. JSON fields have no index, and SQLite uses the index of the order even if a filter leaves few rows.
@pytest.mark.django_db
def test_a_search_asks_the_database_only_for_the_edition(client):
    client.get("/cards/?q=craft%3E%3D4+type%3Aagent")
    asked = queries_of(lambda: page(client, "/cards/?q=craft%3E%3D5+type%3Aleader"))
    assert [sql for sql in asked if '"cardsdb_card"' in sql] == []


@pytest.mark.django_db
def test_reading_the_catalogue_does_not_query_per_card():
    state = Edition.objects.current()
    with CaptureQueriesContext(connection) as queries:
        cards = len(catalogue_of(Card.objects.all(), state).entries)
    assert cards > 1_000
    assert len(queries) <= 2 + 2 * (cards // BATCH + 1)


# 3, 5 and 6. Pages by OFFSET, or by "later name OR same name and later code", read all rows that they skip;
# one query per facet reads all found rows for each facet.
@pytest.mark.django_db
def test_pages_and_facets_of_a_search_make_no_queries(django_assert_num_queries):
    results = results_of(parse_query("game:xfiles"))
    key = results.key_at(400)
    with django_assert_num_queries(0):
        assert len(results.page(20, after=key).pks) == len(results.page(20, before=key).pks) == 20
        assert all(results.facet(key) for key in ("type", "set", "rarity"))


@on_sqlite
@pytest.mark.django_db
def test_the_catalogue_is_read_in_order_from_its_index():
    first = Card.objects.order_by("sort_name", "game", "code").only("pk")
    assert "card_by_name" in first.explain() and "TEMP B-TREE" not in first.explain()
    later = first.filter(sort_name__gte="m").explain()
    assert "SEARCH" in later and "card_by_name" in later


# 7. Regular expressions of visitors run neither in the database nor in Python's ``re``, which might never
# end.
@pytest.mark.django_db
def test_a_regular_expression_query_never_reaches_the_database():
    with CaptureQueriesContext(connection) as queries:
        assert results_of(parse_query("name:/^(a+)+$/")).page(20).pks == ()
    assert [query["sql"] for query in queries if "a+" in query["sql"]] == []


# 8. One query or one model instance for each row.
@pytest.mark.django_db
def test_loading_takes_few_statements_for_many_cards(sixth_game, tmp_path):
    def statements(cards: int) -> int:
        folder = tmp_path / str(cards) / "deaddrop"
        folder.mkdir(parents=True)
        (folder / "rulebook.toml").write_bytes((sixth_game.folder / "rulebook.toml").read_bytes())
        lines = [f"n{cards}-{at},Card {at},courier,,,,sheet\n" for at in range(cards)]
        (folder / "cards.csv").write_text("code,name,type,set,number,rarity,source\n" + "".join(lines))
        with CaptureQueriesContext(connection) as queries:
            assert load(replace(sixth_game, folder=folder)).count("added") == cards
        return len(queries)

    statements(1)
    # SQLite takes a thousand values in one statement, PostgreSQL many more.
    assert statements(400) <= statements(2) + 10


# 9. A trigger for each row makes loading several times slower.
@pytest.mark.django_db
def test_no_trigger_runs_while_cards_are_written():
    queries = {
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
        "postgresql": (
            "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgrelid::regclass::text LIKE"
            " 'cardsdb_%%'"
        ),
    }
    with connection.cursor() as cursor:
        cursor.execute(queries[connection.vendor])
        assert cursor.fetchall() == []


# 10. When several processes read and then write, SQLite lets one continue and reports the others as locked.
def test_sqlite_uses_write_ahead_logging_and_waiting_writers(tmp_path):
    program = (
        "import django; django.setup(); from django.db import connection; cursor = connection.cursor()\n"
        "for name in ('journal_mode', 'foreign_keys', 'synchronous', 'busy_timeout'):"
        " print(cursor.execute(f'PRAGMA {name}').fetchone()[0])\n"
        "print(connection.settings_dict['OPTIONS']['transaction_mode'])"
    )
    env = {"CUTOUT_VAR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "cardsdb.settings", "PATH": "/usr/bin:/bin"}
    printed = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=env, capture_output=True, text=True, check=True
    )
    assert printed.stdout.split() == ["wal", "1", "1", "10000", "IMMEDIATE"]
