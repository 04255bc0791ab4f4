"""Steam Spy: spies, each with a character sheet, a corporation's deck and a deck of their organisations.

No source names a playing card of this game. The catalogue holds what the rules page names, and
players write their own cards in.
"""

from __future__ import annotations

from pathlib import Path

from cardsdb.games.kit import Game, RowFact, Section, SetUpNumber
from cardsdb.games.steamspy.examples import examples
from cardsdb.games.steamspy.face import BACKS, COLOURS, ENCOUNTER_SYMBOLS, FACES, HUE, TRAIT_SYMBOLS
from cardsdb.games.steamspy.facts import CHECKLIST, FACTS, TYPES, WRITE_IN
from cardsdb.games.steamspy.rules import FORMATS
from cardsdb.games.steamspy.statistics import OPENING, STATISTICS
from cardsdb.games.steamspy.worksheets import WORKSHEETS

GAME = Game(
    slug="steamspy",
    name="Steam Spy",
    publisher="Entire Prize Enterprises (by its web address)",
    year="",
    summary=(
        "Two sides of spies meet in encounters decided by trait, action and skill ranks. A player builds a"
        " cell of characters for XP and brings a corporation's 32 cards and 24 of the characters'"
        " organisations."
    ),
    folder=Path(__file__).parent,
    types=TYPES,
    facts=FACTS,
    sections=(
        Section("cell", "Cell", ("character",), ("characters", "spy cell", "agents", "team")),
        Section(
            "corporation",
            "Corporation deck",
            ("ally", "interrupt", "corporation-card"),
            ("corporation cards", "company deck", "target company"),
        ),
        Section(
            "organisation",
            "Organisation deck",
            ("equipment", "add-on", "creature", "organisation-card"),
            ("organization", "organization deck", "organisation cards", "organization cards"),
        ),
    ),
    formats=FORMATS,
    faces=FACES,
    backs=BACKS,
    hue=HUE,
    colours=COLOURS,
    players="2, or two teams",
    rights=(
        "No licence is stated anywhere. Cutout holds facts of the game in its own words; everything else is"
        " its owners'."
    ),
    set_up=(
        SetUpNumber("Starting XP of a character", "10", "SS-06"),
        SetUpNumber("XP for a rank: trait, action, skill", "4, 3, 1", "SS-07"),
        SetUpNumber("XP for the download ability", "10", "SS-08"),
        SetUpNumber("XP spent for each level", "10", "SS-09"),
        SetUpNumber("Corporation deck", "32 cards", "SS-20"),
        SetUpNumber("Organisation deck", "24 cards", "SS-24"),
        SetUpNumber("Draw deck", "56 cards", "SS-27"),
        SetUpNumber("Opening hand", "5 cards each", "SS-30"),
    ),
    showcase=("das-wort", "bluffing"),
    key_cards=(("character", "level"), ("ally", "price")),
    not_known=(
        "Every playing card: no source gives a card's name, text or initiative field.",
        "Whether a corporation has more than 32 different cards, or an organisation more than 24.",
        "Whether the cards of all six corporations and organisations were ever printed.",
        "Which trait and encounter type an action belongs to: both are deduced from the order of the lists.",
        "The highest rank, if there is one.",
        "What it costs to add a character to a cell.",
        "The types of vehicle.",
        "The designer, and the year of the rules page.",
    ),
    write_in=WRITE_IN,
    checklist=CHECKLIST,
    examples=examples,
    statistics=STATISTICS,
    opening=OPENING,
    worksheets=WORKSHEETS,
    row_facts=(
        RowFact("encounter_type", "Encounter", place="mark", symbols=ENCOUNTER_SYMBOLS),
        RowFact("corporation", place="mark"),
        RowFact("price", place="chip"),
        RowFact("level"),
        RowFact("xp", "XP"),
        *(RowFact(trait.lower(), trait[:4], symbol) for trait, symbol in TRAIT_SYMBOLS),
        RowFact("trait"),
        RowFact("trait_bonus", "+Trait"),
        RowFact("skill_bonus", "+Skill"),
        RowFact("action_bonus", "+Action"),
        RowFact("organisation"),
        RowFact("region"),
        RowFact("sponsored"),
        RowFact("sponsor"),
        RowFact("aim"),
        RowFact("encounters"),
        RowFact("encounter_kind"),
        RowFact("listed_under"),
        RowFact("does"),
    ),
)
