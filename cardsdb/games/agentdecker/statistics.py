"""The statistics of an Agent Decker list: the obstacles, and what your deck has against them."""

from __future__ import annotations

from cardsdb.games.kit import Group
from cardsdb.games.kit.play.opening import Deal, Opening, Pile
from cardsdb.games.kit.play.statistics import Counts, Cross, Curve, Statistic, Words

OBSTACLES = ("obstacle", "mission-obstacle", "unplaced")
IN_THE_WAY = Group(
    "obstacles", ("mission-deck", "unplaced", "obstacle-deck", "line", "obstacle-discard"), OBSTACLES
)
YOURS = Group("your cards", ("your-deck", "hand", "play-area", "your-discard"))
TO_SHUFFLE = Group("obstacles", ("obstacle-deck", "line", "obstacle-discard"))

STATISTICS: tuple[Statistic, ...] = (
    Counts("Cards by type", in_brief=True),
    Counts("Where they lie", by="section", cites=("AD-28",)),
    Cross(
        "Cost of the obstacles",
        "By what it is paid in.",
        of=IN_THE_WAY,
        cites=("AD-10",),
        in_brief=True,
        down="cost",
        across="cost_kind",
    ),
    Curve(
        "Alarm",
        "How much the alarm rises when an obstacle leaves the line.",
        of=IN_THE_WAY,
        facts=("alarm",),
        cites=("AD-10",),
    ),
    Curve(
        "Stealth and fighting in your deck",
        "What your cards give, in deck, hand, play area and discard. Cards that give neither are not"
        " counted.",
        of=YOURS,
        in_brief=True,
        facts=("reward_stealth", "reward_fighting"),
    ),
    Words("Obstacles by kind", of=IN_THE_WAY, fact="obstacle_type"),
    Words(
        "Mission cards by letter",
        of=Group(types=("mission-goal", "mission-obstacle")),
        fact="letter",
        cites=("AD-08", "AD-09"),
    ),
)

OPENING = Opening(
    (
        Pile(
            "line",
            "Obstacles",
            (Deal("The line", 6),),
            TO_SHUFFLE,
            formats=("set", "campaign"),
            help=(
                "The obstacles deck, the line and the obstacles discard shuffled together, as before a"
                " mission."
            ),
            cites=("AD-22", "AD-27"),
        ),
        Pile(
            "yours",
            "Your deck",
            (Deal("Hand", 4),),
            YOURS,
            4,
            "At the end of a turn",
            ("set", "campaign"),
            help=(
                "Your deck, hand, play area and discard shuffled together, as before a mission. What is"
                " equipped stays."
            ),
            cites=("AD-23", "AD-27"),
        ),
    )
)
