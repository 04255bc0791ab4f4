"""Template functions of this app: the drawn face of a card, the export forms of a deck, the print of an
evening, and the cards added to a deck since its last print.

``cardsdb`` and ``decks`` must not import ``printing``, but their templates can call these functions: the
settings name this module, and ``cardsdb/site/templates.py`` reads FUNCTIONS and FILTERS from it. The
functions are tested where they are shown: ``tests/printing/faces``, ``tests/printing/web``,
``tests/printing/request`` and ``tests/decks/pages``. A template names a function by its key in FUNCTIONS.
"""

from collections.abc import Callable, Mapping
from typing import Any

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from jinja2 import pass_context
from jinja2.runtime import Context

from cardsdb.box.picture_files.ref import PictureRef
from cardsdb.games.kit import Card, Decklist, Game
from cardsdb.identity.viewer import viewer_of
from decks.models import Deck
from printing.exports.export import NAMED_FIELDS
from printing.exports.kinds import EXPORT_KINDS
from printing.models import PastPrint
from printing.options.sizes import PAPERS
from printing.render.svg import card_svg
from printing.request.past_prints import Added, added_since, last_print
from printing.web.evening import evening_print, print_beside

# Slugs of export kinds that share a form. The form has the fields of the first kind and a button for each.
_TOGETHER = (("cards",), ("tabletop",), ("service", "service-pdf"), ("cut-svg", "cut-dxf"))


def card_face(
    game: Game, card: Card, picture: PictureRef | None = None, at_a_glance: bool = False
) -> SafeString:
    """The card's face as inline SVG, with the viewer's own ``picture`` if given. ``at_a_glance`` leaves out
    its text and smallest words, for pages that show many cards.
    """
    # A template may pass Jinja's Undefined instead of a picture; it is false.
    drawn = card_svg(card, game, picture=picture or None, at_a_glance=at_a_glance)
    return mark_safe(drawn)  # noqa: S308  (every word is escaped where it is drawn)


def print_exports() -> list[dict[str, Any]]:
    """One dict for each export form: ``kind`` (the first kind, with title and help), its ``slug``, the
    ``fields`` of the form, and ``buttons`` as (file name, address).
    """
    groups = []
    for slugs in _TOGETHER:
        first = EXPORT_KINDS[slugs[0]]
        buttons = [(EXPORT_KINDS[slug].file, reverse(f"print_{slug}")) for slug in slugs]
        groups.append(
            {
                "slug": first.slug,
                "kind": first,
                "fields": [NAMED_FIELDS[name] for name in first.fields],
                "buttons": buttons,
            }
        )
    return groups


@pass_context
def added_to(context: Context, deck: Deck | None, cards: Decklist) -> Added | None:
    """The cards that were added to a deck since the viewer last printed it. ``cards`` is the deck's content
    as shown to this viewer. None if nothing was added, the deck was never printed, or the list is no stored
    deck.
    """
    if not deck:
        return None
    prints = PastPrint.objects.of(viewer_of(context["request"]))
    return added_since(last_print(prints, deck), deck, cards.entries)


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "added_to": added_to,
    "card_face": card_face,
    "evening_print": evening_print,
    "papers": PAPERS.values,
    "print_beside": print_beside,
    "print_exports": print_exports,
}
FILTERS: Mapping[str, Callable[..., Any]] = {}
