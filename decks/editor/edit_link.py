"""The edit link: whoever has it may edit the deck, from then on in that browser.

The key stands behind #, which browsers send to no server: so it is in no access log, no proxy's and no
Referer. A script sends it to the form, or the visitor pastes the link. Links of before, with the key in the
query, go on working.
"""

from __future__ import annotations

import re

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from cardsdb.faults import Fault
from cardsdb.identity.viewer import Viewer, browser_of, hashed
from cardsdb.site.sharing import private
from decks.models import BrowserAccess, Deck

MAX_TYPED = 500
# ``LINK.KEY`` alone or at the end of the address; or as links of before were written.
_WRITTEN = re.compile(
    r"(?:\A|#)([\w-]{1,32})\.([\w-]{1,64})\Z|/decks/([\w-]{1,32})/edit/\?key=([\w-]{1,64})\Z", re.ASCII
)


@require_http_methods(["GET", "HEAD", "POST"])
@private
def edit_link(request: HttpRequest) -> HttpResponse:
    """Where edit links lead. POST gives the browser the deck and leads to its editor."""
    if request.method != "POST":
        return _page(request)
    written = _WRITTEN.search(request.POST.get("edit_key", "")[:MAX_TYPED].strip())
    if written is None:
        sentence = (
            "This is no edit link. One has a key behind a #: paste it whole, as it was shown when the deck"
            " was made."
        )
        return _page(request, Fault("bad_link", sentence, "edit_key"))
    link, key = filter(None, written.groups())
    try:
        return let_in(request, link, key)
    except Http404:
        sentence = (
            "No deck has this edit link. The deck was deleted, is kept private by whoever runs this site, or"
            " was given a new address, with which every link of before stops working."
        )
        return _page(request, Fault("not_found", sentence, "edit_key"), status=404)


def let_in(request: HttpRequest, link: str, key: str) -> HttpResponse:
    """Give the browser the deck, and lead to its editor without the key. Raises Http404 where the key is not
    that deck's, and for a deck that staff keep private: in no further browser is it opened.

    The account whose deck it is needs no key: where its log-in ends, its browser has nothing of the deck.
    """
    holder = Deck.objects.editable_by(Viewer(key_hash=hashed(key))).filter(private_because="")
    if get_object_or_404(holder, link=link).owner_id == (request.user.pk or 0):
        return redirect("deck_edit", link=link)
    browser = browser_of(request)
    with transaction.atomic():
        BrowserAccess.objects.grant(browser, get_object_or_404(holder.select_for_update(), link=link))
    return redirect("deck_edit", link=link)


def _page(request: HttpRequest, fault: Fault | None = None, status: int = 400) -> HttpResponse:
    context = {"faults": [fault] if fault else [], "here": "decks"}
    return render(request, "decks/edit_link.html", context, status=status if fault else 200)
