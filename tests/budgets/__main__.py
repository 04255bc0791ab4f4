"""``make budgets``: measure all rows, or those named (``python -m tests.budgets 1 3 4``), and print a table.

Each row is a function that takes a scratch folder and yields a Line per figure. Exit status 1 if a budget is
exceeded. ``docs/speed.md`` explains the rows; ``tests/house/test_docs.py`` compares their names.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from statistics import median

from tests.budgets import browser, servers
from tests.budgets.measuring import Line, apart, place, program
from tests.drill.outcome import row

# Number of invented cards beside the real ones -> most milliseconds of a search among them, None if only
# shown.
CATALOGUES = {1_500: 5, 20_000: 40, 100_000: None}
# Columns of a figure: what is measured, its value, its budget, and whether that is held.
WIDTHS = (45, 17, 10, 0)
PEERS = "mpc-autofill, mtg-proxies, silhouette-card-maker, MTGProxyPrinter, Proxxied"


def pages(folder: Path) -> Iterator[Line]:
    """Row 3: pages, and our list of cards beside Datasette's."""
    for name, took in apart("inside.pages", place(folder)).items():
        yield Line(name, took, 40)
    if not find_spec("datasette"):
        yield Line("list / Datasette", None, note="pip install datasette")
        return
    ours, theirs = apart("inside.beside_datasette", place(folder, "cards-100000", 100_000))
    yield Line(
        "list / Datasette", ours / theirs, 1 / 6, "x", note=f"{ours:.1f} / {theirs:.0f} ms, 100,000 cards"
    )


def queries(folder: Path) -> Iterator[Line]:
    """Row 4: statements that a page sends twice, and all of a deck's page."""
    for name, (sent, twice) in apart("inside.queries", place(folder)).items():
        yield Line(f"{name}, asked twice", twice, 0, "", note=f"of {sent}")
        if name == "deck":
            yield Line("deck, all", sent, 7, "")


def searches(folder: Path) -> Iterator[Line]:
    """Row 5: a search in catalogues of several sizes."""
    for cards, budget in CATALOGUES.items():
        took = apart("inside.search", place(folder, f"cards-{cards}", cards))
        yield Line(f"{cards:,} cards", took, budget)


def judging(folder: Path) -> Iterator[Line]:
    """Row 6: one list, and lists a second in a batch."""
    middle, slowest = apart("inside.judged", place(folder))
    yield Line("a list", middle, 5)
    yield Line("the slowest list", slowest, 5)
    yield Line("check_deck --batch", apart("inside.batch", place(folder)), 1_000, "/s", at_least=True)


def pictures(folder: Path) -> Iterator[Line]:
    """Row 7: our time beside that of other tools, as a ratio."""
    for job in ("54-JPEG", "54-PNG", "540-JPEG"):
        ours, theirs = (
            median(_sheets(folder, tool, job)[0] for _ in range(3)) for tool in ("ours", "img2pdf")
        )
        yield Line(f"{job} / img2pdf", ours / theirs, 1.2, "x", note=f"{ours:.3f} / {theirs:.3f} s")
    ours, theirs = (_sheets(folder, tool, "54-JPEG")[0] for tool in ("ours", "drawImage"))
    note = f"{theirs:.2f} / {ours:.3f} s"
    yield Line("as mtg-print (reportlab) / 54-JPEG", theirs / ours, 10, "x", at_least=True, note=note)
    yield Line("other proxy tools / 54-JPEG", None, note=PEERS)


def _sheets(folder: Path, tool: str, job: str) -> tuple[float, float]:
    """Return (seconds, MB) that this tool takes for the job, such as "54-JPEG": number and kind of pictures.
    They are made once.
    """
    command, there = [sys.executable, "-m", "tests.budgets.pictures"], folder / job
    if not there.exists():
        program([*command, "made", str(there)], place(folder))
    seconds, megabytes = json.loads(program([*command, tool, str(there)], place(folder)))
    return seconds, megabytes


def memory(folder: Path) -> Iterator[Line]:
    """Row 8: of making many pictures, and of a server process."""
    yield Line("540 pictures, the most", _sheets(folder, "ours", "540-JPEG")[1], 80, "MB")
    yield from servers.heavy_hour(folder)


def text(folder: Path) -> Iterator[Line]:
    """Row 9: our time beside reportlab's and Chromium's."""
    ours, theirs = apart("sheets.text", place(folder))
    yield Line("54 cards / plain reportlab", ours / theirs, 1, "x", note=f"{ours:.0f} / {theirs:.0f} ms")
    if not (chromium := which("chromium-headless-shell") or which("chromium")):
        yield Line("PDF of a deck / Chromium", None, note="no Chromium")
        return
    ours, theirs = apart("sheets.beside_chromium", place(folder), chromium, folder)
    yield Line("PDF of a deck / Chromium", ours / theirs, 0.1, "x", note=f"{ours:.0f} / {theirs:.0f} ms")


def decks(folder: Path) -> Iterator[Line]:
    """Row 12: pages among many decks, and beside few."""
    few, many = (apart("inside.among_decks", place(folder, f"decks-{n}"), n) for n in (100, 100_000))
    for name, took in many.items():
        yield Line(name, took, 50)
    for name in ("deck", "+1"):
        yield Line(f"{name} / among 100 decks", many[name] / few[name], 1.25, "x")


def suite(folder: Path) -> Iterator[Line]:
    """Row 14: not measured here, only named."""
    yield Line("make test, five minutes on two quiet cores", None, note="time make test")


ROWS: dict[int, tuple[str, Callable[[Path], Iterator[Line]]]] = {
    1: ("First visit, slow 4G, a quarter of the processor", browser.first_visits),
    2: ("From the last key to the answer", browser.after_keys),
    3: ("A page made anew, processor time", pages),
    4: ("Database queries of a page", queries),
    5: ("Search with total, 48 rows, three facets", searches),
    6: ("A pasted list judged, a batch", judging),
    7: ("Sheets of pictures", pictures),
    8: ("Memory", memory),
    9: ("Sheets of text", text),
    10: ("Commands and the start", servers.commands),
    11: ("Eight writers", servers.writers),
    12: ("Among 100,000 decks", decks),
    13: ("One greedy address, five people", servers.greedy),
    14: ("The test suite", suite),
}


def main(numbers: list[int]) -> int:
    all_held = True
    with tempfile.TemporaryDirectory(prefix="cutout-budgets-") as folder:
        for number in numbers or ROWS:
            name, measured = ROWS[number]
            print(f"{number:>2}  {name}", flush=True)
            for line in measured(Path(folder)):
                print(f"    {row(line.cells, WIDTHS)}", flush=True)
                all_held = all_held and line.is_held
    return int(not all_held)


if __name__ == "__main__":
    sys.exit(main([int(number) for number in sys.argv[1:]]))
