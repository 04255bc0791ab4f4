"""What belongs to an account: what other apps keep for it, what it takes over from a browser, and how it is deleted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from decks.identity.viewer import Viewer
from decks.models import BrowserAccess, Deck


class Belongings(NamedTuple):
    """Something that an account has.

    ``about``: a line for the export's own description. ``files``: user's number -> (name in the archive, content), one at a time.
    ``numbers``: user's number -> (what it is, how much of it) for the page that deletes the account.
    """

    about: str
    files: Callable[[int], Iterable[tuple[str, str | bytes]]]
    numbers: Callable[[int], Iterable[tuple[str, str]]]


_registered: dict[str, Belongings] = {}


def register(name: str, belongings: Belongings) -> None:
    """Let the export and the deletion of accounts know of this. Registered again under its name it takes the place of what was there."""
    _registered[name] = belongings


def registered() -> Iterator[Belongings]:
    """All that is known of, in the order of their names."""
    for name in sorted(_registered):
        yield _registered[name]


def browser_decks(viewer: Viewer) -> QuerySet[Deck]:
    """The decks that this browser may edit and that are nobody's."""
    return Deck.objects.editable_by(Viewer(browser=viewer.browser)).filter(owner=None)


@transaction.atomic
def take_decks_along(viewer: Viewer, links: Iterable[str]) -> int:
    """Make those of these decks the account's that the browser holds and that are nobody's; the browser lets go of them. How many."""
    # What is no address must not reach PostgreSQL, which refuses a NUL.
    sent = [link for link in links if link.isprintable()]
    ids = list(browser_decks(viewer).filter(link__in=sent).values_list("pk", flat=True))
    # The first of two who take a deck at once gets it.
    mine = [pk for pk in ids if Deck.objects.filter(pk=pk, owner=None).update(owner=viewer.user_id)]
    BrowserAccess.objects.filter(browser=viewer.browser, deck__in=mine).delete()
    return len(mine)


def delete_user(user_id: int) -> None:
    """Delete the user; the database takes along decks with their history, comments, likes, favourites, collection, passkeys,
    and what other apps keep for an account (``decks.accounts.account_data``), files included.

    Decks of others stay, and are liked by one less (``decks.models.social``). Wants a transaction around it.
    """
    User.objects.filter(pk=user_id).delete()
