"""Reads the examples of a game: decks whose verdict is known, with which the contract tests its rules.

They stand in tables ``[[examples]]`` of ``game.toml``, or of a file of their own, ``examples.toml``.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from cardsdb.games.kit.folder.bounds import read_declared
from cardsdb.games.kit.folder.table import MAX_LISTED, MAX_LONG_TEXT, DeclaredFile, Table
from cardsdb.games.kit.model.format import Example, Verdict

EXAMPLES = "examples.toml"


def examples_of(folder: Path) -> tuple[Example, ...]:
    """The examples of ``examples.toml``; none without the file. Raises FolderError."""
    file = DeclaredFile(f"{folder.name}/{EXAMPLES}", most=MAX_LISTED)
    table = Table(read_declared(folder / EXAMPLES), file)
    examples = read_examples(table)
    table.close()
    file.end()
    return examples


def read_examples(table: Table) -> tuple[Example, ...]:
    """Decks whose verdict is known.

    An example that is ``like`` an earlier one begins with that one's list, in which ``change`` (line -> other
    lines) replaces some lines; its own ``list`` follows.
    """
    lists: dict[str, tuple[str, ...]] = {}
    examples = []
    for each in table.listed_tables("examples"):
        name = each.text("name", needed=True)
        like, changes = each.choice("like", lists), each.table_or_empty("change")
        changed = {line: changes.words(line) for line in changes}
        own = each.text("list", needed=not like, most=MAX_LONG_TEXT).splitlines()
        old = lists.get(like, ())
        lists[name] = (*(new for line in old for new in changed.get(line, (line,))), *own)
        text = "\n".join(numbered for line in lists[name] for numbered in _numbered(line))
        verdict = each.choice("verdict", get_args(Verdict), "legal", needed=True)
        examples.append(each.made(Example, name=name, text=text, verdict=verdict, codes=each.words("breaks")))
    return tuple(examples)


def _numbered(line: str) -> Iterator[str]:
    """The lines that one line stands for: "1 Agent {1-3}" -> "1 Agent 1", "1 Agent 2", "1 Agent 3"."""
    if (counted := re.search(r"\{1-([1-9][0-9]?)\}", line)) is None:
        yield line
    else:
        for number in range(1, int(counted[1]) + 1):
            yield f"{line[: counted.start()]}{number}{line[counted.end() :]}"
