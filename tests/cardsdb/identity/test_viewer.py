"""The viewer is determined by the account, the browser's cookie and the edit key, and by nothing else."""

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
    """A session with only what the functions under test read."""

    accessed = False


def request(
    user: User | None, key: str = "", browser: str = "", session: dict[str, str] | None = None
) -> Any:
    """Return a request with this account, edit key, browser and session."""
    made = RequestFactory().get("/", headers={"X-Deck-Key": key} if key else {})
    made.user, made.session = user or SimpleNamespace(pk=None), Session(session or {})
    if browser:
        made.COOKIES["browser"] = f"{named_token(browser)}.739000"
    return made


ANN, BROWSER_HASH = User(pk=1), hashed(named_token("token"))


def test_the_viewer_of_a_page_is_account_and_browser():
    assert viewer_of(request(ANN, "key", "token")) == Viewer(ANN.pk, browser=BROWSER_HASH)
    assert viewer_of(request(None)) == Viewer()


def test_the_viewer_of_the_api_is_account_and_edit_key_without_the_browser():
    assert api_viewer_of(request(ANN, "key", "token")) == Viewer(ANN.pk, key_hash=hashed("key"))
    assert api_viewer_of(request(None, "", "token")) == Viewer()


def test_the_owner_is_the_account_or_a_browser_that_is_given_a_token():
    assert owner_of(request(ANN, "", "token")) == Viewer(ANN.pk, browser=BROWSER_HASH)
    new = request(None)
    assert owner_of(new) == Viewer(browser=browser_of(new)) == viewer_of(new) != Viewer()
    assert len(token_of(new)) == 22


def test_hashes_differ_and_have_64_digits():
    assert hashed("a") != hashed("b") and len(hashed("a")) == 64


def test_a_browser_without_the_cookie_is_known_by_its_older_session():
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
def test_a_cookie_that_the_site_never_sent_is_ignored(value):
    made = request(None)
    made.COOKIES["browser"] = value
    assert viewer_of(made) == Viewer()
