"""Searches that a visitor keeps under names: in their account, or without one in a signed cookie that only
these addresses are sent.

What a browser kept before its visitor logged in is shown beside the account's, and taken into the account
when its visitor says so: somebody else may have kept it. Lists are finished pages that everybody is sent, so
that nothing of this stands in them: they lead here, and their scripts ask here when the search box or the
list's "Saved searches" is used.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count
from urllib.parse import urlencode

from django.contrib import messages
from django.core import signing
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from cardsdb.catalogue.current import games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit.model.text import UNPRINTABLE, some
from cardsdb.identity.viewer import Viewer, viewer_of
from cardsdb.models import AccountSearch, OwnCard
from cardsdb.models.searches import MAX_NAME, MAX_QUERY
from cardsdb.search.query.check import check
from cardsdb.search.query.fields import fields_of
from cardsdb.search.query.grammar import MAX_CHARACTERS, parse
from cardsdb.search.query.normal_form import quoted
from cardsdb.site.cookies import SignedCookie
from cardsdb.site.sharing import private

COOKIE = SignedCookie("searches", "saved searches", "/search/saved/")
# The most searches that a browser keeps, and that an account does.
MAX_SEARCHES, MAX_OF_ACCOUNT = 20, 100
# Names of one's own cards that a search box gets to offer.
MAX_OWN_NAMES = 1_000


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """A query, as it was typed, under the name that its visitor gave it."""

    name: str
    query: str

    @property
    def key(self) -> str:
        """The name as names are compared."""
        return self.name.casefold()

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
    """All searches of one account or browser, the latest first."""

    searches: tuple[SavedSearch, ...] = ()
    most: int = MAX_SEARCHES

    def saved(self, name: str, query: str) -> SavedSearches:
        """With this query under this name, in place of any of that name. Raises Refused; a fault's place is
        ``name`` or ``q``.
        """
        name, query = " ".join(name.split()), query.strip()
        others = tuple(search for search in self.searches if search.key != name.casefold())
        faults = [*_faults_of_name(name), *_faults_of_query(query)]
        if len(others) >= self.most:
            faults.append(
                Fault(
                    "too_many",
                    f"You keep {self.most} searches already, which is the most. Delete one first.",
                    "name",
                )
            )
        if faults:
            raise Refused(*faults)
        return replace(self, searches=(SavedSearch(name, query), *others))

    def without(self, name: str) -> SavedSearches:
        """Without the search of this name."""
        return replace(self, searches=tuple(search for search in self.searches if search.name != name))

    def lacking(self, others: SavedSearches) -> tuple[SavedSearch, ...]:
        """Those of the others that are not among these, name and query."""
        return tuple(search for search in others.searches if search not in self.searches)

    def as_json(self) -> list[list[str]]:
        """As the cookie holds them."""
        return [[search.name, search.query] for search in self.searches]


def _faults_of_name(name: str) -> list[Fault]:
    if not name or not name.isprintable() or UNPRINTABLE.search(name):
        return [
            Fault(
                "bad_name",
                "Give the search a name of letters." if name else "Give the search a name.",
                "name",
            )
        ]
    return (
        [Fault("too_long", f"A name has at most {MAX_NAME} letters.", "name")] if len(name) > MAX_NAME else []
    )


def _faults_of_query(query: str) -> list[Fault]:
    if not query:
        return [
            Fault(
                "no_query",
                "Say what to search for: a search that asks for nothing is the list of all cards.",
                "q",
            )
        ]
    if len(query) > MAX_QUERY:
        return [
            Fault(
                "too_long",
                f"A saved search has at most {MAX_QUERY} characters; this one has {len(query):,}.",
                "q",
            )
        ]
    problem = _problem(query)
    return [Fault("bad_query", f"The search is not understood: {problem}", "q")] if problem else []


def _problem(query: str) -> str:
    # By the folders' cards: a page of a hundred searches asks the database for none of them.
    faults = check(parse(query), fields_of(tuple(games().values()))).faults
    return faults[0].message if faults else ""


def searches_of_browser(request: HttpRequest) -> SavedSearches:
    """What this browser keeps. A cookie that was tampered with, or is of another version, counts as none."""
    try:
        return SavedSearches(
            tuple(SavedSearch(str(name), str(query)) for name, query in COOKIE.read(request))
        )
    except (KeyError, ValueError, TypeError, signing.BadSignature):
        return SavedSearches()


def searches_of_account(viewer: Viewer) -> SavedSearches:
    """What the visitor's account keeps."""
    rows = AccountSearch.objects.of(viewer).values_list("name", "query")
    return SavedSearches(tuple(SavedSearch(name, query) for name, query in rows), MAX_OF_ACCOUNT)


# -- changes -------------------------------------------------------------------------


def _save(request: HttpRequest, viewer: Viewer, name: str, query: str) -> HttpResponse:
    """Save into the account, else into the browser. Raises Refused."""
    if viewer.user_id:
        search = searches_of_account(viewer).saved(name, query).searches[0]
        _store(viewer.user_id, search)
        return redirect("saved_searches")
    searches = searches_of_browser(request).saved(name, query)
    if not COOKIE.fits(searches.as_json()):
        raise Refused(
            Fault(
                "too_many",
                "Your searches no longer fit into this browser's memory. Delete one first.",
                "name",
            )
        )
    return _kept(searches)


def _store(user_id: int, search: SavedSearch) -> None:
    fresh = {"name": search.name, "query": search.query, "made": timezone.now()}
    AccountSearch.objects.of(Viewer(user_id)).update_or_create(
        owner_id=user_id, key=search.key, defaults=fresh
    )


def _take_along(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Move the browser's searches into the account. A name that is taken there gets a number; what is too
    many stays.
    """
    of_account, of_browser = searches_of_account(viewer), searches_of_browser(request)
    left: list[SavedSearch] = []
    taken = 0
    with transaction.atomic():
        for search in reversed(of_account.lacking(of_browser)):
            try:
                of_account = of_account.saved(_free_name(search.name, of_account), search.query)
            except Refused as refused:
                messages.warning(
                    request, f"“{search.name}” stays in this browser. {refused.faults[0].message}"
                )
                left.insert(0, search)
                continue
            _store(viewer.user_id or 0, of_account.searches[0])
            taken += 1
    if taken:
        messages.success(
            request, f"Your account now has {some(taken, 'search', 'searches')} of this browser."
        )
    return _kept(SavedSearches(tuple(left)))


def _free_name(name: str, searches: SavedSearches) -> str:
    """The name, with a number behind it where it is taken."""
    keys = {search.key for search in searches.searches}
    named = (name if number == 1 else f"{name[: MAX_NAME - 4]} {number}" for number in count(1))
    return next(one for one in named if one.casefold() not in keys)


# -- pages ---------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@private
def saved_searches(request: HttpRequest) -> HttpResponse:
    """The searches, a form that saves ``q`` under ``name``, a button that deletes each. ``part`` asks for
    these without the page around.

    POST leads back here, or answers 400 with what is wrong.
    """
    viewer = viewer_of(request)
    if request.method != "POST":
        return _page(request, viewer, query=request.GET.get("q", "")[:MAX_CHARACTERS])
    if "take" in request.POST and viewer.user_id:
        return _take_along(request, viewer)
    if "forget" in request.POST or ("delete" in request.POST and not viewer.user_id):
        name = request.POST.get("forget", request.POST.get("delete", ""))
        return _kept(searches_of_browser(request).without(name))
    if "delete" in request.POST:
        AccountSearch.objects.of(viewer).filter(
            key=request.POST["delete"].replace("\0", "").casefold()
        ).delete()
        return redirect("saved_searches")
    name, query = request.POST.get("name", ""), request.POST.get("q", "")
    try:
        return _save(request, viewer, name, query)
    except Refused as refused:
        return _page(request, viewer, name, query, refused.faults)


@require_safe
@private
def own_searches(request: HttpRequest) -> JsonResponse:
    """What is one's own among the suggestions of a search box: ``{"searches": [{"name", "query"}], "cards":
    [{"name", "query", "game"}]}``.

    The account's searches come first. The cards are those of one's own sets.
    """
    of_account, of_browser = searches_of_account(viewer_of(request)), searches_of_browser(request)
    searches = (*of_account.searches, *of_account.lacking(of_browser))
    made = (
        OwnCard.objects.of(viewer_of(request)).filter(in_set__game__in=tuple(games())).order_by("name", "pk")
    )
    named = made.values_list("name", "in_set__game").distinct()[:MAX_OWN_NAMES]
    return JsonResponse(
        {
            "searches": [{"name": search.name, "query": search.query} for search in searches],
            "cards": [
                {"name": name, "query": f"!{quoted(name)}", "game": games()[slug].name}
                for name, slug in named
            ],
        }
    )


def _page(
    request: HttpRequest, viewer: Viewer, name: str = "", query: str = "", faults: tuple[Fault, ...] = ()
) -> HttpResponse:
    template = "cardsdb/saved_searches_part.html" if "part" in request.GET else "cardsdb/saved_searches.html"
    of_account, of_browser = searches_of_account(viewer), searches_of_browser(request)
    mine = of_account if viewer.user_id else of_browser
    context = {
        "searches": mine.searches,
        "elsewhere": of_account.lacking(of_browser) if viewer.user_id else (),
        "has_account": bool(viewer.user_id),
        "name": name,
        "text": query,
        "faults": faults,
        "here": "cards",
        "max_name": MAX_NAME,
        "max_query": MAX_QUERY,
        "most": mine.most,
    }
    return render(request, template, context, status=400 if faults else 200)


def _kept(searches: SavedSearches) -> HttpResponse:
    """Back to the page, with what the browser is to keep."""
    response = redirect("saved_searches")
    COOKIE.send(response, searches.as_json())
    return response
