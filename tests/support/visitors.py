"""All addresses of the site, all kinds of visitors, and how a request is answered: the basis of the tests of
permissions, sharing and policies.

``addresses()`` lists the URL map, ``World`` makes the decks and the visitors, ``answered()`` sends a request
and ``kind_of`` sums up the answer. Every request is rolled back, so thousands can run on one database.
``tests.support.permission_table`` has the expected answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core.signals import request_finished
from django.db import close_old_connections, transaction
from django.test import Client
from django.urls import URLPattern, get_resolver
from django.urls.resolvers import RegexPattern, RoutePattern

from cardsdb.games import games
from decks.models import Deck

# How a request is answered. OPEN: the visitor is let in, even if the sent data is then refused. HIDDEN: 404.
# NEVER: the method is not allowed.
OPEN, HIDDEN, LOG_IN, FORBIDDEN, NEVER = "open", "hidden", "log in", "forbidden", "never"
OWNER, STRANGER, ANONYMOUS, STAFF = "owner", "stranger", "anonymous", "staff"


@dataclass(frozen=True, slots=True)
class Address:
    """One pattern of the URL map. ``name`` is the pattern's name, or its route if it has none."""

    name: str
    route: str
    pattern: URLPattern
    prefixes: tuple[Any, ...]

    def path(self, link: str, **more: Any) -> str:
        """Return a path that matches the pattern; ``link`` is the deck's, other parameters come from
        SAMPLES or ``more``.
        """
        found = ""
        for part in (*self.prefixes, self.pattern.pattern):
            found += _filled(part, {**SAMPLES, "link": link, **more})
        return f"/{found}"


GAME = "spycraft"
# URL parameter -> the value to ask with.
SAMPLES: dict[str, Any] = {
    "slug": GAME,
    "game_slug": GAME,
    "number": 0,
    "pk": 1,
    "name": "text",
    "key": "x-y",
    "uidb36": "1",
    "path": "plugininfo.txt",
    "sha256": "0" * 64,
}


def _filled(part: Any, values: dict[str, Any]) -> str:
    """Return one part of a pattern with its parameters replaced by values."""
    if isinstance(part, RegexPattern):
        text = str(part).removeprefix("^").removesuffix("$")
        for group in ("(?P<key>[-:\\w]+)", "(?P<uidb36>[0-9A-Za-z]+)", "(?P<key>.+)"):
            text = text.replace(group, str(values[group[4 : group.index(">")]]))
        return text
    assert isinstance(part, RoutePattern)
    text = str(part)
    for name, converter in part.converters.items():
        kind = type(converter).__name__.removesuffix("Converter").lower().replace("string", "str")
        text = text.replace(f"<{kind}:{name}>", str(values[name]))
    assert "<" not in text, f"tests/support/visitors.py has no sample for {text}"
    return text


def addresses() -> Iterator[Address]:
    """Yield all addresses except those of the admin, which Django guards as a whole."""
    yield from _below(get_resolver().url_patterns, (), "")


def _below(patterns: list[Any], prefixes: tuple[Any, ...], route: str) -> Iterator[Address]:
    """Yield the addresses of these URL patterns; ``prefixes`` are the patterns that include them."""
    for pattern in patterns:
        here = route + str(pattern.pattern)
        if here == "admin/":
            continue
        if isinstance(pattern, URLPattern):
            yield Address(pattern.name or here, here, pattern, prefixes)
        else:
            yield from _below(pattern.url_patterns, (*prefixes, pattern.pattern), here)


def _left_unread(answer: Any) -> None:
    """Close a streamed answer without reading it, and keep the test's database connection open, as the test
    client does for other answers.
    """
    request_finished.disconnect(close_old_connections)
    try:
        answer.close()
    finally:
        request_finished.connect(close_old_connections)


def answered(client: Client, method: str, path: str, data: Mapping[str, str] | None = None) -> Any:
    """Return the response to this request. Its changes to the database and to the client's cookies are
    undone.
    """
    before = transaction.savepoint()
    cookies = client.cookies.copy()
    try:
        answer = client.post(path, data or {}) if method == "post" else client.get(path)
        if getattr(answer, "streaming", False):
            _left_unread(answer)
    finally:
        transaction.savepoint_rollback(before)
        client.cookies = cookies
    return answer


def kind_of(answer: Any) -> str:
    """Return how a request was answered: OPEN, HIDDEN ..."""
    if answer.status_code >= 500:
        return f"error {answer.status_code}"
    if answer.status_code in (301, 302) and answer["Location"].startswith(
        ("/accounts/login/", "/accounts/reauthenticate/")
    ):
        return LOG_IN
    return {401: LOG_IN, 403: FORBIDDEN, 404: HIDDEN, 405: NEVER}.get(answer.status_code, OPEN)


class World:
    """All kinds of visitors, each with a client, and decks of every visibility. Every account has a password
    and a confirmed email address.
    """

    def __init__(self) -> None:
        self.users = {visitor: _account(visitor) for visitor in (OWNER, STRANGER, STAFF)}
        self.clients = {
            visitor: Client(raise_request_exception=False) for visitor in (*self.users, ANONYMOUS)
        }
        for visitor, user in self.users.items():
            self.clients[visitor].force_login(user)
        self.browser = Client(raise_request_exception=False)
        self.decks = self.decks_of(GAME)

    def decks_of(self, game: str) -> dict[str, Deck]:
        """Make a deck of the owner for each visibility, and one of a browser without an account. Return
        visibility or "browser" -> deck. The stranger has commented on each.
        """
        owner = self.clients[OWNER]
        decks = {name: _deck(owner, game, name) for name in ("private", "unlisted", "public")}
        decks["browser"] = _deck(self.browser, game, "private")
        for deck in decks.values():
            deck.comments.create(author=self.users[STRANGER], text="Too many leaders.")
        return decks

    def visits(self, decks: Mapping[str, Deck]) -> Iterator[tuple[str, str, Deck, Client]]:
        """Yield (visibility, visitor, deck, client) for every combination. A friend with the link is a
        STRANGER to an unlisted deck.
        """
        for visibility, deck in decks.items():
            for visitor, client in self.clients.items():
                is_its_browser = (visibility, visitor) == ("browser", OWNER)
                yield visibility, visitor, deck, self.browser if is_its_browser else client


def _deck(client: Client, game: str, visibility: str) -> Deck:
    """Make a deck through the page of a new deck."""
    values = {
        "game": game,
        "format": games()[game].starters[0].format,
        "name": f"A {visibility} one",
        "text": few_of_a_starter(game),
        "visibility": visibility,
    }
    answer = client.post("/decks/new/", values)
    assert answer.status_code == 302, answer.text[:2_000]
    client.cookies.pop("edit_key", None)
    return Deck.objects.get(link=answer["Location"].split("/")[2])


def few_of_a_starter(game: str) -> str:
    """Return the first line of each section of a starter. Permissions do not depend on the size of a deck,
    and small decks are faster.
    """
    lines = [
        line for line in games()[game].starters[0].text.splitlines() if line and not line.startswith("//")
    ]
    return "\n".join(
        line
        for before, line in zip(["", *lines], lines, strict=False)
        if line.endswith(":") or before.endswith(":")
    )


def _account(visitor: str) -> User:
    """Make an account for this kind of visitor, with a confirmed email address."""
    user = User.objects.create_user(
        f"The-{visitor}",
        password="a quiet field at noon",
        is_staff=visitor == STAFF,
        is_superuser=visitor == STAFF,
    )
    EmailAddress.objects.create(user=user, email=f"{visitor}@example.org", verified=True, primary=True)
    return user
