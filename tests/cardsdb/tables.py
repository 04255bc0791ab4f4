"""The tables of questions, queries and documents beside the tests."""

import csv
from pathlib import Path


def table(name: str | Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file; the path of one of ours begins at this folder."""
    with (Path(__file__).parent / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def pairs(name: str) -> list[tuple[str, ...]]:
    """Return the rows of a CSV file as tuples, for ``parametrize``."""
    return [tuple(row.values()) for row in table(name)]
