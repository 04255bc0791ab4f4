"""The own texts that a query looks into: those of the boxes that its viewer sees, kept by the state of each box."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from cardsdb.games.kit.model.text import fold
from cardsdb.identity.viewer import Viewer
from cardsdb.models import Card, EditionState, OwnBox, OwnText
from cardsdb.search.engine.own_texts import OwnTexts
from cardsdb.search.engine.snapshot import Snapshot

# The boxes that are looked into: (primary key, state) of each, everyone's first. Empty for nobody's.
Boxes = tuple[tuple[int, int], ...]
# Characters of texts that a process keeps; a text takes some three bytes a character.
MAX_KEPT = 20_000_000
# Codes looked up at a time.
BATCH = 500

_Key = tuple[EditionState, int, Boxes]
_kept: OrderedDict[_Key, tuple[OwnTexts, int]] = OrderedDict()
_lock = Lock()


def boxes_of(viewer: Viewer) -> Boxes:
    """The boxes with something in them that this visitor sees into. One tiny query."""
    boxes = OwnBox.objects.seen_by(viewer).filter(state__gt=0)
    return tuple(sorted(boxes.values_list("pk", "state")))


def own_texts(boxes: Boxes, state: EditionState, snapshot: Snapshot) -> OwnTexts | None:
    """What these boxes have for the cards of a snapshot; None for no boxes."""
    if not boxes:
        return None
    key = (state, id(snapshot), boxes)
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key][0]
    texts = _texts(boxes, snapshot)
    made, size = OwnTexts(snapshot, texts), sum(map(len, texts.values()))
    with _lock:
        _kept[key] = (made, size)
        while len(_kept) > 1 and sum(size for _, size in _kept.values()) > MAX_KEPT:
            _kept.popitem(last=False)
    return made


def _texts(boxes: Boxes, snapshot: Snapshot) -> dict[int, str]:
    """Position -> folded text. Two boxes may each have a text of a card: it is found by either."""
    rows = OwnText.objects.filter(box__in=[pk for pk, _ in boxes]).exclude(text="").order_by("pk")
    by_card: dict[tuple[str, str], str] = {}
    for game, code, text in rows.values_list("game", "card_code", "text").iterator(2_000):
        by_card[game, code] = " ".join(filter(None, (by_card.get((game, code), ""), fold(text))))
    texts: dict[int, str] = {}
    codes = sorted({code for _, code in by_card})
    for start in range(0, len(codes), BATCH):
        for pk, *card in Card.objects.filter(code__in=codes[start : start + BATCH]).values_list("pk", "game", "code"):
            text, position = by_card.get((card[0], card[1])), snapshot.position(pk)
            if text and position is not None:
                texts[position] = text
    return texts
