"""``make bench``: every row of ``docs/speed.md`` measured, and whether its goal is held; at the end those
that are not.

python -m tests.bench                   all rows python -m tests.bench --rows 1,15       some of them python
-m tests.bench --json            one object a line instead of tables python -m tests.bench --postgresql
rows 5 to 8 and 17 on PostgreSQL too, where ``tests.on_postgresql`` finds one
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.goals import GOALS, ROWS, Result
from tests.bench.places import Place, measured
from tests.bench.report import end, of_row

# Module -> the rows that it measures; by the place where they are measured.
PLAN = {
    Place.REAL: {
        "pages": (1,),
        "beside_sheets": (1,),
        "list_pages": (2,),
        "card_pages": (3, 4),
        "judging": (9,),
        "pictures": (10, 11),
        "sheets": (12,),
        "starting": (14,),
        "deck_pages": (15,),
        "writers": (16,),
        "in_browser": (18, 19),
    },
    Place.LARGE: {"list_pages": (2,), "search_paths": (5, 6, 7, 8), "starting": (8,), "importing": (13,)},
    Place.DECKS: {"among_decks": (17,)},
}
ON_POSTGRESQL = {Place.LARGE: {"search_paths": (5, 6, 7, 8)}, Place.DECKS: {"among_decks": (17,)}}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rows", default="", help="numbers of rows, commas between")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--postgresql", action="store_true")
    asked = parser.parse_args()
    rows = {int(number) for number in asked.rows.split(",") if number} or set(ROWS)
    if rows - ROWS.keys():
        parser.error(f"there are the rows 1 to {max(ROWS)}")
    found: list[Result] = []
    for one in _results(rows, asked.postgresql):
        if asked.json:
            print(json.dumps(one.as_json()), flush=True)
        elif one.goal.row not in {before.goal.row for before in found[-1:]}:
            print(f"\n{one.goal.row}. {ROWS[one.goal.row]}")
        if not asked.json:
            print(of_row(one), flush=True)
        found.append(one)
    if not asked.json:
        print(
            end(
                found,
                [
                    goal
                    for goal in GOALS
                    if goal.row in rows and goal.key not in {one.goal.key for one in found}
                ],
            )
        )


def _results(rows: set[int], postgresql: bool) -> Iterator[Result]:
    with tempfile.TemporaryDirectory() as folder:
        for database in ("", "PostgreSQL") if postgresql else ("",):
            for place, modules in (ON_POSTGRESQL if database else PLAN).items():
                wanted = [module for module, measures in modules.items() if rows.intersection(measures)]
                for one in measured(place, wanted, Path(folder), database):
                    if one.goal.row in rows:
                        yield one


if __name__ == "__main__":
    os.environ.setdefault("PYTHONHASHSEED", "0")
    main()
