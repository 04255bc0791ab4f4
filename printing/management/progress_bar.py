"""How far a command is, for whoever watches: a line on standard error, written over itself, and nothing where
it is no terminal.
"""

from __future__ import annotations

from collections.abc import Callable

from django.core.management.base import OutputWrapper

WIDTH = 30
Shown = Callable[[int], None]


def bar(err: OutputWrapper, what: str, all_of: Callable[[], int]) -> Shown:
    """Shows so many of ``what`` there are; ``all_of`` says how many there will be, and is asked only where
    somebody watches.
    """
    if not err.isatty():
        return lambda number: None
    shown, total = "", None

    def show(number: int) -> None:
        nonlocal shown, total
        total = all_of() if total is None else total
        if total < 1:
            return
        part = min(number / total, 1)
        line = f"[{'#' * int(part * WIDTH):<{WIDTH}}] {part:4.0%}  {number:,} of {total:,} {what}"
        if line != shown:
            shown = line
            err.write(f"\r{line}", style_func=str, ending="\n" if part == 1 else "")

    return show
