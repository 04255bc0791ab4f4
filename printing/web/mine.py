"""Mine: all that is one's own in one room, with an account or kept in the browser without one, and what to go on with."""

from collections.abc import Iterator
from typing import NamedTuple

from django.db.models import Count, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from cardsdb.box.pictures import pictures_by_game
from cardsdb.box.texts import contents
from cardsdb.catalogue.current import games
from cardsdb.games.kit import Entry, Game
from cardsdb.games.kit.model.decklist import as_printed
from cardsdb.identity.viewer import Viewer, viewer_of
from cardsdb.models import OwnBox, OwnSet
from cardsdb.search.results import parse_query, results_of
from cardsdb.site.shortcuts import private_page
from cardsdb.web.lists.saved_searches import searches_of
from decks.accounts.kinds import held_by_browser
from decks.collection.holding import collection_of
from decks.models import Deck, LeagueFormat
from decks.saving.save import renew_verdicts
from printing.models import PastPrint
from printing.request.past_prints import Added, added_since, last_print

# The lines of a drawer; what is more has a page.
LINES = 4


class ShownDeck(NamedTuple):
    """A deck with its cards as the viewer may see them, its last print, and what it had added since."""

    deck: Deck
    game: Game
    entries: tuple[Entry, ...]
    past: PastPrint | None
    added: Added | None


def shown_decks(viewer: Viewer, wanted: set[int], prints: list[PastPrint]) -> dict[int, ShownDeck]:
    """These decks by number, as far as they may be seen. ``prints``: all that the viewer has."""
    own = Deck.objects.editable_by(viewer).with_cards().filter(pk__in=wanted, game__in=games())
    decks = {deck.pk: (deck, deck.decklist()) for deck in own}
    if others := wanted - decks.keys():
        seen = Deck.objects.visible_to(viewer).with_cards().filter(pk__in=others, game__in=games())
        decks |= {deck.pk: (deck, deck.decklist_for(viewer, games()[deck.game])) for deck in seen}
    renew_verdicts(deck for deck, _ in decks.values())
    shown = {}
    for pk, (deck, cards) in decks.items():
        past, entries = last_print(prints, deck), as_printed(cards).entries
        shown[pk] = ShownDeck(deck, games()[deck.game], entries, past, added_since(past, deck, entries))
    return shown


def decks_in(prints: list[PastPrint]) -> set[int]:
    return {int(pk) for past in prints for pk in past.cards}


def shown_prints(
    prints: list[PastPrint], decks: dict[int, ShownDeck]
) -> Iterator[tuple[PastPrint, str, Added | None]]:
    """Each past print with the address that prints it again, empty where a deck of it is gone or has moved; and what its
    one deck had added since, if this was the last print of it.
    """
    for past in prints:
        there = [decks[int(pk)] for pk in past.cards if int(pk) in decks]
        is_whole = len(there) == len(past.cards) and all(one.deck.link in past.address for one in there)
        is_last = len(past.cards) == 1 and there and there[0].past == past
        yield past, past.address if is_whole else "", there[0].added if is_last else None


@private_page
def mine(request: HttpRequest) -> HttpResponse:
    """The three things to go on with, and the drawers."""
    viewer = viewer_of(request)
    prints = list(PastPrint.objects.of(viewer))
    own = Deck.objects.editable_by(viewer)
    first = list(own.values_list("pk", flat=True)[:LINES])
    decks = shown_decks(viewer, {*first} | decks_in(prints[:LINES]), prints)
    collection = collection_of(viewer)
    rows = collection.owned.order_by().values_list("card__game") if collection else None
    owned = list(rows.annotate(Count("card", distinct=True), Sum("count"))) if rows is not None else []
    totals = dict(results_of(parse_query("")).facet("game"))
    texts = {one.game: one.texts for one in contents(list(OwnBox.objects.of(viewer)))}
    pictures = pictures_by_game(viewer)
    context = {
        "games": games(),
        "decks": [decks[pk] for pk in first if pk in decks],
        "deck_count": own.count() if len(first) == LINES else len(first),
        "prints": list(shown_prints(prints[:LINES], decks)),
        "print_count": len(prints),
        "owned": [(*row, totals[row[0]]) for row in owned if row[0] in totals],
        "copies": sum(copies for _, _, copies in owned),
        "box": [
            (game, texts.get(game, 0), pictures.get(game, 0))
            for game in games()
            if game in {**texts, **pictures}
        ],
        "sets": OwnSet.objects.of(viewer)
        .filter(game__in=games())
        .annotate(size=Count("cards"))
        .order_by("-pk"),
        "formats": LeagueFormat.objects.of(viewer).without_files().filter(game__in=games()),
        "searches": searches_of(viewer),
        "held": [kind.amount(number) for kind, number in held_by_browser(viewer)],
        "lines": LINES,
    }
    return render(request, "printing/mine.html", context)
