"""The PostgreSQL backend gives up a silent database after seconds, and recovers once it answers again.

Connections go through a local proxy (``Network``) that can swallow all traffic.
"""

import threading
import time
from typing import Any

import pytest
from django.db import OperationalError, connection

from cardsdb.site.postgresql import base
from tests.support.swallowing import Network

pytestmark = [pytest.mark.django_db, pytest.mark.engine("postgresql")]
# The backend's ``seconds`` here; and seconds after which a test regards a thread as waiting forever.
PATIENCE, EVER = 2.0, 12.0


@pytest.fixture
def network():
    connection.ensure_connection()
    reached = connection.connection.info
    with Network((reached.host, reached.port)).running() as running:
        yield running


_opened: list[base.DatabaseWrapper] = []


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    monkeypatch.setattr(base.Patient, "given_up", 0.0)
    yield
    while _opened:
        _opened.pop().close()


def over(network: Network, seconds: float = PATIENCE) -> Any:
    """Return a connection through the network, as a server process opens it."""
    options = {
        **connection.settings_dict["OPTIONS"],
        "seconds": seconds,
        "sslmode": "disable",
        "gssencmode": "disable",
    }
    settings = {**connection.settings_dict, "HOST": "127.0.0.1", "PORT": network.port, "OPTIONS": options}
    _opened.append(base.DatabaseWrapper(settings, "default"))
    _opened[-1].inc_thread_sharing()
    return _opened[-1]


def asked(wrapper: Any) -> Any:
    """Run a statement. Return its result, 7."""
    with wrapper.cursor() as cursor:
        cursor.execute("SELECT 7")
        return cursor.fetchone()[0]


def seconds_of_silence(wrapper: Any, ask: Any = asked) -> float:
    """Return the seconds until ``ask`` raises OperationalError; ``EVER`` if it still waits then."""
    seconds: list[float] = []

    def wait():
        began = time.monotonic()
        with pytest.raises(OperationalError):
            ask(wrapper)
        seconds.append(time.monotonic() - began)

    waiting = threading.Thread(target=wait, daemon=True)
    waiting.start()
    waiting.join(EVER)
    return seconds[0] if seconds else EVER


def test_a_statement_without_an_answer_is_given_up(network):
    wrapper = over(network)
    assert asked(wrapper) == 7
    network.swallows = True
    assert PATIENCE < seconds_of_silence(wrapper) < EVER


def test_a_commit_without_an_answer_raises(network):
    wrapper = over(network)

    def change(wrapper):
        wrapper.set_autocommit(False)
        asked(wrapper)
        network.swallows = True
        wrapper.commit()

    assert asked(wrapper) == 7
    assert PATIENCE < seconds_of_silence(wrapper, change) < EVER


def test_connecting_without_an_answer_is_given_up(network):
    network.swallows = True
    assert seconds_of_silence(over(network)) < EVER


def test_after_one_connection_gave_up_others_give_up_sooner(network):
    first, second = over(network), over(network, 2 * EVER)
    assert asked(first) == asked(second) == 7
    network.swallows = True
    seconds_of_silence(first)
    assert seconds_of_silence(second) < EVER


def test_after_giving_up_a_new_connection_is_refused_at_once(network):
    wrapper = over(network)
    asked(wrapper)
    network.swallows = True
    seconds_of_silence(wrapper)
    wrapper.close()
    assert seconds_of_silence(wrapper) < base.SOON


def test_only_a_few_threads_wait_for_a_connection(network):
    """The others are answered earlier."""
    network.swallows = True
    base.Patient.given_up = time.monotonic() - 2 * base.SOON
    took: list[float] = []
    several = [
        threading.Thread(target=lambda: took.append(seconds_of_silence(over(network))))
        for _ in range(base.CONNECTING + 6)
    ]
    for one in several:
        one.start()
    for one in several:
        one.join()
    assert sum(seconds < base.SOON for seconds in took) >= 6 and max(took) < EVER


def test_only_a_limited_number_of_statements_wait_long(network):
    """The others are answered earlier, so that a site with many visitors keeps free threads."""
    wrappers = [over(network, 6.0) for _ in range(base.LONG + 4)]
    assert {asked(wrapper) for wrapper in wrappers} == {7}
    network.swallows = True
    took: list[float] = []
    several = [
        threading.Thread(target=lambda one=one: took.append(seconds_of_silence(one))) for one in wrappers
    ]
    for one in several:
        one.start()
    for one in several:
        one.join()
    assert sum(seconds < 5.0 for seconds in took) >= 4 and max(took) < EVER


def test_a_database_that_answers_again_is_used_as_before(network):
    wrapper = over(network)
    asked(wrapper)
    network.swallows = True
    seconds_of_silence(wrapper)
    network.swallows = False
    base.Patient.given_up -= base.SOON
    wrapper.close_if_unusable_or_obsolete()
    assert asked(wrapper) == 7 and not base.Patient.given_up


def test_the_server_ends_long_statements_too(network):
    wrapper = over(network)
    asked(wrapper)
    with wrapper.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        assert cursor.fetchone()[0] == "4s"


def test_a_long_statement_that_keeps_sending_rows_is_not_given_up(network):
    wrapper = over(network, 1.2)
    with wrapper.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(0.1), repeat('x', 100000) FROM generate_series(1, 15)")
        assert len(cursor.fetchall()) == 15


def test_connections_without_the_option_wait_as_long_as_it_takes(network):
    wrapper = over(network, 0.0)
    with wrapper.cursor() as cursor:
        cursor.execute("SELECT current_setting('statement_timeout'), pg_sleep(1.5)")
        assert cursor.fetchone()[0] == "0"
