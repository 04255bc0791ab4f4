"""A PostgreSQL that says nothing any more is waited for seconds and no longer, and the site goes on once it
answers again.
"""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from django.db import OperationalError, connection

from cardsdb.site.postgresql import base
from tests.support.swallowing import Network

pytestmark = [pytest.mark.django_db, pytest.mark.engine("postgresql")]
# Seconds that are waited here, and after which it counts as for ever.
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
    """A connection of the site through that network, as a server process has it."""
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
    with wrapper.cursor() as cursor:
        cursor.execute("SELECT 7")
        return cursor.fetchone()[0]


def seconds_of_silence(wrapper: Any, ask: Any = asked) -> float:
    """After how long it is told that the database does not answer; ``EVER`` if it waits on."""
    told: list[float] = []

    def wait() -> None:
        began = time.monotonic()
        with pytest.raises(OperationalError):
            ask(wrapper)
        told.append(time.monotonic() - began)

    waiting = threading.Thread(target=wait, daemon=True)
    waiting.start()
    waiting.join(EVER)
    return told[0] if told else EVER


def test_a_statement_of_which_nothing_is_heard_is_given_up(network):
    wrapper = over(network)
    assert asked(wrapper) == 7
    network.swallows = True
    assert PATIENCE < seconds_of_silence(wrapper) < EVER


def test_a_commit_of_which_nothing_is_heard_is_no_commit_that_is_acknowledged(network):
    wrapper = over(network)

    def change(wrapper: Any) -> None:
        wrapper.set_autocommit(False)
        asked(wrapper)
        network.swallows = True
        wrapper.commit()

    assert asked(wrapper) == 7
    assert PATIENCE < seconds_of_silence(wrapper, change) < EVER


def test_a_connection_that_is_not_made_is_given_up(network):
    network.swallows = True
    assert seconds_of_silence(over(network)) < EVER


def test_once_one_has_given_up_nobody_else_waits_as_long(network):
    first, second = over(network), over(network, 2 * EVER)
    assert asked(first) == asked(second) == 7
    network.swallows = True
    seconds_of_silence(first)
    assert seconds_of_silence(second) < EVER


def test_a_request_that_waited_in_vain_does_not_wait_for_one_connection_after_the_other(network):
    wrapper = over(network)
    asked(wrapper)
    network.swallows = True
    seconds_of_silence(wrapper)
    wrapper.close()
    assert seconds_of_silence(wrapper) < base.SOON


def test_few_wait_for_a_connection_while_the_database_is_away(network):
    """The others have their answer before the few have theirs."""
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


def test_few_statements_wait_for_longer_than_a_moment(network):
    """Of more threads than may wait, as of a site with many visitors, the others have their answer before
    these have theirs.
    """
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


def test_when_the_database_answers_again_it_is_asked_as_before(network):
    wrapper = over(network)
    asked(wrapper)
    network.swallows = True
    seconds_of_silence(wrapper)
    network.swallows = False
    base.Patient.given_up -= base.SOON
    wrapper.close_if_unusable_or_obsolete()
    assert asked(wrapper) == 7 and not base.Patient.given_up


def test_a_statement_that_takes_its_time_is_ended_by_the_server(network):
    wrapper = over(network)
    asked(wrapper)
    with wrapper.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        assert cursor.fetchone()[0] == "4s"


def test_rows_that_go_on_coming_are_waited_for(network):
    wrapper = over(network, 1.2)
    with wrapper.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(0.1), repeat('x', 100000) FROM generate_series(1, 15)")
        assert len(cursor.fetchall()) == 15


def test_commands_wait_as_long_as_it_takes(network):
    wrapper = over(network, 0.0)
    with wrapper.cursor() as cursor:
        cursor.execute("SELECT current_setting('statement_timeout'), pg_sleep(1.5)")
        assert cursor.fetchone()[0] == "0"
