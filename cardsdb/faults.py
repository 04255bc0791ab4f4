"""Faults of a request as values, in one shape for pages, API and command line.

Code at any level raises ``Refused`` with one or more ``Fault``; ``cardsdb.site.errors`` turns it into an
answer. This module does not know Django. Tests: ``tests/cardsdb/site/test_errors.py``, and those of each room
for its own faults.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

# Seconds for Retry-After of a busy machine.
SOON = 30
# Seconds for Retry-After of a database that did not answer.
VERY_SOON = 5


@dataclass(frozen=True)
class Fault:
    """One thing wrong with a request.

    ``code`` is for programs, ``message`` for people. ``where``: a field, ``line 7`` or ``column 12``; "" for
    the request as a whole. ``suggestions``: texts of which each could replace the faulty one.
    """

    code: str
    message: str
    where: str = ""
    suggestions: tuple[str, ...] = ()


class Refused(Exception):
    """A request is refused; ``faults`` says everything that is wrong with it.

    ``status``: that of the HTTP answer. ``wait``: seconds after which to try again, 0 if unknown; it becomes
    the header Retry-After.
    """

    def __init__(self, *faults: Fault, status: int = 400, wait: int = 0) -> None:
        super().__init__("; ".join(fault.message for fault in faults))
        self.faults = faults
        self.status = status
        self.headers = {"Retry-After": str(wait)} if wait else {}


def unknown_game(slug: object, games: Iterable[str]) -> Refused:
    """Return the refusal of a game slug that does not exist; the message lists those that do."""
    message = f"There is no game “{str(slug)[:40]}”. Games: {', '.join(games)}."
    return Refused(Fault("unknown_game", message, "game"))


def error_list(faults: Iterable[Fault]) -> list[dict[str, Any]]:
    """Return the faults as JSON: ``{"code", "message", "where"}`` each, "suggestions" if there are any."""
    return [
        {name: value for name, value in asdict(fault).items() if value or name != "suggestions"}
        for fault in faults
    ]
