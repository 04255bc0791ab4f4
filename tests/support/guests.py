"""Browsers without an account, as the site knows them: by a cookie with a token."""

from __future__ import annotations

from datetime import date

from django.conf import settings
from django.test import Client

from cardsdb.identity.viewer import Viewer, hashed, token_in


def guest(client: Client) -> Viewer:
    """The viewer that this client is without an account."""
    return Viewer(browser=hashed(token_of(client)))


def token_of(client: Client) -> str:
    token = token_in({name: morsel.value for name, morsel in client.cookies.items()})
    assert token, "the site has given this browser no cookie"
    return token


def named_token(name: str) -> str:
    """A token that begins with this name."""
    return name.ljust(22, "-")


def known_as(name: str, day: date | None = None) -> Client:
    """A client that has got its cookie, with the token of this name, on that day."""
    client = Client()
    client.cookies[settings.CUTOUT_BROWSER_COOKIE] = (
        f"{named_token(name)}.{(day or date.today()).toordinal()}"
    )
    return client
