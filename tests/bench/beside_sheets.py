"""Row 1 too: how long a kept page is waited for while many others have sheets made, against the same page
when nobody does.

By the clock, as somebody waits: the one of a hundred that is slowest. The reader's one connection is with one
of the server's two processes; who has sheets made asks both.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from statistics import quantiles
from time import perf_counter, sleep

from tests import ROOT
from tests.bench.goals import Result, result
from tests.bench.pages import CARD, Request, Viewer
from tests.support.server import serving

MAKERS, PAGES = 32, 1_000
# Seconds from one look at the page to the next, and until all makers are at work.
PAUSE, BEGINNING = 0.002, 2.0
SHEETS = "/print/sheets.pdf?starter=spycraft/nine-tiger&paper=a4"


def run() -> Iterator[Result]:
    with (
        tempfile.TemporaryDirectory() as var,
        serving(Path(var)) as (port, _),
        closing(Viewer(port)) as reader,
    ):
        alone = _slowest(reader)
        with _makers(port) as made:
            sleep(BEGINNING)
            beside = _slowest(reader)
        assert 200 in made and set(made) <= {200, 503}, made
    yield result("1.beside", beside, alone)


def _slowest(reader: Viewer) -> float:
    """Milliseconds in which 99 of a hundred kept pages are there."""
    asked, waits = Request(CARD, {}).spelt, []
    for _ in range(PAGES):
        began = perf_counter()
        status, _, _ = reader.ask(asked)
        waits.append((perf_counter() - began) * 1_000)
        assert status == 200, status
        sleep(PAUSE)
    return quantiles(waits, n=100)[-1]


@contextmanager
def _makers(port: int) -> Iterator[list[int]]:
    """A process of so many who have sheets made meanwhile; gives the states of their answers when it has
    ended.
    """
    made: list[int] = []
    command = [sys.executable, "-m", "tests.bench.beside_sheets", str(port)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        yield made
        told, _ = running.communicate("")
    made += map(int, told.split())


def _make(port: int) -> None:
    """Until the input ends: all of them at once, one sheet after another. Who is refused waits as told."""
    end = threading.Event()

    def make(maker: Viewer) -> None:
        while not end.is_set():
            status, head, _ = maker.ask(Request(SHEETS, {}).spelt)
            print(status, flush=True)
            if told := re.search(r"^retry-after: (\d+)", head, re.IGNORECASE | re.MULTILINE):
                end.wait(int(told[1]))

    with ExitStack() as stack:
        makers = [stack.enter_context(closing(Viewer(port))) for _ in range(MAKERS)]
        threads = [threading.Thread(target=make, args=(maker,)) for maker in makers]
        for thread in threads:
            thread.start()
        sys.stdin.read()
        end.set()
        for thread in threads:
            thread.join()


if __name__ == "__main__":
    _make(int(sys.argv[1]))
