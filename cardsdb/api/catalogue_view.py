"""The shared part of all reads of the catalogue over HTTP: open to all sites, answered once per edition,
counted; and pages that follow one another by place: any depth costs the same, and what is added
meanwhile shifts nothing.

An answer follows from the address and the edition of the catalogue alone, so its entity tag can be
computed before any of the work is done. A parameter that the address does not take is refused by name: an
ignored one would look as if it had worked.
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
from cardsdb.games.kit.model.names import alike
from cardsdb.search.query.tree import Problem
from cardsdb.search.results import END
from cardsdb.site.sharing import digest_of, private, public_for_now, release


class Beside(NamedTuple):
    """A page: what stands on it, the places of the first and the last of it, whether there is more on either
    side, and how many there are in all.
    """

    rows: Sequence[Any]
    first: str
    last: str
    before: bool
    after: bool
    total: int


# At most so many rows that meet a condition, in this order; and how many there are without it.
Find = Callable[[Q, Sequence[str], int], tuple[Sequence[Any], int]]


def asked_place(request: Request) -> tuple[str, str]:
    """The places where the page begins, ``after``, or ends, ``before``. Raises Refused for both."""
    after, before = (request.query_params.get(name, "") for name in ("after", "before"))
    if after and before:
        raise Refused(Fault("two_cursors", "Give after or before, not both.", "before"))
    return after, before


def no_place(where: str) -> Refused:
    """The refusal of a value that no answer holds as ``after`` or ``before``."""
    message = "This is no place in the list: follow “next” or “previous” as they are."
    return Refused(Fault("bad_cursor", message, where))


def followed(request: Request, page: Beside) -> dict[str, Any]:
    """The head of an answer with a page: how many there are, and the addresses of the pages beside it.

    A page on which nothing stands, as after the last one, leads back to the end of the list or to its
    beginning.
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
    """The search among these rows, whose own order does not count."""
    return lambda there, order, most: (list(rows.filter(there).order_by(*order)[:most]), rows.count())


def page_of_rows(request: Request, order: Sequence[str], find: Find) -> Beside:
    """The page of rows that a request asks for. ``order``: columns, of which all together are of one row
    alone; those with a minus fall.

    A place is the row's values in these columns, so that a row that has moved or left meanwhile changes
    nothing; it is signed, so that only values that an answer held are looked for.
    """
    (after, before), size = asked_place(request), Pages().get_page_size(request)
    columns = [(name.removeprefix("-"), name.startswith("-") != bool(before)) for name in order]
    signer, there = Signer(salt=f"a place by {' '.join(order)}"), Q()
    if (place := after or before) and before != END:
        try:
            values = signer.unsign_object(place)
        except BadSignature:
            raise no_place("after" if after else "before") from None
        # Rows behind the place: a later first column, or the same and a later second one, and so on.
        same = dict[str, Any]()
        for (column, falls), value in zip(columns, values, strict=True):
            there |= Q(**same, **{f"{column}__{'lt' if falls else 'gt'}": value})
            same[column] = value
        # What all of these have in common, so that an index can begin there.
        (column, falls), value = columns[0], values[0]
        there &= Q(**{f"{column}__{'lte' if falls else 'gte'}": value})
    rows, total = find(there, [f"{'-' if falls else ''}{column}" for column, falls in columns], size + 1)
    is_more, shown = len(rows) > size, list(rows[:size])
    if before:
        shown.reverse()

    def place_of(row: Model) -> str:
        values = [getattr(row, column) for column, _ in columns]
        told = [value.isoformat() if isinstance(value, datetime) else value for value in values]
        return str(signer.sign_object(told))

    first, last = (place_of(shown[at]) if shown else "" for at in (0, -1))
    if before:
        return Beside(shown, first, last, is_more, before != END, total)
    return Beside(shown, first, last, bool(after), is_more, total)


# -- answers, and their parameters -----------------------------------------------------

METHODS = "GET, HEAD, OPTIONS"
# Headers that a script of another site may send and read.
SENT, READ = "Accept, If-None-Match, If-Modified-Since", "ETag, Last-Modified, Retry-After"


MAX_SHOWN = 60
MAX_FAULTS = 10
MAX_TEXT = 1_000
MAX_NAMES = 60
# Names that a message lists.
MAX_LISTED = 60
# Names of the same parameters in other APIs.
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
    """The problems of a query as answers tell of what is probably not meant. Raises Refused with every fault
    among them and its columns.
    """
    advice, faults = list[Fault](), list[Fault]()
    for one in problems:
        told = Fault(one.code, one.message, f"columns {one.start}-{one.end}", tuple(one.suggestions))
        (advice if one.advice else faults).append(told)
    if faults:
        raise Refused(*faults)
    return [asdict(one) for one in advice]


def only_known(names: Iterable[str], takes: Sequence[str]) -> None:
    """Raise Refused if a parameter is none of those that the address takes."""
    unknown = [name for name in names if name not in takes]
    if unknown:
        raise Refused(*(_unknown_parameter(name, takes) for name in unknown[:MAX_FAULTS]))


def _unknown_parameter(name: str, takes: Sequence[str]) -> Fault:
    shown = name[:MAX_SHOWN]
    if name == "page" and "after" in takes:
        return Fault("no_page_numbers", "This list has no page numbers: follow the address in “next”.", name)
    known = f"It takes {', '.join(takes)}." if takes else "It takes none."
    near = [OTHER_NAMES[name]] if OTHER_NAMES.get(name) in takes else alike(shown, takes, 1, 60)
    meant = f" Is {near[0]} meant?" if near else ""
    message = f"This address has no parameter “{shown}”.{meant} {known}"
    return Fault("unknown_parameter", message, shown, tuple(near))


def game_parameter(request: Request) -> Game | None:
    """The game of ``?game=``, None without it. Raises Refused for one that does not exist."""
    slug = request.query_params.get("game", "")
    game = game_named(slug)
    if slug and game is None:
        raise unknown_game(slug, games())
    return game


# -- parts of an object: ?fields=name,facts.craft and ?include=sources ------------------

# The parts that an object may have, in the order in which it gives them, each with the names that may stand
# behind a point; and those that were chosen, each with such names or None for the whole of it.
Shape = Mapping[str, Sequence[str]]
Parts = Mapping[str, frozenset[str] | None]


def parts_of(whole: Mapping[str, Any], parts: Parts) -> dict[str, Any]:
    """The chosen parts of an object, in the object's own order."""
    return {part: _inner(value, parts[part]) for part, value in whole.items() if part in parts}


def _inner(value: Any, names: frozenset[str] | None) -> Any:
    if names is None:
        return value
    if isinstance(value, list):
        return [_inner(one, names) for one in value]
    return {name: inner for name, inner in value.items() if name in names}


def chosen_parts(request: Request, shape: Shape, standard: Iterable[str] = ()) -> Parts:
    """The parts that two parameters name: ``fields`` instead of the standard parts, or all, ``include``
    besides either. Raises Refused for a name that the object does not have, with the names that it has.
    """
    parts: dict[str, frozenset[str] | None] = {}
    for where, otherwise in (("fields", standard or shape), ("include", ())):
        for name in _names(request.query_params.get(where, ""), where) or otherwise:
            part, point, inner = name.partition(".")
            if part not in shape:
                meant = [f"{outer}.{name}" for outer, names in shape.items() if name in names]
                raise _unknown_field(name, where, shape, meant)
            if not point:
                parts[part] = None
            elif inner not in shape[part]:
                raise _unknown_field(name, where, [f"{part}.{one}" for one in shape[part]] or shape)
            elif (chosen := parts.get(part, frozenset())) is not None:
                parts[part] = chosen | {inner}
    return parts


def _names(text: str, where: str) -> list[str]:
    if len(text) > MAX_TEXT:
        raise Refused(Fault("too_long", f"This is longer than {MAX_TEXT} characters.", where))
    names = [name.strip() for name in text.split(",") if name.strip()]
    if len(names) > MAX_NAMES:
        raise Refused(Fault("too_many", f"These are more than {MAX_NAMES} names.", where))
    return names


def _unknown_field(name: str, where: str, known: Iterable[str], meant: Sequence[str] = ()) -> Refused:
    """``meant``: the parts that have such a name behind a point."""
    names = list(known)
    more = " and more" if len(names) > MAX_LISTED else ""
    perhaps = f" Is {' or '.join(meant)} meant?" if meant else ""
    message = f"There is no field “{name[:60]}”.{perhaps} There are: {', '.join(names[:MAX_LISTED])}{more}."
    return Refused(Fault("unknown_field", message, where, tuple(meant)))


# -- the views ---------------------------------------------------------------------------


@method_decorator(private, name="dispatch")
class PrivateView(APIView):
    """A view of what belongs to people: it answers each by who they are."""

    def followed(
        self,
        request: Request,
        order: Sequence[str],
        find: Find,
        as_json: Callable[[Sequence[Any]], Iterable[dict[str, Any]]],
    ) -> Response:
        """A page of rows in this order, which may come and go meanwhile."""
        only_known(request.query_params, self.get.takes)
        page = page_of_rows(request, order, find)
        return Response(followed(request, page) | {"results": list(as_json(page.rows))})


class CatalogueView(APIView):
    """A read of the catalogue. It does not ask who reads, so that its answers are the same for all."""

    authentication_classes = ()
    throttle_classes = (PerAddress,)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if request.method in ("GET", "HEAD"):
            only_known(request.query_params, getattr(self.get, "takes", ()))

    def state(self) -> tuple[object, datetime | None]:
        """The state that the answers depend on besides the address, and since when; 0 if they may change at
        any time.
        """
        number, made = catalogue().state
        return (f"{number} {made}" if number else 0), made

    @method_decorator(public_for_now)
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        state, since = self.state()
        tag = f'"{digest_of(state, release(), request.build_absolute_uri())}"' if state else None
        # A date is no condition here: two editions may share a second, and the next release may answer
        # otherwise. Nor is "*", which would hide that there is nothing.
        request.META.pop("HTTP_IF_UNMODIFIED_SINCE", None)
        if request.headers.get("If-None-Match") == "*":
            del request.META["HTTP_IF_NONE_MATCH"]
        answered = condition(etag_func=lambda *asked, **named: tag)(super().dispatch)
        response: HttpResponse = answered(request, *args, **kwargs)
        if tag and request.method in ("GET", "HEAD") and response.status_code in (200, 304):
            if since:
                response["Last-Modified"] = http_date(since.timestamp())
            patch_cache_control(response, public=True, max_age=0, must_revalidate=True)
        else:
            del response["ETag"]
        # Any site may read the answer. A browser sends no cookies along, because no header allows it.
        response["Access-Control-Allow-Origin"] = "*"
        response["Access-Control-Expose-Headers"] = READ
        return response

    def options(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        """Answer what a browser asks before it lets a script of another site read here."""
        response = HttpResponse(status=204, headers={"Allow": METHODS})
        if "Access-Control-Request-Method" in request.headers:
            response["Access-Control-Allow-Methods"] = METHODS
            response["Access-Control-Allow-Headers"] = SENT
            response["Access-Control-Max-Age"] = "86400"
        return response

    def listed(
        self, request: Request, shown: type[Answer], of: Callable[[Game], Iterable[dict[str, Any]]]
    ) -> Response:
        """A page of what all games have, or the one of ``?game=``; of each the chosen parts."""
        chosen, game = chosen_parts(request, dict.fromkeys(shown().fields, ())), game_parameter(request)
        rows = [row for one in ([game] if game else games().values()) for row in of(one)]
        pages = Pages()
        page = pages.paginate_queryset(rows, request, view=self)
        return pages.get_paginated_response([parts_of(row, chosen) for row in page or ()])
