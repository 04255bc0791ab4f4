"""Spycraft (2004): agency decks of leaders, agents, actions and gear, and a shared mission deck."""

from __future__ import annotations

from pathlib import Path

from cardsdb.games.kit import CardType, Fact, Game, RowFact, Section, SetUpNumber
from cardsdb.games.kit.model.effects import EFFECT_FACTS
from cardsdb.games.kit.print.symbols import FLAG, GEM, PERSON, SHIELD, STAR
from cardsdb.games.spycraft.emblems import CRESTS
from cardsdb.games.spycraft.examples import examples
from cardsdb.games.spycraft.face import BACKS, COLOURS, FACES, MISSION_SYMBOLS, PRINT_EXTRAS, SKILL_SYMBOLS
from cardsdb.games.spycraft.rules import FORMATS
from cardsdb.games.spycraft.statistics import OPENING, STATISTICS

PEOPLE = ("leader", "agent")
AGENCY = ("leader", "agent", "action", "gear")
GEAR = ("gear",)

GAME = Game(
    slug="spycraft",
    name="Spycraft",
    publisher="Alderac Entertainment Group",
    year="2004",
    summary=(
        "Rival agencies send teams of agents on missions from a shared queue. Each player builds an agency of"
        " four leaders, agents, gear and actions; 20 victory points win, and losing the level 4 leader loses."
    ),
    folder=Path(__file__).parent,
    players="2 or more",
    types=(
        CardType(
            "leader",
            "Leader",
            "Leaders",
            "One of the four who head an agency, by level from 1 to 4.",
            symbol=STAR,
        ),
        CardType("agent", "Agent", "Agents", "Someone a leader sends on missions.", symbol=PERSON),
        CardType("action", "Action", "Actions", "A trick from the hand; solo operations are actions too."),
        CardType("gear", "Gear", "Gear", "What an agent carries or drives."),
        CardType(
            "mission",
            "Mission",
            "Missions",
            "What both sides fight over; missions make a deck of their own.",
            symbol=FLAG,
        ),
    ),
    facts=(
        Fact(
            "faction",
            "word",
            "The side the card belongs to; Freelancer for agents who serve any.",
            AGENCY,
            aliases=("f",),
            optional_for=("action", "gear"),
        ),
        Fact("level", "number", "A leader's rank, 1 to 4.", ("leader",), aliases=("lvl",)),
        Fact(
            "expense",
            "number",
            "What it costs to activate, and what a leader or agent can pay.",
            (*PEOPLE, "gear"),
            aliases=("cost", "exp"),
        ),
        Fact("charisma", "number", "Skill at talking, printed value.", PEOPLE, aliases=("cha",)),
        Fact("combat", "number", "Skill at fighting, printed value.", PEOPLE, aliases=("com",)),
        Fact("transport", "number", "Skill at driving and running, printed value.", PEOPLE, aliases=("tra",)),
        Fact(
            "craft",
            "number",
            "Skill at finding and hiding things out, printed value.",
            PEOPLE,
            aliases=("cra",),
        ),
        Fact("charisma_bonus", "number", "What gear adds to its bearer's charisma.", GEAR, optional=True),
        Fact("combat_bonus", "number", "What gear adds to its bearer's combat.", GEAR, optional=True),
        Fact("transport_bonus", "number", "What gear adds to its bearer's transport.", GEAR, optional=True),
        Fact("craft_bonus", "number", "What gear adds to its bearer's craft.", GEAR, optional=True),
        Fact("cover_bonus", "number", "What gear adds to its bearer's cover.", GEAR, optional=True),
        Fact(
            "bravado",
            "number",
            "What the card is worth as a discard.",
            ("agent", "action", "gear"),
            aliases=("bra",),
        ),
        Fact(
            "cover", "number", "How much shelter the mission's place gives.", ("mission",), aliases=("cov",)
        ),
        Fact(
            "victory_points",
            "number",
            "What the mission is worth to its winner.",
            ("mission",),
            aliases=("vp", "points", "worth"),
            unless=("victory_points_formula",),
        ),
        Fact(
            "victory_points_formula",
            "word",
            "How the victory points are found where no number is printed.",
            ("mission",),
            optional=True,
        ),
        Fact(
            "mission_types",
            "words",
            "Fight, Chase or Intrigue; one mission is all three.",
            ("mission",),
            aliases=("kind", "mission type"),
        ),
        Fact(
            "location",
            "word",
            "Public or Private, on missions and solo operations.",
            ("mission", "action"),
            aliases=("place",),
            optional_for=("action",),
        ),
        Fact(
            "objective_skill",
            "word",
            "The skill that decides the mission or solo operation.",
            ("mission", "action"),
            aliases=("skill",),
            optional_for=("action",),
            unless=("objective_formula",),
        ),
        Fact(
            "objective_value",
            "number",
            "By how much the attacker must lead in that skill.",
            ("mission", "action"),
            aliases=("objective",),
            optional_for=("action",),
            unless=("objective_formula",),
        ),
        Fact(
            "objective_formula",
            "word",
            "How the objective is found where no number is printed.",
            ("mission",),
            optional=True,
        ),
        Fact(
            "mission_number",
            "number",
            "The mission's place in the order of missions; known for five.",
            ("mission",),
            aliases=("mn",),
        ),
        Fact(
            "traits",
            "words",
            "Bold words that other cards look for, the faction left out.",
            AGENCY,
            aliases=("trait",),
            optional=True,
        ),
        Fact("unique", "flag", "Whether the card has the trait Unique: one copy a deck.", AGENCY),
        Fact(
            "solo_op",
            "flag",
            "Whether the action is a solo operation.",
            ("action",),
            aliases=("solo", "solo operation"),
        ),
        Fact("master", "word", "The level 4 leader this leader serves.", ("leader",), optional=True),
        Fact("henchman", "word", "The level 3 leader who serves this leader.", ("leader",), optional=True),
        Fact(
            "restricted_to",
            "words",
            "The kinds of agent that alone can use the card.",
            ("action", "gear"),
            aliases=("only", "restricted"),
            optional=True,
        ),
        Fact(
            "max_copies",
            "number",
            "A copy limit of the card's own, in place of three.",
            AGENCY,
            aliases=("limit",),
            optional=True,
        ),
        Fact(
            "action_headers",
            "words",
            "The actions on the card: phase, skill and target number.",
            aliases=("header", "headers"),
            optional=True,
        ),
        *EFFECT_FACTS,
        Fact("rules_text", "flag", "Whether the card has any rules text.", optional=True, is_aside=True),
        Fact(
            "artist",
            "word",
            "Who made the picture; read off pictured cards alone.",
            aliases=("illustrator",),
            optional=True,
            is_aside=True,
        ),
        Fact(
            "octgn_id", "text", "The card's identifier in the OCTGN plug-in.", label="OCTGN id", is_aside=True
        ),
    ),
    sections=(
        Section("leaders", "Leaders", ("leader",), order="level"),
        Section("deck", "Deck", ("agent", "action", "gear"), ("agency deck", "agency")),
        Section("missions", "Missions", ("mission",), ("mission deck",)),
    ),
    formats=FORMATS,
    faces=FACES,
    backs=BACKS,
    line_symbols=tuple((skill.capitalize(), symbol) for skill, symbol in SKILL_SYMBOLS),
    colours=COLOURS,
    hue=("#7b3327", "#e3a391"),
    set_up=(
        SetUpNumber("Opening hand", "7", "PL-1"),
        SetUpNumber("Cards drawn a turn", "5", "PL-2"),
        SetUpNumber("Hand limit", "7", "PL-2"),
        SetUpNumber("Mission Deck", "24", "MD-1"),
        SetUpNumber("Mission queue", "5, the first 2 face up", "PL-3"),
        SetUpNumber("Victory points to win", "20", "PL-4"),
        SetUpNumber("Leaders", "4, the one of level 1 active", "PL-6"),
        SetUpNumber("Active agents", "5 and the leader", "PL-5"),
        SetUpNumber("Mission team", "5 and the leader", "PL-5"),
        SetUpNumber("Markers", "activation, wounded, exposed, action used", "PL-7"),
    ),
    rights=(
        "Spycraft and its marks belong to Alderac Entertainment Group, Inc. Cutout is not connected with the"
        " publisher, shows no art and quotes no text of the cards or rulebooks."
    ),
    showcase=(
        "mai-tai",
        "snowman",
        "desperate-alliance",
        "main-battle-tank",
        "a-night-at-the-opera",
        "groundfire",
    ),
    key_cards=(("leader", "level"), ("agent", "expense"), ("mission", "victory_points")),
    deck_mark="faction",
    # Too few cards, and two leaders of the same level.
    showcase_list=(
        "Leaders:\n1 Li Cong\n1 Groundfire\n1 Mother of Clouds\n1 Adam Razir\n\nAgents:\n2 Kai\n2 Shiatsu\n"
    ),
    not_known=(
        "The official sizes and dates of every set but Operation: Nightfall.",
        "Rarity and collector number of all cards but the 18 pictured in the rulebooks.",
        "Mission numbers of all missions but five.",
        (
            "Which promos were legal, and any official errata, bans or formats: the publisher's site and"
            " forum are gone."
        ),
        "The contents of the two Shadow Academy decks.",
        (
            "The expense of Apollo and Zeus, First Aid Kit and Five-Point Harness; Sky Drop's cover; Master"
            " Sgt. Yurasov's faction."
        ),
    ),
    trim=(63_000, 88_000),
    trim_source=(
        "No rulebook states a size. 63 x 88 mm is what the OCTGN plug-in draws and what cards of this kind"
        " usually measure."
    ),
    # Names and ids are those of the game's OCTGN plug-in, where the missions are one deck that all players
    # share.
    exports={
        "o8d": {
            "game": "d1d8cc2c-e817-4b4d-9449-3315bbd3c643",
            "id_fact": "octgn_id",
            "sections": {"leaders": "Leaders", "deck": "Deck", "missions": "Missions"},
            "shared": ("missions",),
        },
        "cod": {"sections": {"missions": "side"}},
        "dek": {"playerstats": {"Victory points": 0}},
    },
    examples=examples,
    statistics=STATISTICS,
    opening=OPENING,
    print_extras=PRINT_EXTRAS,
    row_facts=(
        RowFact("faction", place="mark", symbols=tuple(CRESTS.items())),
        RowFact("mission_types", "Kind", place="mark", symbols=MISSION_SYMBOLS),
        RowFact("unique", place="sign"),
        RowFact("expense", "Cost", place="chip"),
        RowFact("level", symbol=STAR),
        *(RowFact(skill, skill[:3].capitalize(), symbol) for skill, symbol in SKILL_SYMBOLS),
        *(RowFact(f"{skill}_bonus", f"+{skill[:3].capitalize()}", symbol) for skill, symbol in SKILL_SYMBOLS),
        RowFact("cover_bonus", "+Cov", SHIELD),
        RowFact("bravado", "Brav", GEM),
        RowFact("cover", symbol=SHIELD),
        RowFact("victory_points", "VP", STAR),
        RowFact("traits"),
        RowFact("action_headers", "Action"),
        RowFact("objective_value", "Obj"),
        RowFact("objective_skill", "Skill"),
        RowFact("location", "Place"),
        RowFact("restricted_to", "Only"),
        RowFact("does"),
    ),
)
