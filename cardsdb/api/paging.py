"""Pages of cards that follow one another by key: any depth costs the same, and a card loaded meanwhile shifts nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rest_framework.request import Request
from rest_framework.utils.urls import remove_query_param, replace_query_param

from cardsdb.api.bounds import Pages
from cardsdb.models import Card
from cardsdb.site.faults import Fault, Refused

if TYPE_CHECKING:
    from cardsdb.search.results import Results, Slice

# What "before" says for the last page, where no card stands after it to be named.
END = "end"
_KEY = re.compile(r"[a-z0-9_-]{1,40}/[a-z0-9_-]{1,120}")


def page_asked(request: Request, results: Results) -> Slice:
    """The page that ``after`` or ``before`` asks for. Raises Refused for what was never handed out as either."""
    asked = request.query_params
    after, before = (_known(asked.get(name, ""), name) for name in ("after", "before"))
    if after and before:
        raise Refused(Fault("two_cursors", "Give after or before, not both.", "before"))
    size = Pages().get_page_size(request)
    found = results.page(size, after=after, before=before)
    # By name a card that has left still has its place. In other orders it has none, and to begin anew
    # would let whoever follows "next" go round for ever.
    if found.lost:
        where = "after" if after else "before"
        raise Refused(Fault("lost_cursor", f"That card is not among the results of this query: start again without {where}.", where))
    return found


def _known(key: str, where: str) -> str:
    """The key, if a card has it."""
    if not key or (key == END and where == "before"):
        return key
    game, _, code = key.partition("/")
    if not _KEY.fullmatch(key) or not Card.objects.in_game(game).filter(code=code).exists():
        raise Refused(Fault("bad_cursor", "This is no place in the list: follow “next” or “previous” as they are.", where))
    return key


def envelope(
    request: Request, total: int, page: Slice, objects: list[dict[str, Any]], keys: list[str], problems: list[dict[str, Any]]
) -> dict[str, Any]:
    """An answer's list with its neighbours. ``keys`` are the keys of the cards on it, in order.

    A page on which no card stands, as after the last one, leads back to the end of the list or to its beginning.
    """
    here = remove_query_param(remove_query_param(request.build_absolute_uri(), "after"), "before")
    following = replace_query_param(here, "after", keys[-1]) if keys and page.after else None
    earlier = replace_query_param(here, "before", keys[0]) if keys and page.before else None
    if not page.pks:
        following, earlier = here if page.after else None, replace_query_param(here, "before", END) if page.before else None
    return {"count": total, "next": following, "previous": earlier, "problems": problems, "results": objects}
