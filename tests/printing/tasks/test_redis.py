"""Stored jobs with their queue in Redis (``TASKS_URL``): no job is lost and visitors see no error, even if
the Redis server fails. These tests go through cardsdb.tasks and printing.tasks.jobs.
"""

import signal
import time

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django_tasks_db.models import DBTaskResult
from redis import Redis

from cardsdb.environment import task_settings
from cardsdb.models import RowState
from cardsdb.tasks import worker
from cardsdb.tasks.queue import is_queued
from printing.models import PrintJob
from tests.support.pages import page
from tests.support.print_jobs import fresh, stored_job
from tests.support.redis_server import FULL, REPLICA, WELL, Server

FEW = {"text": "1 Kai", "copies": "1"}


@pytest.fixture
def server(tmp_path, settings):
    """A Redis server with the site's queue. Signal handlers, which the worker sets, are restored
    afterwards.
    """
    running = Server(tmp_path)
    settings.TASKS_URL = running.url
    for name, value in task_settings(running.url).items():
        setattr(settings, name, value)
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield running
    for number, handler in before.items():
        signal.signal(number, handler)
    running.stop()


def says_that_it_waits(client: Client, row: PrintJob) -> bool:
    return "Waiting for its turn" in page(client, f"/print/jobs/{row.link}/").text


def test_jobs_wait_in_redis_and_are_made_one_at_a_time(server, client, pen):
    first, second = (stored_job(client, **FEW) for _ in range(2))
    seen = list[bool]()
    pen(lambda *_: seen.append(is_queued(fresh(first).task)))
    assert not DBTaskResult.objects.exists() and worker.work_off(1) == 1
    assert (fresh(first).state, fresh(second).state) == (RowState.DONE, RowState.WAITING)
    # A task that was just taken is not queued again.
    assert seen == [True] and [is_queued(fresh(row).task) for row in (first, second)] == [False, True]


def test_a_job_whose_task_was_lost_with_the_server_is_queued_again(server, client):
    row = stored_job(client, **FEW)
    Redis.from_url(server.url).flushall()
    assert worker.work_off() == 0
    type(row).objects.update(queued=None)
    worker.recover_all()
    worker.recover_all()
    assert worker.work_off() == 1 and fresh(row).state == RowState.DONE


def test_jobs_asked_for_while_the_server_is_away_are_made_later(server, client):
    server.stop()
    row = stored_job(client, **FEW)
    assert says_that_it_waits(client, row)
    server.start()
    worker.recover_all()
    assert worker.work_off() == 1 and fresh(row).state == RowState.DONE


@pytest.mark.parametrize("how", [FULL, REPLICA])
def test_jobs_wait_while_the_server_is_full_or_read_only(server, client, how):
    before = stored_job(client, **FEW)
    server.become(how)
    row = stored_job(client, **FEW)
    assert fresh(row).task == ""
    worker.recover_all()
    assert says_that_it_waits(client, before) and says_that_it_waits(client, row)
    server.become(WELL)
    worker.recover_all()
    assert worker.work_off() == 2 and fresh(row).state == fresh(before).state == RowState.DONE


def test_a_worker_that_is_told_to_end_puts_its_job_back(server, client, pen):
    row = stored_job(client, **FEW)

    def ends(*_: object) -> None:
        """After one signal a worker ends once its task is done; after a second one it ends at once."""
        signal.raise_signal(signal.SIGTERM)
        time.sleep(1.1)  # RQ counts two signals within a second as one.
        signal.raise_signal(signal.SIGTERM)

    pen(ends)
    worker.work_off()
    assert (fresh(row).state, fresh(row).attempts) == (RowState.WAITING, 0)


def test_an_address_that_is_no_redis_stops_the_start_with_a_message():
    with pytest.raises(ImproperlyConfigured, match="TASKS_URL"):
        task_settings("amqp://host")
