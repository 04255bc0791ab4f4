"""The table in ``docs/speed.md`` lists the rows of ``make budgets``."""

import re

from tests import ROOT
from tests.budgets.__main__ import ROWS


def test_the_page_lists_each_budget_once():
    page = (ROOT / "docs" / "speed.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\| (\d+) \| ([^|]+) \|", page, re.MULTILINE)
    assert shown == [(str(number), name) for number, (name, _) in ROWS.items()]
