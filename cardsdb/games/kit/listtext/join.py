"""The lines of a list as they are read: several that belong together as one."""

from __future__ import annotations

import re

from cardsdb.games.kit.listtext.line import MAX_WRITTEN


def joined_lines(lines: list[str]) -> list[tuple[int, str]]:
    """(number, line), where lines that begin with | go on with the card above: its facts if it is written in, its marks."""
    found: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        is_more = line.lstrip().startswith("|") and found and found[-1][1].strip()
        if is_more and ("|" in found[-1][1] or re.match(r"\s*\|\s*(?:\^|#|//)", line)) and len(found[-1][1]) < 2 * MAX_WRITTEN:
            found[-1] = (found[-1][0], f"{found[-1][1]}\n{line}")
        else:
            found.append((number, line))
    return found
