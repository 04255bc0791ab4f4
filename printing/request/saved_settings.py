"""What this browser printed with last, and the settings it keeps under names of its own: one signed cookie, sent to the print pages only.

A cookie, because settings are no secret and must not cost a visitor a row of the database.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.core import signing
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from cardsdb.games.kit.model.dataclass import dataclass
from cardsdb.site.faults import Fault, Refused
from cardsdb.site.signed_cookie import SignedCookie
from decks.web.forms import clean_name
from printing.options.values import NAMED, CannotPrint, read_options
from printing.request.presets import is_one_card

COOKIE = SignedCookie("printing", "printing.page.remembered", "/print/")
MAX_PRESETS, MAX_NAME = 10, 40
# Options of one print that say nothing of the next: which cards, which side of the paper, which slots.
OF_ONE_PRINT = frozenset(name for name, option in NAMED.items() if option.group in ("Choosing cards", "Places")) | {"side"}
# The longest address, in letters, that is kept to lead back to what was printed last.
MAX_SUBJECT = 300
# Where letter paper is what shops sell.
LETTER = {"us", "ca", "mx", "ph", "cl", "co"}

Settings = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SavedSettings:
    """``last``: what differed from the default in the last print, the paper always. ``own``: settings by name.

    ``subject``: which cards were printed last, as fields of an address; nothing for a pasted list. ``sheet_paper``: the paper
    of the last print with more than one card on a page.
    """

    last: Settings
    own: tuple[tuple[str, Settings], ...] = ()
    subject: tuple[tuple[str, str], ...] = ()
    sheet_paper: str = "a4"

    def printed(self, chosen: Settings, subject: tuple[tuple[str, str], ...]) -> SavedSettings:
        """After a print of these cards with these settings, of which the paper is one."""
        paper = self.sheet_paper if is_one_card(read_options(chosen)) else chosen["paper"]
        return replace(self, last=chosen, subject=subject, sheet_paper=paper)

    def saved(self, name: str, chosen: Settings) -> SavedSettings:
        """With these settings under this name, in place of any of that name. Raises Refused."""
        try:
            name = clean_name(name)
        except ValidationError as error:
            raise Refused(
                Fault("bad_name", "Give the settings a name of letters." if name else "Give the settings a name.", "name")
            ) from error
        if len(name) > MAX_NAME:
            raise Refused(Fault("too_long", f"A name has at most {MAX_NAME} letters.", "name"))
        others = tuple(pair for pair in self.own if pair[0].casefold() != name.casefold())
        if len(others) >= MAX_PRESETS:
            raise Refused(Fault("too_many", f"You keep {MAX_PRESETS} settings already, which is the most. Delete some first.", "name"))
        settings = replace(self, own=(*others, (name, dict(chosen))))
        if not COOKIE.fits(settings.as_json()):
            raise Refused(Fault("too_many", "Your settings no longer fit into this browser's memory. Delete some first.", "name"))
        return settings

    def without(self, name: str) -> SavedSettings:
        """Without the settings of this name."""
        return replace(self, own=tuple(pair for pair in self.own if pair[0] != name))

    def as_json(self) -> dict[str, Any]:
        """As the cookie holds them, without what was chosen for one print alone."""
        own = [[name, lasting(own)] for name, own in self.own]
        subject = [list(pair) for pair in self.subject] if sum(len(value) for _, value in self.subject) <= MAX_SUBJECT else []
        return {"last": lasting(self.last), "own": own, "subject": subject, "paper": self.sheet_paper}


def lasting(chosen: Settings) -> dict[str, str]:
    """The settings that hold for the next print too."""
    return {name: value for name, value in chosen.items() if name not in OF_ONE_PRINT}


def saved_settings(request: HttpRequest) -> SavedSettings:
    """What this browser remembers. A cookie that was tampered with, or is of another version, counts as none."""
    try:
        cookie = COOKIE.read(request)
        own = tuple((str(name), _checked(chosen)) for name, chosen in cookie["own"])
        subject = tuple((str(name), str(value)) for name, value in cookie.get("subject", ()))
        last, usual = _checked(cookie["last"]), _usual(request)
        # Cookies of earlier releases have no paper of sheets.
        paper = _checked({"paper": cookie.get("paper", last.get("paper", ""))}).get("paper") or usual["paper"]
        if is_one_card(read_options({"paper": paper})):
            paper = usual["paper"]
        return SavedSettings(last or usual, tuple(pair for pair in own if pair[1]), subject, paper)
    except (KeyError, ValueError, TypeError, signing.BadSignature):
        usual = _usual(request)
        return SavedSettings(usual, sheet_paper=usual["paper"])


def save_settings(response: HttpResponseBase, saved: SavedSettings) -> None:
    """Send the settings to the browser as a cookie, unless they are too large for one."""
    COOKIE.send(response, saved.as_json())


def _checked(chosen: Any) -> dict[str, str]:
    """The settings if they can be used; none where the options have changed meanwhile."""
    try:
        words = {str(name): str(value) for name, value in dict(chosen).items()}
        read_options(words)
    except CannotPrint:
        return {}
    return lasting(words)


def _usual(request: HttpRequest) -> dict[str, str]:
    """The settings of a new visitor: the paper of the country that the browser names first."""
    first = request.headers.get("Accept-Language", "").split(",")[0].split(";")[0].strip().casefold()
    return {"paper": "letter" if first.rpartition("-")[2] in LETTER and "-" in first else "a4"}
