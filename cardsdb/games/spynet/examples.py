"""Lists and the verdicts they must get: the test vectors of the rules, and one breach of every checked
rule.
"""

from __future__ import annotations

from cardsdb.games.kit import Example
from cardsdb.games.spynet.rules import BRANCHES

AGENTS = ("The Glove", "Hitman", "Angel", "Limonada", "Anaconda")
MISSIONS = ("ICE Breaker", "Deterrence", "Covert Op")


def box(agents: int = 34, missions: int = 32, funding: int = 10, situations: int = 8) -> str:
    """Cards of the box: those the rulebook names first, stand-ins for the rest."""
    return "\n".join(
        [
            *(f"1 {name}" for name in AGENTS + MISSIONS),
            "2 Private Funding",
            f"{agents - len(AGENTS)} Unnamed agent",
            f"{missions - len(MISSIONS)} Unnamed mission",
            f"{funding - 2} Unnamed funding",
            *([f"{situations} Unnamed situation"] if situations else []),
        ]
    )


def tokens(each: int) -> str:
    return "\n".join(f"{each} {branch.title()} token" for branch in BRANCHES)


def table(players: int, deck: str = "", **details: int | str) -> str:
    """A set-up for so many players: the draw deck, their tokens, and what else the list states."""
    stated = [f"{label.replace('_', ' ')}: {value}" for label, value in details.items()]
    return "\n".join([*stated, deck or box(situations=0), tokens(players)])


def examples() -> tuple[Example, ...]:
    return (*_whole_box(), *_card_data(), *_set_ups(), *_draw_decks(), *_house_lists())


def _whole_box() -> tuple[Example, ...]:
    undecided = f"{box(situations=6)}\n1 Cyber Initiative\n1 Partners"
    settled = f"{box(situations=6)}\n1 Cyber Initiative | situation\n1 Partners | situation"
    return (
        Example("34/32/10/8 and 16 tokens", "set", f"{box()}\n{tokens(4)}", "legal", notes=("SN-06",)),
        Example(
            "the owner writes in the two situations", "set", f"{settled}\n{tokens(4)}", "legal", notes=()
        ),
        Example(
            "two cards whose type is not stated",
            "set",
            f"{undecided}\n{tokens(4)}",
            "undecided",
            ("SN-04",),
            (),
        ),
        Example("33 agents", "set", f"{box(agents=33)}\n{tokens(4)}", "incomplete", ("SN-01", "SN-06")),
        Example("33 missions", "set", f"{box(missions=33)}\n{tokens(4)}", "illegal", ("SN-02", "SN-06")),
        Example("9 funding cards", "set", f"{box(funding=9)}\n{tokens(4)}", "incomplete", ("SN-03", "SN-06")),
        Example("34/32/10/7", "set", f"{box(situations=7)}\n{tokens(4)}", "incomplete", ("SN-04", "SN-06")),
        Example("12 tokens", "set", f"{box()}\n{tokens(3)}", "incomplete", ("SN-05",)),
        Example("no tokens", "set", box(), "incomplete", ("SN-05",)),
        Example(
            "an entry that is no card", "set", f"{box()}\n{tokens(4)}\n1 Tech branch", "illegal", ("SN-06",)
        ),
    )


def _card_data() -> tuple[Example, ...]:
    def with_card(line: str, **fewer: int) -> str:
        return f"{box(**fewer)}\n{line}\n{tokens(4)}"

    nightingale = "1 Nightingale | agent | power: 3 | branches: tech, infiltration"
    hired = (
        "1 Hired Hand | agent | mercenary: yes | branches: enforcement, infiltration, counterespionage, tech"
    )
    return (
        Example("an agent of two branches", "set", with_card(nightingale, agents=33), "legal"),
        Example("a mercenary of all four", "set", with_card(hired, agents=33), "legal"),
        Example(
            "a mercenary of one",
            "set",
            with_card("1 Ox | agent | mercenary: yes | branches: tech", agents=33),
            "illegal",
            ("SN-08",),
        ),
        Example(
            "a branch nobody knows",
            "set",
            with_card("1 Ox | agent | branches: finance", agents=33),
            "illegal",
            ("SN-08",),
        ),
        Example(
            "an agent without a branch",
            "set",
            with_card("1 Ox | agent | branches: none", agents=33),
            "illegal",
            ("SN-08",),
        ),
        Example(
            "power below zero", "set", with_card("1 Ox | agent | power: -1", agents=33), "illegal", ("SN-08",)
        ),
        Example(
            "a mission of four",
            "set",
            with_card("1 Gala | mission | stars: 2 | branches: tech, enforcement", missions=31),
            "legal",
        ),
        Example(
            "a mission without a branch",
            "set",
            with_card("1 Gala | mission | branches: none", missions=31),
            "illegal",
            ("SN-09",),
        ),
        Example(
            "stars below zero",
            "set",
            with_card("1 Gala | mission | stars: -1", missions=31),
            "illegal",
            ("SN-09",),
        ),
        Example(
            "funding with a branch",
            "set",
            with_card("1 Slush | funding | branches: tech", funding=9),
            "illegal",
            ("SN-10",),
        ),
        Example(
            "a situation with a branch",
            "set",
            with_card("1 Fog | situation | branches: tech", situations=7),
            "illegal",
            ("SN-11",),
        ),
    )


def _set_ups() -> tuple[Example, ...]:
    four: dict[str, int | str] = {"Players": 4, "Teams": "1+3, 2+4", "Piles": 3, "Hand": 1, "Deck_left": 69}
    situation = f"{box(situations=0)}\n1 Unnamed situation"
    face_up = f"{box(agents=33, situations=0)}\nSituations:\n1 Partners\nTokens:\n{tokens(4)}"
    return (
        Example(
            "four players and a situation", "draw-4", table(4, situation, **four), "legal", notes=("SN-28",)
        ),
        Example(
            "three players",
            "draw-3",
            table(3, Players=3, Teams="none", Piles=3, Hand=1, Deck_left=70),
            "legal",
            notes=(),
        ),
        Example("two players", "draw-2", table(2, Players=2, Deck_left=71), "legal", notes=()),
        Example("five players", "draw-4", table(4, Players=5), "illegal", ("SN-20",)),
        Example("one player", "draw-2", table(2, Players=1), "illegal", ("SN-20",)),
        Example("three players at the table of two", "draw-2", table(2, Players=3), "illegal", ("SN-20",)),
        Example("neighbours as teammates", "draw-4", table(4, Teams="1+2, 3+4"), "illegal", ("SN-21",)),
        Example("one team stated", "draw-4", table(4, Teams="2+4"), "legal", notes=()),
        Example(
            "a face-up card cannot fill the deck",
            "draw-4",
            face_up,
            "incomplete",
            ("SN-01", "SN-07", "SN-27"),
        ),
        Example("teams by name", "draw-4", table(4, Teams="grey against white"), "legal", notes=("SN-21",)),
        Example("teams of three players", "draw-3", table(3, Teams="1+3, 2"), "illegal", ("SN-22",)),
        Example("teams of two players", "draw-2", table(2, Teams="1, 2"), "illegal", ("SN-22",)),
        Example("four piles", "draw-4", table(4, Piles=4), "illegal", ("SN-23",)),
        Example("tokens of four at the table of two", "draw-2", table(4), "illegal", ("SN-24",)),
        Example("tokens of two at the table of three", "draw-3", table(2), "incomplete", ("SN-24",)),
        Example("a hand of two", "draw-3", table(3, Hand=2), "illegal", ("SN-25",)),
        Example("71 left with four players", "draw-4", table(4, Deck_left=71), "illegal", ("SN-26",)),
        Example("69 left with two players", "draw-2", table(2, Deck_left=69), "illegal", ("SN-26",)),
        Example("69 left with three players", "draw-3", table(3, Deck_left=69), "illegal", ("SN-26",)),
        Example(
            "two situations face up",
            "draw-4",
            table(4, f"{box(situations=0)}\n2 Unnamed situation"),
            "illegal",
            ("SN-27",),
        ),
        Example(
            "a situation of a type not stated",
            "draw-4",
            table(4, f"{box(situations=0)}\n1 Partners"),
            "undecided",
            ("SN-27",),
        ),
    )


def _draw_decks() -> tuple[Example, ...]:
    inside = f"Deck:\n{box(situations=1)}\nTokens:\n{tokens(4)}"
    short = f"{box(agents=33, situations=0)}\n1 Partners\n{tokens(4)}"
    seventy_five = f"Deck:\n{box(agents=33, missions=31, situations=0)}\n1 Partners\nTokens:\n{tokens(4)}"
    two_beside = f"{box(situations=0)}\n1 Partners\n1 Cyber Initiative\n{tokens(4)}"
    return (
        Example("76 cards without situations", "draw-4", box(situations=0), "legal", notes=("SN-24",)),
        Example("a situation in the draw deck", "draw-4", inside, "illegal", ("SN-07",)),
        Example(
            "33 agents to draw from", "draw-4", box(agents=33, situations=0), "incomplete", ("SN-01", "SN-07")
        ),
        Example(
            "31 missions to draw from",
            "draw-3",
            box(missions=31, situations=0),
            "incomplete",
            ("SN-02", "SN-07"),
        ),
        Example(
            "11 funding cards to draw from",
            "draw-2",
            box(funding=11, situations=0),
            "illegal",
            ("SN-03", "SN-07"),
        ),
        Example("33 agents and perhaps one more", "draw-4", short, "undecided", ("SN-01", "SN-07", "SN-27")),
        Example(
            "75 cards, one of a type not stated",
            "draw-4",
            seventy_five,
            "incomplete",
            ("SN-01", "SN-02", "SN-07"),
        ),
        Example("two of a type not stated beside the 76", "draw-4", two_beside, "illegal", ("SN-27",)),
    )


def _house_lists() -> tuple[Example, ...]:
    return (
        Example(
            "a part of the box", "house", "10 Unnamed agent\n8 Unnamed mission", "legal", notes=("SN-06",)
        ),
        Example("the published set", "house", box(), "legal", notes=()),
        Example(
            "a house agent without a branch", "house", "1 Ox | agent | branches: none", "illegal", ("SN-08",)
        ),
    )
