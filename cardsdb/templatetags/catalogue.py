"""Functions for the catalogue's templates: addresses of card faces, the visitor's own faces included.

Public faces have fixed addresses that are cached for all. A face with the visitor's own text or picture has
an address with its state. To query once for a whole page, pass all its cards as ``shown``. Tests:
``tests/printing/web/test_own_faces.py``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString
from jinja2 import pass_context
from jinja2.runtime import Context

from cardsdb.box.pictures import MAX_IN_STRIP, CardKey, face_states, may_have_faces
from cardsdb.games.kit import Card, Decklist, Entry, Game
from cardsdb.games.kit.print.face import box_in_strip
from cardsdb.identity.viewer import may_see_own, reader_of
from cardsdb.models.box import Boxes
from cardsdb.web.card_facts import source_of

# Attributes of the request that remember what was looked up for it, since one page has many faces.
# True if this visitor may have own faces; set only by ``own_faces``, whose look-up is the more exact.
_MAY_HAVE = "_may_have_own_faces"
# Key of a card -> state of its own face, or None.
_KNOWN = "_own_faces"


@pass_context
def small_face(context: Context, card: Card, shown: Iterable[Any] = ()) -> str:
    """Return the address of a card's small face, the visitor's own if they have one.

    ``shown``: all cards, entries or tiles of the page, so that their states are looked up together.
    """
    state = _state(context, card, shown)
    if state is None:
        return f"{reverse('face_svg', args=(card.game, card.code))}?size=small"
    return f"{reverse('own_face', args=(card.game, card.code))}?size=small&of={state}"


class FaceStrip(NamedTuple):
    """The faces of a deck as one picture, so that a page needs one request instead of one for each card.

    ``boxes``: card code -> its view box in the picture, as SVG writes it: "x y width height", in thousandths
    of a millimetre. Own cards and own faces are not in it, since the strip is cached for all visitors. A deck
    of Kai and Li Cong::

        address  "/cards/spycraft/faces.svg?of=kai,li-cong"
        width    176000, two squares with the longer side of a card; height 88000
        boxes    {"kai": "0 0 63000 88000", "li-cong": "88000 0 63000 88000"}
    """

    address: str
    width: int
    height: int
    boxes: dict[str, str]


class ShownFace(NamedTuple):
    """The place of a face on a page: a ``box`` of its strip, or else an ``address``."""

    box: str
    address: str


@pass_context
def face_strip(context: Context, game: Game, deck: Decklist) -> FaceStrip:
    """Return the strip of a deck's small faces.

    Its order depends only on which cards there are, not on their counts. Faces of one type stand together,
    which compresses better (by a seventh).
    """
    cards = {entry.card.code: entry.card for entry in deck if entry.card.has_page and not entry.card.own}
    shared = sorted(
        (code for code, card in cards.items() if _state(context, card, deck) is None),
        key=lambda code: (cards[code].type, code),
    )[:MAX_IN_STRIP]
    boxes = {}
    for number, code in enumerate(shared):
        box = box_in_strip(game.trim, game.face_named(cards[code].type).landscape, number)
        boxes[code] = f"{box.x} {box.y} {box.width} {box.height}"
    side = max(game.trim)
    return FaceStrip(
        f"{reverse('faces_svg', args=(game.slug,))}?of={','.join(shared)}", side * len(shared), side, boxes
    )


@pass_context
def face_in(context: Context, strip: FaceStrip, card: Card, shown: Iterable[Any] = ()) -> ShownFace:
    """Return the place of the small face of a card. ``shown`` as in ``small_face``."""
    box = strip.boxes.get(card.code, "") if card.has_page else ""
    return ShownFace(box, "" if box or not card.has_page else small_face(context, card, shown))


@pass_context
def own_faces(context: Context, boxes: Boxes | None = None) -> SafeString:
    """Return the attribute `` data-own-faces`` if this visitor may have own faces, else "". It goes on
    elements with links to cards, whose hover previews then show own faces.

    ``boxes``: the boxes that the visitor sees, if known already.
    """
    request: HttpRequest | None = context.get("request")
    if request is None:
        return SafeString("")
    if _MAY_HAVE not in request.__dict__:
        request.__dict__[_MAY_HAVE] = may_have_faces(reader_of(request), boxes)
    if not request.__dict__[_MAY_HAVE]:
        return SafeString("")
    return SafeString(" data-own-faces")


def _state(context: Context, card: Card, shown: Iterable[Any]) -> int | None:
    """Return the state of the visitor's own face of a card, a number that changes with it; None if they have
    none.
    """
    request: HttpRequest | None = context.get("request")
    if request is None or not request.__dict__.get(_MAY_HAVE, True):
        return None
    if not may_see_own(reader_of(request)):
        return None
    known: dict[CardKey, int | None] = request.__dict__.setdefault(_KNOWN, {})
    key = (card.game, card.code)
    if key not in known:
        fresh = {key, *((other.game, other.code) for other in _cards(shown))} - known.keys()
        # Cards without an own face are kept as None, so that they are not looked up again.
        known |= dict.fromkeys(fresh)
        known |= dict(face_states(reader_of(request), fresh))
    return known[key]


def _cards(shown: Iterable[Any]) -> Iterator[Card]:
    """Yield the cards in what is shown: cards, entries, or objects with ``cards``, such as tiles."""
    for item in shown:
        if isinstance(item, Card):
            yield item
        elif isinstance(item, Entry):
            yield item.card
        else:
            yield from item.cards


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "source_of": source_of,
    "small_face": small_face,
    "face_strip": face_strip,
    "face_in": face_in,
    "own_faces": own_faces,
}
FILTERS: Mapping[str, Callable[..., Any]] = {}
