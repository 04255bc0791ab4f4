"""What many tests share: the loaded catalogue, visitors, a deck to work with."""

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

# True while a test runs that has a database.
HAS_DATABASE = [True]
# The games with which the catalogue was read last.
READ_WITH: list[Any] = [None]


def pytest_sessionstart() -> None:
    """What holds for every test is set once, not by a fixture of each.

    Repairs are bounded by judgements, which are the same everywhere; a busy machine must not find fewer.
    """
    from django_tasks_db.management.commands import db_worker

    from cardsdb.games.kit.repair.steps import Limits
    from decks.check import pasted

    # A worker asks whether its connection is old; it is the test's here, in the middle of a transaction.
    db_worker.close_old_connections = lambda: None
    pasted.USUAL_LIMITS = Limits(seconds=600)
    pasted.AT_ONCE = replace(pasted.AT_ONCE, seconds=600)
    keep_some_catalogues()


def keep_some_catalogues() -> None:
    """A site keeps the catalogue of the current edition alone. A test that makes an edition takes it back
    when it ends, and the next test asks for the one before. A test without a database has the folders' games;
    one after which games are read anew leaves the catalogue to be read before the next makes rows.
    """
    from cardsdb.catalogue import current

    ask, read, kept = current._current, current.read, dict[Any, Any]()

    def once(state: Any, made: Callable[[], Any]) -> Any:
        # Some tests make rows in an edition of the same number and time; a game that is looked for anew is
        # the same unless it was changed.
        games = current.folder_games()
        key = state, *map(id, games.values()), state and current.StoredCard.objects.count()
        if key not in kept:
            for oldest in list(kept)[:-3]:
                del kept[oldest]
            kept[key] = made()
        if kept[key].folders is not games:
            kept[key] = replace(kept[key], folders=games)
        return kept[key]

    def asked() -> Any:
        return ask() if HAS_DATABASE[0] else once(None, current.of_folders)

    current.read = lambda state: once(state, lambda: read(state))
    current._current = asked


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """``@pytest.mark.seeds(5)``: the test is run with five values of ``seed``."""
    if marker := metafunc.definition.get_closest_marker("seeds"):
        metafunc.parametrize("seed", examples.seeds(marker.args[0]))


def pytest_collection_finish() -> None:
    """Thousands of collected tests and their modules are garbage at no time: looking through them again and
    again costs a tenth.
    """
    gc.freeze()
    gc.set_threshold(20_000, 50, 50)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A test that is for one database engine alone is not collected on the other. What drives a browser comes
    first, for it takes longest: of several workers one begins with it, and the others have the rest.
    """
    from django.db import connection

    items.sort(key=lambda item: item.get_closest_marker("browser") is None)

    def is_of_another(item: pytest.Item) -> bool:
        engine = item.get_closest_marker("engine")
        return engine is not None and connection.vendor != engine.args[0]

    if others := [item for item in items if is_of_another(item)]:
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if not is_of_another(item)]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, None, None]:
    """A test with transactions of its own leaves every table empty; another may follow it that reads the
    catalogue.

    After the last test nothing is loaded: the test database is gone by then, and what would be filled is the
    developer's own.
    """
    yield
    marker = item.get_closest_marker("django_db")
    if nextitem is not None and marker and marker.kwargs.get("transaction"):
        with item.config.stash[blocking_manager_key].unblock():
            load_catalogue()


def load_catalogue() -> None:
    from cardsdb.catalogue.loader import load_all
    from cardsdb.games import games

    load_all(games().values())


def pytest_runtest_setup(item: pytest.Item) -> None:
    """The browser that tests share is gone before one that needs none. Requests are counted by the minute.
    For a test that sets a limit that clock stands still, so that however busy the machine is the test ends in
    the minute in which it began.
    """
    from cardsdb.catalogue import current
    from cardsdb.games import games
    from cardsdb.site import ratelimits

    HAS_DATABASE[0] = (
        bool({"db", "transactional_db", "module_db"} & set(getattr(item, "fixturenames", ())))
        or item.get_closest_marker("django_db") is not None
    )
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
    """The test database holds the real catalogue, loaded once; the files made from it stand in a folder of
    this run.
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
    """For rows that every test of a module begins with: fixtures of the module make them once, and each
    test's changes are undone as ever. What of them is kept in a variable is not: a test that changes such an
    object reads it anew first.
    """
    from django.db import transaction

    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def empty_catalogue(db):
    """As before the first load. All of it is gone: what is remembered of no edition is remembered for every
    test after this one.
    """
    from cardsdb.models import Edition, Holding

    Edition.objects.all().delete()
    Holding.objects.all().delete()


@pytest.fixture
def nothing_counted():
    """Counts of tries and of requests begin anew, and leave nothing to the next test."""
    from django.core.cache import cache

    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def agency_text():
    """A legal Spycraft agency deck, as people paste it."""
    from cardsdb.games import games

    return next(starter.text for starter in games()["spycraft"].starters if starter.format == "agency")


@pytest.fixture
def sixth_game():
    """Dead Drop, added by putting its folder where games are looked for."""
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
