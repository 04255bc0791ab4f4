"""The page "Mine": an overview of a visitor's own decks, prints, cards, texts, pictures, sets, formats and
searches, whether they belong to an account or to a browser without one.

``job_views.py`` shows all past prints with ``shown`` too. Tests: ``tests/printing/web/test_mine.py``.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

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


class ShownPrint(NamedTuple):
    """A past print. ``address`` makes it again; it is empty if one of its decks is gone or has a new link.
    ``added`` are the cards added to its deck since, only for the last print of a single deck.
    """

    past: PastPrint
    address: str
    added: Added | None


def shown(
    viewer: Viewer, all_prints: list[PastPrint], wanted: list[PastPrint], deck_ids: Iterable[int] = ()
) -> tuple[dict[int, ShownDeck], list[ShownPrint]]:
    """Return (decks by id, prints) to show to a viewer: the ``wanted`` of the viewer's past prints, which are
    ordered latest first, and the decks of these prints and of ``deck_ids``. Decks hidden from the viewer are
    left out.
    """
    # ``PastPrint.cards`` has the ids of its decks as keys, which JSON makes texts.
    pks = {*deck_ids, *(int(pk) for past in wanted for pk in past.cards)}
    own = Deck.objects.editable_by(viewer).with_cards().filter(pk__in=pks, game__in=games())
    cards_of = {deck: deck.decklist().entries for deck in own}
    if others := pks - {deck.pk for deck in cards_of}:
        public = Deck.objects.visible_to(viewer).with_cards().filter(pk__in=others, game__in=games())
        # Without the cards that these decks keep secret from the viewer.
        cards_of |= {deck: deck.decklist_for(viewer, games()[deck.game]).entries for deck in public}
    renew_verdicts(cards_of)
    decks = dict[int, ShownDeck]()
    for deck, entries in cards_of.items():
        past, game = last_print(all_prints, deck), games()[deck.game]
        decks[deck.pk] = ShownDeck(deck, game, entries, past, added_since(past, deck, entries))
    return decks, [_shown(past, decks) for past in wanted]


def _shown(past: PastPrint, decks: Mapping[int, ShownDeck]) -> ShownPrint:
    """The print with what its decks allow: to repeat it, all must be there under the links of its address; to
    print what was added, it must be the last print of a single deck.
    """
    known = [decks[int(pk)] for pk in past.cards if int(pk) in decks]
    all_known = len(known) == len(past.cards)
    can_repeat = all_known and all(one.deck.link in past.address for one in known)
    is_last = len(past.cards) == 1 and all_known and known[0].past == past
    return ShownPrint(past, past.address if can_repeat else "", known[0].added if is_last else None)


@private_page
def mine(request: HttpRequest) -> HttpResponse:
    """Show the page "Mine"."""
    viewer = viewer_of(request)
    own, prints = Deck.objects.editable_by(viewer), list(PastPrint.objects.of(viewer))
    first = list(own.values_list("pk", flat=True)[:LINES])
    decks, shown_prints = shown(viewer, prints, prints[:LINES], first)
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
        "prints": shown_prints,
        "print_count": len(prints),
        "owned": [
            (game, different, copies, totals[game]) for game, different, copies in counts if game in totals
        ],
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
