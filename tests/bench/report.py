"""Results as lines of at most 100 columns, each with its goal and whether it is held."""

from __future__ import annotations

from collections.abc import Sequence

from tests.bench.goals import NEEDS, Goal, Result


def of_row(one: Result) -> str:
    goal = one.goal
    where = f" ({one.where})" if one.where else ""
    what = f"  {goal.what}{f' / {goal.against}' if goal.against else ''}{where}"
    figures = f"{_figure(one.ours)}{f' / {_figure(one.base)}' if goal.against else ''} {goal.unit}".rstrip()
    ratio = f"{_figure(one.value)} x" if goal.against else ""
    return (
        f"{what:<48.48} {figures:>19} {ratio:>7} {goal.shown.removesuffix(' x'):>10} "
        f" {'held' if one.is_held else 'NOT HELD'}"
    )


def end(found: Sequence[Result], missing: Sequence[Goal]) -> str:
    """How many goals are held, those that are not, and those that were not measured."""
    broken = [one for one in found if not one.is_held]
    lines = [
        "",
        f"{len(found) - len(broken)} of {len(found)} goals are held.{' Not held:' if broken else ''}",
    ]
    lines += [f"{one.goal.row:>2} {of_row(one)[1:].removesuffix('NOT HELD').rstrip()}" for one in broken]
    for goal in missing:
        why = (
            f"needs {NEEDS[goal.key]}, which the lock file lacks" if goal.key in NEEDS else "needs a browser"
        )
        lines.append(f"{goal.row:>2}  {goal.what} / {goal.against}: not measured, {why}")
    return "\n".join(lines)


def _figure(value: float) -> str:
    """Three digits that say something."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"
