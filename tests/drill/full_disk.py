"""Drill: the site's disk is full. Every page of the catalogue must be answered, saving must be refused
politely, and nothing stored may be lost.

Needs the right to mount a small disk in memory; otherwise the drill is not tried.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from tests.drill.outcome import Outcome
from tests.drill.site import DECK, Answer, Site, children, prepared, site

# Bytes of the disk beyond the prepared site.
ROOM = 6_000_000
# Seconds of asking, long enough for many writes of the counters.
ASKED_FOR = 12.0
# The statuses of an honest refusal.
REFUSED = (503, 507)


def run(folder: Path) -> Outcome:
    outcome = Outcome("full disk")
    with _small_disk(folder / "full_disk", _size(prepared(folder)) + ROOM) as is_mounted:
        if not is_mounted:
            outcome.name = "full disk (not tried: no mount here)"
            return outcome
        with site(folder, "full_disk") as running:
            _fill_and_ask(running, outcome)
    return outcome


def _fill_and_ask(running: Site, outcome: Outcome) -> None:
    """Fill the disk again and again while pages are read and decks are saved."""
    made = [_made(running, outcome) for _ in range(3)]
    _look(running, outcome, 0)
    processes = children(running.server.pid)
    filler = running.var / "filler"
    _fill(filler)
    end = time.monotonic() + ASKED_FOR
    for number in count(1):
        if time.monotonic() > end or outcome.wrong:
            break
        _look(running, outcome, number)
        answer = running.ask("/api/v1/decks/", "POST", DECK)
        if answer.status in REFUSED and answer.json[0]["message"]:
            outcome.asked += 1
            outcome.refused += 1
        else:
            # SQLite may still have free space inside its file.
            outcome.note("a new deck", answer, 201)
            made.append(answer)
        _fill(filler)
    if not outcome.refused:
        outcome.wrong.append("the disk was not full: each deck was stored")
    if children(running.server.pid) != processes:
        outcome.wrong.append("a server process died")
    filler.unlink()
    made.append(_made(running, outcome))
    decks = [answer.json["id"] for answer in made if answer.status == 201]
    outcome.lost += sum(running.ask(f"/api/v1/decks/{deck}/").status != 200 for deck in decks)


def _look(running: Site, outcome: Outcome, number: int) -> None:
    """Ask for pages of the catalogue; ``number`` makes some of the addresses new, so that no cache
    answers.
    """
    some = f"/cards/?q=-name:x{number}"
    for path in (
        "/",
        some,
        f"{some}&view=faces",
        "/cards/spycraft/kai/",
        f"/api/v1/cards/?q=kai+-name:x{number}",
        "/healthz",
        "/metrics",
    ):
        outcome.note(path, running.ask(path))


def _made(running: Site, outcome: Outcome) -> Answer:
    """Save a deck while there is room; return the answer."""
    answer = running.ask("/api/v1/decks/", "POST", {**DECK, "visibility": "unlisted"})
    outcome.note("with room on the disk a new deck", answer, 201)
    return answer


def _fill(filler: Path) -> None:
    """Write to the file until the disk has no byte left."""
    for size in (1_000_000, 4096, 1):
        with suppress(OSError), filler.open("ab", buffering=0) as file:
            while file.write(b"x" * size):
                pass


def _size(folder: Path) -> int:
    """Return the bytes that the folder takes on disk."""
    return sum(path.lstat().st_blocks * 512 for path in folder.rglob("*"))


@contextmanager
def _small_disk(folder: Path, size: int) -> Iterator[bool]:
    """Mount a disk in memory with this many bytes at the folder. Yield False if that is not possible here."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "cutout-drill", str(folder)]
    is_there = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    try:
        yield is_there
    finally:
        if is_there:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)
