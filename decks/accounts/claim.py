"""From a browser into an account: what was made before there was one."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.db.models import QuerySet

from decks.identity.viewer import Viewer
from decks.models import BrowserAccess, Deck


def browser_decks(viewer: Viewer) -> QuerySet[Deck]:
    """The decks that this browser may edit and that are nobody's."""
    return Deck.objects.editable_by(Viewer(browser=viewer.browser)).filter(owner=None)


@transaction.atomic
def take_decks_along(viewer: Viewer, links: Iterable[str]) -> int:
    """Make those of these decks the account's that the browser holds and that are nobody's; the browser lets go of them. How many."""
    # What is no address must not reach PostgreSQL, which refuses a NUL.
    sent = [link for link in links if link.isprintable()]
    ids = list(browser_decks(viewer).filter(link__in=sent).values_list("pk", flat=True))
    # Of two who take one at once the first has it.
    mine = [pk for pk in ids if Deck.objects.filter(pk=pk, owner=None).update(owner=viewer.user_id)]
    BrowserAccess.objects.filter(browser=viewer.browser, deck__in=mine).delete()
    return len(mine)
