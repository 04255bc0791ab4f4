"""Of which cards a visitor has a face of their own: by an own text, by an own picture."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from cardsdb.identity.owning import may_see_own
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnBox, OwnText
from cardsdb.models.own import Boxes
from cardsdb.own.pictures import has_pictures, picture_states

# The game's slug and the card's code.
CardKey = tuple[str, str]
# Faces in one picture. A deck of more different cards has some pictures more.
MAX_IN_STRIP = 120


def face_states(viewer: Viewer, cards: Collection[CardKey]) -> Mapping[CardKey, int]:
    """Of those cards of which this visitor sees an own text or picture, a number that is another when its
    face is. Two queries.
    """
    codes = {code for _, code in cards}
    rows = OwnText.objects.visible_to(viewer).filter(card_code__in=codes).exclude(text="")
    texts = {(game, code): state for game, code, state in rows.values_list("game", "card_code", "box__state")}
    pictures = picture_states(viewer, codes)
    return {
        card: texts.get(card, 0) ^ pictures.get(card, 0)
        for card in cards
        if card in texts or card in pictures
    }


def may_have_faces(reader: Viewer, boxes: Boxes | None = None) -> bool:
    """Whether the reader of a page has anything of their own, or everyone has. Three short queries at most,
    one where nobody has.
    """
    if reader != Viewer():
        return True
    if not may_see_own(reader):
        return False
    return bool(OwnBox.objects.states_seen_by(reader) if boxes is None else boxes) or has_pictures(reader)
