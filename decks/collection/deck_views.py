"""A collection compared with decks: what a deck lacks, which decks can be built at once. Cards go by their
key (``spycraft/kai``).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from typing import Any, NamedTuple

from django.contrib import messages
from django.db.models import Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from cardsdb.catalogue.current import catalogue, game_named, games
from cardsdb.games.kit import Decklist, Entry, Format, Game
from cardsdb.games.kit.listtext.line import MAX_COUNT, line_for
from cardsdb.identity.viewer import Viewer, viewer_of
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.shortcuts import game_or_404, private_form, private_page
from cardsdb.site.templates import date
from decks.collection.holding import Change, Copies, change, collection_of, copies, own_collection
from decks.core.judging import read_text
from decks.models import Deck, DeckLine
from decks.public.listing import IN_LISTS
from decks.web.deck_context import deck_page, open_deck

# The visitor's newest decks that are offered.
MAX_OFFERED = 60
MAX_SCARCE = 200
# Every selection of so many decks is tried; more decks would have too many selections.
MAX_TRIED = 12


class Scarce(NamedTuple):
    """A card of which some decks together want more copies than are owned. ``wants``: (deck, copies)."""

    key: str
    owned: int
    wants: tuple[tuple[str, int], ...]

    @property
    def missing(self) -> int:
        return sum(count for _, count in self.wants) - self.owned


def scarce(decks: Mapping[str, Copies], owned: Copies) -> list[Scarce]:
    """The cards that keep these decks from being built all at once; those that lack most copies come
    first.
    """
    claims: dict[str, list[tuple[str, int]]] = {}
    for deck, wants in decks.items():
        for key, count in wants.items():
            claims.setdefault(key, []).append((deck, count))
    cards = (Scarce(key, owned.get(key, 0), tuple(wants)) for key, wants in claims.items())
    return sorted((one for one in cards if one.missing > 0), key=lambda one: (-one.missing, one.key))


def most_together(decks: Mapping[str, Copies], owned: Copies) -> tuple[str, ...] | None:
    """The largest selection of these decks that can be built at once; of equally large ones the one with the
    earlier decks. None for more than ``MAX_TRIED`` decks.
    """
    if len(decks) > MAX_TRIED:
        return None
    # Cards of which there are enough for all decks do not matter, and of those that are wanted alike one does.
    alike = dict.fromkeys((one.wants, one.owned) for one in scarce(decks, owned))
    deciding = [(dict(wants), most) for wants, most in alike]
    return next(
        chosen
        for size in range(len(decks), -1, -1)
        for chosen in combinations(decks, size)
        if all(sum(wants.get(deck, 0) for deck in chosen) <= most for wants, most in deciding)
    )


@private_form
def deck_missing(request: HttpRequest, link: str) -> HttpResponse:
    """The cards that the visitor lacks for a deck, as a table and as a list. POST notes all of them as
    owned.
    """
    viewer, deck, game = open_deck(request, link)
    lacking = _lacking(viewer, game, deck.decklist_for(viewer, game))
    return _answer(request, deck.name, lacking) or deck_page(
        request,
        "decks/collection/missing.html",
        deck,
        game,
        editable=deck.is_editable_by(viewer),
        **lacking,
    )


@private_form
def starter_missing(request: HttpRequest, game_slug: str, slug: str) -> HttpResponse:
    """The cards that the visitor lacks for a starter, as of a deck."""
    game = game_or_404(game_slug)
    starter = next((one for one in game.starters if one.slug == slug), None)
    if starter is None:
        raise Http404
    lacking = _lacking(viewer_of(request), game, read_text(game, starter.text).deck)
    context = {"game": game, "starter": starter, **lacking}
    return _answer(request, starter.name, lacking) or render(
        request, "decks/collection/missing.html", context
    )


def _lacking(viewer: Viewer, game: Game, decklist: Decklist) -> dict[str, Any]:
    """The context of the page of what the visitor lacks for a deck."""
    # Nobody can own a written-in card.
    cards = {entry.card.key: entry.card for entry in decklist if not entry.card.written}
    wants = _wanted(decklist)
    mine = collection_of(viewer)
    owned = copies(mine, wants)
    lacking = wants - Counter(owned)
    lines = (line_for(game, Entry(cards[key], min(n, MAX_COUNT), "")) for key, n in lacking.items())
    return {
        "mine": mine,
        "rows": [(cards[key], wants[key], owned.get(key, 0), count) for key, count in lacking.items()],
        "missing": lacking.total(),
        "total": wants.total(),
        "written": decklist.size - wants.total(),
        "text": "".join(f"{line}\n" for line in lines),
    }


def _answer(request: HttpRequest, name: str, lacking: Mapping[str, Any]) -> HttpResponse | None:
    """The answer to a press that notes all of a deck as owned; None for its page."""
    if request.method == "POST":
        changes = (Change(card.key, count) for card, _, _, count in lacking["rows"])
        change(own_collection(request), changes)
        messages.success(request, f"Every card of “{name}” is noted as yours.")
        return redirect(request.path)
    return None


def _wanted(decklist: Decklist) -> Counter[str]:
    """Card's key -> copies that the deck needs."""
    wants: Counter[str] = Counter()
    for entry in decklist:
        if not entry.card.written:
            wants[entry.card.key] += entry.count
    return wants


@dataclass(frozen=True)
class Weighed:
    """A deck that may be built. ``value``: its link, or of a starter ``game/slug``; ``called``: its name among the
    others; ``owned``: how many of its cards its visitor has.
    """

    value: str
    name: str
    called: str
    game: Game
    format: Format | None
    wants: Counter[str]
    owned: int
    changed: datetime | None = None

    @property
    def total(self) -> int:
        return self.wants.total()

    @property
    def missing(self) -> int:
        return self.total - self.owned

    @property
    def slug(self) -> str:
        """The starter's, empty for a deck."""
        return self.value.partition("/")[2]


@private_page
@counted_as_work()
def buildable(request: HttpRequest) -> HttpResponse:
    """Show the decks that the visitor's collection can build, their own and the starters of the games: each alone,
    and those ticked all at once.
    """
    viewer = viewer_of(request)
    offered = Deck.objects.editable_by(viewer).filter(game__in=games()).only(*IN_LISTS)[:MAX_OFFERED]
    owned = copies(collection_of(viewer))
    decks = _weighed(offered, owned)
    starters = sorted(_starters(owned), key=lambda one: -one.owned / one.total)
    weighed = {one.value: one for one in (*decks, *starters)}
    asked = (*request.GET.getlist("deck"), *request.GET.getlist("starter"))
    chosen = [value for value in dict.fromkeys(asked) if value in weighed]
    context: dict[str, Any] = {
        "tables": [("Your decks", "deck", decks), ("Ready decks", "starter", starters)],
        "chosen": chosen,
        "most": MAX_TRIED,
        "owned": sum(owned.values()),
    }
    if chosen:
        ticked = {value: weighed[value].wants for value in chosen}
        lacking, together = scarce(ticked, owned), most_together(ticked, owned)
        names = {value: one.called for value, one in weighed.items()}
        context |= {
            "scarce": _tables(lacking[:MAX_SCARCE], names, len(chosen)),
            "more": len(lacking[MAX_SCARCE:]),
            "together": None if together is None else [names[value] for value in together],
        }
    return render(request, "decks/collection/buildable.html", context)


def _weighed(decks: Iterable[Deck], owned: Copies) -> list[Weighed]:
    """The visitor's decks, their cards in one query and without building decklists."""
    by_pk = {deck.pk: deck for deck in decks}
    wants: dict[int, Counter[str]] = {pk: Counter() for pk in by_pk}
    lines = DeckLine.objects.in_decks(by_pk).filter(card__isnull=False).order_by()
    for deck, slug, code, count in lines.values_list("deck", "card__game", "card__code").annotate(
        copies=Sum("count")
    ):
        wants[deck][f"{slug}/{code}"] = count
    alike = Counter(deck.name for deck in by_pk.values())
    return [
        Weighed(
            deck.link,
            deck.name,
            deck.name if alike[deck.name] == 1 else f"{deck.name} ({date(deck.changed)})",
            game,
            game.formats_by_slug.get(deck.format),
            wants[pk],
            (wants[pk] & Counter(owned)).total(),
            deck.changed,
        )
        for pk, deck in by_pk.items()
        if (game := game_named(deck.game))
    ]


def _starters(owned: Copies) -> Iterator[Weighed]:
    """The starters of all games that have a card of the catalogue."""
    for game in games().values():
        for one in game.starters:
            if wants := _wanted(read_text(game, one.text).deck):
                has = (wants & Counter(owned)).total()
                format = game.formats_by_slug.get(one.format)
                yield Weighed(f"{game.slug}/{one.slug}", one.name, one.name, game, format, wants, has)


def _tables(
    lacking: Iterable[Scarce], names: Mapping[str, str], decks: int
) -> list[tuple[str, list[dict[str, Any]]]]:
    """The scarce cards: those that the decks contest, and those that one deck lacks whatever the others
    take.
    """
    known = catalogue().by_key
    contested: list[dict[str, Any]] = []
    alone: list[dict[str, Any]] = []
    for one in lacking:
        name = known[one.key].card.name if one.key in known else one.key
        wants = [(names[link], count) for link, count in one.wants]
        (contested if len(wants) > 1 else alone).append({"name": name, "scarce": one, "wants": wants})
    title = "What one deck alone wants and you lack" if decks > 1 else "What it lacks"
    tables = [("Where they get in each other’s way", contested), (title, alone)]
    return [table for table in tables if table[1]]
