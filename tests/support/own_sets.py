"""Own sets and own cards of a viewer, with invented words."""

from __future__ import annotations

from cardsdb.box.card_form import TypedCard
from cardsdb.box.sets import make_set, save_card
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from cardsdb.models import OwnCard, OwnSet

# A word that is on no card and no page of the site, so a test can search for it to find a leak.
CANARY = "Zeppelin"


def own_set(viewer: Viewer, game: str = "spycraft", name: str = "Balloons", **values: str) -> OwnSet:
    """Make an own set for this viewer."""
    return make_set(viewer, games()[game], {"name": name, **values})


def own_card(
    in_set: OwnSet,
    name: str = "Brass Falcon",
    card_type: str = "agent",
    text: str = f"{CANARY}: hide it.",
    place: str = "",
    **facts: str,
) -> OwnCard:
    """Add a card to the set. ``place`` is the code of the checklist place that it fills."""
    return save_card(in_set, games()[in_set.game], TypedCard(name, card_type, facts, text), place=place)
