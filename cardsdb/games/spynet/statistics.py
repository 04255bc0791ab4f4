"""The statistics of a SpyNet list: power and stars by branch, and funding."""

from __future__ import annotations

from cardsdb.games.kit import Group
from cardsdb.games.kit.play.opening import Deal, Opening, Pile
from cardsdb.games.kit.play.statistics import Counts, Cross, Curve, Statistic, Words
from cardsdb.games.spynet.rules import DRAWN

AGENTS = Group("agents", types=("agent",))
MISSIONS = Group("missions", types=("mission",))
DRAW_DECK = Group("cards of the draw deck", ("deck",), DRAWN)

STATISTICS: tuple[Statistic, ...] = (
    Counts("Cards by type", in_brief=True),
    Words(
        "Agents by branch",
        "An agent of several branches counts in each of them.",
        of=AGENTS,
        cites=("SN-08",),
        in_brief=True,
        fact="branches",
    ),
    Cross(
        "Power by branch",
        "Agents with each printed power.",
        of=AGENTS,
        cites=("SN-08",),
        in_brief=True,
        down="power",
        across="branches",
    ),
    Words(
        "Missions by branch",
        "A mission of several branches counts in each of them.",
        of=MISSIONS,
        cites=("SN-09",),
        fact="branches",
    ),
    Cross(
        "Stars by branch",
        "Missions worth so many points.",
        of=MISSIONS,
        cites=("SN-09",),
        down="stars",
        across="branches",
    ),
    Curve(
        "Funding",
        "What a card adds to its agent's power.",
        of=Group("funding cards", types=("funding",)),
        facts=("value",),
        cites=("SN-10",),
    ),
)

_PILES = tuple(Deal(f"Pile {number}", 1) for number in (1, 2, 3))


def _laid_out(players: int) -> Pile:
    """The draw deck in the format for so many players."""
    return Pile(
        f"draw-{players}",
        "Draw deck",
        (*_PILES, Deal("Opening draft: the first player to choose sees", players)),
        DRAW_DECK,
        formats=(f"draw-{players}",),
        help=(
            "Everybody keeps one card of the draft. Afterwards the deck gives single cards, to players and to"
            " piles."
        ),
        cites=("SN-07", "SN-23", "SN-25"),
    )


OPENING = Opening(
    (
        *(_laid_out(players) for players in (2, 3, 4)),
        Pile(
            "draw",
            "Draw deck",
            _PILES,
            DRAW_DECK,
            formats=("set", "house"),
            help=(
                "The opening draft depends on the number of players: choose a format for two, three or four"
                " to see it."
            ),
            cites=("SN-07", "SN-23"),
        ),
    )
)
