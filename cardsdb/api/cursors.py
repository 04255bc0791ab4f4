"""Pages of lists that follow one another by place: any depth costs the same, and what is added meanwhile
shifts nothing.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.core.signing import BadSignature, Signer
from django.db.models import Model, Q, QuerySet
from rest_framework.request import Request
from rest_framework.utils.urls import remove_query_param, replace_query_param

from cardsdb.api.framework import Pages
from cardsdb.faults import Fault, Refused
from cardsdb.search.results import END


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
    """Where the page begins ``after`` or ends ``before``. Raises Refused for both."""
    after, before = (request.query_params.get(name, "") for name in ("after", "before"))
    if after and before:
        raise Refused(Fault("two_cursors", "Give after or before, not both.", "before"))
    return after, before


def no_place(where: str) -> Refused:
    """Said of a value that no answer holds as ``after`` or ``before``."""
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


# -- rows of the database -------------------------------------------------------------------


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
