"""The X-Files Collectible Card Game (NXT Games and USPC, 1996-1997): identify the other player's secret
X-File.
"""

from __future__ import annotations

from pathlib import Path

from cardsdb.games.kit import Game, RowFact, Section, SetUpNumber
from cardsdb.games.kit.print.symbols import BLADES, TARGET
from cardsdb.games.xfiles.examples import examples
from cardsdb.games.xfiles.face import BACKS, FACES, NUMBER_SYMBOLS, POOL_SYMBOLS, PRINT_EXTRAS
from cardsdb.games.xfiles.facts import DECK_TYPES, FACTS, TYPES
from cardsdb.games.xfiles.rules import FORMATS
from cardsdb.games.xfiles.statistics import OPENING, STATISTICS

GAME = Game(
    slug="xfiles",
    name="The X-Files CCG",
    publisher="NXT Games; United States Playing Card Company",
    year="1996",
    summary=(
        "Each player hides an X-File and sends Agents to Sites to ask what the other's is; the first to"
        " identify one wins."
    ),
    folder=Path(__file__).parent,
    types=TYPES,
    facts=FACTS,
    sections=(
        Section(
            "agents",
            "Starting Agents",
            ("agent",),
            ("agents", "agent", "starting agent", "team", "starting team"),
        ),
        Section("bureau", "Bureau deck", DECK_TYPES, ("bureau", "deck")),
        Section(
            "xfile",
            "X-File",
            ("x-file",),
            ("x-files", "xfiles", "x file", "x files", "secret x-file"),
            secret=True,
        ),
        Section("sideboard", "Sideboard", DECK_TYPES, ("side", "sideboard")),
    ),
    formats=FORMATS,
    faces=FACES,
    backs=BACKS,
    line_symbols=(("LRC", TARGET), ("CRC", BLADES)),
    hue=("#2f5d50", "#8fc4b2"),
    colours={
        "RP": "#1b5a66",
        "CP": "#6d1f49",
        "*P": "#4b4a66",
        "Affiliation": "#1f5a8c",
        "Motive": "#9a5200",
        "Method": "#6a4a8c",
        "Result": "#3f6b1f",
        "Alien": "#1f5a8c",
        "Evolutionary": "#3f6b1f",
        "Government": "#4a5560",
        "Occult": "#6a4a8c",
        "Primordial": "#8a4b1c",
    },
    players="2 or more",
    rights=(
        "The X-Files is a trademark of Twentieth Century Fox Film Corporation; the cards and rules are ©"
        " 1996-1997 Fox and United States Playing Card Company. Only facts are listed here: no card text, no"
        " pictures."
    ),
    set_up=(
        SetUpNumber("Bureau deck", "60 cards or more", "D1"),
        SetUpNumber("Copies of a card", "2 at most", "D4"),
        SetUpNumber("Starting Agents", "20 RP in all", "S4"),
        SetUpNumber("X-File", "1, face down", "S2"),
        SetUpNumber("Opening hand", "7 cards", "S15"),
        SetUpNumber("Hand at the end of a turn", "7 cards at most", "S15"),
        SetUpNumber("Resource Pool at the start", "5 RP tokens", "S15"),
        SetUpNumber("Conspiracy Pool at the start", "5 CP tokens", "S15"),
    ),
    showcase=(
        "agent-fox-mulder",
        "the-jersey-devil",
        "farmington-nm",
        "the-stupendous-yappi",
        "the-dark-angel",
        "wire-tap",
        "take-cover",
        "veracity-in-question",
        "smoke-mirrors-1",
        "agent-dana-scully",
    ),
    key_cards=(("agent", "cost"), ("adversary", "cost")),
    not_known=(
        "Official tournament rules, and whether any card was ever banned or restricted: none were found.",
        (
            "Which episode Agent Fox Mulder, Agent Dana Scully, The Cigarette-Smoking Man and X-Files"
            " Research are drawn from, if any."
        ),
        "The size of the cards.",
        "Three cards of the eleven fixed starter packs, which their only source leaves out.",
    ),
    # Names are those of the GCCG module of the game, which knows no sideboard.
    exports={
        "gccg": {
            "title": "The X-Files CCG",
            "sections": {"agents": "Agents", "bureau": "Deck", "xfile": "Xfiles", "sideboard": "Deck"},
            "sets": {"X1": "101"},
        },
        "dek": {"playerstats": {"Resource Pool": 5, "Conspiracy Pool": 5}},
    },
    examples=examples,
    statistics=STATISTICS,
    opening=OPENING,
    print_extras=PRINT_EXTRAS,
    row_facts=(
        RowFact("pool", place="mark", symbols=POOL_SYMBOLS),
        RowFact("cost", place="chip"),
        *(RowFact(key, {"health": "HP"}.get(key, ""), symbol) for key, symbol in NUMBER_SYMBOLS),
        RowFact("site_level", "Needs"),
        RowFact("site_skills"),
        RowFact("site_questions"),
        RowFact("affiliation"),
        RowFact("motive"),
        RowFact("method"),
        RowFact("result"),
        RowFact("keywords"),
        RowFact("activators"),
        RowFact("episode"),
        RowFact("does"),
    ),
)
