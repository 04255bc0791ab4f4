"""Agent Decker's three checks: is it the set, can the campaign stand like this, does the score sheet add
up?
"""

from __future__ import annotations

from cardsdb.games.agentdecker import campaign, cards, score
from cardsdb.games.kit import Detail, Format, Group, OnlyTypes, Size

MISSION_CARDS = ("mission-goal", "mission-obstacle")
CARDS = ("alarm", "starting", "obstacle", *MISSION_CARDS, "unplaced")
UNPLACED = Group("cards of a deck not stated", types=("unplaced",))

COMPOSITION = (
    Size("AD-01", exactly=1, of=Group("alarm cards", types=("alarm",))),
    Size("AD-02", exactly=8, of=Group("starting cards", types=("starting",))),
    cards.StatedCopies("AD-02"),
    Size("AD-03", exactly=22, of=Group("cards of the obstacles deck", types=("obstacle",)), perhaps=UNPLACED),
    Size("AD-04", exactly=23, of=Group("cards of the mission deck", types=MISSION_CARDS), perhaps=UNPLACED),
)

CARD_DATA = (
    cards.InMissionDeck("AD-07"),
    cards.GoalsAndObstacles("AD-08"),
    cards.Letters("AD-09"),
    cards.ObstacleData("AD-10"),
)

THE_SET = Format(
    "set",
    "The set",
    (
        *COMPOSITION,
        Size("AD-05", exactly=54, of=Group("cards in all", types=CARDS)),
        OnlyTypes("AD-05", types=CARDS, of=Group("cards of the game")),
        *CARD_DATA,
        cards.GoalHasLetter("AD-12"),
    ),
    ("alarm", "mission-deck", "unplaced", "obstacle-deck", "your-deck"),
    help=(
        "Are all 54 cards there? One alarm card, 8 starting cards, 22 cards of the obstacles deck and 23 of"
        " the mission deck."
    ),
)

CAMPAIGN = Format(
    "campaign",
    "Campaign",
    (
        *COMPOSITION,
        *CARD_DATA,
        campaign.Equipped("AD-11"),
        cards.GoalHasLetter("AD-12"),
        campaign.InOrderOfLetters("AD-20"),
        campaign.AlarmBelowFifty("AD-21"),
        campaign.Dealt(
            "AD-22",
            to="line",
            what="the line",
            wanted=6,
            source="obstacle-deck",
            rest="the obstacles deck",
            left=16,
        ),
        campaign.Dealt(
            "AD-23", to="hand", what="your hand", wanted=4, source="your-deck", rest="your deck", left=4
        ),
        campaign.ObstaclesInTime("AD-25"),
        campaign.GoalsInPlace("AD-26"),
        campaign.FreshMission("AD-27"),
        Size("AD-28", exactly=54, of=Group("cards in all zones", types=CARDS)),
        campaign.InZones("AD-28"),
        campaign.LineCanBeFilled("AD-29"),
    ),
    (
        *("alarm", "mission-deck", "unplaced", "obstacle-deck", "line", "obstacle-discard"),
        *("your-deck", "hand", "play-area", "your-discard", "equip-area", "removed"),
    ),
    help=(
        "Where every card lies at the start of a turn: the line filled, four cards in hand. List the cards"
        " under their zones and the mission deck from the top, and say Alarm: and Mission:. With Turn: 1 the"
        " set-up of a mission is checked as well."
    ),
    details=(
        Detail("alarm", "Alarm", "Where the alarm stands, 0 to 49."),
        Detail("mission", "Mission", "The mission being played: A to E, or 1 to 5.", kind="text"),
        Detail("turn", "Turn", "The turn of this mission; 1 means it has just been set up."),
    ),
)

SCORE = Format(
    "score",
    "Score sheet",
    (
        score.NoCards("AD-40"),
        score.FiveMissions("AD-40"),
        score.FinishedBelowFifty("AD-41"),
        score.TotalAddsUp("AD-42"),
        score.NoGaps("AD-43"),
    ),
    (),
    help="The alarm at the end of each mission, 0 to 49, and their total. Lower is better.",
    details=(
        *(
            Detail(f"mission_{n}", f"Mission {n}", f"The alarm when mission {n} was finished, 0 to 49.")
            for n in range(1, 6)
        ),
        Detail("total", "Total", "The sum of the five."),
        Detail("date", "Date", "When the campaign was played.", kind="text"),
    ),
)

FORMATS = (THE_SET, CAMPAIGN, SCORE)
