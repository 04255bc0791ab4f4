"""``docs/speed.md`` has the rows of ``make budgets``."""

import re

from tests import ROOT
from tests.budgets.__main__ import ROWS


def test_every_row_of_the_budgets_stands_once_in_the_table_of_the_page():
    page = (ROOT / "docs" / "speed.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\| (\d+) \| ([^|]+) \|", page, re.MULTILINE)
    assert shown == [(str(number), name) for number, (name, _) in ROWS.items()]
