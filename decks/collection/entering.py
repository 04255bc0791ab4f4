"""Numbers of copies as they are entered: typed, or one more and one fewer at a press; a page at a time or
each as it is changed.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_POST

from cardsdb.catalogue.current import catalogue, games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit.model.text import whole_number
from cardsdb.identity.viewer import viewer_of
from cardsdb.search.card_query import parse_query
from cardsdb.site.sharing import private
from decks.collection.holding import Change, change, collection_of, copies, own_collection, owned_sums
from decks.collection.progress import chips_of, game_chips
from decks.formats.collection_csv import MAX_COPIES
from decks.models import Collection

# Characters of a game, a code, a set and a number, with what separates them.
MAX_PLACE = 300


def read_changes(posted: QueryDict, *, pressed: bool = True) -> list[Change]:
    """``count:spycraft/kai`` = 3 beside ``seen:spycraft/kai`` = 2; ``count:spycraft/kai:ON:12`` of one print.
    Only what differs.

    ``more`` or ``less`` = ``spycraft/kai``, the buttons beside a number, change it by one, where they are
    ``pressed`` and no script has counted already.
    """
    steps = {posted[button]: by for button, by in (("more", 1), ("less", -1)) if pressed and button in posted}
    changes, faults = [], []
    for name, text in posted.items():
        place = name.removeprefix("count:")
        if place == name:
            continue
        game, _, rest = place.partition("/")
        code, _, printed = rest.partition(":")
        set_code, _, number = printed.partition(":")
        count, seen = (
            whole_number(value, 9_999) for value in (text or "0", posted.get(f"seen:{place}", "0"))
        )
        if "\x00" in place or len(place) > MAX_PLACE:
            faults.append(
                Fault("unknown_card", "The form names a card that cannot be one; reload the page.", "card")
            )
        elif count is None or seen is None:
            faults.append(
                Fault(
                    "bad_count",
                    f"{code[:80]}: “{text[:20]}” is no number of copies; it is 0 to {MAX_COPIES}.",
                    place[:120],
                )
            )
        else:
            count = min(max(count + steps[place], 0), MAX_COPIES) if place in steps else count
            if count != seen:
                changes.append(Change(game, code, count, seen, set_code, number))
    if faults:
        raise Refused(*faults)
    return changes


@require_POST
@private
def collection_numbers(request: HttpRequest) -> HttpResponse:
    """Store the numbers that differ, those that can be, and answer with what a page that goes on being typed
    in shows of it.

    ``?game=`` and ``?q=`` are of that page: its progress is counted by them.
    """
    faults: list[Fault] = []
    changes: list[Change] = []
    try:
        changes = read_changes(request.POST, pressed=False)
        if changes:
            change(own_collection(request), changes)
    except Refused as error:
        faults = error.faults
        changes = _without_faults(request, changes, faults)
    mine = collection_of(viewer_of(request))
    cards = [(one.game, one.code) for one in changes] + [_place(fault, request.POST) for fault in faults]
    context = {
        "faults": faults,
        "most": MAX_COPIES,
        "changed": _numbers(mine, cards, {fault.where for fault in faults}),
    }
    return render(request, "decks/collection_saved.html", context | progress_context(request, mine))


def progress_context(request: HttpRequest, mine: Collection | None) -> dict[str, Any]:
    """What a page of the collection says of how far it has come."""
    game, everything = games().get(request.GET.get("game", "")), bool(request.GET.get("all"))
    query = parse_query(request.GET.get("q", ""), game)
    owned = set(mine.owned.order_by().values_list("card", flat=True)) if mine else set[int]()
    rows = [game_chips(game, owned, everything)]
    if game:
        rows += chips_of(query, game, owned, everything)
    return {"progress": rows, "sums": owned_sums(mine)}


def _without_faults(request: HttpRequest, changes: list[Change], faults: list[Fault]) -> list[Change]:
    """The changes that can be made without those at fault, made."""
    sound = [one for one in changes if one.code not in {fault.where for fault in faults}]
    try:
        if sound:
            change(own_collection(request), sound)
    except Refused as error:
        faults += error.faults
        return []
    return sound


def _place(fault: Fault, posted: QueryDict) -> tuple[str, str]:
    """(game, code) of the number that a fault is about, empty if the form has none."""
    for name in posted:
        game, _, code = name.removeprefix("count:").partition("/")
        if name.startswith("count:") and fault.where in (code, f"{game}/{code}"):
            return game, code
    return "", ""


def _numbers(mine: Collection | None, cards: list[tuple[str, str]], wrong: set[str]) -> list[dict[str, Any]]:
    """What is stored of these cards: without a print and in all; ``again`` where the page shows another
    number.
    """
    if not cards:
        return []
    known = catalogue()
    names = {(game, code): one.card.name for game, code in cards if (one := known.at(game, code))}
    plain, totals = {}, copies(mine, cards)
    if mine:
        named = {"card__game__in": {game for game, _ in cards}, "card__code__in": {code for _, code in cards}}
        rows = mine.owned.filter(set="", **named)
        plain = {
            (game, code): count for game, code, count in rows.values_list("card__game", "card__code", "count")
        }
    return [
        {
            "place": f"{game}/{code}",
            "id": f"{game}.{code}",
            "name": names[game, code],
            "count": plain.get((game, code), 0),
            "total": totals.get(f"{game}/{code}", 0),
            "again": code in wrong or f"{game}/{code}" in wrong,
        }
        for game, code in dict.fromkeys(cards)
        if (game, code) in names
    ]
