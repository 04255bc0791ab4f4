"""What else belongs to an account: apps above this one say what they keep for it, so that its export and its deletion name that too.

An app registers in its ``ready()``. That its rows go with the account is kept by the database: they name their owner with CASCADE.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple


class Belongings(NamedTuple):
    """Something that an account has.

    ``about``: a line for the export's own description. ``files``: user's number -> (name in the archive, content), one at a time.
    ``numbers``: user's number -> (what it is, how much of it) for the page that deletes the account.
    """

    about: str
    files: Callable[[int], Iterable[tuple[str, str | bytes]]]
    numbers: Callable[[int], Iterable[tuple[str, str]]]


_registered: dict[str, Belongings] = {}


def register(name: str, belongings: Belongings) -> None:
    """Let the export and the deletion of accounts know of this. Registered again under its name it takes the place of what was there."""
    _registered[name] = belongings


def registered() -> Iterator[Belongings]:
    """All that is known of, in the order of their names."""
    for name in sorted(_registered):
        yield _registered[name]
