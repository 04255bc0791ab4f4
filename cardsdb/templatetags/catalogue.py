"""Serve the catalogue's templates: the source of a claim, and faces of cards."""

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
from cardsdb.web.card_page import source_of

# What a request knows already: whether its visitor may have faces, whether none are there at all, and the
# states of those that were looked up.
_MAY_HAVE, _NONE, _KNOWN = "_may_have_own_faces", "_no_own_faces", "_own_faces"


@pass_context
def small_face(context: Context, card: Card, shown: Iterable[Any] = ()) -> str:
    """The address of a card's small face, the visitor's own where they have one.

    ``shown``: cards, entries or tiles that the page shows besides, so that all of them are looked up at once.
    """
    state = _state(context, card, shown)
    if state is None:
        return f"{reverse('face_svg', args=(card.game, card.code))}?size=small"
    return f"{reverse('own_face', args=(card.game, card.code))}?size=small&of={state}"


class FaceStrip(NamedTuple):
    """The faces of a deck as one picture, for one request and not one a card: its address, its size, and
    where each face stands in it.

    ``boxes``: the view boxes by code. Faces of the visitor's own and own cards are not in it, for a strip is
    the same for all.
    """

    address: str
    width: int
    height: int
    boxes: dict[str, str]


class ShownFace(NamedTuple):
    """The place where a page finds a card's face: in its strip, or at an address of its own."""

    box: str
    address: str


@pass_context
def face_strip(context: Context, game: Game, deck: Decklist) -> FaceStrip:
    """The strip of a deck's small faces. It begins with the same cards in the same order however many there
    are of each; faces of a type stand together, which makes the file a seventh smaller on its way.
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
    """Return where the page finds the small face of a card; ``shown`` as with ``small_face``."""
    box = strip.boxes.get(card.code, "") if card.has_page else ""
    return ShownFace(box, "" if box or not card.has_page else small_face(context, card, shown))


@pass_context
def own_faces(context: Context, boxes: Boxes | None = None) -> SafeString:
    """The attribute of what holds links to cards, for a visitor who may have texts or pictures: faces beside
    their names show these.

    ``boxes``: those that the visitor is known to see into already.
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
    """The state of the visitor's own face of a card; None where they have none."""
    request: HttpRequest | None = context.get("request")
    if request is None or not request.__dict__.get(_MAY_HAVE, True):
        return None
    if _NONE not in request.__dict__:
        request.__dict__[_NONE] = not may_see_own(reader_of(request))
    if request.__dict__[_NONE]:
        return None
    known: dict[CardKey, int | None] = request.__dict__.setdefault(_KNOWN, {})
    key = (card.game, card.code)
    if key not in known:
        fresh = {key, *((one.game, one.code) for one in _cards(shown))} - known.keys()
        known |= dict.fromkeys(fresh) | dict(face_states(reader_of(request), fresh))
    return known[key]


def _cards(shown: Iterable[Any]) -> Iterator[Card]:
    """The cards that stand in what is shown."""
    for one in shown:
        if isinstance(one, Card):
            yield one
        elif isinstance(one, Entry):
            yield one.card
        else:
            yield from one.cards


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "source_of": source_of,
    "small_face": small_face,
    "face_strip": face_strip,
    "face_in": face_in,
    "own_faces": own_faces,
}
FILTERS: Mapping[str, Callable[..., Any]] = {}
