"""Searches that a visitor keeps under names: in their account, or without one in the session of their
browser.

What a browser kept before its visitor logged in is shown beside the account's, and taken into the account
when its visitor says so: somebody else may have kept it. Lists are finished pages that everybody is sent, so
that nothing of this stands in them: they lead here, and their scripts ask here when the search box or the
list's "Saved searches" is used.
"""

from collections.abc import Iterable, Sequence
from itertools import chain, count
from typing import NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from cardsdb.catalogue.current import catalogue, games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import UNPRINTABLE, some
from cardsdb.identity.viewer import Viewer, viewer_of
from cardsdb.models import AccountSearch, OwnCard
from cardsdb.models.site import MAX_NAME, MAX_QUERY
from cardsdb.search.query.check import check
from cardsdb.search.query.grammar import MAX_CHARACTERS
from cardsdb.search.query.tree import quoted
from cardsdb.site.sharing import private
from cardsdb.site.shortcuts import private_page

# Under this name a session holds pairs of name and query, the latest first.
IN_SESSION = "searches"
# The most searches that a browser keeps, and that an account does.
MAX_SEARCHES, MAX_OF_ACCOUNT = 20, 100
# Names of one's own cards that a search box gets to offer.
MAX_OWN_NAMES = 1_000


class SavedSearch(NamedTuple):
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
        faults = check(self.query, catalogue().fields()).faults
        return faults[0].message if faults else ""


def of_browser(request: HttpRequest) -> list[SavedSearch]:
    """The searches that this browser keeps, the latest first."""
    return [SavedSearch(name, query) for name, query in request.session.get(IN_SESSION, ())]


def of_account(viewer: Viewer) -> list[SavedSearch]:
    """The searches that the visitor's account keeps, the latest first; none of a guest."""
    rows = AccountSearch.objects.of(viewer).values_list("name", "query")
    return [SavedSearch(name, query) for name, query in rows]


def _to_be_kept(name: str, query: str, kept: Sequence[SavedSearch], most: int) -> SavedSearch:
    """The search that these words make, to stand beside the others. Raises Refused; a fault's place is
    ``name`` or ``q``.
    """
    search = SavedSearch(" ".join(name.split()), query.strip())
    name, query, problem = search.name, search.query, search.problem
    others = sum(one.key != search.key for one in kept)
    is_text = name.isprintable() and not UNPRINTABLE.search(name)
    nothing = "Say what to search for: a search that asks for nothing is the list of all cards."
    long = f"A saved search has at most {MAX_QUERY} characters; this one has {len(query):,}."
    full = f"You keep {most} searches already, which is the most. Delete one first."
    faults: dict[str, Fault] = {}
    for is_wrong, where, code, message in (
        (not name, "name", "bad_name", "Give the search a name."),
        (not is_text, "name", "bad_name", "Give the search a name of letters."),
        (len(name) > MAX_NAME, "name", "too_long", f"A name has at most {MAX_NAME} letters."),
        (others >= most, "name", "too_many", full),
        (not query, "q", "no_query", nothing),
        (len(query) > MAX_QUERY, "q", "too_long", long),
        (bool(problem), "q", "bad_query", f"The search is not understood: {problem}"),
    ):
        if is_wrong:
            faults.setdefault(where, Fault(code, message, where))
    if faults:
        raise Refused(*faults.values())
    return search


# -- changes -------------------------------------------------------------------------


def _keep_in_account(viewer: Viewer, search: SavedSearch) -> None:
    fresh = {"name": search.name, "query": search.query, "made": timezone.now()}
    AccountSearch.objects.of(viewer).update_or_create(owner_id=viewer.user_id, key=search.key, defaults=fresh)


def _keep_in_browser(request: HttpRequest, searches: Iterable[SavedSearch]) -> None:
    request.session[IN_SESSION] = [[search.name, search.query] for search in searches]


def _take_along(request: HttpRequest, viewer: Viewer) -> None:
    """Move the browser's searches into the account. A name that is taken there gets a number; what is too
    many stays.
    """
    kept, left, taken = of_account(viewer), list[SavedSearch](), 0
    with transaction.atomic():
        for search in reversed(of_browser(request)):
            if search in kept:
                continue
            keys = {one.key for one in kept}
            numbered = (f"{search.name[: MAX_NAME - 4]} {number}" for number in count(2))
            name = next(name for name in chain([search.name], numbered) if name.casefold() not in keys)
            try:
                moved = _to_be_kept(name, search.query, kept, MAX_OF_ACCOUNT)
            except Refused as refused:
                said = f"“{search.name}” stays in this browser. {refused.faults[0].message}"
                messages.warning(request, said)
                left.insert(0, search)
                continue
            _keep_in_account(viewer, moved)
            kept, taken = [moved, *kept], taken + 1
    if taken:
        said = f"Your account now has {some(taken, 'search', 'searches')} of this browser."
        messages.success(request, said)
    _keep_in_browser(request, left)


# -- pages ---------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@private
def saved_searches(request: HttpRequest) -> HttpResponse:
    """The searches, a form that saves ``q`` under ``name``, a button that deletes each. ``part`` asks for
    these without the page around.

    POST leads back here, or answers 400 with what is wrong.
    """
    viewer, posted = viewer_of(request), request.POST
    name, query = posted.get("name", ""), posted.get("q", "")
    if request.method != "POST":
        return _page(request, viewer, "", request.GET.get("q", "")[:MAX_CHARACTERS])
    in_browser = of_browser(request)
    if "take" in posted and viewer.user_id:
        _take_along(request, viewer)
    elif "forget" in posted or ("delete" in posted and not viewer.user_id):
        gone = posted.get("forget", posted.get("delete"))
        _keep_in_browser(request, [one for one in in_browser if one.name != gone])
    elif "delete" in posted:
        key = posted["delete"].replace("\0", "").casefold()
        AccountSearch.objects.of(viewer).filter(key=key).delete()
    else:
        kept, most = (of_account(viewer), MAX_OF_ACCOUNT) if viewer.user_id else (in_browser, MAX_SEARCHES)
        try:
            search = _to_be_kept(name, query, kept, most)
        except Refused as refused:
            return _page(request, viewer, name, query, refused.faults)
        if viewer.user_id:
            _keep_in_account(viewer, search)
        else:
            _keep_in_browser(request, [search, *(one for one in kept if one.key != search.key)])
    return redirect("saved_searches")


@private_page
def own_searches(request: HttpRequest) -> JsonResponse:
    """Return what is one's own among the suggestions of a search box: ``{"searches": [{"name", "query"}],
    "cards": [{"name", "query", "game"}]}``.

    The account's searches come first. The cards are those of one's own sets.
    """
    viewer = viewer_of(request)
    searches = dict.fromkeys((*of_account(viewer), *of_browser(request)))
    made = OwnCard.objects.of(viewer).filter(in_set__game__in=tuple(games())).order_by("name", "pk")
    cards = [
        {"name": name, "query": f"!{quoted(name)}", "game": games()[slug].name}
        for name, slug in made.values_list("name", "in_set__game").distinct()[:MAX_OWN_NAMES]
    ]
    named = [{"name": search.name, "query": search.query} for search in searches]
    return JsonResponse({"searches": named, "cards": cards})


def _page(
    request: HttpRequest, viewer: Viewer, name: str, query: str, faults: tuple[Fault, ...] = ()
) -> HttpResponse:
    template = f"cardsdb/lists/saved_searches{'_part' if 'part' in request.GET else ''}.html"
    kept, in_browser = of_account(viewer), of_browser(request)
    context = {
        "searches": kept if viewer.user_id else in_browser,
        "elsewhere": [one for one in in_browser if one not in kept] if viewer.user_id else (),
        "has_account": bool(viewer.user_id),
        "name": name,
        "text": query,
        "faults": faults,
        "max_name": MAX_NAME,
        "max_query": MAX_QUERY,
        "most": MAX_OF_ACCOUNT if viewer.user_id else MAX_SEARCHES,
    }
    return render(request, template, context, status=400 if faults else 200)
