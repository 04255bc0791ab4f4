"""``docs/speed.md`` says what the bench measures, and the bench measures nothing else."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from tests import ROOT
from tests.bench import goals
from tests.bench.goals import GOALS, ROWS, Result, result
from tests.bench.report import end, of_row

PAGE = (ROOT / "docs/speed.md").read_text(encoding="utf-8")
MODULES = sorted((ROOT / "tests/bench").glob("*.py"))


def test_the_page_shows_every_goal_as_the_bench_has_it() -> None:
    table = PAGE[PAGE.index("| row |") :].partition("\n\n")[0].strip()
    assert table == goals.as_table(), (
        "python -c 'from tests.bench.goals import as_table; print(as_table())' has the table anew"
    )


def test_the_options_that_the_page_names_are_those_of_the_command() -> None:
    command = (ROOT / "tests/bench/__main__.py").read_text(encoding="utf-8")
    named = set(re.findall(r"--\w+", PAGE.partition("| row |")[0]))
    assert named == set(re.findall(r'add_argument\("(--\w+)"', command))


def test_every_row_has_goals_and_every_goal_a_row() -> None:
    assert {goal.row for goal in GOALS} == set(ROWS) == set(range(1, 20))
    assert len(goals.BY_KEY) == len(GOALS)


def test_every_module_that_the_bench_runs_is_there() -> None:
    # Read, not imported: modules of the bench set Django up for themselves.
    plan = (ROOT / "tests/bench/__main__.py").read_text(encoding="utf-8")
    named = set(re.findall(r'"(\w+)": \(\d', plan))
    assert named and all(importlib.util.find_spec(f"tests.bench.{name}") for name in named)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_what_is_measured_has_a_goal(path: Path) -> None:
    measured = re.findall(r'(?:result|_against)\(\s*"([\d.\w-]+)"', path.read_text(encoding="utf-8"))
    assert set(measured) <= goals.BY_KEY.keys()


def test_a_goal_bounds_the_ratio_where_there_is_a_baseline_and_the_figure_where_there_is_none() -> None:
    assert result("3.page", 2.0, 0.2).is_held and not result("3.page", 3.0, 0.2).is_held
    assert result("16.rate", 100).is_held and not result("16.rate", 99).is_held
    assert [one.value for one in (result("3.page", 3.0, 0.2), result("16.rate", 99))] == [
        pytest.approx(15),
        99,
    ]


def test_results_travel_between_processes_as_json() -> None:
    sent = [result("17.holds", 90.0, 30.0, "PostgreSQL"), result("11.540", 70.0)]
    assert goals.results_of_json([one.as_json() for one in sent]) == sent


def test_a_line_has_a_hundred_columns_at_most_and_the_end_names_what_is_not_held() -> None:
    every = [Result(goal, 12_345.6, 1_234.5, "PostgreSQL") for goal in GOALS]
    assert max(len(of_row(one)) for one in every) <= 100
    told = end([result("3.page", 3.0, 0.2), result("16.rate", 120)], [goals.BY_KEY["6.tantivy"]])
    assert (
        "1 of 2 goals are held" in told
        and "card page / empty view" in told
        and "changes by eight" not in told
    )
    assert "needs tantivy, which the lock file lacks" in told
