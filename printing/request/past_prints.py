"""Past prints: each is remembered with the cards of its decks, so that the cards that were added to a deck
since then can be counted and printed alone ("print 7" of the option ``since``).

``remember_print`` is called when a file is made, ``added_since`` by the page of a deck and by the page Mine.
Copies of a deck's cards that need no further print are called settled; ``PastPrint.cards`` holds them. A deck
has 2 Kai and 1 Shade and is printed, then 1 Termite and 1 Shade are added::

    settled {Kai: 2, Shade: 1}; added since: 1 Shade, 1 Termite
    "only what changed" prints these; then Kai: 2, Shade: 2 and Termite: 1 are settled

Tests: ``tests/printing/request/test_past_prints.py``.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from django.db.models import QuerySet
from django.http import QueryDict
from django.utils import timezone

from cardsdb.games.kit import Entry, listed
from cardsdb.identity.viewer import Viewer
from cardsdb.models import owned_by
from decks.models import Deck
from printing.models import PastPrint
from printing.options.values import NAMED
from printing.request.print_request import PrintRequest, in_address
from printing.request.selection import paper_key, paper_of

# Past prints of one account or browser. A newer one replaces the oldest.
MAX_PRINTS = 24
# Added cards that are named; the others are only counted.
MAX_NAMED = 4
# Characters of PastPrint.title and of PastPrint.extent.
MAX_WORDS = 200
# Options that print only a part of a deck on purpose. ``missing`` is none: owned cards need no print.
_NARROWING = {"only", "since", "counts"}
# Groups of options that hold for one print alone.
_OF_ONE = ("Choosing cards", "Places", "File")
# The options that are taken over from a past print for the print of added cards, each once, in their order in
# the address. ``added_since`` sets ``since``; ``missing`` is the one of "Choosing cards" that holds on.
_TAKEN_OVER = dict.fromkeys(
    ("paper", "since", "missing", *(name for name, option in NAMED.items() if option.group not in _OF_ONE))
)


class Added(NamedTuple):
    """The cards that were added to a deck since the print ``past``: the ``number`` of copies, ``names`` of
    some of them in words, and the query string ``address`` that prints them alone with the settings of
    ``past``.
    """

    past: PastPrint
    number: int
    names: str
    address: str


def remember_print(viewer: Viewer, print_request: PrintRequest, title: str, extent: str) -> None:
    """Store a print for its viewer, who must have an account or a browser key. Making the same print again
    updates its row. Prints of pasted lists are not stored, because their lists are not.
    """
    if print_request.fields.pasted:
        return
    mine = PastPrint.objects.of(viewer)
    # ``settled``: id of a deck -> copies of each card, by ``paper_key``.
    prints, settled = list(mine), dict[str, Mapping[str, int]]()
    is_narrowed = not _NARROWING.isdisjoint(print_request.read.query())
    for chosen in print_request.selections:
        if row := chosen.listed.row:
            now, before = paper_of(chosen.listed.deck.entries), last_print(prints, row)
            # - The first print of a deck settles all its cards: those left out are owned or not wanted.
            # - So does a later print without a narrowing option.
            # - A later, narrowed print settles the cards printed, with all their copies in the deck.
            if before and is_narrowed:
                printed = {key: now[key] for key in paper_of(chosen.entries)}
                settled[str(row.pk)] = {**before.cards[str(row.pk)], **printed}
            else:
                settled[str(row.pk)] = now
    # The small files of one print (option ``part``) are that print, so its address has no ``part``.
    address = print_request.fields.query(replace(print_request.read, part=NAMED["part"].read("")))
    same = next((row for row in prints if row.address == address), None)
    past = same or PastPrint(**owned_by(viewer), address=address)
    past.title = title[:MAX_WORDS]
    past.extent = extent[:MAX_WORDS]
    past.cards = settled
    past.made = timezone.now()
    past.save()
    trim(mine)


def trim(prints: QuerySet[PastPrint]) -> None:
    """Delete the oldest prints beyond MAX_PRINTS. ``prints`` are all prints of one owner."""
    prints.filter(pk__in=list(prints.values_list("pk", flat=True)[MAX_PRINTS:])).delete()


def last_print(prints: Iterable[PastPrint], deck: Deck) -> PastPrint | None:
    """The latest print that includes the deck. ``prints`` must be ordered latest first, as PastPrint is."""
    return next((past for past in prints if str(deck.pk) in past.cards), None)


def added_since(past: PastPrint | None, deck: Deck, entries: Sequence[Entry]) -> Added | None:
    """The cards of a deck that its last print ``past`` (``last_print``) did not settle. ``entries`` are the
    cards of the deck now. None if there are none, or there is no print.
    """
    if past is None:
        return None
    new = paper_of(entries) - Counter(past.cards[str(deck.pk)])
    if not new:
        return None
    names = {paper_key(entry.card): entry.card.name for entry in entries}
    fields = QueryDict(past.address).dict() | {"since": f"print {past.pk}"}
    taken_over = ((name, fields[name]) for name in _TAKEN_OVER if name in fields)
    address = in_address([("deck", deck.link), *taken_over])
    counted = tuple(f"{number} × {names[key]}" for key, number in new.items())
    return Added(past, new.total(), listed(counted, MAX_NAMED), address)
