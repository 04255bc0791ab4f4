"""The pages that compare a collection with decks: what a deck or a starter still lacks (``deck_missing``,
``starter_missing``), and which decks can be built at the same time (``buildable``, which counts with
``scarce`` and ``most_together``). A card is named by its key, ``spycraft/kai``; written-in cards never count,
because no collection holds them. Tests: ``tests/decks/collection/test_deck_views.py``.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

from django.contrib import messages
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from cardsdb.catalogue.current import catalogue, game_named, games
from cardsdb.games.kit import Decklist, Entry, Game
from cardsdb.games.kit.listtext.line import MAX_COUNT, line_for
from cardsdb.identity.viewer import viewer_of
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.shortcuts import game_or_404, or_404, private_form, private_page
from cardsdb.site.templates import date
from decks.collection.holding import Change, Copies, change, collection_of, copies, own_collection
from decks.core.pasted_text import read_text
from decks.models import Deck, DeckLine
from decks.public.listing import IN_LISTS
from decks.web.deck_context import deck_page, open_deck

# The visitor's newest decks that are offered.
MAX_OFFERED = 60
# Scarce cards that are listed.
MAX_SCARCE = 200
# Every selection of up to so many decks is tried (2 to the power of 12); more decks have too many.
MAX_TRIED = 12
MISSING = "decks/collection/missing.html"


class Scarce(NamedTuple):
    """A card that some decks together need more often than it is owned. ``wants``: (deck, copies that it
    needs).
    """

    key: str
    owned: int
    wants: tuple[tuple[str, int], ...]

    @property
    def missing(self) -> int:
        return sum(count for _, count in self.wants) - self.owned


def scarce(decks: Mapping[str, Copies], owned: Copies) -> list[Scarce]:
    """The cards that keep these decks from being built all at once, those that lack most copies first.
    ``decks``: deck -> the copies that it needs. With 3 Kai owned, of the decks a (2 Kai) and b (2 Kai)::

        [Scarce(key="spycraft/kai", owned=3, wants=(("a", 2), ("b", 2)))]
    """
    claims: dict[str, list[tuple[str, int]]] = {}
    for deck, wants in decks.items():
        for key, count in wants.items():
            claims.setdefault(key, []).append((deck, count))
    cards = (Scarce(key, owned.get(key, 0), tuple(wants)) for key, wants in claims.items())
    return sorted((card for card in cards if card.missing > 0), key=lambda card: (-card.missing, card.key))


def most_together(decks: Mapping[str, Copies], owned: Copies) -> tuple[str, ...] | None:
    """The largest selection of these decks that can be built at once; of equally large ones, that with the
    earlier decks. None if there are more than ``MAX_TRIED`` decks. With 3 Kai owned, of the decks a (2 Kai),
    b (2 Kai) and c (1 Kai): ("a", "c").
    """
    if len(decks) > MAX_TRIED:
        return None
    # Only scarce cards decide. Of several that are needed and owned in the same numbers, one is enough.
    different = dict.fromkeys((card.wants, card.owned) for card in scarce(decks, owned))
    # (deck -> copies that it needs, copies owned) of each such card.
    deciding = [(dict(wants), most) for wants, most in different]
    for size in range(len(decks), 0, -1):
        for chosen in combinations(decks, size):
            if all(sum(wants.get(deck, 0) for deck in chosen) <= most for wants, most in deciding):
                return chosen
    return ()


@private_form
def deck_missing(request: HttpRequest, link: str) -> HttpResponse:
    """The cards that the visitor lacks for a deck, as a table and as a list. POST notes all of them
    as owned.
    """
    viewer, deck, game = open_deck(request, link)
    page = partial(deck_page, request, MISSING, deck, game, editable=deck.is_editable_by(viewer))
    return _missing(request, game, deck.decklist_for(viewer, game), deck.name, page)


@private_form
def starter_missing(request: HttpRequest, game_slug: str, slug: str) -> HttpResponse:
    """The cards that the visitor lacks for a starter. POST notes all of them as owned."""
    game = game_or_404(game_slug)
    starter = or_404(next((starter for starter in game.starters if starter.slug == slug), None))

    def page(**context: Any) -> HttpResponse:
        return render(request, MISSING, {"game": game, "starter": starter, **context})

    return _missing(request, game, read_text(game, starter.text).deck, starter.name, page)


def _missing(
    request: HttpRequest, game: Game, decklist: Decklist, name: str, page: Callable[..., HttpResponse]
) -> HttpResponse:
    """Render ``page`` with what is missing for this list. Its ``rows`` are (card, needed, owned, missing)."""
    wants, mine = _wanted(decklist), collection_of(viewer_of(request))
    owned = copies(mine, wants)
    # A difference of counters keeps only numbers above 0.
    lacking = wants - Counter(owned)
    if request.method == "POST":
        change(own_collection(request), [Change(key, count) for key, count in lacking.items()])
        messages.success(request, f"Every card of “{name}” is noted as yours.")
        return redirect(request.path)
    cards = {entry.card.key: entry.card for entry in decklist}
    # The list of the missing cards, as text; a line holds at most MAX_COUNT copies.
    lines = (line_for(game, Entry(cards[key], min(n, MAX_COUNT), "")) for key, n in lacking.items())
    return page(
        mine=mine,
        rows=[(cards[key], wants[key], owned.get(key, 0), count) for key, count in lacking.items()],
        missing=lacking.total(),
        total=wants.total(),
        written=decklist.size - wants.total(),
        text="".join(f"{line}\n" for line in lines),
    )


def _wanted(decklist: Decklist) -> Counter[str]:
    """Card's key -> copies that the deck needs."""
    wants: Counter[str] = Counter()
    for entry in decklist:
        if not entry.card.written:
            wants[entry.card.key] += entry.count
    return wants


@private_page
@counted_as_work()
def buildable(request: HttpRequest) -> HttpResponse:
    """The page of decks that the collection can build: the visitor's own and all starters, each by itself,
    and the ticked ones (``?deck=``, ``?starter=``) at the same time.
    """
    viewer = viewer_of(request)
    offered = Deck.objects.editable_by(viewer).filter(game__in=games()).only(*IN_LISTS)[:MAX_OFFERED]
    owned = Counter(copies(collection_of(viewer)))
    own, ready = _deck_rows(list(offered), owned), _starter_rows(owned)
    # By what their boxes send: the link of a deck, or ``game/slug`` of a starter.
    rows = {row["value"]: row for row in (*own, *ready)}
    asked = dict.fromkeys((*request.GET.getlist("deck"), *request.GET.getlist("starter")))
    chosen = [value for value in asked if value in rows]
    context: dict[str, Any] = {
        "tables": [("Your decks", "deck", own), ("Ready decks", "starter", ready)],
        "chosen": chosen,
        "most": MAX_TRIED,
        "owned": owned.total(),
    }
    if chosen:
        ticked = {value: rows[value]["wants"] for value in chosen}
        lacking, together = scarce(ticked, owned), most_together(ticked, owned)
        names = {value: row["called"] for value, row in rows.items()}
        context |= {
            "scarce": _tables(lacking[:MAX_SCARCE], names, len(chosen)),
            "more": len(lacking[MAX_SCARCE:]),
            "together": None if together is None else [names[value] for value in together],
        }
    return render(request, "decks/collection/buildable.html", context)


def _deck_rows(decks: list[Deck], owned: Counter[str]) -> list[dict[str, Any]]:
    """Return a row for each of the visitor's decks. Those of the same name are told apart by their dates."""
    wants = _wanted_by({deck.pk: deck for deck in decks})
    same_name = Counter(deck.name for deck in decks)
    rows = []
    for deck in decks:
        if game := game_named(deck.game):
            row = _row(deck.link, deck.name, game, deck.format, wants[deck.link], owned)
            if same_name[deck.name] > 1:
                row["called"] = f"{deck.name} ({date(deck.changed)})"
            rows.append(row | {"changed": deck.changed})
    return rows


def _starter_rows(owned: Counter[str]) -> list[dict[str, Any]]:
    """Return a row for each starter; that of which the smallest part is missing comes first."""
    rows = []
    for game in games().values():
        for starter in game.starters:
            # A starter of written-in cards alone would need nothing.
            if wants := _wanted(read_text(game, starter.text).deck):
                value = f"{game.slug}/{starter.slug}"
                rows.append(_row(value, starter.name, game, starter.format, wants, owned))
    return sorted(rows, key=lambda row: row["missing"] / row["total"])


def _row(
    value: str, name: str, game: Game, format: str, wants: Counter[str], owned: Counter[str]
) -> dict[str, Any]:
    """A deck or starter as a row of the page. ``value``: its link, or ``game/slug`` of a starter; ``called``:
    its name, unlike that of all other rows.
    """
    return {
        "value": value,
        "name": name,
        "called": name,
        "game": game,
        "format": game.formats_by_slug.get(format),
        "wants": wants,
        "owned": (wants & owned).total(),
        "missing": (wants - owned).total(),
        "total": wants.total(),
    }


def _wanted_by(decks: Mapping[int, Deck]) -> dict[str, Counter[str]]:
    """Deck's link -> card's key -> copies that the deck needs. One query for all decks, without building
    decklists.
    """
    wants: dict[str, Counter[str]] = {deck.link: Counter() for deck in decks.values()}
    lines = DeckLine.objects.in_decks(decks).filter(card__isnull=False).order_by()
    for deck, game, code, count in lines.values_list("deck", "card__game", "card__code").annotate(
        copies=Sum("count")
    ):
        wants[decks[deck].link][f"{game}/{code}"] = count
    return wants


def _tables(
    lacking: Iterable[Scarce], names: Mapping[str, str], decks: int
) -> list[tuple[str, list[dict[str, Any]]]]:
    """The scarce cards as up to two tables (title, rows): those that several decks compete for, and those
    that one deck lacks by itself. ``names``: deck -> its name; ``decks``: the number of ticked ones.
    """
    known = catalogue().by_key
    contested: list[dict[str, Any]] = []
    alone: list[dict[str, Any]] = []
    for card in lacking:
        name = known[card.key].card.name if card.key in known else card.key
        wants = [(names[value], count) for value, count in card.wants]
        rows = contested if len(wants) > 1 else alone
        rows.append({"name": name, "scarce": card, "wants": wants})
    title = "What one deck alone wants and you lack" if decks > 1 else "What it lacks"
    tables = [("Where they get in each other’s way", contested), (title, alone)]
    return [table for table in tables if table[1]]
