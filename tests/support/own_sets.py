"""Make own sets and own cards, with invented words."""

from __future__ import annotations

from cardsdb.box.card_form import TypedCard
from cardsdb.box.sets import make_set, save_card
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnCard, OwnSet

# A word that is on no card and no page of the site, to find where an own card is shown.
CANARY = "Zeppelin"


def own_set(viewer: Viewer, game: str = "spycraft", name: str = "Balloons", **values: str) -> OwnSet:
    return make_set(viewer, games()[game], {"name": name, **values})


def own_card(
    in_set: OwnSet,
    name: str = "Brass Falcon",
    card_type: str = "agent",
    text: str = f"{CANARY}: hide it.",
    place: str = "",
    **facts: str,
) -> OwnCard:
    return save_card(in_set, games()[in_set.game], TypedCard(name, card_type, facts, text), place=place)
