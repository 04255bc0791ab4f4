"""State what is wrong with a request, as values: one shape of error for pages, API and command line. Knows no
Django.

``cardsdb.site.errors`` makes answers of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass

# Seconds after which a machine that was busy may be asked again, and a database that did not answer.
SOON, VERY_SOON = 30, 5


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a request. ``where``: a field, ``line 7``, ``column 12``; empty for the whole."""

    code: str
    message: str
    where: str = ""


class Refused(Exception):
    """A request that is refused, with everything that is wrong with it.

    ``wait``: the seconds after which it may be granted, if known. Whoever answers sends ``headers`` along.
    """

    def __init__(self, *faults: Fault, status: int = 400, wait: int = 0) -> None:
        super().__init__("; ".join(fault.message for fault in faults))
        self.faults = faults
        self.status = status
        self.headers = {"Retry-After": str(wait)} if wait else {}


def error_list(faults: Iterable[Fault]) -> list[dict[str, str]]:
    """The faults as JSON has them: ``{"code", "message", "where"}`` each."""
    return [asdict(fault) for fault in faults]
