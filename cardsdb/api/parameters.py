"""Which parameters an address takes. Any other is refused by name: one that is ignored looks as if it had worked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from cardsdb.site.faults import Fault, Refused

LONGEST = 60
MOST_FAULTS = 10
# What the same thing is called elsewhere.
ELSEWHERE = {
    "limit": "page_size",
    "per_page": "page_size",
    "size": "page_size",
    "cursor": "after",
    "offset": "after",
    "query": "q",
    "search": "q",
    "select": "fields",
}


@dataclass(frozen=True, slots=True)
class Advised(Fault):
    """A fault with what may be meant instead; each suggestion may take the faulty words' place."""

    suggestions: tuple[str, ...] = ()


def fault(code: str, message: str, where: str, suggestions: Iterable[str] = ()) -> Fault:
    """A fault, with suggestions only where there are some."""
    meant = tuple(suggestions)
    return Advised(code, message, where, meant) if meant else Fault(code, message, where)


def only_known(asked: Iterable[str], takes: Sequence[str]) -> None:
    """Raise Refused if a parameter is none of those that the address takes."""
    unknown = [name for name in asked if name not in takes]
    if unknown:
        raise Refused(*(_unknown(name, takes) for name in unknown[:MOST_FAULTS]))


def _unknown(name: str, takes: Sequence[str]) -> Fault:
    shown = name[:LONGEST]
    if name == "page" and "after" in takes:
        return Fault("no_page_numbers", "Lists of cards have no page numbers: follow the address in “next”.", name)
    known = f"It takes {', '.join(takes)}." if takes else "It takes none."
    near = [ELSEWHERE[name]] if ELSEWHERE.get(name) in takes else get_close_matches(shown, takes, 1)
    meant = f" Is {near[0]} meant?" if near else ""
    return fault("unknown_parameter", f"This address has no parameter “{shown}”.{meant} {known}", shown, near)
