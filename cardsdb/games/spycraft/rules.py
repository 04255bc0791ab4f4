"""How Spycraft decks are judged: the Agency Deck, and the Mission Deck in three formats."""

from __future__ import annotations

from dataclasses import dataclass

from cardsdb.games.kit import AllShare, Card, CopyLimit, Every, Format, Group, OneOfEach, OnlyTypes, Size
from cardsdb.games.kit.rules.card_lists import CardTest, OnlySets
from cardsdb.games.spycraft.agency_rules import (
    AGENCY,
    FREELANCER,
    AgencySize,
    CopiesByName,
    LoyaltyPenalty,
    MisplacedCards,
    NoMissions,
    OwnCopyLimit,
    PromoLegality,
    RestrictedCards,
    TopPair,
)

LEADERS = Group("leaders", types=("leader",))
UNIQUE = Group("unique cards", types=AGENCY, where=CardTest((("unique", True),)))
MISSIONS = Group("missions", types=("mission",))

# The seven base missions in the OCTGN plug-in's deck of 2015, which would be numbers 18 to 24; the rest are
# the expansions'.
NEWEST_OF_BASE_SET = frozenset(
    {
        "air-chase-over-nice",
        "destroy-the-biochem-lab",
        "escape-the-khans-lair",
        "sky-drop",
        "snow-killers",
        "the-sting",
        "tracking-subject-zero",
    }
)
BASE_SET = "ON"
EXPANSIONS = frozenset({"EA", "DB", "ML"})


@dataclass(frozen=True)
class OnlyCurrentMissions(Every):
    """Only missions of the format's list are in the deck. ``sets``: those that hold the list and nothing
    else, if any do.
    """

    sets: tuple[str, ...] = ()
    words = {"not-current": "{cards}: not among the 24 missions of this format."}

    def in_kit(self) -> OnlySets | None:
        return OnlySets(self.code, sets=self.sets, of=self.of) if self.sets else None


def _of_base_set(card: Card, _deck: object) -> bool:
    return BASE_SET in [print_.set for print_ in card.prints]


def _of_newest(card: Card, _deck: object) -> bool:
    return card.code in NEWEST_OF_BASE_SET or any(print_.set in EXPANSIONS for print_ in card.prints)


_ONLY_MISSIONS = OnlyTypes("MD-1", types=("mission",), of=Group("missions of the Mission Deck"))
_SIZE = Size("MD-1", exactly=24, of=MISSIONS)
_NO_REPEATS = CopyLimit("MD-4", limit=1, of=MISSIONS)

FORMATS = (
    Format(
        "agency",
        "Agency Deck",
        (
            NoMissions("AG-1"),
            MisplacedCards("AG-2"),
            AgencySize("AG-3", at_least=50, leaders=4),
            CopiesByName("AG-4", limit=3, of=Group("cards", types=AGENCY), override="max_copies"),
            CopyLimit("AG-5", limit=1, of=UNIQUE),
            Size("AG-6", exactly=4, of=LEADERS),
            OneOfEach("AG-7", fact="level", values=(1, 2, 3, 4), of=LEADERS),
            AllShare("AG-8", fact="faction", of=LEADERS, also=(FREELANCER,)),
            LoyaltyPenalty("AG-9"),
            OwnCopyLimit("AG-12", usual=3),
            TopPair("AG-13"),
            RestrictedCards("AG-14"),
            PromoLegality("PR-1"),
        ),
        ("leaders", "deck"),
        "A player's own deck: four leaders of one faction, and at least 46 agents, actions and gear.",
    ),
    Format(
        "mission-base",
        "Mission Deck: base set",
        (
            _ONLY_MISSIONS,
            _SIZE,
            OnlyCurrentMissions("MD-2", _of_base_set, "not-current", MISSIONS, sets=(BASE_SET,)),
            _NO_REPEATS,
        ),
        ("missions",),
        "The table's shared deck as the rulebook has it: the 24 missions of Operation: Nightfall.",
    ),
    Format(
        "mission-newest",
        "Mission Deck: newest 24",
        (
            _ONLY_MISSIONS,
            _SIZE,
            OnlyCurrentMissions("MD-3", _of_newest, "not-current", MISSIONS),
            _NO_REPEATS,
        ),
        ("missions",),
        "The shared deck with the expansions: the 24 newest missions. That it moves on is the rulebook's"
        " rule, the list the plug-in's.",
        official=False,
        basis="the rulebook’s rule, the plug-in’s list",
    ),
    Format(
        "mission-free",
        "Mission Deck: any 24",
        (_ONLY_MISSIONS, _SIZE, _NO_REPEATS, PromoLegality("PR-1")),
        ("missions",),
        "Any 24 different missions, for tables that choose their own.",
        official=False,
    ),
)
