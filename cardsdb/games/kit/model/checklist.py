"""The places of a box that its documents count, for cards whose names no source states: owners fill them in
one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ChecklistPlace:
    """One place. ``code`` is its name in addresses and in what fills it; ``number`` counts from 1 within its
    group.
    """

    code: str
    number: int
    group: PlaceGroup

    @property
    def label(self) -> str:
        return f"{self.group.label} {self.number}" if self.group.count > 1 else self.group.label


@dataclass(frozen=True, slots=True)
class PlaceGroup:
    """So many places for cards of a type. ``cites`` is the code of what counts them, ``note`` how many are
    left of that number.

    ``facts`` are known of every card of the group, as they would be typed. ``stand_in`` is the code of the
    catalogue's entry that is printed as a blank for one; without it a blank is written in.
    """

    slug: str
    label: str
    card_type: str
    count: int
    cites: str
    note: str
    facts: Mapping[str, str] = field(default_factory=dict)
    stand_in: str = ""

    @property
    def places(self) -> Iterator[ChecklistPlace]:
        return (
            ChecklistPlace(f"{self.slug}-{number:02}", number, self) for number in range(1, self.count + 1)
        )
