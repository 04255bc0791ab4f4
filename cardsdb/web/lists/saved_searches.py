"""Searches that a visitor keeps under names, in their account or with their browser.

Pages of lists are cached and the same for all visitors, so they contain nothing of this. They link here, and
their scripts fetch ``own_searches`` when a visitor uses the search box. ``printing/web/mine.py`` lists them,
and a log-in gives those of the browser to the account (``claim_searches``).
Tests: ``tests/cardsdb/web/lists/test_saved_searches.py``.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import urlencode

from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from cardsdb.catalogue.current import catalogue, games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import UNPRINTABLE
from cardsdb.identity.viewer import Viewer, browser_of, owner_of, viewer_of
from cardsdb.models import OwnCard, OwnSearch, owned_by
from cardsdb.models.site import MAX_NAME, MAX_QUERY
from cardsdb.search.query.check import check
from cardsdb.search.query.grammar import MAX_CHARACTERS
from cardsdb.search.query.tree import quoted
from cardsdb.site.sharing import private
from cardsdb.site.shortcuts import form_page, private_page

# Searches of one account, or of one browser without an account.
MAX_SEARCHES = 100
# Names of own cards that the search box gets for its suggestions.
MAX_OWN_NAMES = 1_000


class SavedSearch(NamedTuple):
    """A query as typed, under the visitor's name for it."""

    name: str
    query: str

    @property
    def key(self) -> str:
        """The name in the form in which names are compared."""
        return self.name.casefold()

    @property
    def address(self) -> str:
        """The address of the list of what it finds now."""
        return f"{reverse('card_list')}?{urlencode({'q': self.query})}"

    @property
    def problem(self) -> str:
        """The fault for which the query is no longer understood, as a sentence; "" without one."""
        faults = check(self.query, catalogue().fields()).faults
        return faults[0].message if faults else ""


def searches_of(viewer: Viewer) -> list[SavedSearch]:
    """Return the visitor's searches, latest first."""
    return [SavedSearch(*row) for row in OwnSearch.objects.of(viewer).values_list("name", "query")]


def _viewer(request: HttpRequest) -> Viewer:
    """Return the visitor. Searches in the session (as in earlier releases) move to the browser."""
    if old_searches := request.session.pop("searches", ()):
        owner = owned_by(Viewer(browser=browser_of(request)))
        rows = [
            OwnSearch(**owner, name=name, key=name.casefold(), query=query)
            for name, query in reversed(old_searches)
        ]
        OwnSearch.objects.bulk_create(rows, ignore_conflicts=True)
    return viewer_of(request)


def claim_searches(viewer: Viewer) -> tuple[int, int]:
    """Give the browser's searches to the account, if their names are free there and there is room; return
    (number moved, number left).
    """
    mine, theirs = OwnSearch.objects.of(viewer), OwnSearch.objects.of_browser(viewer)
    free, moved = theirs.exclude(key__in=mine.values("key")).values_list("pk", flat=True), 0
    for pk in free[: max(0, MAX_SEARCHES - mine.count())]:
        # Another browser of this account may have taken the name in this moment.
        with suppress(IntegrityError), transaction.atomic():
            moved += theirs.filter(pk=pk).update(owner=viewer.user_id, browser=None)
    return moved, theirs.count()


def _to_be_kept(name: str, query: str, kept: Sequence[SavedSearch]) -> SavedSearch:
    """Return the search with this name and query. Raises Refused, with faults at ``name`` and ``q``."""
    search = SavedSearch(" ".join(name.split()), query.strip())
    name, query, problem = search.name, search.query, search.problem
    # A search of the same name is replaced, so it takes no room.
    others = sum(search_kept.key != search.key for search_kept in kept)
    is_text = name.isprintable() and not UNPRINTABLE.search(name)
    nothing = "Say what to search for: a search that asks for nothing is the list of all cards."
    long = f"A saved search has at most {MAX_QUERY} characters; this one has {len(query):,}."
    full = f"You keep {MAX_SEARCHES} searches already, which is the most. Delete one first."
    # The first fault of each field is reported.
    faults: dict[str, Fault] = {}
    for is_wrong, where, code, message in (
        (not name, "name", "bad_name", "Give the search a name."),
        (not is_text, "name", "bad_name", "Give the search a name of letters."),
        (len(name) > MAX_NAME, "name", "too_long", f"A name has at most {MAX_NAME} letters."),
        (others >= MAX_SEARCHES, "name", "too_many", full),
        (not query, "q", "no_query", nothing),
        (len(query) > MAX_QUERY, "q", "too_long", long),
        (bool(problem), "q", "bad_query", f"The search is not understood: {problem}"),
    ):
        if is_wrong:
            faults.setdefault(where, Fault(code, message, where))
    if faults:
        raise Refused(*faults.values())
    return search


# -- pages ---------------------------------------------------------------------------


@form_page
@private
def saved_searches(request: HttpRequest) -> HttpResponse:
    """The visitor's searches, a form that saves ``q`` under ``name``, and buttons that delete. ``part`` asks
    for this without the page around it.

    POST redirects back here (or to "mine" if sent from there), or answers 400 with the faults.
    """
    viewer, posted = _viewer(request), request.POST
    name, query = posted.get("name", ""), posted.get("q", "")
    if request.method != "POST":
        return _page(request, viewer, "", request.GET.get("q", "")[:MAX_CHARACTERS])
    if "delete" in posted:
        key = posted["delete"].replace("\0", "").casefold()
        OwnSearch.objects.of(viewer).filter(key=key).delete()
        return redirect("mine" if "room" in posted else "saved_searches")
    try:
        search = _to_be_kept(name, query, searches_of(viewer))
    except Refused as refused:
        return _page(request, viewer, name, query, refused.faults)
    owner = owner_of(request)
    fresh = {"name": search.name, "query": search.query, "made": timezone.now()}
    OwnSearch.objects.of(owner).update_or_create(**owned_by(owner), key=search.key, defaults=fresh)
    return redirect("saved_searches")


@private_page
def own_searches(request: HttpRequest) -> JsonResponse:
    """The visitor's own suggestions for a search box, as JSON: ``{"searches": [{"name", "query"}], "cards":
    [{"name", "query", "game"}]}``. The cards are own cards.
    """
    viewer = _viewer(request)
    made = OwnCard.objects.of(viewer).filter(in_set__game__in=tuple(games())).order_by("name", "pk")
    cards = [
        {"name": name, "query": f"!{quoted(name)}", "game": games()[slug].name}
        for name, slug in made.values_list("name", "in_set__game").distinct()[:MAX_OWN_NAMES]
    ]
    named = [{"name": search.name, "query": search.query} for search in searches_of(viewer)]
    return JsonResponse({"searches": named, "cards": cards})


def _page(
    request: HttpRequest, viewer: Viewer, name: str, query: str, faults: tuple[Fault, ...] = ()
) -> HttpResponse:
    """Render the page, or its part, with the form as typed."""
    template = f"cardsdb/lists/saved_searches{'_part' if 'part' in request.GET else ''}.html"
    context = {
        "searches": searches_of(viewer),
        "has_account": bool(viewer.user_id),
        # Before anything is posted, the query itself is proposed as the name.
        "name": name or (query[:MAX_NAME] if request.method == "GET" else ""),
        "text": query,
        "faults": faults,
        "max_name": MAX_NAME,
        "max_query": MAX_QUERY,
        "most": MAX_SEARCHES,
    }
    return render(request, template, context, status=400 if faults else 200)
