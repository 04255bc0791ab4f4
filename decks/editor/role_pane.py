"""The cards that fit one of the roles of a deck, as the editor shows them."""

from typing import NamedTuple

from cardsdb.games.kit import Card
from cardsdb.games.kit.complete.search import fitting
from cardsdb.games.kit.play.roles import Role
from cardsdb.identity.viewer import Viewer
from decks.check.completion import owned_of
from decks.core.judging import Judged

# Cards that are shown for a role.
MAX_FITTING = 24


class Fit(NamedTuple):
    """A card that fits a role: the section that it would be put into, the reason in words, and the copies that the
    author has besides those of the deck.
    """

    card: Card
    section: str
    reason: str
    owned: int


def role_of(judged: Judged, slug: str) -> Role | None:
    """The role of this slug, for an empty one the first of which the deck lacks cards; None if there is none."""
    needs = judged.needs.roles if judged.needs else ()
    return next((one.role for one in needs if (one.role.slug == slug if slug else one.add)), None)


def fits_of(judged: Judged, role: Role, viewer: Viewer, most: int) -> dict[str, Fit]:
    """Code -> a card that fits the role in the deck as it is, at most so many, the best first."""
    owned = owned_of(viewer, judged.game)
    for entry in judged.deck:
        owned[entry.card.code] = owned.get(entry.card.code, 0) - entry.count
    return {
        one.card.code: Fit(one.card, one.section, one.reason, owned.get(one.card.code, 0))
        for one in fitting(judged.game, judged.deck, judged.format, role.slug, most)
    }
