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
# The bytes of indexes that a process keeps, and what they are taken to be: of words that no other card has each takes an entry of its own.
MAX_KEPT = 256_000_000
PER_CHARACTER, PER_CARD, PER_INDEX = 60, 9, 10_000
# Codes looked up at a time.
BATCH = 500

_Key = tuple[EditionState, int, Boxes]
_kept: OrderedDict[_Key, tuple[OwnTexts, int]] = OrderedDict()
_lock = Lock()
# Of several searches at once one makes an index, and the others wait for it: it may be large.
_making = Lock()


def boxes_of(viewer: Viewer) -> Boxes:
    """The boxes with something in them that this visitor sees into. One tiny query."""
    boxes = OwnBox.objects.seen_by(viewer).filter(state__gt=0)
    return tuple(sorted(boxes.values_list("pk", "state")))


def own_texts(boxes: Boxes, state: EditionState, snapshot: Snapshot) -> OwnTexts | None:
    """What these boxes have for the cards of a snapshot; None for no boxes."""
    if not boxes:
        return None
    key = (state, id(snapshot), boxes)
    if found := _kept_before(key):
        return found
    with _making:
        if found := _kept_before(key):
            return found
        texts = _texts(boxes, snapshot)
        made = OwnTexts(snapshot, texts)
        size = sum(map(len, texts.values())) * PER_CHARACTER + max(texts, default=0) * PER_CARD + PER_INDEX
        _keep(key, made, size)
    return made


def _kept_before(key: _Key) -> OwnTexts | None:
    with _lock:
        if key not in _kept:
            return None
        _kept.move_to_end(key)
        return _kept[key][0]


def _keep(key: _Key, made: OwnTexts, size: int) -> None:
    """Keep the index in place of those of the same boxes as they were before; the one asked for longest ago gives way."""
    boxes = [pk for pk, _ in key[2]]
    with _lock:
        for other in [other for other in _kept if [pk for pk, _ in other[2]] == boxes]:
            del _kept[other]
        _kept[key] = (made, size)
        while len(_kept) > 1 and sum(size for _, size in _kept.values()) > MAX_KEPT:
            _kept.popitem(last=False)


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
