"""Decks and the verdicts that they must get: the meaning of the rules, case by case.

``agency`` starts from the smallest legal deck, four Krypt leaders and 46 other cards, and
changes it; ``missions`` lists missions one each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cardsdb.games.kit import Example

KRYPT = ("Clean Sweep", "Double-Barrel", "Adam Razir", "Alex Kole")
FRANCHISE = ("Maria Jaeger", "Wei-Young", "Gerhard", "Dr. Kholera")

OTHERS = {
    "King Maul": 3,
    "Termite": 3,
    "Kirianna Semenov": 3,
    "Marina Moreau": 3,
    "Karl Zaitsev": 3,
    "Sascha Elgev": 3,
    "Toe Popper": 3,
    "Secret Service SUV": 3,
    "Glock 17": 3,
    "Sports Car": 3,
    "Heroic Act": 3,
    "Man and Machine": 3,
    "Taking Cover": 3,
    "High Security": 3,
    "Bravado": 3,
    "3-D Modeling": 1,
}

BASE_MISSIONS = (
    "The Warlord's Fortress",
    "Flight of the Intruder",
    "A Night at the Opera",
    "Escape the City",
    "High-Speed Melee",
    "Manhunt at Carnaval",
    "Pleasant Country Drive",
    "Raid on the Motor Pool",
    "R&R Interrupted",
    "Safe House Tussle",
    "Safety Slugs Only!",
    "Containment",
    "Surveillance at Marseilles",
    "The Direct Approach",
    "The Side Streets of Bern",
    "Verbal Sparring",
    "Wipe the Mainframe",
    # The seven that stay in the newest 24.
    "Air Chase Over Nice",
    "Destroy the Biochem Lab",
    "Escape the Khan's Lair",
    "Sky Drop",
    "Snow Killers",
    "The Sting",
    "Tracking Subject Zero",
)
EXPANSION_MISSIONS = (
    "Deliver the Cure",
    "Distraction",
    "Party Crashers",
    "Project: Pitfall Assault",
    "Race Against the Sun",
    "Recover the Antivirus",
    "Baiting Jericho",
    "Fear and Loathing in Siberia",
    "Hunting the Hunter",
    "The Final Bullet",
    "Twenty Questions",
    "Vault City 14",
    "Auction Night",
    "Cliffside Chaos",
    "Smash and Grab",
    "The Usual Suspects",
    "Who is Paradox?",
)
FLASHPOINT = ("Not THIS Federal Building, You Don't", "Big Splash at Sea World")
NEWEST = (*BASE_MISSIONS[17:], *EXPANSION_MISSIONS)


def agency(leaders: Iterable[str] = KRYPT, changes: Mapping[str, int] = {}, extra: str = "") -> str:
    """An Agency Deck as text; ``changes`` set counts of cards that are not leaders (0: out)."""
    cards = {**OTHERS, **changes}
    lines = [
        "Leaders:",
        *(f"1 {name}" for name in leaders),
        "",
        "Deck:",
        *(f"{count} {name}" for name, count in cards.items() if count),
    ]
    return "\n".join([*lines, extra])


def missions(names: Iterable[str], extra: str = "") -> str:
    """A Mission Deck as text."""
    return "\n".join(["Missions:", *(f"1 {name}" for name in names), extra])


def examples() -> tuple[Example, ...]:
    """Every case, in the rulebook's order."""
    return (*_size_and_copies(), *_leaders(), *_notices(), *_mission_decks())


def _size_and_copies() -> tuple[Example, ...]:
    return (
        Example("46 cards and four leaders", "agency", agency(), "legal", notes=()),
        Example(
            "no headings, cards go where their types belong", "agency", _plain(agency()), "legal", notes=()
        ),
        Example(
            "headings by type",
            "agency",
            _plain(agency()).replace("3 King Maul", "Agents:\n3 King Maul"),
            "legal",
            notes=(),
        ),
        Example(
            "all under one heading", "agency", agency().replace("Leaders:", "Deck:"), "legal", notes=("AG-2",)
        ),
        Example(
            "gear under Missions",
            "agency",
            agency(changes={"Glock 17": 2}, extra="Missions:\n1 Glock 17"),
            "legal",
            notes=("AG-2",),
        ),
        Example(
            "an agent under Leaders",
            "agency",
            agency().replace("Deck:\n3 King Maul", "3 King Maul\nDeck:"),
            "legal",
            notes=("AG-2",),
        ),
        Example("a mission in it", "agency", agency(extra="Missions:\n1 Sky Drop"), "illegal", ("AG-1",)),
        Example(
            "a mission does not fill the 50",
            "agency",
            agency(changes={"Bravado": 2, "Sky Drop": 1}),
            "illegal",
            ("AG-1", "AG-3"),
        ),
        Example(
            "45 cards and four leaders", "agency", agency(changes={"Bravado": 2}), "incomplete", ("AG-3",)
        ),
        Example(
            "62 cards",
            "agency",
            agency(changes=dict.fromkeys(("Bait", "Ambush", "Bluff", "Collision!"), 3)),
            "legal",
            notes=(),
        ),
        Example("four copies", "agency", agency(changes={"Bravado": 4}), "illegal", ("AG-4",), ()),
        Example(
            "three copies under two names of one card",
            "agency",
            agency(changes={"Clocked": 2, "Clocked!": 1}),
            "legal",
        ),
        Example(
            "four copies under two names of one card",
            "agency",
            agency(changes={"Clocked": 2, "Clocked!": 2}),
            "illegal",
            ("AG-4",),
        ),
        Example(
            "two cards called Tracer, three in all",
            "agency",
            agency(changes=_tracers(2, 1)),
            "legal",
            notes=("AG-4", "AG-9"),
        ),
        Example(
            "two cards called Tracer, four in all",
            "agency",
            agency(changes=_tracers(3, 1)),
            "illegal",
            ("AG-4",),
        ),
        Example("one Tracer alone", "agency", agency(changes=_tracers(3, 0)), "legal", notes=()),
        Example("six Berettas", "agency", agency(changes={"Beretta Model 92": 6}), "legal", notes=("AG-12",)),
        Example("three Berettas", "agency", agency(changes={"Beretta Model 92": 3}), "legal", notes=()),
        Example(
            "seven Berettas", "agency", agency(changes={"Beretta Model 92": 7}), "illegal", ("AG-4",), ()
        ),
        Example(
            "two different Unique cards",
            "agency",
            agency(changes={"Beowulf": 1, "Boris Zuchev": 1}),
            "legal",
            notes=(),
        ),
        Example("two of a Unique card", "agency", agency(changes={"Beowulf": 2}), "illegal", ("AG-5",)),
        Example(
            "four of a Unique card", "agency", agency(changes={"Beowulf": 4}), "illegal", ("AG-4", "AG-5")
        ),
        Example("nothing at all", "agency", "", "incomplete", ("AG-3", "AG-6", "AG-7")),
    )


def _leaders() -> tuple[Example, ...]:
    two_of_level_3 = ("Clean Sweep", "Double-Barrel", "Adam Razir", "Yuri Zabav")
    five = (*KRYPT, "Yuri Zabav")
    return (
        Example("three leaders", "agency", agency(KRYPT[:3], {"Bait": 1}), "incomplete", ("AG-6", "AG-7")),
        Example(
            "no leader of level 1", "agency", agency(KRYPT[1:], {"Bait": 1}), "incomplete", ("AG-6", "AG-7")
        ),
        Example(
            "no leaders", "agency", agency((), {"Bait": 3, "Bluff": 1}), "incomplete", ("AG-6", "AG-7"), ()
        ),
        Example("five leaders", "agency", agency(five), "illegal", ("AG-6", "AG-7")),
        Example("two of one level", "agency", agency(two_of_level_3), "illegal", ("AG-7",)),
        Example("a leader twice", "agency", agency(("Clean Sweep", *KRYPT[:3])), "illegal", ("AG-7",)),
        Example("a leader four times", "agency", agency(("Clean Sweep",) * 4), "illegal", ("AG-4", "AG-7")),
        Example(
            "two factions among the leaders",
            "agency",
            agency((*KRYPT[:3], "Mai-Tai")),
            "illegal",
            ("AG-8",),
            (),
        ),
        Example(
            "the Franchise with a matching pair", "agency", agency(FRANCHISE, _FREELANCE), "legal", notes=()
        ),
        Example(
            "a master with another's henchman",
            "agency",
            agency((*FRANCHISE[:2], "Derek Blake", "Dr. Kholera"), _FREELANCE),
            "legal",
            notes=("AG-13",),
        ),
        Example(
            "a henchman whose master is missing",
            "agency",
            agency(FRANCHISE[:3], {**_FREELANCE, "Bait": 1}),
            "incomplete",
            ("AG-6", "AG-7"),
            ("AG-13",),
        ),
    )


def _notices() -> tuple[Example, ...]:
    return (
        Example(
            "agents of another faction",
            "agency",
            agency(changes={"Akim Potenski": 3}),
            "legal",
            notes=("AG-9",),
        ),
        Example("freelancers", "agency", agency(changes={"Blitz": 3, "Paradox": 1}), "legal", notes=()),
        Example(
            "an agent nobody can ever pay for",
            "agency",
            agency(changes={"Alrik Forsythe": 1}),
            "legal",
            notes=("AG-9",),
        ),
        Example(
            "an agent whose faction no source states",
            "agency",
            agency(changes={"Master Sgt. Yurasov": 2}),
            "legal",
            notes=("AG-9",),
        ),
        Example(
            "cards for Snoops without a Snoop",
            "agency",
            agency(changes={"Blown Cover": 2}),
            "legal",
            notes=("AG-14",),
        ),
        Example(
            "cards for Soldiers with Soldiers",
            "agency",
            agency(changes={"Clocked": 2, "Commendation": 1}),
            "legal",
            notes=(),
        ),
        Example(
            "cards for another faction",
            "agency",
            agency(changes={"Made Men": 1, "Silent Night": 1}),
            "legal",
            notes=("AG-14",),
        ),
        Example("a promo", "agency", agency(changes={"Main Battle Tank": 1}), "legal", notes=("PR-1",)),
        Example(
            "a promo from the rulebook",
            "agency",
            agency(("Clean Sweep", "Dr. Verona", *KRYPT[2:])),
            "legal",
            notes=(),
        ),
    )


def _mission_decks() -> tuple[Example, ...]:
    base = BASE_MISSIONS
    return (
        Example("the base set's missions", "mission-base", missions(base), "legal", notes=()),
        Example("23 missions", "mission-base", missions(base[:23]), "incomplete", ("MD-1",)),
        Example(
            "a mission twice in place of another",
            "mission-base",
            missions((*base[:23], base[0])),
            "illegal",
            ("MD-4",),
        ),
        Example(
            "a mission too many", "mission-base", missions((*base, base[0])), "illegal", ("MD-1", "MD-4")
        ),
        Example(
            "a mission of an expansion",
            "mission-base",
            missions((*base[:23], "Distraction")),
            "illegal",
            ("MD-2",),
        ),
        Example(
            "an agent among the missions", "mission-base", missions(base, "1 King Maul"), "illegal", ("MD-1",)
        ),
        Example("the 24 newest", "mission-newest", missions(NEWEST), "legal", notes=()),
        Example(
            "an old mission among the newest",
            "mission-newest",
            missions((*NEWEST[:23], "Containment")),
            "illegal",
            ("MD-3",),
        ),
        Example(
            "a Flashpoint mission among the newest",
            "mission-newest",
            missions((*NEWEST[:23], FLASHPOINT[0])),
            "illegal",
            ("MD-3",),
        ),
        Example(
            "old and new missions",
            "mission-free",
            missions((*base[:12], *EXPANSION_MISSIONS[:12])),
            "legal",
            notes=(),
        ),
        Example(
            "with Flashpoint missions",
            "mission-free",
            missions((*base[:22], *FLASHPOINT)),
            "legal",
            notes=("PR-1",),
        ),
        Example(
            "any 24, one of them twice", "mission-free", missions((*base[:23], base[0])), "illegal", ("MD-4",)
        ),
        Example(
            "25 different missions", "mission-free", missions((*base, "Distraction")), "illegal", ("MD-1",)
        ),
        Example("gear in it", "mission-free", missions(base, "1 Glock 17"), "illegal", ("MD-1",)),
        Example("no missions", "mission-free", "", "incomplete", ("MD-1",)),
    )


# A Franchise deck whose agents are freelancers: in place of the Krypt's seven.
_FREELANCE = {
    **dict.fromkeys(
        (
            "King Maul",
            "Termite",
            "Kirianna Semenov",
            "Marina Moreau",
            "Karl Zaitsev",
            "Sascha Elgev",
            "Toe Popper",
        ),
        0,
    ),
    **dict.fromkeys(
        ("Barry Long", "Blitz", "Cassie Reed", "Flipside", "Forrester", "Killstein", "The Whitlows"), 3
    ),
}


def _tracers(actions: int, agents: int) -> dict[str, int]:
    return {"Tracer (ON)": actions, "Tracer (ML)": agents}


def _plain(text: str) -> str:
    return text.replace("Leaders:\n", "").replace("Deck:\n", "")
