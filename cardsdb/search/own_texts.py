"""The own texts that a query looks into: those of the boxes that its viewer sees, kept by the state of each
box.
"""

from __future__ import annotations

from cardsdb.games.kit.model.text import fold
from cardsdb.identity.owning import may_see_own
from cardsdb.identity.viewer import Viewer
from cardsdb.models import Card, EditionState, OwnBox, OwnText
from cardsdb.models.own import Boxes
from cardsdb.search.box_cache import BoxCache
from cardsdb.search.engine.own_texts import OwnTexts
from cardsdb.search.engine.snapshot import Snapshot

# The bytes of indexes that a process keeps.
MAX_BYTES = 128_000_000
# Codes looked up at a time.
BATCH = 500

_kept: BoxCache[OwnTexts] = BoxCache(MAX_BYTES)


def boxes_of(viewer: Viewer) -> Boxes:
    """The boxes with something in them that this visitor sees into. One tiny query at most."""
    return OwnBox.objects.states_seen_by(viewer) if may_see_own(viewer) else ()


def own_texts(boxes: Boxes, state: EditionState, snapshot: Snapshot) -> OwnTexts | None:
    """What these boxes have for the cards of a snapshot of this edition; None if they have nothing for
    any.
    """
    if not boxes or not snapshot.total:
        return None
    # An edition has two snapshots, and one look may be for both.
    found = _kept.get(boxes, lambda: OwnTexts(snapshot, _texts(boxes, snapshot)), state, id(snapshot))
    return found if found.with_text else None


def _texts(boxes: Boxes, snapshot: Snapshot) -> dict[int, str]:
    """Position -> folded text. Two boxes may each have a text of a card: it is found by either."""
    rows = OwnText.objects.in_boxes([pk for pk, _ in boxes]).exclude(text="").order_by("pk")
    by_card: dict[tuple[str, str], str] = {}
    for game, code, text in rows.values_list("game", "card_code", "text").iterator(2_000):
        by_card[game, code] = " ".join(filter(None, (by_card.get((game, code), ""), fold(text))))
    texts: dict[int, str] = {}
    codes = sorted({code for _, code in by_card})
    for start in range(0, len(codes), BATCH):
        for pk, *card in Card.objects.filter(code__in=codes[start : start + BATCH]).values_list(
            "pk", "game", "code"
        ):
            text, position = by_card.get((card[0], card[1])), snapshot.position(pk)
            if text and position is not None:
                texts[position] = text
    return texts
