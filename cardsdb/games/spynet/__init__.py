"""SpyNet: one fixed box of 84 cards, of which the rulebook names eleven."""

from __future__ import annotations

from pathlib import Path

from cardsdb.games.kit import CardType, Fact, Game, RowFact, Section, SetUpNumber
from cardsdb.games.kit.model.cards import PlaceGroup
from cardsdb.games.kit.model.effects import EFFECT_FACTS
from cardsdb.games.kit.print.symbols import COIN, STAR
from cardsdb.games.spynet.examples import examples
from cardsdb.games.spynet.face import BACKS, FACES, PRINT_EXTRAS, SYMBOLS
from cardsdb.games.spynet.rules import FORMATS
from cardsdb.games.spynet.statistics import OPENING, STATISTICS
from cardsdb.games.spynet.worksheets import WORKSHEETS

PRINTED = ("agent", "mission", "funding", "situation")

GAME = Game(
    slug="spynet",
    name="SpyNet",
    publisher="Z-Man Games",
    year="2017",
    summary=(
        "Spymasters recruit agents from three piles, dominate branches of espionage and play missions there. "
        "All players share one fixed deck, so a list is checked against the box or against a set-up."
    ),
    folder=Path(__file__).parent,
    players="2 to 4",
    rights="© 2017 Z-Man Games; SpyNet is a trademark of Z-Man Games. Cutout carries names and numbers only.",
    types=(
        CardType("agent", "Agent", "Agents", "Gives power to a branch."),
        CardType("mission", "Mission", "Missions", "Gives points; played in a branch its player dominates."),
        CardType("funding", "Funding", "Funding cards", "Adds to the power of the agent it is played with."),
        CardType(
            "situation", "Situation", "Situations", "Changes the game for everybody; at most one is in play."
        ),
        CardType(
            "unplaced",
            "Type not stated",
            "Cards of a type not stated",
            "The rulebook names the card but not what type it is.",
        ),
        CardType(
            "token",
            "Branch token",
            "Branch tokens",
            "Marks a player's place for one branch.",
            kind="component",
        ),
        CardType(
            "branch",
            "Branch",
            "Branches",
            "One of the four branches of espionage.",
            in_decks=False,
            kind="term",
        ),
        CardType(
            "component", "Component", "Components", "What the box holds.", in_decks=False, kind="component"
        ),
    ),
    facts=(
        Fact(
            "branches",
            "words",
            "The branches the card belongs to, or none.",
            (*PRINTED, "token", "branch"),
            aliases=("branch",),
        ),
        Fact("power", "number", "The power printed on the agent.", ("agent",)),
        Fact(
            "stars", "number", "The points printed on the mission.", ("mission",), aliases=("star", "points")
        ),
        Fact(
            "value",
            "number",
            "What the funding adds to its agent's power.",
            ("funding",),
            "Funding value",
            ("funding",),
        ),
        Fact(
            "special",
            "flag",
            "Whether the agent has an effect that may be used when it is played.",
            ("agent",),
        ),
        Fact(
            "mercenary",
            "flag",
            "Whether the agent is a mercenary, which may be placed in any branch.",
            ("agent",),
            aliases=("merc",),
        ),
        Fact(
            "condition",
            "flag",
            "Whether the mission's points depend on a condition met when the game ends.",
            ("mission",),
        ),
        Fact(
            "type_guess",
            "word",
            "The type the card most likely has.",
            ("unplaced",),
            "Likely type",
            ("guess", "likely"),
        ),
        Fact(
            "copies_least",
            "number",
            "How many copies the box is known to hold at least.",
            PRINTED,
            "Copies at least",
            optional=True,
        ),
        Fact(
            "stand_in",
            "flag",
            "Whether the entry stands for a card of the box whose name no source states.",
            PRINTED,
            aliases=("unnamed",),
            optional=True,
        ),
        Fact("count", "number", "How many of them the box holds.", ("token", "component"), "In the box"),
        Fact("colour", "word", "The colour of the branch on its cards.", ("branch",), aliases=("color",)),
        *EFFECT_FACTS,
    ),
    sections=(
        Section("deck", "Deck", ("agent", "mission", "funding"), ("draw deck",)),
        Section("situations", "Situations", ("situation",), ("situation", "situation in play")),
        Section("tokens", "Tokens", ("token",), ("branch tokens",)),
        Section("unplaced", "Type not stated", ("unplaced",), ("unplaced",)),
    ),
    formats=FORMATS,
    faces=FACES,
    backs=BACKS,
    hue=("#5b3a94", "#bba4ea"),
    colours={
        "enforcement": "#a8281f",
        "infiltration": "#1c6a3a",
        "counterespionage": "#785800",
        "tech": "#1d56a3",
    },
    set_up=(
        SetUpNumber("Players", "2, 3 or 4", "SN-20"),
        SetUpNumber(
            "Cards in the box", "84: 34 agents, 32 missions, 10 funding cards, 8 situations", "SN-06"
        ),
        SetUpNumber("Draw deck", "76 cards: all but the situations", "SN-07"),
        SetUpNumber("Piles beside the deck", "3, of one card each, face down", "SN-23"),
        SetUpNumber("Branch tokens for each player", "4: one of each branch", "SN-24"),
        SetUpNumber("Branch tokens in use", "8 with 2 players, 12 with 3, 16 with 4", "SN-24"),
        SetUpNumber("Cards in hand", "1 each, after the opening draft", "SN-25"),
        SetUpNumber("Left in the deck, 2 players", "76 - 3 - 2 = 71", "SN-26"),
        SetUpNumber("Left in the deck, 3 players", "76 - 3 - 3 = 70", "SN-26"),
        SetUpNumber("Left in the deck, 4 players", "76 - 3 - 4 = 69", "SN-26"),
        SetUpNumber("Teams", "two of two with 4 players, teammates opposite; none with 2 or 3", "SN-21"),
        SetUpNumber("Situations in play", "none or 1; the rest stay in the box", "SN-27"),
    ),
    showcase=("the-glove", "covert-op"),
    key_cards=(("agent", "power"), ("mission", "stars")),
    not_known=(
        "Name, power, branches and effect of 29 of the 34 agents.",
        "Name, stars, branches and condition of 29 of the 32 missions.",
        "Whether all ten funding cards are Private Funding, and whether all are worth 1.",
        "The effects of the eight situations; two names are taken for situations, but no source says so.",
        "How many agents are special or mercenaries, and how many copies there are of any card.",
        "Every printed power and every mission's stars: reviews give only the ranges, 1 to 4 and 1 to 3.",
    ),
    write_in=PRINTED,
    checklist=(
        PlaceGroup(
            "agent",
            "Agent",
            "agent",
            29,
            "SN-01",
            "34 are in the box, five are known by name.",
            stand_in="unnamed-agent",
        ),
        PlaceGroup(
            "mission",
            "Mission",
            "mission",
            29,
            "SN-02",
            "32 are in the box, three are known by name.",
            stand_in="unnamed-mission",
        ),
        PlaceGroup(
            "funding",
            "Funding card",
            "funding",
            8,
            "SN-03",
            "Ten are in the box, of which at least two are Private Funding; the others may be so too.",
            stand_in="unnamed-funding",
        ),
        PlaceGroup(
            "situation",
            "Situation",
            "situation",
            8,
            "SN-04",
            "Eight are in the box. Cyber Initiative and Partners may be two of them; no source states their"
            " type.",
            stand_in="unnamed-situation",
        ),
    ),
    examples=examples,
    statistics=STATISTICS,
    opening=OPENING,
    worksheets=WORKSHEETS,
    print_extras=PRINT_EXTRAS,
    row_facts=(
        RowFact("branches", place="mark", symbols=SYMBOLS),
        RowFact("power", place="chip"),
        RowFact("stars", symbol=STAR),
        RowFact("value", "Value", COIN),
        RowFact("special"),
        RowFact("mercenary", "Merc"),
        RowFact("condition"),
        RowFact("type_guess"),
        RowFact("copies_least", "Copies"),
        RowFact("count", "In box"),
        RowFact("colour"),
        RowFact("does"),
    ),
)
