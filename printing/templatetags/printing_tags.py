"""The functions that this app adds for templates of every app: a card's face, drawn with the same strokes
that go to paper; the files that a deck can be exported to; the print of an evening; and the cards that were
added to a deck since its last print.

``cardsdb/site/templates.py`` reads FUNCTIONS and FILTERS, because the settings name this module. So templates
of ``cardsdb`` and ``decks`` can show what ``printing`` makes, though neither app may import it. Tests stand
with what is shown: ``tests/printing/faces``, ``tests/decks/pages``, ``tests/printing/web``
and ``tests/printing/request``.
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

# Slugs of kinds of files in groups that share a form: all files of a group have the fields of its first.
_TOGETHER = (("cards",), ("tabletop",), ("service", "service-pdf"), ("cut-svg", "cut-dxf"))


def card_face(
    game: Game, card: Card, picture: PictureRef | None = None, at_a_glance: bool = False
) -> SafeString:
    """The card as inline SVG, with its owner's picture if there is one. ``at_a_glance``: without its text and
    its smallest words, for pages that show several.
    """
    # A template gives an undefined value, which is false, for a picture that it was not given.
    drawn = card_svg(card, game, picture=picture or None, at_a_glance=at_a_glance)
    return mark_safe(drawn)  # noqa: S308  (every word is escaped where it is drawn)


def print_exports() -> list[dict[str, Any]]:
    """An object for each group of files: ``kind`` is its first kind, with title and help, ``slug`` that
    kind's slug, ``fields`` the fields of the form, ``buttons`` (file, address) of each kind.
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
    """The cards that a deck has beyond those of the viewer's last print of it; None if there are none, if it
    was never printed, and for a list that is no deck. ``cards``: the deck as this viewer is shown it.
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
