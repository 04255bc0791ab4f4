"""From a browser into an account: what was made before there was one."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.db.models import QuerySet

from decks.core.viewer import Visitor
from decks.models import Deck, HeldKey


def held_by_browser(visitor: Visitor) -> QuerySet[Deck]:
    """The decks that this browser may edit and that are nobody's."""
    return Deck.objects.editable_by(Visitor(browser=visitor.browser)).filter(owner=None)


@transaction.atomic
def take_decks_along(visitor: Visitor, links: Iterable[str]) -> int:
    """Make those of these decks the account's that the browser holds and that are nobody's; the browser lets go of them. How many."""
    # What is no address must not reach PostgreSQL, which refuses a NUL.
    sent = [link for link in links if link.isprintable()]
    ids = list(held_by_browser(visitor).filter(link__in=sent).values_list("pk", flat=True))
    # Of two who take one at once the first has it.
    mine = [pk for pk in ids if Deck.objects.filter(pk=pk, owner=None).update(owner=visitor.user_id)]
    HeldKey.objects.filter(browser=visitor.browser, deck__in=mine).delete()
    return len(mine)
