"""README.txt of an archive: what it is, what to do with it, and whose it is."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import fill

from printing.exports.archive import Member
from printing.faces import wording
from printing.job.job import Job

NAME = "README.txt"
WIDTH = 90


def readme(job: Job, *parts: Iterable[str]) -> Member:
    """The file. Each part is some lines; between parts stands an empty line."""
    head = [job.heading, f"{' and '.join(game.name for game in job.games)}, made by Cutout"]
    whose = [wording.sheet_credit(game) or game.name for game in job.games]
    blocks = ["\n".join(map(_filled, part)) for part in (head, *parts, whose)]
    return Member(NAME, ("\n\n".join(filter(None, blocks)) + "\n").encode())


def _filled(line: str) -> str:
    return fill(line, WIDTH, break_long_words=False, break_on_hyphens=False)
