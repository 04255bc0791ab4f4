"""Searches that a visitor keeps under names: one signed cookie, sent to the addresses of this file only.

A cookie with an account, too: a search is no secret and must not cost a row of the database, and what an account would add, that the next
machine knows it, its address does as well. Lists are finished pages that everybody is sent, so that nothing of this stands in them: they
lead here, and their scripts ask here when the search box or the list's "Saved searches" is used.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.core import signing
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from cardsdb.search.card_query import parse_query
from cardsdb.search.query.grammar import MAX_CHARACTERS
from cardsdb.site.faults import Fault, Refused
from cardsdb.site.signed_cookie import SignedCookie

COOKIE = SignedCookie("searches", "saved searches", "/search/saved/")
MAX_SEARCHES, MAX_NAME, MAX_QUERY = 20, 40, 300


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """A query, as it was typed, under the name that its visitor gave it."""

    name: str
    query: str

    @property
    def address(self) -> str:
        """The list of what it finds now."""
        return f"{reverse('card_list')}?{urlencode({'q': self.query})}"

    @property
    def problem(self) -> str:
        """Why it is not understood any more, as a sentence; empty while all of it is."""
        return _problem(self.query)


@dataclass(frozen=True, slots=True)
class SavedSearches:
    """All searches of one browser, the latest first."""

    searches: tuple[SavedSearch, ...] = ()

    def saved(self, name: str, query: str) -> SavedSearches:
        """With this query under this name, in place of any of that name. Raises Refused; a fault's place is ``name`` or ``q``."""
        name, query = " ".join(name.split()), query.strip()
        others = tuple(search for search in self.searches if search.name.casefold() != name.casefold())
        faults = [*_faults_of_name(name), *_faults_of_query(query)]
        if len(others) >= MAX_SEARCHES:
            faults.append(Fault("too_many", f"You keep {MAX_SEARCHES} searches already, which is the most. Delete one first.", "name"))
        if faults:
            raise Refused(*faults)
        searches = SavedSearches((SavedSearch(name, query), *others))
        if not COOKIE.fits(searches.as_json()):
            raise Refused(Fault("too_many", "Your searches no longer fit into this browser's memory. Delete one first.", "name"))
        return searches

    def without(self, name: str) -> SavedSearches:
        """Without the search of this name."""
        return SavedSearches(tuple(search for search in self.searches if search.name != name))

    def as_json(self) -> list[list[str]]:
        """As the cookie holds them."""
        return [[search.name, search.query] for search in self.searches]


def _faults_of_name(name: str) -> list[Fault]:
    if not name or not name.isprintable():
        return [Fault("bad_name", "Give the search a name of letters." if name else "Give the search a name.", "name")]
    return [Fault("too_long", f"A name has at most {MAX_NAME} letters.", "name")] if len(name) > MAX_NAME else []


def _faults_of_query(query: str) -> list[Fault]:
    if not query:
        return [Fault("no_query", "Say what to search for: a search that asks for nothing is the list of all cards.", "q")]
    if len(query) > MAX_QUERY:
        return [Fault("too_long", f"A saved search has at most {MAX_QUERY} characters; this one has {len(query):,}.", "q")]
    problem = _problem(query)
    return [Fault("bad_query", f"The search is not understood: {problem}", "q")] if problem else []


def _problem(query: str) -> str:
    faults = parse_query(query).query.faults
    return faults[0].message if faults else ""


def searches_of(request: HttpRequest) -> SavedSearches:
    """What this browser keeps. A cookie that was tampered with, or is of another version, counts as none."""
    try:
        return SavedSearches(tuple(SavedSearch(str(name), str(query)) for name, query in COOKIE.read(request)))
    except (KeyError, ValueError, TypeError, signing.BadSignature):
        return SavedSearches()


# -- pages ---------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def saved_searches(request: HttpRequest) -> HttpResponse:
    """The searches, a form that saves ``q`` under ``name``, a button that deletes each. ``part`` asks for these without the page around.

    POST leads back here, or answers 400 with what is wrong.
    """
    searches = searches_of(request)
    if request.method != "POST":
        return _page(request, searches, query=request.GET.get("q", "")[:MAX_CHARACTERS])
    if "delete" in request.POST:
        return _kept(searches.without(request.POST["delete"]))
    name, query = request.POST.get("name", ""), request.POST.get("q", "")
    try:
        return _kept(searches.saved(name, query))
    except Refused as refused:
        return _page(request, searches, name, query, refused.faults)


@require_safe
@never_cache
def own_searches(request: HttpRequest) -> JsonResponse:
    """The searches for the suggestions of a search box: ``{"searches": [{"name", "query"}]}``."""
    return JsonResponse({"searches": [{"name": search.name, "query": search.query} for search in searches_of(request).searches]})


def _page(request: HttpRequest, searches: SavedSearches, name: str = "", query: str = "", faults: tuple[Fault, ...] = ()) -> HttpResponse:
    template = "cardsdb/saved_searches_part.html" if "part" in request.GET else "cardsdb/saved_searches.html"
    context = {"searches": searches.searches, "name": name, "text": query, "faults": faults, "here": "cards"}
    limits = {"max_name": MAX_NAME, "max_query": MAX_QUERY, "most": MAX_SEARCHES}
    return render(request, template, context | limits, status=400 if faults else 200)


def _kept(searches: SavedSearches) -> HttpResponse:
    """Back to the page, with what the browser is to keep."""
    response = redirect("saved_searches")
    COOKIE.send(response, searches.as_json())
    return response
