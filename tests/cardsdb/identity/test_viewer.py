"""Who asks is read from the account, the browser's cookie and the edit key, and from nothing else."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import RequestFactory

from cardsdb.identity.viewer import (
    BROWSER,
    Viewer,
    api_viewer_of,
    browser_of,
    hashed,
    owner_of,
    token_of,
    viewer_of,
)
from tests.support.guests import named_token


class Session(dict[str, str]):
    """A session as far as who asks is read from it."""

    accessed = False


def request(
    user: User | None, key: str = "", browser: str = "", session: dict[str, str] | None = None
) -> Any:
    asked = RequestFactory().get("/", headers={"X-Deck-Key": key} if key else {})
    asked.user, asked.session = user or SimpleNamespace(pk=None), Session(session or {})
    if browser:
        asked.COOKIES["browser"] = f"{named_token(browser)}.739000"
    return asked


def test_who_asks_is_read_from_account_cookie_and_key():
    ann, browser = User(pk=1), hashed(named_token("token"))
    assert viewer_of(request(ann, "key", "token")) == Viewer(ann.pk, browser=browser)
    assert viewer_of(request(None)) == Viewer()
    assert api_viewer_of(request(ann, "key", "token")) == Viewer(ann.pk, key_hash=hashed("key"))
    assert api_viewer_of(request(None, "", "token")) == Viewer()
    assert owner_of(request(ann, "", "token")) == Viewer(ann.pk, browser=browser)
    new = request(None)
    assert owner_of(new) == Viewer(browser=browser_of(new)) == viewer_of(new) != Viewer()
    assert len(token_of(new)) == 22 and hashed("a") != hashed("b") and len(hashed("a")) == 64


def test_a_browser_of_before_the_cookie_is_known_by_its_session():
    assert viewer_of(request(None, session={BROWSER: "token"})) == Viewer(browser=hashed("token"))


@pytest.mark.parametrize(
    "value",
    [
        "",
        "x",
        "token",
        f"{named_token('a')}",
        f"{named_token('a')}.12",
        f"{named_token('a')}.123456\n",
        "ä" * 22 + ".739000",
    ],
)
def test_a_cookie_that_the_site_never_sent_names_nobody(value):
    asked = request(None)
    asked.COOKIES["browser"] = value
    assert viewer_of(asked) == Viewer()
