"""The pages of a collection: the list of owned cards with numbers to change, the copies of one card by print,
the whole collection as CSV, and the progress towards all cards of a game.

Numbers come in as form fields (``read_changes``): either a whole page at once, without script, or each number
as soon as it is changed (``collection_numbers``). ``holding.py`` stores them.
Templates: ``templates/decks/collection``. Tests: ``tests/decks/collection/test_views.py``, for retired cards
``test_retired_cards.py`` beside it.
"""

from collections.abc import Collection as Bag
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import quote, quote_plus, urlencode

from django.contrib import messages
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from cardsdb.catalogue.current import catalogue, games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit import Game, some, whole_number
from cardsdb.identity.viewer import viewer_of
from cardsdb.models import Card
from cardsdb.search.ask import answer_of
from cardsdb.search.query.filter_form import around_one_more
from cardsdb.search.query.tree import normal, without
from cardsdb.search.results import CardQuery, parse_query, pks_with_retired, results_of
from cardsdb.site.sharing import kept_offline
from cardsdb.site.shortcuts import (
    game_or_404,
    page_or_404,
    private_action,
    private_form,
    private_page,
)
from cardsdb.web.lists.advice import advice_on
from cardsdb.web.lists.columns import Mark
from cardsdb.web.lists.facets import value_shown
from decks.collection.holding import (
    Change,
    change,
    collection_of,
    own_collection,
)
from decks.formats.contract import copies_of
from decks.formats.tables import MAX_COPIES, write_owned
from decks.models import Collection, Owned

PER_PAGE = 48
# Characters of the name of a number's field: game, code, set and number with their separators.
MAX_PLACE = 300
# The highest number that a form may say it saw. The bound only keeps a number within the database's range.
MAX_SEEN = 9_999
# Rows of the database that are held in memory at once.
ROWS_AT_ONCE = 2_000
# Chips in a row of progress; a game has at most a dozen sets or factions.
MAX_CHIPS = 24


@private_form
@kept_offline
def collection_page(request: HttpRequest) -> HttpResponse:
    """The list of the cards that a visitor owns, or with ``?all=1`` of all cards that the query finds, with
    numbers to change.
    """
    faults: list[Fault] = []
    if request.method == "POST":
        try:
            # Read first, because ``own_collection`` creates one, which a refused form must not.
            changes = read_changes(request.POST)
            changed = change(own_collection(request), changes)
            messages.success(request, f"{some(changed, 'number')} changed.")
            # A press of "more" or "fewer" redirects back to its number.
            pressed = (request.POST.get("more") or request.POST.get("less") or "").replace("/", ".")
            back = f"#n-{quote(pressed)}" if pressed else ""
            return redirect(f"{reverse('collection')}?{request.GET.urlencode()}{back}")
        except Refused as error:
            faults = error.faults
    viewer, asked = viewer_of(request), _page_query(request)
    mine = collection_of(viewer)
    found = _all_cards(request, asked) if asked.everything else _own_cards(request, asked, mine)
    counts = _by_print(mine, [card.pk for card in found["cards"]])
    typed = request.POST if faults else {}
    parameters = {
        "game": asked.game.slug if asked.game else "",
        "q": asked.query.text,
        "all": "1" if asked.everything else "",
    }
    context = found | progress_context(asked, mine)
    context |= {
        "mine": mine,
        "rows": [_row(card, counts.get(card.pk, []), typed) for card in found["cards"]],
        "faults": faults,
        "advice": [advice_on(asked.query.text, problem) for problem in asked.query.query.problems],
        "chosen": asked.game,
        "everything": asked.everything,
        "typed": asked.query.text,
        "address": urlencode({name: value for name, value in parameters.items() if value}),
        "most": MAX_COPIES,
    }
    return render(request, "decks/collection/collection.html", context, status=409 if faults else 200)


class PageQuery(NamedTuple):
    """The game and the query of a page of the collection. ``everything``: it looks in all cards, not only
    owned ones.
    """

    game: Game | None
    query: CardQuery
    everything: bool


def _page_query(request: HttpRequest) -> PageQuery:
    """Return what the parameters ``game``, ``q`` and ``all`` of the address ask for."""
    game = games().get(request.GET.get("game", ""))
    query = answer_of(parse_query(request.GET.get("q", ""), game)).results.query
    return PageQuery(game, query, bool(request.GET.get("all")))


def _own_cards(request: HttpRequest, asked: PageQuery, mine: Collection | None) -> dict[str, Any]:
    """One page of the owned cards that the query finds, retired ones included."""
    pks: list[int] = []
    if mine and not asked.query.is_lost:
        owned = Card.objects.filter(pk__in=mine.owned.values("card")).by_name().values_list("pk", flat=True)
        matches = set(pks_with_retired(asked.query.within(asked.game), owned))
        pks = [pk for pk in owned if pk in matches]
    page = page_or_404(request, pks, PER_PAGE)
    cards = Card.objects.in_bulk(page.object_list)
    return {"cards": [cards[pk] for pk in page.object_list], "total": len(pks), "page": page}


def _all_cards(request: HttpRequest, asked: PageQuery) -> dict[str, Any]:
    """One page of all cards that the query finds. As in the card list, the address names the card before or
    after the page.
    """
    query = asked.query.within(asked.game)
    if query.is_lost:
        return {"cards": [], "total": 0}
    results = results_of(query)
    page = results.page(PER_PAGE, request.GET.get("after", ""), request.GET.get("before", ""))
    rows = Card.objects.in_bulk(page.pks)
    cards = [rows[pk] for pk in page.pks if pk in rows]
    previous = cards[0].key if cards and page.before else ""
    following = cards[-1].key if cards and page.after else ""
    return {"cards": cards, "total": results.total, "ends": {"previous": previous, "next": following}}


def _row(card: Card, owned: list[Owned], typed: Mapping[str, Any]) -> dict[str, Any]:
    """A card with its copies: those without a print (``count``), which can be changed here, and those of each
    print.
    """
    game, numbers = games().get(card.game), _counted(card.key, owned)
    return numbers | {
        "card": card,
        "game": game,
        "type": game.type_named(card.type).name if game else card.type,
        "shown": typed.get(f"count:{card.key}", numbers["count"]),
        "prints": [copies for copies in owned if copies.set],
    }


def _counted(key: str, owned: Iterable[Owned]) -> dict[str, Any]:
    """The numbers of a card, by its rows in the collection: ``count`` without a print, ``total`` in all; and
    the names of the number in forms (``place``) and in HTML (``id``). For 1 Kai and 2 more of the print ON::

        {"place": "spycraft/kai", "id": "spycraft.kai", "count": 1, "total": 3}
    """
    counts = {(copies.set, copies.number): copies.count for copies in owned}
    # A copy without a print has neither set nor number.
    names = {"place": key, "id": key.replace("/", ".")}
    return names | {"count": counts.get(("", ""), 0), "total": sum(counts.values())}


def _by_print(mine: Collection | None, pks: list[int]) -> dict[int, list[Owned]]:
    """Primary key of a card -> its rows in the collection, one for each print."""
    by_card: dict[int, list[Owned]] = {}
    for owned in mine.owned.filter(card__in=pks).order_by("set", "number") if mine else ():
        by_card.setdefault(owned.card_id, []).append(owned)
    return by_card


@private_form
def collection_card(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """The copies of one card, one number for each print."""
    game = game_or_404(game_slug)
    card = get_object_or_404(Card.objects.in_game(game_slug).prefetch_related("prints"), code=code)
    faults: list[Fault] = []
    if request.method == "POST":
        try:
            changes = read_changes(request.POST)
            change(own_collection(request), [wanted for wanted in changes if wanted.key == card.key])
            messages.success(request, f"Your copies of {card.name} are noted.")
            return redirect("collection_card", game_slug=card.game, code=card.code)
        except Refused as error:
            faults = error.faults
    stored = _by_print(collection_of(viewer_of(request)), [card.pk]).get(card.pk, [])
    # Print (set, number) -> copies; those without a print have ("", "").
    owned = {(copies.set, copies.number): copies.count for copies in stored}
    printed = ((each.set_code, each.number) for each in card.prints.all())
    rows = []
    # Copies without a print, then those of each print of the card, then of prints that it no longer has.
    for place in dict.fromkeys([("", ""), *printed, *owned]):
        set_code, number = place
        card_set = game.sets_by_code.get(set_code)
        rows.append((set_code, number, card_set.name if card_set else set_code, owned.get(place, 0)))
    context = {"game": game, "card": card, "rows": rows, "faults": faults, "most": MAX_COPIES}
    return render(request, "decks/collection/card.html", context, status=409 if faults else 200)


@private_page
def collection_csv(request: HttpRequest) -> StreamingHttpResponse:
    """The whole collection as a table, which the import page can read."""
    mine = collection_of(viewer_of(request))
    owned = mine.owned.all() if mine else Owned.objects.none()
    rows = owned.order_by("card__game", "card__sort_name", "card__code", "set", "number")
    named = rows.values_list("card__game", "card__code", "card__name", "set", "number", "count")
    table = write_owned(named.iterator(ROWS_AT_ONCE))
    headers = {"Content-Disposition": 'attachment; filename="cutout-collection.csv"'}
    return StreamingHttpResponse(
        (line.encode() for line in table), content_type="text/csv; charset=utf-8", headers=headers
    )


def read_changes(posted: QueryDict, *, pressed: bool = True) -> list[Change]:
    """Read the changed numbers of a form. Numbers that are as they were seen are left out. For example::

        count:spycraft/kai=3 seen:spycraft/kai=2            Change("spycraft/kai", 3, 2)
        count:xfiles/first-aid:TRU:2=1                      Change("xfiles/first-aid", 1, 0, "TRU", "2")
        count:spycraft/kai=2 seen:spycraft/kai=2 more=spycraft/kai      Change("spycraft/kai", 3, 2)

    ``more`` and ``less`` are the buttons beside a number, which change it by one. ``pressed`` is False if a
    script has already counted the press. Raise Refused for a number or a field that is invalid.
    """
    # Place of the number beside the pressed button -> what the press adds.
    steps = {posted.get("more"): 1, posted.get("less"): -1} if pressed else {}
    changes, faults = [], []
    for name, text in posted.items():
        if not name.startswith("count:"):
            continue
        # "xfiles/first-aid:TRU:2" -> key "xfiles/first-aid", set "TRU", number "2".
        place = name.removeprefix("count:")
        key, _, printed = place.partition(":")
        code = key.partition("/")[2]
        set_code, _, number = printed.partition(":")
        # Negative for a text that is no number.
        count, _ = copies_of(text.strip() or "0")
        seen = whole_number(posted.get(f"seen:{place}", "0"), MAX_SEEN)
        if "\x00" in place or len(place) > MAX_PLACE:
            message = "The form names a card that cannot exist. Reload the page."
            faults.append(Fault("unknown_card", message, "card"))
        elif count < 0 or seen is None:
            message = f"{code[:80]}: “{text[:20]}” is not a number of copies. Write 0 to {MAX_COPIES}."
            faults.append(Fault("bad_count", message, place[:120]))
        else:
            if place in steps:
                count = min(max(count + steps[place], 0), MAX_COPIES)
            if count != seen:
                changes.append(Change(key, count, seen, set_code, number))
    if faults:
        raise Refused(*faults)
    return changes


@private_action
def collection_numbers(request: HttpRequest) -> HttpResponse:
    """Store the numbers of a page as they are typed, those that can be stored, and answer with the parts of
    the page that change: the numbers, the totals and the progress.

    ``?game=`` and ``?q=`` are those of the page, for its progress.
    """
    faults: list[Fault] = []
    changes: list[Change] = []
    refused: list[tuple[Change, Fault]] = []
    try:
        changes = read_changes(request.POST, pressed=False)
        if changes:
            change(own_collection(request), changes, refused=refused)
    except Refused as error:
        faults += error.faults
    faults += [fault for _, fault in refused]
    mine = collection_of(viewer_of(request))
    # A fault names its number by the card's key or by the code alone.
    wrong = {fault.where for fault in faults}
    posted = (name.removeprefix("count:") for name in request.POST if name.startswith("count:"))
    # Numbers to draw again: those that were changed, and those that were refused.
    keys = [wanted.key for wanted in changes]
    keys += [key for key in posted if key in wrong or key.partition("/")[2] in wrong]
    context = {"faults": faults, "most": MAX_COPIES, "changed": _numbers(mine, keys, wrong)}
    return render(
        request, "decks/collection/saved.html", context | progress_context(_page_query(request), mine)
    )


def progress_context(asked: PageQuery, mine: Collection | None) -> dict[str, Any]:
    """The context that all pages of the collection share: ``progress``, and ``sums``, (game, copies owned) of
    each game.
    """
    owned = set(mine.owned.order_by().values_list("card", flat=True)) if mine else set[int]()
    sums = dict(mine.owned.order_by().values_list("card__game").annotate(Sum("count")) if mine else ())
    return {
        "progress": _progress(asked, owned),
        "sums": [(game, sums[game.slug]) for game in games().values() if game.slug in sums],
    }


def _numbers(mine: Collection | None, keys: list[str], wrong: set[str]) -> list[dict[str, Any]]:
    """Return the stored numbers of each of these cards (``_counted``), with its ``name``. ``wrong``: the keys
    and codes that faults name. ``again``: the page shows another number, which must be replaced.
    """
    cards = {key: entry for key in keys if (entry := catalogue().by_key.get(key))}
    stored = _by_print(mine, [entry.pk for entry in cards.values()]) if cards else {}
    return [
        _counted(key, stored.get(entry.pk, ()))
        | {"name": entry.card.name, "again": key in wrong or entry.card.code in wrong}
        for key, entry in cards.items()
    ]


class Chip(NamedTuple):
    """One value in a row of progress, with ``owned`` of ``total`` cards. ``href`` shows only cards with this
    value; if it is ``picked``, all cards again.
    """

    shown: str
    owned: int
    total: int
    href: str
    picked: bool
    mark: Mark | None = None


def _progress(asked: PageQuery, owned: Bag[int]) -> list[dict[str, Any]]:
    """Return the rows of chips that show how complete a collection is: one for all games; for the chosen game
    one for its sets and one for each fact that its rows mark, or else one for its types. ``owned``: primary
    keys of the owned cards.
    """
    chosen = asked.game
    # The query parameters that links of chips keep.
    rest = {"all": "1"} if asked.everything else {}
    results = results_of(parse_query(""))
    # Game's slug -> its cards in all, and those owned.
    totals, mine = dict(results.facet("game")), dict(results.restricted_to(owned).facet("game"))
    chips = [
        Chip("All games", sum(mine.values()), sum(totals.values()), f"?{urlencode(rest)}", chosen is None)
    ]
    for slug, game in games().items():
        href = f"?{urlencode({'game': slug, **rest})}"
        chips.append(Chip(game.name, mine.get(slug, 0), totals.get(slug, 0), href, game == chosen))
    rows = [{"title": "Game", "chips": chips}]
    if chosen:
        # Field -> title of its row.
        fields = {"set": "Set"} if len(chosen.sets) > 1 else {}
        marked = [fact.key for fact in chosen.row_facts if fact.place == "mark"]
        fields |= {key: chosen.facts_by_key[key].title for key in marked}
        around = f"?{urlencode({'game': chosen.slug, **rest})}"
        for key, title in (fields or {"type": "Type"}).items():
            if chips := list(_chips(asked.query, chosen, key, owned, around)):
                rows.append({"title": title, "chips": chips})
    return rows


def _chips(query: CardQuery, game: Game, key: str, owned: Bag[int], around: str) -> Iterator[Chip]:
    """Yield a chip for each value of one field, counted among the cards that the rest of the query finds.
    ``owned``: primary keys of the owned cards; ``around``: the address that each link begins with. For the
    field ``set`` of the query ``kai set=on``, the rest is ``kai``::

        value  is picked  the link asks for
        on     yes        kai
        tru    no         kai set=tru
    """
    picked = query.controls.chosen.get(key, {})
    rest = without(query.query, query.controls.parts(key)) if picked else query.query
    results = results_of(query.asking(rest).within(game))
    totals, mine = results.facet(key, MAX_CHIPS), dict(results.restricted_to(owned).facet(key, MAX_CHIPS))
    # The texts around the value's part in a query that asks for the rest and the value.
    before, after = around_one_more(rest)
    for value, total in totals:
        shown, is_picked = value_shown(key, value, game, query.fields), value in picked
        asks = quote_plus(normal(rest)) if is_picked else f"{before}{shown.part}{after}"
        yield Chip(shown.shown, mine.get(value, 0), total, f"{around}&q={asks}", is_picked, shown.mark)
