"""The page that sets cards side by side. Its address is all there is to it: ``?card=game/code`` up to four times."""

from __future__ import annotations

import re
from urllib.parse import urlencode

from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from cardsdb.games import games
from cardsdb.games.kit.model.text import fold
from cardsdb.models import Card
from cardsdb.search.query.grammar import parse
from cardsdb.search.query.tree import Exact
from cardsdb.web.pages.compare import MOST, rows_of, without

# More cards of one name than this are not offered one by one.
MOST_OFFERED = 12
MOST_NAME = 200
_KEY = re.compile(r"[a-z0-9_-]{1,40}/[A-Za-z0-9_-]{1,120}")


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    """Facts of the cards named, as a table. ``add``: one more by name or key, which leads to the address with it."""
    asked = list(dict.fromkeys(key.strip() for key in request.GET.getlist("card")[:100] if key.strip()))
    notices: list[str] = []
    known = _cards(key for key in asked[: MOST * 5] if _KEY.fullmatch(key))
    shown = [key for key in asked if key in known]
    for key in asked:
        if key not in known:
            notices.append(f"No card has the key “{key[:80]}”. A key is game and code, as in the card’s address: spycraft/li.")
    if len(shown) > MOST:
        names = ", ".join(known[key].name for key in shown[MOST:])
        notices.append(f"{MOST} cards fit side by side. Left out: {names[:400]}.")
        shown = shown[:MOST]
    added, offered = _added(request.GET.get("add", "").strip(), notices)
    if added and len(shown) < MOST:
        return HttpResponseRedirect(_address([*without(shown, added), added]))
    if added:
        notices.append(f"{MOST} cards are here already: remove one first.")
    compared = [(games()[known[key].game], known[key].as_card()) for key in shown]
    context = {
        "columns": [
            {"game": game, "card": card, "remove": _address(without(shown, key))} for key, (game, card) in zip(shown, compared, strict=True)
        ],
        "rows": rows_of(compared) if compared else [],
        "keys": shown,
        "room": len(shown) < MOST,
        "most": MOST,
        "notices": notices[:8],
        "offered": [{"row": row, "game": games()[row.game], "address": _address([*shown, row.key][:MOST])} for row in offered],
        "games_shown": list({game.slug: game for game, _ in compared}.values()),
        "here": "cards",
    }
    return render(request, "cardsdb/compare.html", context)


def _address(keys: list[str]) -> str:
    return reverse("compare") + (f"?{urlencode([('card', key) for key in keys], safe='/')}" if keys else "")


def _cards(keys: object) -> dict[str, Card]:
    """Key -> card with its prints; retired cards too, as at their own address."""
    wanted = Q()
    for key in keys:  # type: ignore[attr-defined]
        game, _, code = key.partition("/")
        if game in games():
            wanted |= Q(game=game, code=code)
    if not wanted:
        return {}
    return {card.key: card for card in Card.objects.filter(wanted).prefetch_related("prints")}


def _as_typed(text: str) -> str:
    """The name alone where it stands as a search asks for it: ``!"Kai"``."""
    tree = parse(text).tree if text.startswith("!") else None
    return tree.value if isinstance(tree, Exact) else text


def _added(text: str, notices: list[str]) -> tuple[str, list[Card]]:
    """The key of the card meant, or the cards among which to choose."""
    if not text:
        return "", []
    if "/" in text and _KEY.fullmatch(text) and _cards([text]):
        return text, []
    name = fold(_as_typed(text[:MOST_NAME]))
    found = list(Card.objects.current().filter(name_folded=name).by_name()[: MOST_OFFERED + 1]) if name and "\0" not in name else []
    if len(found) == 1:
        return found[0].key, []
    if not found and name and "\0" not in name:
        found = list(Card.objects.current().filter(name_folded__startswith=name).by_name()[: MOST_OFFERED + 1])
        if len(found) == 1:
            return found[0].key, []
        notices.append(
            f"No card is called “{text[:80]}”." + (" These begin so:" if found else " Type its whole name or its key, as in spycraft/li.")
        )
    elif found:
        notices.append(f"{len(found) if len(found) <= MOST_OFFERED else 'Many'} cards are called “{text[:80]}”. Which one?")
    else:
        notices.append("That is no name of a card. Type its name or its key, as in spycraft/li.")
    return "", found[:MOST_OFFERED]
