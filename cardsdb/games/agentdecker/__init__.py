"""Agent Decker: a solo game of 54 cards, a campaign of five missions and a score sheet.

The material of this folder is under CC BY-NC 4.0, not under the licence of Cutout's code: see LICENSE.md.
"""

from __future__ import annotations

from pathlib import Path

from cardsdb.games.agentdecker.examples import examples
from cardsdb.games.agentdecker.face import BACKS, FACES, PRINT_EXTRAS, SYMBOLS
from cardsdb.games.agentdecker.face import GAINED as GAINED_NUMBERS
from cardsdb.games.agentdecker.rules import FORMATS
from cardsdb.games.agentdecker.statistics import OPENING, STATISTICS
from cardsdb.games.agentdecker.worksheets import WORKSHEETS
from cardsdb.games.kit import CardType, Credit, Fact, Game, RowFact, Section, SetUpNumber
from cardsdb.games.kit.model.cards import PlaceGroup
from cardsdb.games.kit.model.effects import EFFECT_FACTS
from cardsdb.games.kit.print.symbols import BELL

OBSTACLES = ("obstacle", "mission-obstacle", "unplaced")
GAINED = ("starting", "mission-goal", *OBSTACLES)
YOURS = ("starting", *OBSTACLES)

GAME = Game(
    slug="agentdecker",
    name="Agent Decker",
    publisher="Manuel Correia",
    year="2015",
    summary=(
        "A solo deck-building game by Manuel Correia: an agent walks past a line of obstacles, disarms them"
        " into a better deck and finishes five missions before the alarm reaches 50. A list is checked as the"
        " set, as a campaign, or as a score sheet."
    ),
    folder=Path(__file__).parent,
    players="1",
    rights=(
        "By Manuel Correia, under CC BY-NC 4.0; see LICENSE.md in its folder. Cutout carries facts, the"
        " rulebook's text, no art."
    ),
    credit=Credit(
        text="Agent Decker by Manuel Correia, CC BY-NC 4.0",
        licence="CC BY-NC 4.0",
        licence_url="https://creativecommons.org/licenses/by-nc/4.0/",
        work_url="https://gamesbymanuel.com/portfolio/agent-decker/",
        changes=(
            "Changed by Cutout: facts extracted and put in a table, rules paraphrased, symbols drawn anew, no"
            " art."
        ),
    ),
    types=(
        CardType(
            "alarm",
            "Alarm card",
            "Alarm cards",
            "Counts the alarm from 0 to 50 with two tokens.",
            symbol=BELL,
        ),
        CardType(
            "starting", "Starting card", "Starting cards", "One of the eight cards your deck begins with."
        ),
        CardType(
            "obstacle",
            "Obstacle",
            "Obstacles",
            "Something in your way; disarmed, its top half joins your deck.",
        ),
        CardType(
            "mission-goal", "Mission goal", "Mission goals", "What a mission asks for, and the reward for it."
        ),
        CardType(
            "mission-obstacle",
            "Mission obstacle",
            "Mission obstacles",
            "An obstacle that joins with its mission.",
        ),
        CardType(
            "unplaced",
            "Deck not stated",
            "Cards of a deck not stated",
            "An obstacle the rulebook names without its deck.",
        ),
        CardType(
            "mission",
            "Mission",
            "Missions",
            "One of the five missions of the campaign.",
            in_decks=False,
            kind="term",
        ),
        CardType(
            "zone", "Zone", "Zones", "A place on the table where cards lie.", in_decks=False, kind="term"
        ),
        CardType("resource", "Resource", "Resources", "What obstacles cost.", in_decks=False, kind="term"),
    ),
    facts=(
        Fact(
            "deck",
            "word",
            "The deck the card starts in.",
            ("starting", "obstacle", "mission-goal", "mission-obstacle"),
        ),
        Fact("obstacle_type", "word", "What kind of obstacle it is.", OBSTACLES, aliases=("kind",)),
        Fact("cost", "number", "How many resources it takes to interact with the obstacle.", OBSTACLES),
        Fact(
            "cost_kind",
            "word",
            "What the cost is paid in, which may be any mix.",
            (*OBSTACLES, "resource"),
            "Paid in",
        ),
        Fact("alarm", "number", "How much the alarm rises when the card leaves the line.", OBSTACLES),
        Fact(
            "reward_name",
            "text",
            "The name of the top half, which is what you gain.",
            (*OBSTACLES, "mission-goal"),
            "Reward",
        ),
        Fact(
            "reward_stealth",
            "number",
            "How much stealth it gives you.",
            GAINED,
            "Stealth gained",
            ("stealth",),
            optional=True,
        ),
        Fact(
            "reward_fighting",
            "number",
            "How much fighting it gives you.",
            GAINED,
            "Fighting gained",
            ("fighting",),
            optional=True,
        ),
        Fact(
            "keep",
            "flag",
            "Whether the top half is an item that can be equipped.",
            YOURS,
            "Item to keep",
            ("item",),
        ),
        Fact(
            "letter",
            "word",
            "The letter of the mission it belongs to.",
            ("mission-goal", "mission-obstacle", "mission"),
        ),
        Fact("mission", "number", "The number of the mission in the campaign.", ("mission",)),
        Fact("copies", "number", "How many copies the game holds.", ("alarm", "starting")),
        Fact(
            "stand_in",
            "flag",
            "Whether the entry stands for a card that no source names.",
            ("obstacle", "mission-goal", "mission-obstacle"),
            aliases=("unnamed",),
            optional=True,
        ),
        Fact("area", "words", "The zone's codes in the rulebook's pictures.", ("zone",)),
        *EFFECT_FACTS,
    ),
    sections=(
        Section("alarm", "Alarm card", ("alarm",), ("alarm counter",)),
        Section("mission-deck", "Mission deck", ("mission-goal", "mission-obstacle"), ("missions",)),
        Section("unplaced", "Deck not stated", ("unplaced",), ("unplaced",)),
        Section("obstacle-deck", "Obstacles deck", OBSTACLES, ("obstacle deck",)),
        Section("line", "The line", OBSTACLES, ("line",)),
        Section("obstacle-discard", "Obstacles discard", OBSTACLES, ("obstacle discard",)),
        Section("your-deck", "Your deck", YOURS, ("starting deck",)),
        Section("hand", "Hand", YOURS, ("your hand",)),
        Section("play-area", "Play area", YOURS, ("in play",)),
        Section("your-discard", "Your discard", YOURS, ("discard",)),
        Section("equip-area", "Equip area", ("mission-goal", *OBSTACLES), ("equipped",)),
        Section("removed", "Removed", YOURS, ("removed from the game",)),
    ),
    formats=FORMATS,
    faces=FACES,
    backs=BACKS,
    hue=("#2c5878", "#8fb8d4"),
    colours={"stealth": "#1d6166", "fighting": "#9a3a16", "any": "#5c4a86"},
    set_up=(
        SetUpNumber(
            "Cards",
            "54: 1 alarm card, 8 starting cards, 22 in the obstacles deck, 23 in the mission deck",
            "AD-05",
        ),
        SetUpNumber("Tokens for the alarm", "2, not supplied", "AD-06"),
        SetUpNumber("Missions", "5, in the order of their letters", "AD-08"),
        SetUpNumber("Alarm", "starts at 0; at 50 the game is lost", "AD-21"),
        SetUpNumber("Cards in the line", "6", "AD-22"),
        SetUpNumber("Left in the obstacles deck at first", "22 - 6 = 16", "AD-22"),
        SetUpNumber("Cards in hand", "4", "AD-23"),
        SetUpNumber("Left in your deck at first", "8 - 4 = 4", "AD-23"),
        SetUpNumber("Interactions in a turn", "1 at first; cards may allow more", "AD-24"),
        SetUpNumber("Score of a mission", "the alarm when it was finished, 0 to 49", "AD-41"),
    ),
    showcase=("guard", "sentry-gun"),
    key_cards=(("obstacle", "cost"), ("mission-obstacle", "cost")),
    not_known=(
        "18 of the 22 cards of the obstacles deck, and how many copies there are of the four that are named.",
        (
            "All five mission goals and the mission obstacles: names, numbers, and how many obstacles each"
            " letter has."
        ),
        "In which deck Patrolling Guard and Keycard are, and whether they are two halves of one card.",
        "Which cards have the icon for items, apart from Keycard.",
        "How cards come to be removed from your deck; only card texts can say.",
    ),
    write_in=("starting", "obstacle", "mission-goal", "mission-obstacle"),
    checklist=(
        PlaceGroup(
            "obstacle",
            "Obstacle",
            "obstacle",
            18,
            "AD-03",
            "22 are in the deck, four are known by name, each counted once; Patrolling Guard and Keycard may"
            " be of them.",
            {"deck": "obstacle"},
            "unnamed-obstacle",
        ),
        *(
            PlaceGroup(
                f"goal-{letter.lower()}",
                f"Mission goal {letter}",
                "mission-goal",
                1,
                "AD-08",
                "One for each of the five missions, which is deduced.",
                {"deck": "mission", "letter": letter},
                f"unnamed-mission-goal-{letter.lower()}",
            )
            for letter in "ABCDE"
        ),
        PlaceGroup(
            "mission-obstacle",
            "Mission obstacle",
            "mission-obstacle",
            18,
            "AD-08",
            "23 cards in the mission deck less five goals, which is deduced; no source states their letters.",
            {"deck": "mission"},
            "unnamed-mission-obstacle",
        ),
    ),
    examples=examples,
    statistics=STATISTICS,
    opening=OPENING,
    worksheets=WORKSHEETS,
    print_extras=PRINT_EXTRAS,
    row_facts=(
        RowFact("cost_kind", place="mark", symbols=SYMBOLS),
        RowFact("cost", place="chip"),
        RowFact("alarm", symbol=BELL),
        RowFact("obstacle_type", "Kind"),
        *(RowFact(key, name, symbol) for key, symbol, name in GAINED_NUMBERS),
        RowFact("keep", "Item"),
        RowFact("letter"),
        RowFact("mission"),
        RowFact("deck"),
        RowFact("copies"),
        RowFact("area"),
        RowFact("does"),
    ),
)
