"""The viewer is determined by the account, the browser's cookie and the edit key, and by nothing else. Tags
of viewers on pages: ``tests/decks/accounts/test_kept_pages.py``.
"""

from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.test import RequestFactory

from cardsdb.box.texts import box_for_everyone, box_of
from cardsdb.identity import viewer
from cardsdb.identity.viewer import (
    ANONYMOUS,
    BROWSER,
    Viewer,
    api_viewer_of,
    browser_of,
    hashed,
    may_see_own,
    owner_of,
    owns_something,
    reader_of,
    token_of,
    viewer_of,
    viewer_tag,
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


def tag(browser: str, **session: str) -> str:
    return viewer_tag(request(None, browser=browser, session=session))


def test_an_account_has_the_same_tag_in_all_browsers():
    assert tag("a", **{SESSION_KEY: "1"}) == tag("b", **{SESSION_KEY: "1"})


def test_each_browser_without_an_account_has_a_tag_of_its_own():
    assert len({tag("a"), tag("a"), tag("b"), tag("")}) == 3 and tag("") == ANONYMOUS


# -- own things on pages of the catalogue ------------------------------------------------


@pytest.mark.django_db
def test_only_a_viewer_who_owns_something_is_known_as_a_reader():
    assert reader_of(request(None, browser="token")) == Viewer()
    box_of(Viewer(browser=BROWSER_HASH))
    assert reader_of(request(None, browser="token")) == Viewer(browser=BROWSER_HASH)


def test_of_a_request_without_a_cookie_no_session_is_read():
    assert reader_of(request(None, session={BROWSER: "token"})) == Viewer()


@pytest.mark.django_db
def test_things_of_everyone_may_be_shown_to_all_on_a_private_site_only(settings):
    assert not may_see_own(Viewer())
    box_for_everyone()
    assert may_see_own(Viewer())
    settings.HTTPS = True
    assert not may_see_own(Viewer())


def test_where_no_table_has_own_things_a_viewer_owns_none(monkeypatch):
    monkeypatch.setattr(viewer, "_owning", [])
    assert not owns_something(Viewer(1))
