"""Fixtures and pytest hooks for all tests: the loaded catalogue, clean caches and clocks, and the order of
tests.

The test database holds the real catalogue, loaded once per session. Fixtures of the browser and of the object
store are imported from ``tests/support``.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Generator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from pytest_django.plugin import blocking_manager_key

from tests.support import examples
from tests.support.browser import RUNNING, browser, kept_page, page, running, site, var
from tests.support.object_store import bucket
from tests.support.sixth_game import SIXTH_GAME, install_twin

__all__ = ["browser", "bucket", "kept_page", "page", "running", "site", "var"]

install_twin()

# True while the running test may use the database. A list, so that hooks can change it.
HAS_DATABASE = [True]
# The games with which the catalogue was last read.
READ_WITH: list[Any] = [None]


def pytest_sessionstart() -> None:
    """Set what holds for every test once, instead of in a fixture for each.

    A repair is stopped by its number of judgements, which is the same everywhere, and not by time: on a busy
    machine it must not find less.
    """
    from django_tasks_db.management.commands import db_worker

    from cardsdb.games.kit.repair.steps import Limits
    from decks.check import pasted

    # The worker would close the connection between tasks; here it is the test's connection, inside a
    # transaction.
    db_worker.close_old_connections = lambda: None
    pasted.USUAL_LIMITS = Limits(seconds=600)
    pasted.AT_ONCE = replace(pasted.AT_ONCE, seconds=600)
    keep_some_catalogues()


def keep_some_catalogues() -> None:
    """Cache the last few catalogues, to save reading them from the database for each test.

    A site keeps only the catalogue of the current edition. But when a test makes an edition and is rolled
    back, the next test needs the one before. A test without database gets a catalogue of the games' folders.
    """
    from cardsdb.catalogue import current

    find_current, read, kept = current._current, current.read, dict[Any, Any]()

    def once(state: Any, make: Callable[[], Any]) -> Any:
        """Return the catalogue of this state, made at most once."""
        # The key has the games' identities and the number of cards too, because some tests change cards
        # without a new edition. A game that is found again is the same object unless its folder changed.
        games = current.folder_games()
        key = state, *map(id, games.values()), state and current.StoredCard.objects.count()
        if key not in kept:
            for oldest in list(kept)[:-3]:
                del kept[oldest]
            kept[key] = make()
        if kept[key].folders is not games:
            kept[key] = replace(kept[key], folders=games)
        return kept[key]

    def current_or_folders() -> Any:
        return find_current() if HAS_DATABASE[0] else once(None, current.of_folders)

    current.read = lambda state: once(state, lambda: read(state))
    current._current = current_or_folders


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test marked ``@pytest.mark.seeds(5)`` with five values of its argument ``seed``."""
    if marker := metafunc.definition.get_closest_marker("seeds"):
        metafunc.parametrize("seed", examples.seeds(marker.args[0]))


def pytest_collection_finish() -> None:
    """Exclude the collected tests and modules from garbage collection; scanning them again and again would
    cost a tenth of the time.
    """
    gc.freeze()
    gc.set_threshold(20_000, 50, 50)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests for another database engine, and move browser tests to the front: they take longest,
    so one worker starts with them while the others do the rest.
    """
    from django.db import connection

    items.sort(key=lambda item: item.get_closest_marker("browser") is None)

    def is_for_another_engine(item: pytest.Item) -> bool:
        engine = item.get_closest_marker("engine")
        return engine is not None and connection.vendor != engine.args[0]

    if others := [item for item in items if is_for_another_engine(item)]:
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if not is_for_another_engine(item)]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, None, None]:
    """Load the catalogue again after a test with real transactions, which empties every table.

    Not after the last test: the test database is gone by then, and the load would fill the developer's own.
    """
    yield
    marker = item.get_closest_marker("django_db")
    if nextitem is not None and marker and marker.kwargs.get("transaction"):
        with item.config.stash[blocking_manager_key].unblock():
            load_catalogue()


def load_catalogue() -> None:
    """Load all games into the database."""
    from cardsdb.catalogue.loader import load_all
    from cardsdb.games import games

    load_all(games().values())


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Prepare a test: note whether it uses the database, stop the browser for tests without one, and stop the
    clock of the rate limits.

    Requests are counted per minute. For a test that changes settings, that clock stands still, so that the
    test cannot run into the next minute on a slow machine.
    """
    from cardsdb.catalogue import current
    from cardsdb.games import games
    from cardsdb.site import ratelimits

    HAS_DATABASE[0] = (
        bool({"db", "transactional_db", "module_db"} & set(getattr(item, "fixturenames", ())))
        or item.get_closest_marker("django_db") is not None
    )
    # After a test that installed games, read the catalogue again before this test makes rows.
    if HAS_DATABASE[0] and READ_WITH[0] is not None and READ_WITH[0] is not games():
        READ_WITH[0] = games()
        with item.config.stash[blocking_manager_key].unblock():
            current.catalogue()
    if item.get_closest_marker("browser") is None:
        RUNNING.stop()
    began = time.time()
    sets_limits = "settings" in getattr(item, "fixturenames", ())
    ratelimits.time = SimpleNamespace(time=lambda: began) if sets_limits else time


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker, tmp_path_factory):
    """Load the real catalogue into the test database, once, and put the files made from it into a temporary
    folder.
    """
    from django.conf import settings

    from cardsdb.catalogue.current import catalogue
    from cardsdb.games import games

    HAS_DATABASE[0] = True
    settings.VAR_DIR = tmp_path_factory.mktemp("var")
    with django_db_blocker.unblock():
        load_catalogue()
        catalogue()
    READ_WITH[0] = games()


@pytest.fixture(scope="module")
def module_db(django_db_setup, django_db_blocker):
    """For module-scoped fixtures that make rows: the rows stay for all tests of the module, and each
    test's own changes are undone as usual.

    Model objects kept in variables are not reset; a test that changes one must read it from the
    database first.
    """
    from django.db import transaction

    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def empty_catalogue(db):
    """A database without a catalogue, as before the first load. All editions are deleted, because what is
    cached under "no edition" would stay for later tests.
    """
    from cardsdb.models import Edition, Holding

    Edition.objects.all().delete()
    Holding.objects.all().delete()


@pytest.fixture
def nothing_counted():
    """Empty the cache, which holds counted tries and requests, before and after the test."""
    from django.core.cache import cache

    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def agency_text():
    """The text of a legal Spycraft agency deck."""
    from cardsdb.games import games

    return next(starter.text for starter in games()["spycraft"].starters if starter.format == "agency")


@pytest.fixture
def sixth_game():
    """The sixth game, Dead Drop, installed for one test by adding its folder to the search path of games."""
    import sys

    from cardsdb import games as folders

    folders.__path__.append(str(SIXTH_GAME))
    folders.games.cache_clear()
    try:
        yield folders.games()["deaddrop"]
    finally:
        folders.__path__.remove(str(SIXTH_GAME))
        folders.games.cache_clear()
        for name in [name for name in sys.modules if name.startswith("cardsdb.games.deaddrop")]:
            del sys.modules[name]
