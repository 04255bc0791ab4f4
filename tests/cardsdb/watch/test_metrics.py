"""Metrics: counts of several processes are added, and counts of dead processes stay."""

import multiprocessing
import os
import resource
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import generate_latest

from cardsdb.watch import metrics
from cardsdb.watch.metrics import SERVER, TASKS, WORKER, CountsFile

FORK = multiprocessing.get_context("fork")


@pytest.fixture
def counted(tmp_path, monkeypatch):
    """A folder in which this process counts."""
    # Processes write their last counts quickly when they end.
    monkeypatch.setattr(metrics, "EVERY", 0.02)
    metrics.start(tmp_path, SERVER)
    yield tmp_path
    metrics.stop()


def read() -> dict[str, float]:
    """Return each line that Prometheus reads -> its number."""
    counters = metrics.counts_file()
    assert counters
    registry = CollectorRegistry()
    registry.register(counters)
    lines = generate_latest(registry).decode().splitlines()
    pairs = (line.rpartition(" ") for line in lines if not line.startswith("#"))
    return {name: float(number) for name, _, number in pairs}


def test_requests_and_files_are_counted_with_their_labels(counted):
    metrics.answered("card", 200, 0.004, 3, 1)
    metrics.answered("card", 404, 0.04, 0, 0)
    # Addresses that lead nowhere are counted under one name.
    metrics.answered("", 404, 0.001, 0, 0)
    metrics.refused("too_large", 413)
    metrics.made("sheets", 1.5, 7)
    assert {
        'cutout_requests_total{status="2xx",view="card"}': 1.0,
        'cutout_requests_total{status="4xx",view="card"}': 1.0,
        'cutout_requests_total{status="4xx",view="none"}': 1.0,
        'cutout_request_seconds_bucket{le="0.005",view="card"}': 1.0,
        'cutout_request_seconds_count{view="card"}': 2.0,
        'cutout_queries_total{view="card"}': 3.0,
        'cutout_slow_queries_total{view="card"}': 1.0,
        'cutout_refused_total{code="too_large",status="413"}': 1.0,
        'cutout_file_seconds_sum{kind="sheets"}': 1.5,
        'cutout_file_pages_total{kind="sheets"}': 7.0,
    }.items() <= read().items()


def test_a_process_starts_with_each_of_its_metrics_at_zero(counted, tmp_path_factory):
    metrics.answered("card", 200, 0.004, 3, 1)
    metrics.refused("too_large", 413)
    metrics.made("sheets", 1.5, 7)
    for name in ("LOGINS", "FAILED_LOGINS", "JUDGED_DECKS", "SHARED_CACHE_FAILURES", "SENT_LETTERS"):
        getattr(metrics, name).inc()
    # A new metric must be added above, and to those that ``start`` sets to zero.
    assert all(any(sample.value for sample in metric.samples) for metric in metrics._registry.collect())
    metrics.stop()
    metrics.start(tmp_path_factory.mktemp("new"), SERVER)
    assert not any(read().values())


def in_another_process(act: Callable[..., None], *given: object) -> int | None:
    """Run a function in a forked process; return its exit status."""
    process = FORK.Process(target=act, args=given)
    process.start()
    process.join()
    return process.exitcode


def _logs_in(folder: Path, times: int, then: Callable[[], None] = lambda: None) -> None:
    metrics.start(folder, TASKS)
    metrics.LOGINS.inc(times)
    then()
    metrics.stop()


def test_counts_of_processes_are_added_and_kept_when_one_ends(counted):
    metrics.LOGINS.inc(2)
    for _ in range(3):
        assert in_another_process(_logs_in, counted, 5) == 0
    metrics.LOGINS.inc()
    assert read()["cutout_logins_total"] == 18
    # There are as many files as processes at a time.
    assert len(list(counted.glob("*.prom"))) == 2


def _is_killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _tells_and_is_killed() -> None:
    assert read()["cutout_logins_total"] == 4
    _is_killed()


def test_a_reported_sum_does_not_fall_when_the_reporting_process_is_killed(counted):
    assert in_another_process(_logs_in, counted, 4, _tells_and_is_killed) == -signal.SIGKILL
    assert read()["cutout_logins_total"] == 4


def test_counts_are_written_to_the_file_soon_without_a_reader(counted):
    metrics.LOGINS.inc()
    until = time.monotonic() + 60
    while not any(counted.glob("*.prom")):
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_full_disk_loses_counts_and_no_request(counted):
    metrics.LOGINS.inc()
    before = read()
    assert in_another_process(_counts_on_a_full_disk, counted) == 0
    assert read() == before, "what could be written once is told as it was, and whole"


def _counts_on_a_full_disk(folder: Path) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    metrics.start(folder, SERVER)
    for request in range(100):
        metrics.answered(f"view {request}", 200, 0.01, 1, 0)
    assert read()['cutout_requests_total{status="2xx",view="view 99"}'] == 1, (
        "this process tells what it counted itself"
    )
    metrics.stop()


def test_without_a_folder_each_process_counts_for_itself(tmp_path):
    (tmp_path / "metrics").write_text("no folder")
    metrics.start(tmp_path / "metrics", SERVER)
    metrics.LOGINS.inc()
    assert read()["cutout_logins_total"] == 1
    metrics.stop()


def _is_a_worker(folder: Path) -> None:
    counters = CountsFile(folder, WORKER)
    os._exit(0 if counters.workers() == 1 and os.getpid() in counters.processes() else 1)


def test_a_worker_is_counted_while_it_lives(counted):
    counters = metrics.counts_file()
    assert counters and counters.workers() == 0
    assert in_another_process(_is_a_worker, counted) == 0
    assert counters.workers() == 0 and counters.processes() == [os.getpid()]
