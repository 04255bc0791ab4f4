"""Base views of the API, and what they share: cursor pages, known parameters, and chosen parts of objects.

Subclasses are in ``views.py``, ``decks/api`` and ``printing/web/api.py``; each ``get`` must be decorated with
``operation`` (``serializers.py``), which gives it ``takes``. Lists are paged by cursors, the places of the
first and last row: any depth costs the same, and rows that come or go do not shift pages. Tests:
``tests/cardsdb/api/test_catalogue_view.py``, ``tests/decks/api/test_pages.py`` (pages of rows) and
``tests/cardsdb/api/test_views.py`` (parts).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, NamedTuple

from django.core.signing import BadSignature, Signer
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.utils.decorators import method_decorator
from django.utils.http import http_date
from django.views.decorators.http import condition
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import remove_query_param, replace_query_param
from rest_framework.views import APIView

from cardsdb.api.framework import Pages, PerAddress
from cardsdb.api.serializers import Answer
from cardsdb.catalogue.current import catalogue, game_named, games
from cardsdb.faults import Fault, Refused, unknown_game
from cardsdb.games.kit import Game
from cardsdb.games.kit.model.likeness import alike
from cardsdb.search.query.tree import Problem
from cardsdb.search.results import END
from cardsdb.site.sharing import digest_of, private, public_for_now, release


class Beside(NamedTuple):
    """A page of a list, beside a place. ``first``, ``last``: cursors of its first and last row; ``before``,
    ``after``: True if there are more rows on that side; ``total``: rows of the whole list.
    """

    rows: Sequence[Any]
    first: str
    last: str
    before: bool
    after: bool
    total: int


# A function (condition, order, limit) -> (at most ``limit`` rows that meet the condition, in this order;
# number of all rows, without the condition). Usually made by ``found_in``.
Find = Callable[[Q, Sequence[str], int], tuple[Sequence[Any], int]]


def asked_place(request: Request) -> tuple[str, str]:
    """Return the parameters ``after`` and ``before``, empty if absent. Raises Refused if both are given."""
    after, before = (request.query_params.get(name, "") for name in ("after", "before"))
    if after and before:
        raise Refused(Fault("two_cursors", "Give after or before, not both.", "before"))
    return after, before


def no_place(where: str) -> Refused:
    """Return the refusal of a value of ``after`` or ``before`` that no answer has given out."""
    message = "This is not a place in the list. Follow the addresses in “next” and “previous” unchanged."
    return Refused(Fault("bad_cursor", message, where))


def links_of(request: Request, page: Beside) -> dict[str, Any]:
    """Return ``count``, ``next`` and ``previous`` of an answer with a page. From an empty page, such as the
    one after the last row, they lead to the beginning or the end of the list.
    """
    here = remove_query_param(remove_query_param(request.build_absolute_uri(), "after"), "before")
    following = replace_query_param(here, "after", page.last) if page.rows else here
    previous = replace_query_param(here, "before", page.first if page.rows else END)
    return {
        "count": page.total,
        "next": following if page.after else None,
        "previous": previous if page.before else None,
    }


# -- pages by place: rows of the database ---------------------------------------------------


def found_in(rows: QuerySet[Any]) -> Find:
    """Return a ``Find`` among the rows of a queryset."""
    return lambda where, order, limit: (list(rows.filter(where).order_by(*order)[:limit]), rows.count())


def page_of_rows(request: Request, order: Sequence[str], find: Find) -> Beside:
    """Return the page of rows that a request asks for. ``order``: columns that together are unique, with a
    minus if descending. Rows before a place are read backwards from it: of the rows 1 to 9 in the order
    ``("pk",)`` and in pages of two,

        parameter          read in the order   rows read   page
        (none)             pk                  1 2 3       1 2      there is more after it
        after=<cursor 2>   pk, behind 2        3 4 5       3 4      more after it, and 2 before it
        before=<cursor 6>  -pk, behind 6       5 4 3       4 5      more before it, and 6 after it
        before=end         -pk                 9 8 7       8 9      more before it
    """
    after, before = asked_place(request)
    size = Pages().get_page_size(request)
    reading_order = [_turned(name) for name in order] if before else order
    # The salt keeps a cursor of one order from being used in another; clients may hold cursors made with it.
    signer = Signer(salt=f"a place by {' '.join(order)}")
    where = Q()
    # Every row comes before END, so that needs no condition.
    if (after or before) and before != END:
        try:
            where = _behind(reading_order, signer.unsign_object(after or before))
        except BadSignature:
            raise no_place("after" if after else "before") from None
    # One row more than shown tells if there are more in the direction of reading.
    rows, total = find(where, reading_order, size + 1)
    has_more = len(rows) > size
    shown = list(reversed(rows[:size]) if before else rows[:size])
    first = _cursor(shown[0], order, signer) if shown else ""
    last = _cursor(shown[-1], order, signer) if shown else ""
    if before:
        return Beside(shown, first, last, before=has_more, after=before != END, total=total)
    return Beside(shown, first, last, before=bool(after), after=has_more, total=total)


def _turned(name: str) -> str:
    """Return a column in the other direction: "pk" -> "-pk", "-changed" -> "changed"."""
    return name.removeprefix("-") if name.startswith("-") else f"-{name}"


def _cursor(row: Model, order: Sequence[str], signer: Signer) -> str:
    """Return the place of a row: its values in the columns of the order, so that the place stays valid if the
    row moves or is deleted. They are signed, so that only values from an answer reach the database. For the
    order ``("-changed", "pk")`` that is ``["2026-01-02T10:00:00+00:00", 7]`` with a signature.
    """
    values = [getattr(row, name.removeprefix("-")) for name in order]
    plain = [value.isoformat() if isinstance(value, datetime) else value for value in values]
    return str(signer.sign_object(plain))


def _behind(order: Sequence[str], values: Sequence[Any]) -> Q:
    """Return the condition for the rows behind the place with these values. In the order ``("-changed",
    "pk")``, behind the values D and 7::

        (changed < D  or  changed = D and pk > 7)  and  changed <= D
    """
    behind, same = Q(), dict[str, Any]()
    # They have a later first column, or the same and a later second one, and so on.
    for name, value in zip(order, values, strict=True):
        column = name.removeprefix("-")
        behind |= Q(**same, **{f"{column}__{'lt' if name.startswith('-') else 'gt'}": value})
        same[column] = value
    # This follows from the condition above; it lets the database start in an index.
    first = order[0]
    return behind & Q(
        **{f"{first.removeprefix('-')}__{'lte' if first.startswith('-') else 'gte'}": values[0]}
    )


# -- answers, and their parameters -----------------------------------------------------

METHODS = "GET, HEAD, OPTIONS"
# Headers that a script of another site may send.
SENT = "Accept, If-None-Match, If-Modified-Since"
# Headers that it may read.
READ = "ETag, Last-Modified, Retry-After"

# Characters of an unknown name that a message repeats.
MAX_SHOWN = 60
# Unknown parameters that are reported.
MAX_FAULTS = 10
# Characters of ``fields`` or ``include``.
MAX_TEXT = 1_000
# Names in ``fields`` or ``include``.
MAX_NAMES = 60
# Known names that a message lists.
MAX_LISTED = 60
# Percent that an unknown name must be like a known one to be taken for it.
MIN_LIKENESS = 60
# Name of a parameter in other APIs -> our name of it.
OTHER_NAMES = {
    "limit": "page_size",
    "per_page": "page_size",
    "size": "page_size",
    "cursor": "after",
    "offset": "after",
    "query": "q",
    "search": "q",
    "select": "fields",
}


def told_problems(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    """Return the advice among the problems of a query as JSON. Raises Refused with all the other problems,
    each with its columns.
    """
    advice, faults = list[Fault](), list[Fault]()
    for problem in problems:
        columns = f"columns {problem.start}-{problem.end}"
        fault = Fault(problem.code, problem.message, columns, tuple(problem.suggestions))
        (advice if problem.advice else faults).append(fault)
    if faults:
        raise Refused(*faults)
    return [asdict(fault) for fault in advice]


def only_known(names: Iterable[str], takes: Sequence[str]) -> None:
    """Raise Refused if any of these parameters is not one that the address takes: ignoring it would look as
    if it had worked.
    """
    unknown = [name for name in names if name not in takes]
    if unknown:
        raise Refused(*(_unknown_parameter(name, takes) for name in unknown[:MAX_FAULTS]))


def _unknown_parameter(name: str, takes: Sequence[str]) -> Fault:
    """Return the fault of an unknown parameter, with the known one that is probably meant."""
    shown = name[:MAX_SHOWN]
    if name == "page" and "after" in takes:
        return Fault("no_page_numbers", "This list has no page numbers. Follow the address in “next”.", name)
    known = f"It takes {', '.join(takes)}." if takes else "It takes none."
    near = [OTHER_NAMES[name]] if OTHER_NAMES.get(name) in takes else alike(shown, takes, 1, MIN_LIKENESS)
    guess = f" Did you mean {near[0]}?" if near else ""
    message = f"This address has no parameter “{shown}”.{guess} {known}"
    return Fault("unknown_parameter", message, shown, tuple(near))


def game_parameter(request: Request) -> Game | None:
    """Return the game of ``?game=``; None without the parameter. Raises Refused for an unknown game."""
    slug = request.query_params.get("game", "")
    game = game_named(slug)
    if slug and game is None:
        raise unknown_game(slug, games())
    return game


# -- parts of an object: ?fields=name,facts.craft and ?include=sources ------------------

# Part of an object -> the names that may follow it behind a dot, in the order of the answer.
Shape = Mapping[str, Sequence[str]]
# Chosen part -> the chosen names inside it; None for the whole part.
Parts = Mapping[str, frozenset[str] | None]


def parts_of(whole: Mapping[str, Any], parts: Parts) -> dict[str, Any]:
    """Return the chosen parts of an object, in the object's own order. Of Kai, whose craft is 2, the parts
    ``{"facts": frozenset({"craft"})}`` are ``{"facts": {"craft": 2}}``.
    """
    return {part: _inner(value, parts[part]) for part, value in whole.items() if part in parts}


def _inner(value: Any, names: frozenset[str] | None) -> Any:
    """Return the chosen names of a part, or of each item of a list; all of it without ``names``."""
    if names is None:
        return value
    if isinstance(value, list):
        return [_inner(item, names) for item in value]
    return {name: inner for name, inner in value.items() if name in names}


def chosen_parts(request: Request, shape: Shape, standard: Iterable[str] = ()) -> Parts:
    """Return the parts that a request chooses: those of ``?fields=``, else the ``standard`` ones or all; plus
    those of ``?include=``. Raises Refused for a name that the object does not have.

    ``?fields=name,facts.craft`` gives ``{"name": None, "facts": frozenset({"craft"})}``.
    """
    parts: dict[str, frozenset[str] | None] = {}
    for where, default in (("fields", standard or shape), ("include", ())):
        for name in _names(request.query_params.get(where, ""), where) or default:
            part, dot, inner = name.partition(".")
            if part not in shape:
                meant = [f"{outer}.{name}" for outer, names in shape.items() if name in names]
                raise _unknown_field(name, where, shape, meant)
            if not dot:
                parts[part] = None
            elif inner not in shape[part]:
                raise _unknown_field(name, where, [f"{part}.{known}" for known in shape[part]] or shape)
            else:
                names = parts.get(part, frozenset())
                # None: the whole part is chosen already.
                parts[part] = names if names is None else names | {inner}
    return parts


def _names(text: str, where: str) -> list[str]:
    """Split a list of names between commas. Raises Refused if it is too long."""
    if len(text) > MAX_TEXT:
        raise Refused(Fault("too_long", f"At most {MAX_TEXT} characters are allowed here.", where))
    names = [name.strip() for name in text.split(",") if name.strip()]
    if len(names) > MAX_NAMES:
        raise Refused(Fault("too_many", f"At most {MAX_NAMES} names are allowed here.", where))
    return names


def _unknown_field(name: str, where: str, known: Iterable[str], meant: Sequence[str] = ()) -> Refused:
    """Return the refusal of a name. ``meant``: suggestions, such as "facts.craft" for "craft"."""
    names = list(known)
    more = " and more" if len(names) > MAX_LISTED else ""
    guess = f" Did you mean {' or '.join(meant)}?" if meant else ""
    message = (
        f"There is no field “{name[:MAX_SHOWN]}”.{guess} There are: {', '.join(names[:MAX_LISTED])}{more}."
    )
    return Refused(Fault("unknown_field", message, where, tuple(meant)))


# -- the views ---------------------------------------------------------------------------


@method_decorator(private, name="dispatch")
class PrivateView(APIView):
    """Base of views of what belongs to people. Answers depend on the viewer and are never cached."""

    def followed(
        self,
        request: Request,
        order: Sequence[str],
        find: Find,
        as_json: Callable[[Sequence[Any]], Iterable[dict[str, Any]]],
    ) -> Response:
        """Return a page of database rows in this order (see ``page_of_rows``). ``as_json`` makes the objects
        of the answer from them.
        """
        only_known(request.query_params, self.get.takes)
        page = page_of_rows(request, order, find)
        return Response(links_of(request, page) | {"results": list(as_json(page.rows))})


class CatalogueView(APIView):
    """Base of reads of the catalogue. The viewer is not looked up: answers must depend only on the address
    and the edition, so that the entity tag is computed before any other work and other sites may read them.
    """

    authentication_classes = ()
    throttle_classes = (PerAddress,)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if request.method in ("GET", "HEAD"):
            only_known(request.query_params, getattr(self.get, "takes", ()))

    def state(self) -> tuple[object, datetime | None]:
        """Return (state that the answers depend on besides the address, time of its last change). A falsy
        state means that they may change at any time, so that no entity tag is sent.
        """
        number, made = catalogue().state
        return (f"{number} {made}" if number else 0), made

    @method_decorator(public_for_now)
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Answer a request: 304 without a body if the client has this answer already, else by the view."""
        state, since = self.state()
        # 1. The entity tag of the answer, before it is made (RFC 9110, section 8.8.3).
        tag = f'"{digest_of(state, release(), request.build_absolute_uri())}"' if state else None
        # 2. Only tags count as conditions. Dates do not: two editions may share a second, and another release
        # may answer otherwise for the same edition. Since ``condition`` is given no date of the answer, it
        # ignores If-Modified-Since, but would refuse If-Unmodified-Since. "*" would turn a 404 into a 304.
        request.META.pop("HTTP_IF_UNMODIFIED_SINCE", None)
        if request.headers.get("If-None-Match") == "*":
            del request.META["HTTP_IF_NONE_MATCH"]
        # 3. ``condition`` answers with 304 if If-None-Match has this tag; else it calls the view, and adds
        # the tag to its answer, also to a 404.
        conditional = condition(etag_func=lambda *args, **kwargs: tag)(super().dispatch)
        response: HttpResponse = conditional(request, *args, **kwargs)
        # 4. An answer with a tag may be kept, but is asked for again each time. Others, such as a 404, lose
        # the tag.
        if tag and request.method in ("GET", "HEAD") and response.status_code in (200, 304):
            if since:
                response["Last-Modified"] = http_date(since.timestamp())
            patch_cache_control(response, public=True, max_age=0, must_revalidate=True)
        else:
            del response["ETag"]
        # 5. Scripts of any site may read the answer. No header allows cookies, so none are sent.
        response["Access-Control-Allow-Origin"] = "*"
        response["Access-Control-Expose-Headers"] = READ
        return response

    def options(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        """Answer the preflight request of a browser for a script of another site (CORS)."""
        response = HttpResponse(status=204, headers={"Allow": METHODS})
        if "Access-Control-Request-Method" in request.headers:
            response["Access-Control-Allow-Methods"] = METHODS
            response["Access-Control-Allow-Headers"] = SENT
            # A day, in seconds.
            response["Access-Control-Max-Age"] = "86400"
        return response

    def listed(
        self, request: Request, shown: type[Answer], of: Callable[[Game], Iterable[dict[str, Any]]]
    ) -> Response:
        """Return a numbered page of the objects ``of(game)`` of all games, or of that in ``?game=``, with the
        chosen parts of each. ``shown`` is their shape.
        """
        chosen, game = chosen_parts(request, dict.fromkeys(shown().fields, ())), game_parameter(request)
        rows = [row for each in ([game] if game else games().values()) for row in of(each)]
        pages = Pages()
        page = pages.paginate_queryset(rows, request, view=self)
        return pages.get_paginated_response([parts_of(row, chosen) for row in page or ()])
