"""One thing that was looked at, and all of them in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from django.db import DatabaseError


class State(StrEnum):
    RIGHT = "right"
    # Works, but whoever runs the site may want it otherwise.
    UNUSUAL = "unusual"
    WRONG = "wrong"


class Diagnosis(NamedTuple):
    """How something is, in words, and what to do about it; nothing where it is right."""

    state: State
    found: str
    remedy: str = ""


def right(found: str) -> Diagnosis:
    return Diagnosis(State.RIGHT, found)


def unusual(found: str, remedy: str) -> Diagnosis:
    return Diagnosis(State.UNUSUAL, found, remedy)


def wrong(found: str, remedy: str) -> Diagnosis:
    return Diagnosis(State.WRONG, found, remedy)


def examined(checks: Mapping[str, Callable[[], Diagnosis]]) -> Iterator[tuple[str, Diagnosis]]:
    """Each check's name and what it says. One that fails itself is wrong too, and keeps no other from
    looking.
    """
    for name, check in checks.items():
        try:
            yield name, check()
        except DatabaseError as error:
            yield (
                name,
                wrong(
                    f"could not be looked at, for the database refuses ({type(error).__name__})",
                    "mend the database first",
                ),
            )
        except Exception as error:
            yield (
                name,
                wrong(
                    f"could not be looked at: {type(error).__name__}: {error}",
                    "mend what else is wrong first",
                ),
            )
