"""The page Mine: all of a visitor's own things in one room, with an account or kept in the browser without
one, and the three to continue with.
"""

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from django.db.models import Count, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from cardsdb.box.pictures import pictures_by_game
from cardsdb.box.texts import contents
from cardsdb.catalogue.current import games
from cardsdb.games.kit import Entry, Game
from cardsdb.identity.viewer import Viewer, viewer_of
from cardsdb.models import OwnBox, OwnSet
from cardsdb.search.results import parse_query, results_of
from cardsdb.site.shortcuts import private_page
from cardsdb.web.lists.saved_searches import searches_of
from decks.accounts.kinds import held_by_browser
from decks.models import Deck, LeagueFormat, Owned
from decks.saving.save import renew_verdicts
from printing.models import PastPrint
from printing.request.past_prints import Added, added_since, last_print

# The lines of a drawer; what is more has a page.
LINES = 4


class ShownDeck(NamedTuple):
    """A deck with its cards as the viewer may see them, its last print, and the cards added since."""

    deck: Deck
    game: Game
    entries: tuple[Entry, ...]
    past: PastPrint | None
    added: Added | None


PrintRow: TypeAlias = tuple[PastPrint, str, Added | None]


def shown(
    viewer: Viewer, prints: list[PastPrint], rows: list[PastPrint], decks: Iterable[int] = ()
) -> tuple[dict[int, ShownDeck], list[PrintRow]]:
    """These decks and those of some of the viewer's prints, by number, if they may be seen; and each of these
    prints with the address that prints it again. The address is empty if a deck of the print is gone or has
    moved. A print of one deck has the cards that were added since, if it was the last print of that deck.
    """
    wanted = {*decks, *(int(pk) for past in rows for pk in past.cards)}
    own = Deck.objects.editable_by(viewer).with_cards().filter(pk__in=wanted, game__in=games())
    seen = {deck.pk: (deck, deck.decklist()) for deck in own}
    if others := wanted - seen.keys():
        public = Deck.objects.visible_to(viewer).with_cards().filter(pk__in=others, game__in=games())
        seen |= {deck.pk: (deck, deck.decklist_for(viewer, games()[deck.game])) for deck in public}
    renew_verdicts(deck for deck, _ in seen.values())
    found, told = dict[int, ShownDeck](), list[PrintRow]()
    for pk, (deck, cards) in seen.items():
        past, entries = last_print(prints, deck), cards.entries
        found[pk] = ShownDeck(deck, games()[deck.game], entries, past, added_since(past, deck, entries))
    for past in rows:
        there = [found[int(pk)] for pk in past.cards if int(pk) in found]
        is_whole = len(there) == len(past.cards) and all(one.deck.link in past.address for one in there)
        is_last = len(past.cards) == 1 and there and there[0].past == past
        told.append((past, past.address if is_whole else "", there[0].added if is_last else None))
    return found, told


@private_page
def mine(request: HttpRequest) -> HttpResponse:
    """Show the three things to continue with, and the drawers."""
    viewer = viewer_of(request)
    own, prints = Deck.objects.editable_by(viewer), list(PastPrint.objects.of(viewer))
    first = list(own.values_list("pk", flat=True)[:LINES])
    decks, rows = shown(viewer, prints, prints[:LINES], first)
    owned = Owned.objects.of(viewer).order_by().values_list("card__game")
    counts = list(owned.annotate(Count("card", distinct=True), Sum("count")))
    totals = dict(results_of(parse_query("")).facet("game"))
    texts = {one.game: one.texts for one in contents(list(OwnBox.objects.of(viewer)))}
    pictures = pictures_by_game(viewer)
    sets = OwnSet.objects.of(viewer).filter(game__in=games())
    context = {
        "games": games(),
        "decks": [decks[pk] for pk in first if pk in decks],
        "deck_count": own.count(),
        "prints": rows,
        "print_count": len(prints),
        "owned": [(*row, totals[row[0]]) for row in counts if row[0] in totals],
        "copies": sum(copies for *_, copies in counts),
        "box": [
            (slug, texts.get(slug, 0), pictures.get(slug, 0))
            for slug in games()
            if slug in {**texts, **pictures}
        ],
        "sets": sets.annotate(size=Count("cards")).order_by("-pk"),
        "formats": LeagueFormat.objects.of(viewer).without_files().filter(game__in=games()),
        "searches": searches_of(viewer),
        "held": [kind.amount(number) for kind, number in held_by_browser(viewer)],
        "lines": LINES,
    }
    return render(request, "printing/mine.html", context)
