"""Read the boxes of one visitor for searches: the cards of their own that they find beside the catalogue's,
and their texts of the catalogue's cards.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import NamedTuple

from django.utils.functional import cached_property

from cardsdb.catalogue.current import games
from cardsdb.games.kit import Card, Game, NameIndex, Print, fold
from cardsdb.identity.viewer import Viewer, may_see_own
from cardsdb.models import OwnBox, OwnCard, OwnText
from cardsdb.models.box import Boxes
from cardsdb.search.query.matching import Entry, entry_of
from cardsdb.search.query.standard import MINE, search_columns
from cardsdb.watch.requests import once_a_request

# Primary keys of one's own cards stand behind those of all cards of the catalogue.
BEHIND = 1 << 62
# Characters of what people have that a process holds; of a card besides what is searched.
MAX_CHARACTERS, PER_CARD = 100_000_000, 2_000


@dataclass(eq=False)
class OwnCards:
    """The cards of some boxes: ``entries`` by name, with their set among their prints, ``by_code`` as they
    are. ``characters``: about so many are held.
    """

    boxes: Boxes
    entries: tuple[Entry, ...] = ()
    by_code: Mapping[str, Card] = field(default_factory=dict)
    characters: int = 0

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The folded text by the card's key. Two boxes may each have a text of a card, which is found by
        either.
        """
        if not self.boxes:
            return {}
        rows = OwnText.objects.in_boxes([pk for pk, _ in self.boxes]).exclude(text="").order_by("pk")
        texts: dict[str, str] = {}
        for game, code, text in rows.values_list("game", "card_code", "text"):
            key = f"{game}/{code}"
            texts[key] = " ".join(filter(None, (texts.get(key, ""), fold(text))))
        self.characters += sum(map(len, texts.values()))
        return texts


class OwnOfGame(NamedTuple):
    """A visitor's own cards of one game: by code, and by name for reading lists."""

    cards: Mapping[str, Card]
    names: NameIndex


NOBODYS = OwnOfGame({}, NameIndex(()))
NOTHING = OwnCards(())
_lock = Lock()
_known: dict[tuple[int, ...], OwnCards] = {}


def boxes_of(viewer: Viewer) -> Boxes:
    """The boxes with something in them that this visitor sees into."""
    return _boxes_seen_by(viewer) if may_see_own(viewer) else ()


def own_of_game(viewer: Viewer, game: Game) -> OwnOfGame:
    """The own cards of this visitor in a game, and everyone's on a private site."""
    found = own_cards(_boxes_seen_by(viewer)).by_code
    cards = {code: card for code, card in found.items() if card.game == game.slug}
    return OwnOfGame(cards, NameIndex(tuple(cards.values()))) if cards else NOBODYS


def _boxes_seen_by(viewer: Viewer) -> Boxes:
    """The states of these boxes as a request found them first; one that changes a box leads on to another."""
    return once_a_request(f"boxes of {viewer}", lambda: OwnBox.objects.states_seen_by(viewer))


def own_cards_of(viewer: Viewer) -> Callable[[Game], Iterable[Card]]:
    """The own cards of this visitor by game, looked up when a list of theirs is read."""
    return lambda game: own_of_game(viewer, game).cards.values()


def own_cards(boxes: Boxes) -> OwnCards:
    """Return what these boxes hold: as it was read before if none has changed since, the newest state of
    each. What was asked for longest ago gives way.
    """
    if not boxes:
        return NOTHING
    pks = tuple(pk for pk, _ in boxes)
    # Of several who ask at once one reads, and the others wait.
    with _lock:
        found = _known.pop(pks, None)
        if found is None or found.boxes != boxes:
            found = _read(boxes)
        _known[pks] = found
        while len(_known) > 1 and sum(one.characters for one in _known.values()) > MAX_CHARACTERS:
            del _known[next(iter(_known))]
    return found


def _read(boxes: Boxes) -> OwnCards:
    rows = OwnCard.objects.in_boxes([pk for pk, _ in boxes]).select_related("in_set__box").order_by("code")
    cards: dict[str, Card] = {}
    entries = []
    for stored in rows:
        game = games().get(stored.in_set.game)
        if game is not None and stored.type in game.types_by_slug:
            cards[stored.code] = stored.as_card()
            entries.append(_entry(stored, cards[stored.code], game))
    by_name = tuple(sorted(entries, key=lambda entry: entry.order))
    return OwnCards(boxes, by_name, cards, sum(PER_CARD + len(one.search_text) for one in by_name))


def _entry(stored: OwnCard, card: Card, game: Game) -> Entry:
    """The card as searches have it. Its set stands among its prints, and a flag says whose it is: everyone's
    has no owner.
    """
    listed = replace(card, prints=(Print(stored.in_set.name),))
    columns = search_columns(listed, game)
    terms = f"{columns['terms']}{MINE}={'no' if stored.in_set.box.everyone else 'yes'}|"
    return entry_of(listed, BEHIND + stored.pk, columns["name_folded"], columns["search_text"], terms)
