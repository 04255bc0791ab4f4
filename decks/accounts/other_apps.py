"""What other apps keep for an account: they register it here when they start, by the name of the value that says it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from django.utils.module_loading import import_string


class Belongings(NamedTuple):
    """Something that an account has.

    ``about``: a line for the export's own description. ``files``: user's number -> (name in the archive, content), one at a time.
    ``numbers``: user's number -> (what it is, how much of it) for the page that deletes the account.
    """

    about: str
    files: Callable[[int], Iterable[tuple[str, str | bytes]]]
    numbers: Callable[[int], Iterable[tuple[str, str]]]


_registered: dict[str, str] = {}


def register(name: str, path: str) -> None:
    """Add the Belongings at this dotted path to the export and to the page that deletes an account.

    It is imported when it is first asked for. A second registration under one name replaces the first.
    """
    _registered[name] = path


def registered() -> Iterator[Belongings]:
    """Everything that was registered, in the order of names."""
    for name in sorted(_registered):
        yield import_string(_registered[name])
