"""Past prints. They are remembered with the cards that their decks had, so that cards added to a deck since
its last print can be counted and printed alone.

The printed cards of a deck are settled then, and so are all of its cards when it was printed first, or whole:
cards that were left out are owned, or not wanted.
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

# Past prints of one account or browser. The oldest goes for one more.
MAX_PRINTS = 24
MAX_NAMED = 4
# Options by which a part of what a deck has is printed on purpose.
_NARROWING = {"only", "since", "counts"}
# The options of a past print that hold for what was added since, in the order of an address.
_OF_ONE = ("Choosing cards", "Places", "File")
_LASTING = dict.fromkeys(
    ("paper", "since", "missing", *(name for name, one in NAMED.items() if one.group not in _OF_ONE))
)


class Added(NamedTuple):
    """The cards that a deck has beyond those of its last print: their number, the names of some, and the
    address that prints them alone, with the settings of that print.
    """

    past: PastPrint
    number: int
    names: str
    address: str


def remember_print(viewer: Viewer, asked: PrintRequest, title: str, extent: str) -> None:
    """Remember the print for its viewer, who has an account or a browser; the same print made again is one. A
    pasted list is kept nowhere, so nothing is remembered of it.
    """
    if asked.fields.pasted:
        return
    mine = PastPrint.objects.of(viewer)
    prints, cards = list(mine), dict[str, Mapping[str, int]]()
    for chosen in asked.selections:
        if row := chosen.listed.row:
            now, before = paper_of(chosen.listed.deck.entries), last_print(prints, row)
            if before and not _NARROWING.isdisjoint(asked.read.query()):
                printed = {key: now[key] for key in paper_of(chosen.entries)}
                cards[str(row.pk)] = {**before.cards[str(row.pk)], **printed}
            else:
                cards[str(row.pk)] = now
    # The parts of a big print are one.
    address = asked.fields.query(replace(asked.read, part=NAMED["part"].read("")))
    past = next((one for one in prints if one.address == address), None)
    past = past or PastPrint(**owned_by(viewer), address=address)
    past.title, past.extent, past.cards, past.made = title[:200], extent[:200], cards, timezone.now()
    past.save()
    trim(mine)


def trim(prints: QuerySet[PastPrint]) -> None:
    """Forget the oldest of these prints of one owner, if they are too many."""
    prints.filter(pk__in=list(prints.values_list("pk", flat=True)[MAX_PRINTS:])).delete()


def last_print(prints: Iterable[PastPrint], deck: Deck) -> PastPrint | None:
    """The latest of these prints that the deck is in. They come latest first."""
    return next((one for one in prints if str(deck.pk) in one.cards), None)


def added_since(past: PastPrint | None, deck: Deck, entries: Sequence[Entry]) -> Added | None:
    """The cards of these entries of the deck that its last print did not have; None for none, or without a
    print.
    """
    new = paper_of(entries) - Counter(past.cards[str(deck.pk)] if past else paper_of(entries))
    if not past or not new:
        return None
    names = {paper_key(entry.card): entry.card.name for entry in entries}
    said = QueryDict(past.address).dict() | {"since": f"print {past.pk}"}
    kept = ((name, said[name]) for name in _LASTING if name in said)
    address = in_address([("deck", deck.link), *kept])
    counted = tuple(f"{number} × {names[key]}" for key, number in new.items())
    return Added(past, new.total(), listed(counted, MAX_NAMED), address)
