"""What several processes count is read as one, and what processes counted that are gone stays in the sums."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import generate_latest

from cardsdb.watch import counting
from cardsdb.watch.counters import Counters, files_of
from cardsdb.watch.counting import Answered

FORK = multiprocessing.get_context("fork")


@pytest.fixture
def counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in which this process counts."""
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", "")
    counting.start(tmp_path, "server")
    yield tmp_path
    counting.stop()


def read() -> dict[str, float]:
    """Each line of what Prometheus reads, and its number."""
    counters = counting.counters()
    assert counters
    registry = CollectorRegistry()
    registry.register(counters.everybodys)
    lines = generate_latest(registry).decode().splitlines()
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines if not line.startswith("#")}


def test_a_request_is_counted_by_its_view_its_kind_of_answer_and_its_time(counted: Path) -> None:
    counting.answered(Answered("card", 200, 0.004, 3, 1))
    counting.answered(Answered("card", 404, 0.04, 0, 0))
    counting.refused("too_large", 413)
    assert {
        'cutout_requests_total{status="2xx",view="card"}': 1.0,
        'cutout_requests_total{status="4xx",view="card"}': 1.0,
        'cutout_request_seconds_bucket{le="0.005",view="card"}': 1.0,
        'cutout_request_seconds_count{view="card"}': 2.0,
        'cutout_queries_total{view="card"}': 3.0,
        'cutout_slow_queries_total{view="card"}': 1.0,
        'cutout_refused_total{code="too_large",status="413"}': 1.0,
    }.items() <= read().items()


def test_what_is_no_address_of_the_site_is_counted_under_one_name(counted: Path) -> None:
    counting.answered(Answered("", 404, 0.001, 0, 0))
    assert read()['cutout_requests_total{status="4xx",view="none"}'] == 1


def test_pages_from_memory_are_counted_together(counted: Path) -> None:
    for page in range(3):
        counting.kept_pages[page == 0].append(None)
    counting.count_kept_pages()
    counting.count_kept_pages()
    found = read()
    assert (found['cutout_kept_pages_total{status="200"}'], found['cutout_kept_pages_total{status="304"}']) == (2, 1)


def test_files_to_print_are_counted_with_their_seconds_and_pages(counted: Path) -> None:
    counting.made("sheets", 1.5, 7)
    found = read()
    assert (found['cutout_file_seconds_sum{kind="sheets"}'], found['cutout_file_pages_total{kind="sheets"}']) == (1.5, 7)


def test_a_process_that_was_forked_counts_in_files_of_its_own(counted: Path) -> None:
    counting.happened("judged_decks", 2)
    process = FORK.Process(target=counting.happened, args=("judged_decks", 5))
    process.start()
    process.join()
    counting.happened("judged_decks")
    assert read()["cutout_judged_decks_total"] == 8


def test_where_nobody_counts_nothing_is_imported_for_it() -> None:
    words = (
        "import sys; from cardsdb.watch import counting, requests; counting.happened('logins'); print('prometheus_client' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[3])
    assert told.stdout.strip() == "False"


def test_the_files_of_the_living_are_kept_and_those_of_the_dead_added_up(counted: Path) -> None:
    process = FORK.Process(target=_counts_elsewhere, args=(counted,))
    process.start()
    process.join()
    (dead,) = counted.glob("*-worker-77")
    assert list(dead.glob("counter_*.db"))
    files_of(counted, "server")
    assert not dead.exists() and list(counted.glob("*-server/counter_*.db"))
    for _ in range(2):
        process = FORK.Process(target=_counts_elsewhere, args=(counted,))
        process.start()
        process.join()
    files_of(counted, "server")
    assert read()["cutout_logins_total"] == 3, "no worker that ended takes along what it counted"
    assert len(list(counted.glob("*/counter_*.db"))) == 2


def _counts_elsewhere(folder: Path) -> None:
    counters = Counters(files_of(folder, "worker-77"))
    counters.events["logins"].inc()
    os._exit(0 if counters.everybodys.workers() == 1 else 1)


def test_a_worker_is_known_as_long_as_it_lives(counted: Path) -> None:
    counters = counting.counters()
    assert counters and counters.everybodys.workers() == 0
    process = FORK.Process(target=_counts_elsewhere, args=(counted,))
    process.start()
    process.join()
    assert process.exitcode == 0 and counters.everybodys.workers() == 0
