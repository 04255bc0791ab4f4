"""Visitors without an account, whom the site knows by a token in their browser's cookie."""

from __future__ import annotations

from datetime import date

from django.conf import settings
from django.test import Client

from cardsdb.identity.viewer import Viewer, hashed, token_in


def guest(client: Client) -> Viewer:
    """The viewer of this client, which has no account."""
    return Viewer(browser=hashed(token_of(client)))


def token_of(client: Client) -> str:
    token = token_in({name: morsel.value for name, morsel in client.cookies.items()})
    assert token, "the site has given this browser no cookie"
    return token


def named_token(name: str) -> str:
    """A token that begins with this name, of the length of real ones."""
    return name.ljust(22, "-")


def known_as(name: str, day: date | None = None) -> Client:
    """A client with a cookie that the site set on this day, by default today, with the token of this name."""
    client = Client()
    client.cookies[settings.CUTOUT_BROWSER_COOKIE] = (
        f"{named_token(name)}.{(day or date.today()).toordinal()}"
    )
    return client
