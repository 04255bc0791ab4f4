"""Faults of a request as values, in one shape for pages, API and command line.

This module knows no Django; ``cardsdb.site.errors`` makes answers of them.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

# Seconds after which a machine that was busy may be asked again, and a database that did not answer.
SOON, VERY_SOON = 30, 5


@dataclass(frozen=True)
class Fault:
    """One thing wrong with a request. ``where``: a field, ``line 7``, ``column 12``; empty for the whole.
    ``suggestions``: what may be meant instead; each may take the faulty words' place.
    """

    code: str
    message: str
    where: str = ""
    suggestions: tuple[str, ...] = ()


class Refused(Exception):
    """A request that is refused, with everything that is wrong with it.

    ``wait``: the seconds after which it may be granted, if known. The answer has ``headers`` besides.
    """

    def __init__(self, *faults: Fault, status: int = 400, wait: int = 0) -> None:
        super().__init__("; ".join(fault.message for fault in faults))
        self.faults = faults
        self.status = status
        self.headers = {"Retry-After": str(wait)} if wait else {}


def unknown_game(slug: object, games: Iterable[str]) -> Refused:
    """The refusal of a game that there is not, with the slugs of those that there are."""
    message = f"There is no game “{str(slug)[:40]}”. Games: {', '.join(games)}."
    return Refused(Fault("unknown_game", message, "game"))


def error_list(faults: Iterable[Fault]) -> list[dict[str, Any]]:
    """The faults as JSON has them: ``{"code", "message", "where"}`` each, with its suggestions if there are
    any.
    """
    return [
        {name: value for name, value in asdict(fault).items() if value or name != "suggestions"}
        for fault in faults
    ]
