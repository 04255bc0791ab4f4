"""Visitors without an account. The site recognises their browser by a cookie that holds a token and a day."""

from __future__ import annotations

from datetime import date

from django.conf import settings
from django.test import Client

from cardsdb.identity.viewer import Viewer, hashed, token_in


def guest(client: Client) -> Viewer:
    """Return the viewer that the site sees in this client, as long as it is not logged in."""
    return Viewer(browser=hashed(token_of(client)))


def token_of(client: Client) -> str:
    """Return the token in the client's cookie."""
    token = token_in({name: morsel.value for name, morsel in client.cookies.items()})
    assert token, "the site has given this browser no cookie"
    return token


def named_token(name: str) -> str:
    """Return a token of valid length (22 characters) that starts with this name."""
    return name.ljust(22, "-")


def known_as(name: str, day: date | None = None) -> Client:
    """Return a client whose cookie holds ``named_token(name)`` and this day, by default today."""
    client = Client()
    client.cookies[settings.CUTOUT_BROWSER_COOKIE] = (
        f"{named_token(name)}.{(day or date.today()).toordinal()}"
    )
    return client
