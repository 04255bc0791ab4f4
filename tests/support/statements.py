"""A pytest plugin (``-p tests.support.statements``) that lists the SQL which only tests marked
``one_database`` send to PostgreSQL.

Those tests usually run on SQLite only, so each listed statement is one that PostgreSQL would not see.
Used by ``make test-postgresql``. Child processes are not watched; no marked test starts one that uses
the database.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from functools import wraps
from typing import Any

import psycopg
import pytest

# The psycopg cursor methods that send SQL.
SENDING = ("execute", "executemany", "copy")
# Replacements that make statements comparable: savepoint names, texts, test database names, numbers, lists of
# values, rows of lists, white space.
WITHOUT = (
    (re.compile(r'"?s\d+_x\d+"?'), "savepoint"),
    (re.compile(r"'(?:[^']|'')*'"), "?"),
    (re.compile(r"\btest_\w+"), "database"),
    (re.compile(r"\b\d+\b"), "?"),
    (re.compile(r"\((?:%s|\?|NULL)(?:, (?:%s|\?|NULL))*\)"), "(values)"),
    (re.compile(r"\(values\)(?:, \(values\))+"), "(values)"),
    (re.compile(r"\s+"), " "),
)
# Statement -> the same without values.
_plain: dict[str, str] = {}
# The statements of the running test, of all unmarked tests, and of all marked tests.
_sent: set[str] = set()
_by_all: set[str] = set()
_by_some: set[str] = set()


def without_values(statement: Any) -> str:
    """Return the SQL with its values, lists of values and generated names replaced."""
    text = (
        statement
        if isinstance(statement, str)
        else statement.as_string(None)
        if hasattr(statement, "as_string")
        else str(statement)
    )
    if text not in _plain:
        plain = text
        for pattern, name in WITHOUT:
            plain = pattern.sub(name, plain)
        _plain[text] = plain
    return _plain[text]


def _noted(send: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a cursor method so that it records each statement."""

    @wraps(send)
    def noting(self: Any, query: Any, *arguments: Any, **named: Any) -> Any:
        _sent.add(without_values(query))
        return send(self, query, *arguments, **named)

    return noting


def pytest_configure(config: pytest.Config) -> None:
    for name in SENDING:
        setattr(psycopg.Cursor, name, _noted(getattr(psycopg.Cursor, name)))


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any]) -> Generator[None, Any, Any]:
    """Count the statements that create the database as sent by all tests, whichever test came first."""
    done = yield
    if fixturedef.argname == "django_db_setup":
        _by_all.update(_sent)
        _sent.clear()
    return done


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """Add the statements of this test to its kind."""
    _sent.clear()
    done = yield
    (_by_some if is_of_one_database(item) else _by_all).update(_sent)
    return done


def is_of_one_database(item: pytest.Item) -> bool:
    """Return True if the test is marked to run on SQLite only."""
    return (
        item.get_closest_marker("one_database") is not None
        and item.get_closest_marker("both_databases") is None
    )


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """In an xdist worker, hand the statements to the main process."""
    if (output := getattr(session.config, "workeroutput", None)) is not None:
        output["statements"] = (sorted(_by_all), sorted(_by_some))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """In the main process, take them over from a worker."""
    by_all, by_some = getattr(node, "workeroutput", {}).get("statements", ((), ()))
    _by_all.update(by_all)
    _by_some.update(by_some)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the statements that only marked tests send."""
    lost = sorted(_by_some - _by_all)
    terminalreporter.section(
        f"{len(_by_all | _by_some)} statements, {len(lost)} sent by tests of one database alone"
    )
    for statement in lost:
        terminalreporter.line(statement)
