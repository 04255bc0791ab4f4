"""What a browser printed with last, and the settings it keeps under names of its own, as a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from printing.options.values import NAMED, read_options
from printing.request.presets import is_one_card

# Options of one print that say nothing of the next: which cards, which side of the paper, which slots.
OF_ONE_PRINT = frozenset(
    name for name, option in NAMED.items() if option.group in ("Choosing cards", "Places")
) | {"side"}
# The longest address, in letters, that is kept to lead back to what was printed last.
MAX_SUBJECT = 300

Settings = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SavedSettings:
    """``last``: what differed from the default in the last print, the paper always. ``own``: settings by
    name.

    ``subject``: which cards were printed last, as fields of an address; nothing for a pasted list.
    ``sheet_paper``: the paper of the last print with more than one card on a page.
    """

    last: Settings
    own: tuple[tuple[str, Settings], ...] = ()
    subject: tuple[tuple[str, str], ...] = ()
    sheet_paper: str = "a4"

    def printed(self, chosen: Settings, subject: tuple[tuple[str, str], ...]) -> SavedSettings:
        """After a print of these cards with these settings, of which the paper is one."""
        paper = self.sheet_paper if is_one_card(read_options(chosen)) else chosen["paper"]
        return replace(self, last=chosen, subject=subject, sheet_paper=paper)

    def without(self, name: str) -> SavedSettings:
        """Without the settings of this name."""
        return replace(self, own=tuple(pair for pair in self.own if pair[0] != name))

    def as_json(self) -> dict[str, Any]:
        """As the cookie holds them, without what was chosen for one print alone."""
        own = [[name, lasting(own)] for name, own in self.own]
        subject = (
            [list(pair) for pair in self.subject]
            if sum(len(value) for _, value in self.subject) <= MAX_SUBJECT
            else []
        )
        return {"last": lasting(self.last), "own": own, "subject": subject, "paper": self.sheet_paper}


def lasting(chosen: Settings) -> dict[str, str]:
    """The settings that hold for the next print too."""
    return {name: value for name, value in chosen.items() if name not in OF_ONE_PRINT}
