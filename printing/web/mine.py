"""The page "Mine": an overview of a visitor's own decks, prints, cards, texts, pictures, sets, formats and
searches, whether they belong to an account or to a browser without one.
"""

from collections.abc import Iterable, Mapping
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

# Rows of each list on the page; the others are on a page of their own.
LINES = 4


class ShownDeck(NamedTuple):
    """A deck with the cards that the viewer may see, the viewer's last print of it, and the cards added
    since.
    """

    deck: Deck
    game: Game
    entries: tuple[Entry, ...]
    past: PastPrint | None
    added: Added | None


# (past print, address that makes it again, cards added to its deck since)
PrintRow: TypeAlias = tuple[PastPrint, str, Added | None]


def shown(
    viewer: Viewer, prints: list[PastPrint], rows: list[PastPrint], decks: Iterable[int] = ()
) -> tuple[dict[int, ShownDeck], list[PrintRow]]:
    """Return (decks by id, rows of past prints) for a viewer. ``prints`` are all past prints of the viewer,
    the latest first; ``rows`` are those to show, ``decks`` the ids of further decks to show. Decks hidden
    from the viewer are left out. Also called by ``job_views.py``.

    The address of a print is empty if one of its decks is gone or has a new link. Added cards are told only
    for a print of one deck, and only if it is that deck's last print.
    """
    wanted = {*decks, *(int(pk) for past in rows for pk in past.cards)}
    own = Deck.objects.editable_by(viewer).with_cards().filter(pk__in=wanted, game__in=games())
    seen = {deck: deck.decklist().entries for deck in own}
    if others := wanted - {deck.pk for deck in seen}:
        public = Deck.objects.visible_to(viewer).with_cards().filter(pk__in=others, game__in=games())
        seen |= {deck: deck.decklist_for(viewer, games()[deck.game]).entries for deck in public}
    renew_verdicts(seen)
    shown_decks = dict[int, ShownDeck]()
    for deck, entries in seen.items():
        past, game = last_print(prints, deck), games()[deck.game]
        shown_decks[deck.pk] = ShownDeck(deck, game, entries, past, added_since(past, deck, entries))
    return shown_decks, [_row(past, shown_decks) for past in rows]


def _row(past: PastPrint, decks: Mapping[int, ShownDeck]) -> PrintRow:
    known = [decks[int(pk)] for pk in past.cards if int(pk) in decks]
    is_whole = len(known) == len(past.cards) and all(one.deck.link in past.address for one in known)
    is_last = len(past.cards) == 1 and known and known[0].past == past
    return past, past.address if is_whole else "", known[0].added if is_last else None


@private_page
def mine(request: HttpRequest) -> HttpResponse:
    """Show the page "Mine"."""
    viewer = viewer_of(request)
    own, prints = Deck.objects.editable_by(viewer), list(PastPrint.objects.of(viewer))
    first = list(own.values_list("pk", flat=True)[:LINES])
    decks, rows = shown(viewer, prints, prints[:LINES], first)
    owned = Owned.objects.of(viewer).order_by().values_list("card__game")
    # (game, different cards owned, copies owned)
    counts = list(owned.annotate(Count("card", distinct=True), Sum("count")))
    # Game -> number of its cards in the catalogue.
    totals = dict(results_of(parse_query("")).facet("game"))
    texts = {content.game: content.texts for content in contents(list(OwnBox.objects.of(viewer)))}
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
