"""The tables of questions and queries beside the tests."""

import csv
from pathlib import Path


def table(name: str) -> list[dict[str, str]]:
    """Return the rows of a CSV file of this folder."""
    return list(csv.DictReader((Path(__file__).parent / name).read_text("utf-8").splitlines()))


def pairs(name: str) -> list[tuple[str, ...]]:
    """Return the rows of a CSV file as tuples, for ``parametrize``."""
    return [tuple(row.values()) for row in table(name)]
