"""The settings that a browser keeps: one signed cookie, sent to the print pages only.

A cookie, because settings are no secret and must not cost a visitor a row of the database.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.core import signing
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from cardsdb.faults import Fault, Refused
from cardsdb.site.cookies import SignedCookie
from decks.web.forms import clean_name
from printing.options.values import CannotPrint, read_options
from printing.request.presets import is_one_card
from printing.request.saved_settings import SavedSettings, Settings, lasting

COOKIE = SignedCookie("printing", "printing.page.remembered", "/print/")
MAX_PRESETS, MAX_NAME = 10, 40
# Where letter paper is what shops sell.
LETTER = {"us", "ca", "mx", "ph", "cl", "co"}


def saved_settings(request: HttpRequest) -> SavedSettings:
    """What this browser remembers. A cookie that was tampered with, or is of another version, counts as
    none.
    """
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


def saved_as(settings: SavedSettings, name: str, chosen: Settings) -> SavedSettings:
    """The settings with these under this name, in place of any of that name. Raises Refused."""
    try:
        name = clean_name(name)
    except ValidationError as error:
        raise Refused(
            Fault(
                "bad_name",
                "Give the settings a name of letters." if name else "Give the settings a name.",
                "name",
            )
        ) from error
    if len(name) > MAX_NAME:
        raise Refused(Fault("too_long", f"A name has at most {MAX_NAME} letters.", "name"))
    others = tuple(pair for pair in settings.own if pair[0].casefold() != name.casefold())
    if len(others) >= MAX_PRESETS:
        raise Refused(
            Fault(
                "too_many",
                f"You keep {MAX_PRESETS} settings already, which is the most. Delete some first.",
                "name",
            )
        )
    more = replace(settings, own=(*others, (name, dict(chosen))))
    if not COOKIE.fits(more.as_json()):
        raise Refused(
            Fault(
                "too_many",
                "Your settings no longer fit into this browser's memory. Delete some first.",
                "name",
            )
        )
    return more


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
